//! Control characters as signs: nothing stands in a text from outside that does something where it is pasted, or that
//! shows what stands beside it in another order than it has.

use std::borrow::Cow;

/// The text with a sign for every control character, but for those that break a line or indent, and the name of every
/// character that opens, turns or closes a direction. Marks of direction, which prose needs, stay: they move nothing else.
pub(crate) fn signs(text: &str) -> Cow<'_, str> {
    if !text.contains(|character| acts(character) || reorders(character)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if reorders(character) {
            shown.push_str(&format!("\u{2039}U+{:04X}\u{203a}", u32::from(character)));
        } else if acts(character) {
            shown.push(sign(character));
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

fn acts(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\r' | '\t')
}

/// Embeddings, overrides and isolates (Unicode Standard Annex #9, section 2).
fn reorders(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn sign(character: char) -> char {
    match character {
        // Unicode has pictures of the first 32, in their order, and of DEL.
        '\0'..' ' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

#[cfg(test)]
mod tests {
    use super::signs;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(signs(text), expected, "{text:?}");
    }

    #[test]
    fn what_acts_or_reorders_is_shown() {
        check("", "");
        check("ls\t-la\r\n文件 👩\u{200d}💻", "ls\t-la\r\n文件 👩\u{200d}💻");
        check("\0 \u{7} \u{1b}[2J \u{7f} \u{9b}", "␀ ␇ ␛[2J ␡ \u{fffd}");
        check("a\u{202e}b\u{2066}c\u{2069}", "a‹U+202E›b‹U+2066›c‹U+2069›");
        check("עברית\u{200f}, \u{200e}LTR", "עברית\u{200f}, \u{200e}LTR");
    }
}
