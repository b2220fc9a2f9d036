//! What a session is called in the list: the first words of its first message.

/// How many characters of it are shown.
const LENGTH: usize = 60;

/// The title of a session that begins with this message: one line, cut at a word where one ends near the cut.
pub(super) fn title(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((cut, _)) = line.char_indices().nth(LENGTH) else { return line };
    let (kept, _) = line.split_at(cut);
    let at_word = kept.rfind(' ').filter(|place| *place > cut / 2).unwrap_or(cut);
    format!("{}…", kept.split_at(at_word).0)
}

#[cfg(test)]
mod tests {
    use super::title;

    #[track_caller]
    fn check(message: &str, expected: &str) {
        assert_eq!(title(message), expected);
    }

    #[test]
    fn a_title_is_one_short_line() {
        check("List the files.", "List the files.");
        check("  one\n\ttwo  ", "one two");
        check("", "");
        let long = "word ".repeat(20);
        check(&long, &format!("{}…", "word ".repeat(11) + "word"));
        check(&"字".repeat(61), &format!("{}…", "字".repeat(60)));
        check(&"字".repeat(60), &"字".repeat(60));
    }
}
