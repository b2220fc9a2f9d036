//! JSON as endpoints write it, and as they want it.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::message::Block;
use crate::tool::parse_arguments;

/// Reads JSON. Invalid UTF-8 and the escapes of half a surrogate pair, which some servers send where they cut a
/// text, become U+FFFD instead of costing the whole answer.
pub fn read(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    // Everything here reads from text: a second kind of source would be compiled a second time for each type.
    let text = String::from_utf8_lossy(bytes);
    serde_json::from_str(&text).or_else(|_| serde_json::from_str(&without_lone_surrogates(&text)))
}

/// A text field. Empty, null and absent are the same to every caller.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// How deep a value may be nested that is kept as it came. Readers of JSON give up at 128, and a stored log wraps the
/// value in its own levels: a session that an endpoint's answer makes unreadable would be lost.
pub(crate) const DEPTH: usize = 64;

/// The blocks without what is nested too deep to be kept.
pub(crate) fn keep_shallow(blocks: &mut Vec<Block>) {
    blocks.retain_mut(|block| match block {
        Block::Thinking { raw, .. } | Block::Opaque { raw } => is_shallow(raw, DEPTH),
        Block::ToolUse(call) => {
            call.extra.take_if(|extra| !is_shallow(extra, DEPTH));
            true
        }
        Block::Text { .. } | Block::ToolResult(_) => true,
    });
}

/// Whether a value has at most this many levels.
pub(crate) fn is_shallow(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels > 0 && items.iter().all(|item| is_shallow(item, levels - 1)),
        Value::Object(fields) => levels > 0 && fields.values().all(|field| is_shallow(field, levels - 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// Appends a JSON string.
pub(crate) fn push_quoted(out: &mut String, text: &str) {
    out.push_str(&serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned()));
}

/// The arguments of a call as the text of a JSON object: as it was written where it is one, mended where the call ran
/// mended, and otherwise `{}`, because an endpoint that finds anything else in the history refuses every request from
/// then on.
pub(crate) fn object_text(arguments: &str) -> Cow<'_, str> {
    let is_object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).is_ok();
    if is_object(arguments) {
        return Cow::Borrowed(arguments.trim());
    }
    let mended = without_lone_surrogates(arguments);
    if is_object(&mended) {
        return Cow::Owned(mended.trim().to_owned());
    }
    match parse_arguments(&mended) {
        Ok(object @ Value::Object(_)) => Cow::Owned(object.to_string()),
        Ok(_) | Err(_) => Cow::Borrowed("{}"),
    }
}

fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    if !text.contains("\\u") {
        return Cow::Borrowed(text);
    }
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        mended.push_str(before);
        let (kept, length) = match surrogate(escape) {
            Some(Half::High) if escape.get(6..).and_then(surrogate) == Some(Half::Low) => (escape.get(..12), 12),
            Some(_) => (Some("\\ufffd"), 6),
            None => {
                let length = 1 + escape.chars().nth(1).map_or(0, char::len_utf8);
                (escape.get(..length), length)
            }
        };
        mended.push_str(kept.unwrap_or_default());
        rest = escape.get(length..).unwrap_or_default();
    }
    mended.push_str(rest);
    Cow::Owned(mended)
}

#[derive(PartialEq, Eq)]
enum Half {
    High,
    Low,
}

/// Which half of a pair the escape at the front of the text is.
fn surrogate(text: &str) -> Option<Half> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xD800..=0xDBFF => Some(Half::High),
        0xDC00..=0xDFFF => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{object_text, read};
    use serde_json::json;

    #[test]
    fn half_a_pair_costs_one_character() {
        let check = |text: &[u8], expected: &str| assert_eq!(read(text).unwrap(), json!(expected));
        check(br#""a\ud83d""#, "a\u{fffd}");
        check(br#""\ude00b""#, "\u{fffd}b");
        check(br#""\ud83d\ud83d\ude00\\ud83d""#, "\u{fffd}😀\\ud83d");
        check(b"\"a\xE4\xBD\"", "a\u{fffd}");
        assert!(read(br#""\ud83"#).is_err());
    }

    #[test]
    fn arguments_are_an_object_or_empty() {
        let check = |arguments: &str, expected: &str| assert_eq!(object_text(arguments), expected, "{arguments}");
        check(
            r#"{"command": "ls",  "n": 12345678901234567890123}"#,
            r#"{"command": "ls",  "n": 12345678901234567890123}"#,
        );
        check(" {} ", "{}");
        check(r#"{"command": "\ud83d"}"#, r#"{"command": "\ufffd"}"#);
        check(r#"{"command": "git commit -m \"x}"#, "{}");
        check("{\"command\": \"a\nb\"}", r#"{"command":"a\nb"}"#);
        check("```json\n{\"command\":\"ls\"}\n```", r#"{"command":"ls"}"#);
        check("[1]", "{}");
        check("null", "{}");
        check("", "{}");
    }
}
