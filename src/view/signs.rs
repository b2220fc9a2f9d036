//! Control characters as signs: nothing stands in a text from outside that cannot be seen there, or that does something
//! where it is pasted.

use std::borrow::Cow;

/// The text with a sign for every control character, but for those that break a line or indent.
pub(crate) fn signs(text: &str) -> Cow<'_, str> {
    let acts = |character: char| character.is_control() && !matches!(character, '\n' | '\r' | '\t');
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let sign = |character: char| match character {
        // Unicode has pictures of the first 32, in their order, and of DEL.
        '\0'..' ' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    };
    Cow::Owned(text.chars().map(|character| if acts(character) { sign(character) } else { character }).collect())
}
