//! Output for the eye: bytes cut anywhere become text without terminal codes, but for colours. What a cut has left
//! unfinished, of a character or of a code, waits for the rest, and each text begins with the colours that hold there.

use agent_loop::tool::strip_all_but_colours;

/// A code longer than this is not waited for: whoever began it has forgotten its end.
const LONGEST_CODE: usize = 4096;

/// More of colours than this is not remembered: whoever sets so many has forgotten to take them back.
const MOST_COLOURS: usize = 256;

/// One stream's unfinished end.
#[derive(Debug, Default)]
pub(super) struct Terminal {
    rest: Vec<u8>,
    /// The codes of the colours that hold now.
    colours: String,
}

impl Terminal {
    /// The readable text of what came, as far as it is finished.
    pub(super) fn read(&mut self, bytes: &[u8]) -> String {
        self.rest.extend_from_slice(bytes);
        let whole = self.rest.len() - unfinished_character(&self.rest);
        let text = String::from_utf8_lossy(self.rest.get(..whole).unwrap_or_default()).into_owned();
        let finished = text.len() - unfinished_code(&text);
        let (finished, code) = text.split_at(finished);
        let readable = self.coloured(&strip_all_but_colours(finished));
        let character = self.rest.split_off(whole);
        self.rest.clear();
        self.rest.extend_from_slice(code.as_bytes());
        self.rest.extend_from_slice(&character);
        readable
    }

    /// The output is over: what waits is read as it is.
    pub(super) fn finish(&mut self) -> String {
        let rest = std::mem::take(&mut self.rest);
        self.coloured(&strip_all_but_colours(&String::from_utf8_lossy(&rest)))
    }

    /// The text behind the colours that hold at its beginning; those that hold at its end are remembered.
    fn coloured(&mut self, text: &str) -> String {
        let coloured = if text.is_empty() { String::new() } else { self.colours.clone() + text };
        for code in text.split("\u{1b}[").skip(1) {
            let Some((parameters, _)) = code.split_once('m') else { continue };
            let is_end = matches!(parameters, "" | "0");
            if is_end || parameters.starts_with("0;") || self.colours.len() > MOST_COLOURS {
                self.colours.clear();
            }
            if !is_end {
                self.colours.extend(["\u{1b}[", parameters, "m"]);
            }
        }
        coloured
    }
}

/// How many bytes at the end begin a character and do not end it.
fn unfinished_character(bytes: &[u8]) -> usize {
    for (back, byte) in bytes.iter().rev().take(3).enumerate() {
        let length = match byte {
            0x80..=0xbf => continue,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return 0,
        };
        return if back + 1 < length { back + 1 } else { 0 };
    }
    0
}

/// How many bytes at the end begin a terminal code (or a line break of two characters) and do not end it. Only the last
/// beginning counts: a code is ended by the beginning of the next.
fn unfinished_code(text: &str) -> usize {
    if text.ends_with('\r') {
        return 1;
    }
    let Some(start) = text.rfind(['\u{1b}', '\u{9b}', '\u{9d}', '\u{90}', '\u{98}', '\u{9e}', '\u{9f}']) else {
        return 0;
    };
    let (_, code) = text.split_at(start);
    let mut characters = code.chars();
    let is_unfinished = match characters.next() {
        Some('\u{1b}') => match characters.next() {
            None => true,
            Some('[') => is_open_csi(characters.as_str()),
            Some(']' | 'P' | 'X' | '^' | '_') => is_open_string(characters.as_str()),
            Some(' '..='/') => characters.all(|next| matches!(next, ' '..='/')),
            Some(_) => false,
        },
        Some('\u{9b}') => is_open_csi(characters.as_str()),
        Some(_) => is_open_string(characters.as_str()),
        None => false,
    };
    if is_unfinished && code.len() <= LONGEST_CODE { code.len() } else { 0 }
}

fn is_open_csi(rest: &str) -> bool {
    rest.chars().all(|next| matches!(next, ' '..='?'))
}

fn is_open_string(rest: &str) -> bool {
    !rest.contains(['\u{7}', '\u{9c}', '\n'])
}

#[cfg(test)]
mod tests {
    use agent_loop::tool::strip_terminal_codes;

    use super::{LONGEST_CODE, MOST_COLOURS, Terminal};

    /// What is read, without the colours.
    fn read(pieces: &[&[u8]]) -> String {
        let mut terminal = Terminal::default();
        let mut text: String = pieces.iter().map(|piece| terminal.read(piece)).collect();
        text.push_str(&terminal.finish());
        strip_terminal_codes(&text)
    }

    /// However the output is cut in two, or into single bytes, it reads like the whole.
    #[track_caller]
    fn check(output: &str) {
        let expected = strip_terminal_codes(output);
        let bytes = output.as_bytes();
        for cut in 0..=bytes.len() {
            let (before, after) = bytes.split_at(cut);
            assert_eq!(read(&[before, after]), expected, "{output:?} cut at {cut}");
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(read(&single), expected, "{output:?} byte by byte");
    }

    #[test]
    fn a_cut_changes_nothing() {
        check("plain\ntext\n");
        check("\u{1b}[1;31mred\u{1b}[0m and 中文 🦀 after");
        check("one\r\ntwo\rthree\r");
        check("\u{1b}]0;title\u{7}shown");
        check("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\ shown");
        check("\u{9b}2Jshown");
        check("\u{1b}(Bshown\u{1b}7\u{1b}8");
        check("\u{1b}P+q544e\u{1b}\\shown");
        check("\u{1b}]unended\nshown");
    }

    #[test]
    fn each_text_begins_with_the_colours_that_hold_there() {
        let mut terminal = Terminal::default();
        assert_eq!(terminal.read(b"a\x1b[1;3"), "a");
        assert_eq!(terminal.read(b"1mb"), "\u{1b}[1;31mb");
        assert_eq!(terminal.read(b"c\x1b[4md"), "\u{1b}[1;31mc\u{1b}[4md");
        assert_eq!(terminal.read(b"e\x1b[0mf"), "\u{1b}[1;31m\u{1b}[4me\u{1b}[0mf");
        assert_eq!(terminal.read(b"g\x1b[0;32m"), "g\u{1b}[0;32m");
        assert_eq!(terminal.read(b""), "");
        assert_eq!(terminal.read(b"h"), "\u{1b}[0;32mh");
        for _ in 0..1000 {
            assert!(terminal.read(b"\x1b[1mx").len() < 2 * MOST_COLOURS);
        }
    }

    #[test]
    fn finished_text_is_shown_at_once() {
        let mut terminal = Terminal::default();
        assert_eq!(terminal.read(b"a\x1b[3"), "a");
        assert_eq!(terminal.read(b"1mb\x1b[m"), "\u{1b}[31mb\u{1b}[m");
        assert_eq!(terminal.read(&"中".as_bytes()[..2]), "");
        assert_eq!(terminal.read(&"中".as_bytes()[2..]), "中");
        assert_eq!(terminal.read(b"\xff\xfeb"), "\u{fffd}\u{fffd}b");
    }

    #[test]
    fn a_code_without_an_end_is_not_waited_for() {
        let mut terminal = Terminal::default();
        terminal.read(b"\x1b]");
        terminal.read(&vec![b'x'; 2 * LONGEST_CODE]);
        assert_eq!(terminal.read(b"shown"), "shown");
    }
}
