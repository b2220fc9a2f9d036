//! Mends what servers get wrong in JSON, without ever completing what is cut.

use std::borrow::Cow;

use crate::tool::with_legal_escapes;

/// The text with legal escapes and whole pairs of surrogates in its strings, and `null` for what is no number that JSON
/// has.
pub(super) fn mended(text: &str) -> String {
    let text = with_legal_escapes(&without_lone_surrogates(text));
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    let mut in_string = false;
    loop {
        let stands_for_itself = |byte: u8| match in_string {
            true => !matches!(byte, b'"' | b'\\'),
            false => byte != b'"' && byte != b'-' && !byte.is_ascii_alphanumeric(),
        };
        let (plain, token) = rest.split_at(leading(rest, stands_for_itself));
        out.push_str(plain);
        let Some(begin) = token.chars().next() else { return out };
        let length = match begin {
            '"' => 1,
            // An escape is two characters at least, and the second may be a quotation mark.
            '\\' => 1 + token.chars().nth(1).map_or(0, char::len_utf8),
            _ => leading(token, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')),
        };
        in_string ^= begin == '"';
        let (token, more) = token.split_at(length);
        let is_no_number = matches!(token, "NaN" | "Infinity" | "-Infinity" | "-NaN" | "nan" | "inf" | "-inf")
            || (begin.is_ascii_digit() || begin == '-') && token.parse::<f64>().is_ok_and(|number| !number.is_finite());
        out.push_str(if is_no_number { "null" } else { token });
        rest = more;
    }
}

/// How many bytes at the front of the text are of this kind.
fn leading(text: &str, is_of_it: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(|byte| !is_of_it(byte)).unwrap_or(text.len())
}

/// Half a pair of surrogates becomes U+FFFD.
pub(crate) fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
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

/// Half a pair of surrogates.
#[derive(PartialEq, Eq)]
pub(crate) enum Half {
    /// The first.
    High,
    /// The second.
    Low,
}

/// Which half of a pair the escape at the front of the text is.
pub(crate) fn surrogate(text: &str) -> Option<Half> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xD800..=0xDBFF => Some(Half::High),
        0xDC00..=0xDFFF => Some(Half::Low),
        _ => None,
    }
}
