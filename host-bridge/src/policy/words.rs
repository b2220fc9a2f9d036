//! A command as words: what an allow rule may match is only what can mean nothing else.
//!
//! [`simple`] reads a small part of the shell's language, and everything that could mean more than its letters makes it
//! give up: expansions, substitutions, patterns, redirections, lists, assignments, keywords, escapes, comments and letters
//! that merely look like others. Giving up costs a question; misreading would cost the question's whole point.

/// What takes its arguments for commands, or changes what later words mean. None of it is ever simple.
const READS_COMMANDS: [&str; 33] = [
    ".", "alias", "bind", "builtin", "case", "command", "compgen", "complete", "coproc", "declare", "do", "done",
    "elif", "else", "enable", "esac", "eval", "exec", "export", "fi", "for", "function", "hash", "if", "local",
    "readonly", "select", "source", "then", "time", "trap", "until", "while",
];

/// The words of a command, when it is one simple command of literal words.
pub(super) fn simple(command: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' => words.extend(word.take()),
            quote @ ('\'' | '"') => {
                let quoted = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        end if end == quote => break,
                        letter if is_plain_in(quote, letter) => quoted.push(letter),
                        _ => return None,
                    }
                }
            }
            letter if is_plain(letter) => word.get_or_insert_default().push(letter),
            _ => return None,
        }
    }
    words.extend(word);
    let first = words.first()?;
    let is_command = !first.is_empty() && !first.contains('=') && !READS_COMMANDS.contains(&first.as_str());
    is_command.then_some(words)
}

/// The words that any command seems to hold, whatever stands between them: for rules that err on the side of refusing.
/// Quotes and backslashes are taken out first, because they change nothing of a word that is hidden behind them.
pub(super) fn loose(command: &str) -> Vec<String> {
    let bare: String =
        command.replace("\\\n", "").chars().filter(|letter| !matches!(letter, '\'' | '"' | '\\')).collect();
    // A comma parts the words of `{a,b}`, an equals sign a name from its word.
    let is_part =
        |letter: char| (is_plain(letter) && !matches!(letter, ',' | '=')) || letter == '~' || !letter.is_ascii();
    bare.split(|letter: char| !is_part(letter)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether a letter outside quotes is itself wherever it stands in a word.
fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/' | ':' | ',' | '+' | '@' | '%' | '=')
}

/// Whether a letter between these quotes is itself. Other alphabets are, where nothing invisible hides among them.
fn is_plain_in(quote: char, letter: char) -> bool {
    let is_special = quote == '"' && matches!(letter, '$' | '`' | '\\' | '!');
    !is_special && (letter == ' ' || letter.is_ascii_graphic() || (!letter.is_ascii() && letter.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(command: &str, expected: Option<&[&str]>) {
        let found = simple(command);
        let found: Option<Vec<&str>> = found.as_ref().map(|words| words.iter().map(String::as_str).collect());
        assert_eq!(found.as_deref(), expected, "{command:?}");
    }

    #[test]
    fn literal_words_are_simple() {
        check("ls", Some(&["ls"]));
        check("  ls\t-la   src/main.rs ", Some(&["ls", "-la", "src/main.rs"]));
        check("grep 'a b' \"c d\" e'f'g", Some(&["grep", "a b", "c d", "efg"]));
        check("echo '' \"\"", Some(&["echo", "", ""]));
        check("echo '$HOME `id` ; > \\ \"x\"'", Some(&["echo", "$HOME `id` ; > \\ \"x\""]));
        check("cargo test --package=a a::b@1.0,2+3%", Some(&["cargo", "test", "--package=a", "a::b@1.0,2+3%"]));
        check("cat '列出.txt'", Some(&["cat", "列出.txt"]));
    }

    #[test]
    fn t36_whatever_could_mean_more_is_not() {
        for command in include_str!("hostile.txt").lines().filter(|line| !line.starts_with("# ")) {
            // Written with escapes, so that the file shows what is in it.
            let command: String = serde_json::from_str(&format!("\"{command}\"")).unwrap();
            check(&command, None);
        }
    }

    #[track_caller]
    fn check_loose(command: &str, expected: &[&str]) {
        assert_eq!(loose(command), expected, "{command:?}");
    }

    #[test]
    fn loose_words_are_found_behind_quotes_and_in_lists() {
        check_loose("a && s'u'do \"r\"m; x", &["a", "sudo", "rm", "x"]);
        check_loose("echo $(su\\do id)`su\\\ndo id`", &["echo", "sudo", "id", "sudo", "id"]);
        check_loose("{sudo,id} x=sudo $'sudo'", &["sudo", "id", "x", "sudo", "sudo"]);
        check_loose("", &[]);
    }

    proptest! {
        /// What counts as simple reaches bash as exactly these words, by bash's own account.
        #[test]
        fn bash_reads_the_same_words(command in "[ab=~#!*?\\[\\]{}()<>|&;$`'\"\\\\ \t\n.^,:%@+-]{0,24}") {
            if let Some(words) = simple(&format!("a {command}")) {
                let script = format!("printf '%s\\0' {command}");
                let output = std::process::Command::new("bash")
                    .args(["--noprofile", "--norc", "-c", &script])
                    .current_dir("/")
                    .output()
                    .unwrap();
                let mut expected: Vec<String> = words.into_iter().skip(1).collect();
                if expected.is_empty() {
                    // `printf` prints one empty argument where it was given none.
                    expected.push(String::new());
                }
                let found = String::from_utf8(output.stdout).unwrap();
                let found: Vec<&str> = found.strip_suffix('\0').unwrap_or(&found).split('\0').collect();
                prop_assert_eq!(found, expected);
                prop_assert!(output.stderr.is_empty());
            }
        }

        #[test]
        fn one_letter_of_the_shell_anywhere_is_enough(
            before in "[a-z ]{0,8}", letter in "[$`\\\\;&|<>()\\[\\]{}*?!#~^\n\r]", after in "[a-z ]{0,8}",
        ) {
            prop_assert_eq!(simple(&format!("ls {before}{letter}{after}")), None);
        }
    }
}
