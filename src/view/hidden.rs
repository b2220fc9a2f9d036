//! Makes visible what a text hides: control characters, and the characters that reorder or vanish.

use leptos::prelude::*;

/// A run of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// As it stands.
    Plain(String),
    /// A character that would not be seen, by a name.
    Hidden(String),
}

/// Cuts a text into what is seen and what is not. Line breaks and tabs stay: they are seen. So does what only joins or
/// colours a picture: it is seen in the picture.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut characters = text.chars().peekable();
    let (mut before, mut base) = (None, None);
    while let Some(character) = characters.next() {
        let after = characters.peek().copied();
        let is_seen = match character {
            SELECTOR if after == Some(KEYCAP) => matches!(before, Some('0'..='9' | '#' | '*')),
            SELECTOR => before.is_some_and(is_picture),
            JOINER => base.is_some_and(is_picture) && after.is_some_and(is_picture),
            _ => false,
        };
        before = Some(character);
        // What a selector colours is still what a joiner joins.
        if character != SELECTOR {
            base = before;
        }
        match hidden_name(character).filter(|_| !is_seen) {
            None => plain.push(character),
            Some(name) => {
                if !plain.is_empty() {
                    pieces.push(Piece::Plain(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Hidden(name));
            }
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Plain(plain));
    }
    pieces
}

/// Whether a text hides anything.
pub(crate) fn hides(text: &str) -> bool {
    pieces(text).iter().any(|piece| matches!(piece, Piece::Hidden(_)))
}

/// The text with what it hides marked.
pub(crate) fn revealed(text: &str) -> Vec<AnyView> {
    pieces(text)
        .into_iter()
        .map(|piece| match piece {
            Piece::Plain(text) => text.into_any(),
            Piece::Hidden(name) => view! { <mark class="hidden-character">{name}</mark> }.into_any(),
        })
        .collect()
}

/// Asks for a picture in colours; seen behind a picture, or where it makes a key of a digit. This and the next are of
/// Unicode Technical Standard #51, section 1.4.
const SELECTOR: char = '\u{fe0f}';
/// Makes one picture of two; seen between two.
const JOINER: char = '\u{200d}';
/// Puts a key around what stands before it.
const KEYCAP: char = '\u{20e3}';

/// The blocks that hold pictures; letters, digits and what a shell reads are in none of them.
fn is_picture(character: char) -> bool {
    matches!(
        character,
        '\u{a9}'
            | '\u{ae}'
            | '\u{203c}'
            | '\u{2049}'
            | '\u{2122}'
            | '\u{2139}'
            | '\u{2190}'..='\u{21ff}'
            | '\u{2300}'..='\u{23ff}'
            | '\u{25a0}'..='\u{27bf}'
            | '\u{2900}'..='\u{297f}'
            | '\u{2b00}'..='\u{2bff}'
            | '\u{1f000}'..='\u{1faff}'
    )
}

fn hidden_name(character: char) -> Option<String> {
    match character {
        '\n' | '\t' => None,
        '\r' => Some("CR".to_owned()),
        '\u{1b}' => Some("ESC".to_owned()),
        // Soft hyphen, fillers, zero-width characters and joiners, directions, invisible operators, tags, BOM.
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => Some(format!("U+{:04X}", u32::from(character))),
        // Spaces that are not the space bar's: a shell does not split at them.
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            Some(format!("U+{:04X}", u32::from(character)))
        }
        control if control.is_control() => Some(format!("U+{:04X}", u32::from(control))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces};

    #[track_caller]
    fn check(text: &str, expected: &[Result<&str, &str>]) {
        let expected: Vec<Piece> = expected
            .iter()
            .map(|piece| match piece {
                Ok(plain) => Piece::Plain((*plain).to_owned()),
                Err(name) => Piece::Hidden((*name).to_owned()),
            })
            .collect();
        assert_eq!(pieces(text), expected, "{text:?}");
    }

    #[test]
    fn what_is_not_seen_is_named() {
        check("", &[]);
        check("ls\n\t-la 文件", &[Ok("ls\n\t-la 文件")]);
        check("ls\r\nrm", &[Ok("ls"), Err("CR"), Ok("\nrm")]);
        check("\u{1b}[8mrm", &[Err("ESC"), Ok("[8mrm")]);
        check("a\u{202e}b\u{200b}\u{0}", &[Ok("a"), Err("U+202E"), Ok("b"), Err("U+200B"), Err("U+0000")]);
        check("rm\u{a0}x", &[Ok("rm"), Err("U+00A0"), Ok("x")]);
        check("\u{e0041}", &[Err("U+E0041")]);
    }

    #[test]
    fn a_picture_stays_whole() {
        check("echo 👩\u{200d}💻 ❤\u{fe0f}\u{200d}🔥", &[Ok("echo 👩\u{200d}💻 ❤\u{fe0f}\u{200d}🔥")]);
        check("1\u{fe0f}\u{20e3} ↔\u{fe0f}", &[Ok("1\u{fe0f}\u{20e3} ↔\u{fe0f}")]);
        check("r\u{fe0f}\u{20e3}", &[Ok("r"), Err("U+FE0F"), Ok("\u{20e3}")]);
        check("1\u{fe0f}2", &[Ok("1"), Err("U+FE0F"), Ok("2")]);
        check("👩🏽\u{200d}🔬", &[Ok("👩🏽\u{200d}🔬")]);
        check("r\u{200d}m", &[Ok("r"), Err("U+200D"), Ok("m")]);
        check("👩\u{200d}m", &[Ok("👩"), Err("U+200D"), Ok("m")]);
        check("👩\u{200d}\u{200d}💻", &[Ok("👩"), Err("U+200D"), Err("U+200D"), Ok("💻")]);
        check("a\u{fe0f}👩\u{fe0e}", &[Ok("a"), Err("U+FE0F"), Ok("👩"), Err("U+FE0E")]);
        check("❤\u{fe0f}\u{fe0f}", &[Ok("❤\u{fe0f}"), Err("U+FE0F")]);
    }
}
