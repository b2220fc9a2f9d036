//! Numbers as they were written.
//!
//! A number is read as an integer of 64 bits or as a double. One that would not be written back as it came, because it
//! is longer than that or has another spelling (`1.10`, `1e3`), is kept as an object whose one field is the text; so it
//! passes through everything that holds a value, the stored log included, and becomes a number again where JSON is
//! written. What a service wants back unchanged is often signed.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde_json::Value;

/// The field that holds the text of a number.
const MARK: &str = "loopglass:number";

/// The text with its numbers in a form that keeps them, and with `null` for what is no number that JSON has.
pub(super) fn kept(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut rest, mut uncopied) = (text, text);
    let mut in_string = false;
    loop {
        let stands_for_itself = |byte: u8| match in_string {
            true => !matches!(byte, b'"' | b'\\'),
            false => byte != b'"' && byte != b'-' && !byte.is_ascii_alphanumeric(),
        };
        let (_, token) = rest.split_at(leading(rest, stands_for_itself));
        let length = match token.chars().next() {
            None if out.is_empty() => return Cow::Borrowed(text),
            None => return Cow::Owned(out + uncopied),
            Some('"') => {
                in_string = !in_string;
                1
            }
            // An escape is two characters at least, and the second may be a quotation mark.
            Some('\\') => 1 + token.chars().nth(1).map_or(0, char::len_utf8),
            Some(_) => leading(token, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')),
        };
        let (token, more) = token.split_at(length);
        if let Some(instead) = instead_of(token) {
            let (before, _) = uncopied.split_at(uncopied.len() - token.len() - more.len());
            out.push_str(before);
            out.push_str(&instead);
            uncopied = more;
        }
        rest = more;
    }
}

/// What stands for this token so that it can be read and is kept. `None`: it does itself.
fn instead_of(token: &str) -> Option<String> {
    if matches!(token, "NaN" | "Infinity" | "-Infinity" | "-NaN" | "nan" | "inf" | "-inf") {
        return Some("null".to_owned());
    }
    let is_short = token.len() < 16 && token.bytes().all(|byte| byte.is_ascii_digit());
    let goes_back = || serde_json::from_str::<Value>(token).is_ok_and(|value| format!("{value}") == token);
    (!is_short && is_number(token) && !goes_back()).then(|| format!("{{\"{MARK}\":\"{token}\"}}"))
}

/// Whether the text is a number of JSON, however long or great.
fn is_number(text: &str) -> bool {
    // Blanks around a value would be read as well.
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && text.ends_with(|c: char| c.is_ascii_digit())
        && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The text of a number that is kept so.
pub(super) fn text_of(value: &Value) -> Option<&str> {
    value.get(MARK)?.as_str()
}

/// JSON with its numbers as they were written. Takes what a [`Value`] is written as, indented or not.
pub fn with_exact_numbers(json: String) -> String {
    // Within a string its quotation marks would be escaped: where this stands, it is the name of a field.
    let field = format!("\"{MARK}\":");
    let mut parts = json.split(&field);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let number = part.trim_start().strip_prefix('"').and_then(|text| text.split_once('"'));
        match (out.trim_end().strip_suffix('{'), number) {
            (Some(before), Some((number, after))) if is_number(number) && after.trim_start().starts_with('}') => {
                out.truncate(before.len());
                out.push_str(number);
                out.push_str(after.trim_start().get(1..).unwrap_or_default());
            }
            _ => {
                out.push_str(&field);
                out.push_str(part);
            }
        }
    }
    out
}

/// How many bytes at the front of the text are of this kind.
fn leading(text: &str, is_of_it: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(|byte| !is_of_it(byte)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::super::{read, written};
    use super::with_exact_numbers;

    /// What is read goes back as it came, on one line and on many.
    #[track_caller]
    fn check(json: &str) {
        let value = read(json.as_bytes()).unwrap();
        assert_eq!(written(&value), json);
        let lines = with_exact_numbers(format!("{value:#}"));
        assert_eq!(written(&read(lines.as_bytes()).unwrap()), json, "{lines}");
        assert!(!lines.contains("loopglass"), "{lines}");
    }

    #[test]
    fn a_number_goes_back_as_it_came() {
        let whole = ["0", "7", "-1", "9007199254740993", "18446744073709551615", "18446744073709551616"];
        let long = [
            "-9223372036854775809",
            "12345678901234567890123",
            "3.141592653589793238462643383279",
            "0.10000000000000000000000000000000000001",
        ];
        let spelt =
            ["-0", "-0.0", "0.0", "1.0", "1.10", "1e3", "1E3", "1e+3", "1E-07", "0e0", "5e-324", "1e999", "-1e999"];
        for number in whole.into_iter().chain(long).chain(spelt) {
            check(number);
            check(&format!(r#"{{"a":{number},"b":[{number},"{number}",{{"c":{number}}}],"{number}":"\"{number},"}}"#));
        }
    }
}
