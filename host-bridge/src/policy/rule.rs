//! A rule of the person's configuration: literal words, and for an allow rule perhaps any more words.

use serde::Deserialize;

use super::words::{loose, simple};

/// The word that stands for any further words, at the end of an allow rule.
const MORE: &str = "*";

/// A rule, as it was written and as it is meant.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Rule {
    text: String,
    words: Vec<String>,
    /// The same, as they are looked for in any command.
    loose: Vec<String>,
    takes_more: bool,
}

impl Rule {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a simple command of these words is allowed by it: the same words, and more only where it says so.
    pub fn allows(&self, words: &[String]) -> bool {
        if self.takes_more { words.starts_with(&self.words) } else { words == self.words }
    }

    /// Whether its words stand anywhere in a command, in a row: in a list, behind a path, in quotes. It finds too much
    /// rather than too little, and a command that hides a word well enough passes all the same.
    pub fn is_found_in(&self, command: &str) -> bool {
        let found = loose(command);
        let is_same = |(at, (found, word)): (usize, (&String, &String))| {
            found == word || (at == 0 && found.rsplit('/').next() == Some(word.as_str()))
        };
        found.windows(self.loose.len().max(1)).any(|some| some.iter().zip(&self.loose).enumerate().all(is_same))
    }
}

impl TryFrom<String> for Rule {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (literal, takes_more) = match text.trim_end().strip_suffix(MORE).filter(|rest| rest.ends_with(' ')) {
            Some(rest) => (rest, true),
            None => (text.as_str(), false),
        };
        let loose = loose(literal);
        match simple(literal) {
            Some(words) if !loose.is_empty() => Ok(Self { words, loose, takes_more, text }),
            _ => Err(format!("the rule {text:?} is not made of literal words, with perhaps one * at its end")),
        }
    }
}
