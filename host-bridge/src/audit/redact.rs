//! Keeps secrets out of the log: those that the bridge knows, and what looks like one.

use std::fmt;

const INSTEAD: &str = "(left out)";

/// How keys of well-known services begin, by those services' documentation.
const BEGINNINGS: [&str; 14] = [
    "sk-",
    "pk-",
    "sk_live_",
    "rk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
    "eyJ",
];

/// What stands before a secret, in any case.
const BEFORE: [&str; 6] = ["bearer", "password=", "passwd=", "token=", "secret=", "api_key="];

/// From how many characters on a word with such a beginning is a key.
const KEY_LENGTH: usize = 16;

/// What the bridge knows and nobody should read.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// These; what is shorter than 8 characters is a placeholder.
    pub fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        Self(secrets.into_iter().filter(|secret| secret.len() >= 8).collect())
    }

    /// A text without them.
    pub fn removed_from(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), INSTEAD))
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}

/// A text without what looks like a key. It cannot know every one.
pub(crate) fn without_keys(text: &str) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/' | '+' | '=');
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter: char| !is_part(letter)).unwrap_or(rest.len());
        if end == 0 {
            told.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        }
        let (word, after) = rest.split_at(end);
        // A name may stand before it: `KEY=sk-...`.
        let at = word.rfind('=').filter(|at| at + 1 < word.len()).map_or(0, |at| at + 1);
        let (name, value) = word.split_at(at);
        let before = format!("{told}{name}").trim_end().to_ascii_lowercase();
        let looks = BEGINNINGS.iter().any(|beginning| value.starts_with(beginning)) && value.len() >= KEY_LENGTH;
        let stands = BEFORE.iter().any(|word| before.ends_with(word)) && value != "bearer";
        told.push_str(name);
        told.push_str(if looks || stands { INSTEAD } else { value });
        rest = after;
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(without_keys(text), expected);
    }

    #[test]
    fn what_looks_like_a_key_is_left_out() {
        check("curl -H 'Authorization: Bearer abc.def' x", "curl -H 'Authorization: Bearer (left out)' x");
        check("export KEY=sk-ant-0123456789abcdef; ls", "export KEY=(left out); ls");
        check("echo ghp_0123456789abcdefghij", "echo (left out)");
        check("mysql --password=hunter2", "mysql --password=(left out)");
        check("x?token=abc&y=1", "x?token=(left out)&y=1");
        check("ls -la src/sk-short", "ls -la src/sk-short");
        check("列出 a=b; echo sk-1", "列出 a=b; echo sk-1");
        check("", "");
    }

    #[test]
    fn what_the_bridge_knows_is_left_out() {
        let secrets = Secrets::new(["0123456789".to_owned(), "short".to_owned()]);
        assert_eq!(secrets.removed_from("a0123456789b short"), "a(left out)b short");
    }
}
