//! Mends what servers get wrong in JSON, without ever completing what is cut.

use std::borrow::Cow;

use crate::tool::with_legal_escapes;

/// The text with legal escapes and whole pairs of surrogates in its strings.
pub(super) fn mended(text: &str) -> String {
    with_legal_escapes(&without_lone_surrogates(text))
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
