//! The first layer: from the text a model sent as arguments to JSON. Never starts a process, never guesses at an end.
//!
//! Complete but sloppy JSON is mended (a fence around it, raw line breaks in a string, an escape JSON does not know, half a
//! pair of surrogates, an object sent as a string). Cut JSON is not: closing what a model left open can turn a command into a shorter one.

use serde_json::Value;

use crate::wire::without_lone_surrogates;

/// Why arguments are not JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseFault {
    /// The parser's reason, with line and column.
    pub reason: String,
}

/// Reads arguments. Blank text is an empty object: models send it for a call without arguments.
pub fn parse_arguments(text: &str) -> Result<Value, ParseFault> {
    if text.trim().is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    let strict = match serde_json::from_str::<Value>(text) {
        Ok(Value::String(inner)) => {
            return match serde_json::from_str::<Value>(&inner) {
                Ok(value @ Value::Object(_)) => Ok(value),
                _ => Ok(Value::String(inner)),
            };
        }
        Ok(value) => return Ok(value),
        Err(fault) => fault,
    };
    let bare = without_lone_surrogates(without_fence(text));
    [bare.to_string(), with_legal_escapes(&bare)]
        .iter()
        .find_map(|candidate| {
            let mut values = serde_json::Deserializer::from_str(candidate).into_iter::<Value>();
            let first = values.next()?.ok()?;
            let rest = candidate.get(values.byte_offset()..).unwrap_or_default();
            // After a whole object only prose may follow: never more JSON, and no quote, which would mean that the
            // object's end stood inside a text whose quotes were not escaped.
            (first.is_object() && !rest.contains(['{', '[', '"'])).then_some(first)
        })
        .ok_or_else(|| ParseFault { reason: strict.to_string() })
}

/// The inside of a Markdown fence, if the whole text is one.
fn without_fence(text: &str) -> &str {
    let trimmed = text.trim();
    let Some(opened) = trimmed.strip_prefix("```") else { return trimmed };
    let inside = opened.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    inside.rsplit_once("```").map_or(trimmed, |(inside, _)| inside.trim())
}

/// Inside strings: raw control characters escaped, and backslashes that begin no JSON escape doubled.
pub(crate) fn with_legal_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut in_string = false;
    let mut rest = text;
    loop {
        let stop = rest.bytes().position(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')).unwrap_or(rest.len());
        let (plain, more) = rest.split_at(stop);
        out.push_str(plain);
        let mut characters = more.chars();
        let Some(character) = characters.next() else { return out };
        match character {
            '"' => {
                in_string = !in_string;
                out.push('"');
            }
            '\\' if in_string => {
                let escape = characters.as_str();
                let digits = escape.strip_prefix('u').and_then(|rest| rest.get(..4));
                let is_unicode = digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
                out.push('\\');
                match escape.chars().next() {
                    Some(next) if is_unicode || "\"\\/bfnrt".contains(next) => {
                        out.push(next);
                        characters.next();
                    }
                    _ => out.push('\\'),
                }
            }
            '\n' if in_string => out.push_str("\\n"),
            '\r' if in_string => out.push_str("\\r"),
            '\t' if in_string => out.push_str("\\t"),
            control if in_string => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
        rest = characters.as_str();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::parse_arguments;

    #[track_caller]
    fn check(text: &str, expected: Option<Value>) {
        assert_eq!(parse_arguments(text).ok(), expected, "{text}");
    }

    #[test]
    fn json_is_read_as_it_is() {
        check(r#"{"command":"ls"}"#, Some(json!({"command": "ls"})));
        check("", Some(json!({})));
        check(" \n", Some(json!({})));
        check("[]", Some(json!([])));
        check("null", Some(json!(null)));
        check(r#"{"command": 3}"#, Some(json!({"command": 3})));
    }

    #[test]
    fn of_a_key_told_twice_the_last_counts_for_everybody() {
        check(r#"{"command":"a","command":"b"}"#, Some(json!({"command": "b"})));
    }

    #[test]
    fn size_and_depth_cost_no_more_than_their_length() {
        let long = format!("{{\"command\":\"{}\n\"}}", "x\\d".repeat(3_000_000));
        assert!(parse_arguments(&long).is_ok());
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert!(parse_arguments(&deep).is_err());
        assert!(parse_arguments(&"\"".repeat(1_000_001)).is_err());
    }

    #[test]
    fn complete_but_sloppy_json_is_mended() {
        check("```json\n{\"command\":\"ls\"}\n```", Some(json!({"command": "ls"})));
        check("```json {\"command\":\"ls\"} ```", Some(json!({"command": "ls"})));
        check("```\n{\"command\":\"ls\"}\n```\nThis lists files.", Some(json!({"command": "ls"})));
        check("{\"command\":\"ls\"}}", Some(json!({"command": "ls"})));
        check(r#"{"command":"dir C:\users \u4f60"}"#, Some(json!({"command": r"dir C:\users 你"})));
        check("{\"command\":\"ls\"}\nThis lists files.", Some(json!({"command": "ls"})));
        check("{\"command\":\"echo a\necho b\tc\"}", Some(json!({"command": "echo a\necho b\tc"})));
        check(r#"{"command":"grep '\d' C:\p"}"#, Some(json!({"command": r"grep '\d' C:\p"})));
        check(r#""{\"command\":\"ls\"}""#, Some(json!({"command": "ls"})));
        check(r#"{"command":"a\ud83d \ud83d\ude00"}"#, Some(json!({"command": "a\u{fffd} 😀"})));
    }

    #[test]
    fn cut_or_doubled_json_is_refused() {
        for text in [
            "{",
            r#"{"command": "ls"#,
            r#"{"command": "rm -rf /tmp/build-ca"#,
            r#"{"command": "ls""#,
            r#"{"command":"x"}{"command":"y"}"#,
            "{'command': 'ls'}",
            r#"{"command":"echo "} > x"}"#,
            r#"{"command":"rm -r x"} "y"}"#,
            r#"{"command":"a\"#,
            r#"{"command":"a\ud83d"#,
            "```json\n{\"command\":\"cat <<'E'\n```",
            r#"{"n":1e999}"#,
            r#"[{"command":"ls"}"#,
            "\u{feff}",
            r#"{"command": "git commit -m "x""}"#,
            "ls",
        ] {
            check(text, None);
        }
    }
}
