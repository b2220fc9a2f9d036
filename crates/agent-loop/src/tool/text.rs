//! Output as text: terminal codes taken out, bytes decoded, binary recognised.

/// Takes out terminal control sequences (CSI, OSC, DCS, SOS, PM, APC, two-byte escapes, C1) and every other control
/// character but line break and tab. A carriage return before a line break goes; one inside a line makes what follows
/// stand on a new line.
pub fn strip_terminal_codes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            // What cannot follow an escape is none of it: a line break, text, or the next escape.
            '\u{1b}' => match characters.next_if(|next| matches!(next, ' '..='~')) {
                Some('[') => skip_csi(&mut characters),
                Some(']' | 'P' | 'X' | '^' | '_') => skip_string(&mut characters),
                Some(' '..='/') => {
                    // nF escapes: intermediates, then one final byte.
                    while characters.next_if(|next| matches!(next, ' '..='/')).is_some() {}
                    characters.next_if(|next| matches!(next, '0'..='~'));
                }
                _ => {}
            },
            '\u{9b}' => skip_csi(&mut characters),
            '\u{9d}' | '\u{90}' | '\u{98}' | '\u{9e}' | '\u{9f}' => skip_string(&mut characters),
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' => out.push('\n'),
            '\n' | '\t' => out.push(character),
            control if control.is_control() => {}
            other => out.push(other),
        }
    }
    out
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Parameters and intermediates, then one final byte. Anything else ends the sequence and stays.
fn skip_csi(characters: &mut Characters<'_>) {
    while characters.next_if(|next| matches!(next, ' '..='?')).is_some() {}
    characters.next_if(|next| matches!(next, '@'..='~'));
}

/// Up to and with BEL, ST or ESC \. A line break and any other escape end it too: a program that forgot the end shall
/// not swallow the rest.
fn skip_string(characters: &mut Characters<'_>) {
    while let Some(next) = characters.next_if(|next| !matches!(next, '\n' | '\u{1b}')) {
        if matches!(next, '\u{7}' | '\u{9c}') {
            return;
        }
    }
    let mut ahead = characters.clone();
    if (ahead.next(), ahead.next()) == (Some('\u{1b}'), Some('\\')) {
        *characters = ahead;
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
    use super::strip_terminal_codes;

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
}
