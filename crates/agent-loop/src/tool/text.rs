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

/// What a byte of output stands in: enough to take output up in its middle. As [`Pieces`] takes apart, but byte by byte
/// and without keeping any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    Text,
    /// After the first byte of those characters that C1 controls are among.
    Half,
    Escape,
    /// After `ESC` and a byte that announces another one.
    Announced,
    Csi,
    /// A title, a link, a picture: up to its end.
    String,
    /// After a byte that may be the first of the string's end.
    HalfOfString,
}

impl Within {
    /// What the byte behind this one stands in.
    pub(crate) fn after(self, byte: u8) -> Within {
        match (self, byte) {
            (Within::Text, 0x1b) => Within::Escape,
            (Within::Text, 0xc2) => Within::Half,
            (Within::Text, _) => Within::Text,
            (Within::Half, 0x9b) | (Within::Escape, b'[') => Within::Csi,
            (Within::Half, 0x90 | 0x98 | 0x9d..=0x9f) => Within::String,
            (Within::Escape, b']' | b'P' | b'X' | b'^' | b'_') => Within::String,
            (Within::Escape | Within::Announced, b' '..=b'/') => Within::Announced,
            (Within::Escape | Within::Announced, b'0'..=b'~') | (Within::Csi, b'@'..=b'~') => Within::Text,
            (Within::Csi, b' '..=b'?') => Within::Csi,
            (Within::String, 0x07) | (Within::HalfOfString, 0x9c) => Within::Text,
            (Within::String, 0xc2) => Within::HalfOfString,
            (Within::String, b'\n' | 0x1b) => Within::Text.after(byte),
            (Within::String, _) => Within::String,
            (Within::HalfOfString, _) => Within::String.after(byte),
            // What cannot go on there ends it, and counts.
            (Within::Half | Within::Escape | Within::Announced | Within::Csi, _) => Within::Text.after(byte),
        }
    }

    /// What the byte behind all of these stands in.
    pub(crate) fn after_all(self, bytes: &[u8]) -> Within {
        let (mut within, mut rest) = (self, bytes);
        loop {
            if within == Within::Text {
                let plain = rest.iter().position(|byte| matches!(byte, 0x1b | 0xc2)).unwrap_or(rest.len());
                (_, rest) = rest.split_at(plain);
            }
            let Some((byte, behind)) = rest.split_first() else { return within };
            (within, rest) = (within.after(*byte), behind);
        }
    }

    /// The shortest beginning of what this is the middle of.
    pub(crate) fn beginning(self) -> &'static [u8] {
        match self {
            Within::Text => b"",
            Within::Half => b"\xc2",
            Within::Escape => b"\x1b",
            Within::Announced => b"\x1b(",
            Within::Csi => b"\x1b[",
            Within::String => b"\x1bP",
            Within::HalfOfString => b"\x1bP\xc2",
        }
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
    use super::{Within, decode, strip_all_but_colours, strip_terminal_codes};

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

    /// Wherever output is taken up, what is read from there on is an end of what would have been read of the whole.
    #[test]
    fn output_can_be_taken_up_anywhere() {
        let codes = "a\u{1b}[1;31mb\u{1b}[0m\u{9b}2Jc\u{1b}]0;t\u{7}d\u{9d}t\u{9c}e\u{1b}(B\u{1b}=f\u{1b}Pq\u{a0}\u{1b}\\g\u{1b}\
                     \u{1b}[mh\u{1b}]unended\ni\u{1b}[3\nj\u{1b} Fk\u{1b}%Gl\u{a0}m\u{1b}中n\u{90}中\u{85}\u{9c}o";
        let whole = strip_terminal_codes(codes);
        assert_eq!(whole, "abcdefgh\ni\njkl\u{a0}m中no");
        let mut place = Within::Text;
        for at in 0..codes.len() {
            let (before, rest) = codes.as_bytes().split_at(at);
            let told = strip_terminal_codes(&decode(&[place.beginning(), rest].concat()));
            let told = told.trim_start_matches('\u{fffd}');
            assert!(whole.ends_with(told), "{before:?} {place:?}: {told:?}");
            assert!(told.ends_with('o'), "{before:?} {place:?}: {told:?}");
            place = place.after(codes.as_bytes()[at]);
            assert_eq!(place, Within::Text.after_all(&codes.as_bytes()[..=at]), "{at}");
        }
        assert_eq!(place, Within::Text);
    }
}
