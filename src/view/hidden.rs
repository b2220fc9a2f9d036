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

/// Cuts a text into what is seen and what is not. Line breaks and tabs stay: they are seen.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    for character in text.chars() {
        match hidden_name(character) {
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
    text.chars().any(|character| hidden_name(character).is_some())
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
}
