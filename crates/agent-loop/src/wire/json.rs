//! JSON as endpoints write it, and as they want it.

mod exact;
mod mend;
mod row;

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::message::Block;
use crate::tool::parse_arguments;
use mend::mended;

pub use exact::with_exact_numbers;
pub(crate) use mend::{Half, surrogate, without_lone_surrogates};
pub(crate) use row::{RowEnd, read_row};

/// Reads JSON. What servers get wrong in it costs a character or a number instead of the whole answer: invalid UTF-8
/// and the escapes of half a surrogate pair become U+FFFD, raw control characters and illegal escapes in strings count
/// as what they stand for, and what is no number that JSON has (`NaN`, `-Infinity`) is `null`. Numbers that fit no
/// [`Value`] are kept as they were written, for [`written`].
pub fn read(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    // Everything here reads from text: a second kind of source would be compiled a second time for each type.
    let text = String::from_utf8_lossy(bytes);
    let text = exact::kept(&text);
    serde_json::from_str(&text).or_else(|error| match is_too_deep(&error) {
        true => Err(error),
        false => serde_json::from_str(&mended(&text)),
    })
}

/// Whether a value is nested deeper than is read: nothing mends that, and trying costs as much as the text is long.
fn is_too_deep(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("recursion limit")
}

/// A count or an index: a whole number, which some servers write as a fraction or as text.
pub(crate) fn number(value: &Value) -> Option<u64> {
    let whole = |n: f64| (n.fract() == 0.0 && (0.0..9e15).contains(&n)).then_some(n as u64);
    match value {
        Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?)),
        Value::String(digits) => digits.trim().parse().ok(),
        kept => whole(exact::text_of(kept)?.parse().ok()?),
    }
}

/// What was read as JSON on one line, with its numbers as they were written.
pub fn written(value: &Value) -> String {
    with_exact_numbers(value.to_string())
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

#[cfg(test)]
mod tests {
    use super::{number, object_text, read};
    use serde_json::{Value, json};

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
    fn what_is_no_json_costs_no_more_than_itself() {
        let check = |text: &str, expected: Value| assert_eq!(read(text.as_bytes()).unwrap(), expected, "{text}");
        check("{\"a\":\"x\ty\u{0}\"}", json!({ "a": "x\ty\u{0}" }));
        check(r#"{"a":"\d \" NaN"}"#, json!({ "a": "\\d \" NaN" }));
        check(r#"{"a":[NaN,-Infinity,Infinity,-2.5]}"#, json!({ "a": [null, null, null, -2.5] }));
        check(r#"{"a":"NaN","NaN":"-Infinity","b":"é\\"}"#, json!({ "a": "NaN", "NaN": "-Infinity", "b": "é\\" }));
        for text in ["{\"a\":NaN", "{\"a\":\"\t", "{\"a\":\"\\", "{\"a\":\"\\u12"] {
            assert!(read(text.as_bytes()).unwrap_err().is_eof(), "{text}");
        }
        for text in ["{\"a\":nil}", "{'a':1}", "{\"a\":1,}", "NaN NaN"] {
            assert!(!read(text.as_bytes()).unwrap_err().is_eof(), "{text}");
        }
    }

    #[test]
    fn a_count_is_a_whole_number() {
        let check = |value: Value, expected: Option<u64>| assert_eq!(number(&value), expected, "{value}");
        check(read(b"7.00").unwrap(), Some(7));
        check(read(b"1.2e3").unwrap(), Some(1200));
        check(read(b"1e999").unwrap(), None);
        check(read(b"18446744073709551616").unwrap(), None);
        check(json!(7), Some(7));
        check(json!(7.0), Some(7));
        check(json!(" 7"), Some(7));
        check(json!(u64::MAX), Some(u64::MAX));
        for none in [json!(-1), json!(0.5), json!(1e300), json!("x"), json!(null), json!([7])] {
            check(none, None);
        }
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
