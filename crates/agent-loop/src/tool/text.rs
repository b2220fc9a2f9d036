//! Output as text: terminal codes taken out, bytes decoded, binary recognised.

/// Takes out terminal control sequences (CSI, OSC, DCS, SOS, PM, APC, two-byte escapes, C1) and every other control
/// character but line break and tab. A carriage return before a line break goes; one inside a line makes what follows
/// stand on a new line.
pub fn strip_terminal_codes(text: &str) -> String {
    stripped(text, |_, _| {})
}

/// The longest sequence of colours that is kept, in bytes.
const COLOURS: usize = 64;

/// The same, but the sequences that set colours and weight (SGR: `ESC [`, numbers, `m`) stay as they came.
pub fn strip_all_but_colours(text: &str) -> String {
    stripped(text, |parameters, out| {
        let are_numbers = parameters.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'));
        if are_numbers && parameters.len() <= COLOURS {
            out.extend(["\u{1b}[", parameters, "m"]);
        }
    })
}

fn stripped(text: &str, colour: impl Fn(&str, &mut String)) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pieces = pieces(text).peekable();
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Control('\r') if pieces.peek() == Some(&Piece::Control('\n')) => {}
            Piece::Control('\r' | '\n') => out.push('\n'),
            Piece::Control('\t') => out.push('\t'),
            Piece::Text(character) => out.push(character),
            Piece::Csi { parameters, last: 'm' } => colour(parameters, &mut out),
            Piece::Control(_) | Piece::Csi { .. } | Piece::Escape(_) | Piece::Silent => {}
        }
    }
    out
}

/// What a terminal takes output apart into (ECMA-48, and xterm's ctlseqs for what it leaves open).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// A character to show.
    Text(char),
    /// A control character.
    Control(char),
    /// A control sequence: what stands between `ESC [` and its last character, and that one.
    Csi { parameters: &'a str, last: char },
    /// An escape of two characters; the second one.
    Escape(char),
    /// A sequence that shows nothing: titles, links, the clipboard, character sets, and what was left unended.
    Silent,
}

/// Takes output apart, once for whoever strips codes and whoever obeys them.
pub(crate) fn pieces(text: &str) -> Pieces<'_> {
    Pieces { rest: text }
}

/// Output that is still to be taken apart.
#[derive(Debug, Clone)]
pub(crate) struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        Some(match self.next_if(|_| true)? {
            // What cannot follow an escape is none of it: a line break, text, or the next escape.
            '\u{1b}' => match self.next_if(|next| matches!(next, ' '..='~')) {
                Some('[') => self.csi(),
                Some(']' | 'P' | 'X' | '^' | '_') => self.string(),
                Some(' '..='/') => {
                    // nF escapes: intermediates, then one final byte.
                    while self.next_if(|next| matches!(next, ' '..='/')).is_some() {}
                    self.next_if(|next| matches!(next, '0'..='~'));
                    Piece::Silent
                }
                Some(second) => Piece::Escape(second),
                None => Piece::Silent,
            },
            '\u{9b}' => self.csi(),
            '\u{9d}' | '\u{90}' | '\u{98}' | '\u{9e}' | '\u{9f}' => self.string(),
            control if control.is_control() => Piece::Control(control),
            other => Piece::Text(other),
        })
    }
}

impl<'a> Pieces<'a> {
    fn next_if(&mut self, is_it: impl FnOnce(char) -> bool) -> Option<char> {
        let mut characters = self.rest.chars();
        let next = characters.next().filter(|next| is_it(*next))?;
        self.rest = characters.as_str();
        Some(next)
    }

    /// Parameters and intermediates, then one final byte. Anything else ends the sequence and stays.
    fn csi(&mut self) -> Piece<'a> {
        let begun = self.rest;
        while self.next_if(|next| matches!(next, ' '..='?')).is_some() {}
        let (parameters, _) = begun.split_at(begun.len() - self.rest.len());
        self.next_if(|next| matches!(next, '@'..='~')).map_or(Piece::Silent, |last| Piece::Csi { parameters, last })
    }

    /// Up to and with BEL, ST or ESC \. A line break and any other escape end it too: a program that forgot the end
    /// shall not swallow the rest.
    fn string(&mut self) -> Piece<'a> {
        while let Some(next) = self.next_if(|next| !matches!(next, '\n' | '\u{1b}')) {
            if matches!(next, '\u{7}' | '\u{9c}') {
                return Piece::Silent;
            }
        }
        self.rest = self.rest.strip_prefix("\u{1b}\\").unwrap_or(self.rest);
        Piece::Silent
    }
}

/// Bytes as text; what is no UTF-8 becomes U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether a byte can only stand inside a character of UTF-8.
pub(crate) fn continues_character(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// How many bytes at the end are the beginning of a character whose rest may still come.
pub(crate) fn begun_character(bytes: &[u8]) -> usize {
    let last = bytes.iter().rev().take(3);
    let continuing = last.clone().take_while(|byte| continues_character(**byte)).count();
    let needed = match last.clone().nth(continuing) {
        Some(0xC2..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF4) => 4,
        _ => 0,
    };
    if continuing + 1 < needed { continuing + 1 } else { 0 }
}

/// Whether output is no text: a NUL in its first 4 KiB.
pub(crate) fn is_binary(head: &[u8]) -> bool {
    head.iter().take(4096).any(|byte| *byte == 0)
}

#[cfg(test)]
mod tests {
    use super::{strip_all_but_colours, strip_terminal_codes};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(strip_terminal_codes(text), expected, "{text:?}");
    }

    #[test]
    fn terminal_codes_go_and_text_stays() {
        check("\u{1b}[1;31mred\u{1b}[0m", "red");
        check("\u{1b}[?25lhidden\u{1b}[?25h", "hidden");
        check("\u{1b}]0;title\u{7}text", "text");
        check("\u{1b}]8;;javascript:alert(1)\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link");
        check("\u{1b}]52;c;aGk=\u{7}x", "x");
        check("\u{1b}Pdevice\u{1b}\\x", "x");
        check("\u{9b}2Jx\u{9d}0;t\u{9c}y", "xy");
        check("\u{1b}(Bx\u{1b}=y", "xy");
        check("a\u{1b}", "a");
        check("a\u{1b}\nb", "a\nb");
        check("\u{1b}\u{1b}[1mx", "x");
        check("\u{1b}中\u{1b}(\u{1b}[1mx", "中x");
        check("\u{1b}]0;title\u{1b}[31mred", "red");
        check("a\u{1b}[", "a");
        check("a\u{1b}[3\nb", "a\nb");
        check("\u{1b}]never ended\nnext line", "\nnext line");
        check("10%\r20%\r\ndone\u{8}\u{0}\t中文", "10%\n20%\ndone\t中文");
    }

    #[test]
    fn of_all_codes_colours_alone_can_stay() {
        let check = |text: &str, expected: &str| assert_eq!(strip_all_but_colours(text), expected, "{text:?}");
        check("\u{1b}[1;31mred\u{1b}[0m", "\u{1b}[1;31mred\u{1b}[0m");
        check("\u{9b}38:2::1:2:3mx\u{1b}[mx", "\u{1b}[38:2::1:2:3mx\u{1b}[mx");
        check("\u{1b}[2J\u{1b}[31;1Ha\u{1b}[>4;1mb\u{1b}[?25lc", "abc");
        check("\u{1b}]8;;javascript:alert(1)\u{1b}\\l\u{1b}]52;c;aGk=\u{7}k\u{1b}[3", "lk");
        check(&format!("\u{1b}[{}mx", "1;".repeat(40)), "x");
    }
}
