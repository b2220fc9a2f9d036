//! Text from outside as a terminal may print it.

/// One line of a text: no letter of it moves the cursor, hides another or turns the line around.
pub fn plain(text: &str) -> String {
    let letter = |letter: char| match letter {
        '\n' => "\\n".to_owned(),
        plain if plain == ' ' || plain.is_ascii_graphic() => plain.to_string(),
        plain if !plain.is_ascii() && plain.is_alphanumeric() => plain.to_string(),
        other => other.escape_unicode().to_string(),
    };
    text.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(plain(text), expected);
    }

    #[test]
    fn a_text_is_only_its_letters() {
        check("ls -la", "ls -la");
        check("a\nb", "a\\nb");
        check("a\r\u{1b}[2K\u{7}", "a\\u{d}\\u{1b}[2K\\u{7}");
        check("列 \u{202e}x\u{200b}\u{9b}", "列 \\u{202e}x\\u{200b}\\u{9b}");
    }
}
