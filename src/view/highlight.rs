//! Code with its parts told apart: comments, texts, keywords, names. Our own reader, by families of languages: those of
//! others bring grammars that weigh more than this page. It reads line by line, so that code that is still coming is read
//! once; what it does not know stays as it is, and no character is ever lost or moved.

mod grammar;
mod scan;
mod shell;
#[cfg(test)]
mod tests;

use grammar::Grammar;
use leptos::prelude::*;

use super::hidden::revealed;

/// Above this many bytes code is shown plain: an element for each part would cost more than it tells.
const PLAIN_ABOVE: usize = 60_000;
/// So is a line of more bytes than this.
const PLAIN_LINE: usize = 4_000;

/// What a part of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing of the following.
    Plain,
    /// A comment.
    Comment,
    /// A word of the language.
    Keyword,
    /// A text.
    Text,
    /// A number, a constant, a variable of a shell.
    Atom,
    /// What is called or defined; the name of a field.
    Name,
    /// What speaks about code: decorators, attributes, the head of a hunk.
    Meta,
    /// A line that a diff adds.
    Added,
    /// A line that a diff takes away.
    Removed,
}

impl Kind {
    /// The class that colours it.
    pub(crate) fn class(self) -> Option<&'static str> {
        match self {
            Kind::Plain => None,
            Kind::Comment => Some("hl-comment"),
            Kind::Keyword => Some("hl-keyword"),
            Kind::Text => Some("hl-text"),
            Kind::Atom => Some("hl-atom"),
            Kind::Name => Some("hl-name"),
            Kind::Meta => Some("hl-meta"),
            Kind::Added => Some("hl-added"),
            Kind::Removed => Some("hl-removed"),
        }
    }
}

/// How code is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// As text.
    Plain,
    /// As commands of a shell.
    Shell,
    /// As the lines of a diff.
    Diff,
    /// By the words and quotes of a family.
    Family(&'static Grammar),
}

impl Language {
    /// The language that the first word behind a fence names, and what people call it.
    pub(crate) fn named(word: &str) -> (Language, &str) {
        match word.to_ascii_lowercase().as_str() {
            "sh" | "bash" | "shell" | "zsh" => (Language::Shell, "shell"),
            "py" | "python" | "python3" => (Language::Family(&grammar::PYTHON), "Python"),
            "json" | "jsonl" | "json5" | "jsonc" => (Language::Family(&grammar::JSON), "JSON"),
            "rs" | "rust" => (Language::Family(&grammar::RUST), "Rust"),
            "js" | "jsx" | "javascript" | "mjs" => (Language::Family(&grammar::SCRIPT), "JavaScript"),
            "ts" | "tsx" | "typescript" => (Language::Family(&grammar::SCRIPT), "TypeScript"),
            "diff" | "patch" => (Language::Diff, "diff"),
            "toml" | "yaml" | "yml" | "ini" | "conf" | "dockerfile" | "makefile" | "make" | "properties" => {
                (Language::Family(&grammar::CONFIGURATION), word)
            }
            "" | "text" | "txt" | "plaintext" | "plain" | "console" | "output" | "log" | "markdown" | "md" => {
                (Language::Plain, word)
            }
            _ => (Language::Family(&grammar::GENERIC), word),
        }
    }
}

/// Parts of a text, each by what it is and its length in bytes; neighbours differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Spans(Vec<(Kind, usize)>);

impl Spans {
    fn push(&mut self, kind: Kind, length: usize) {
        match self.0.last_mut() {
            Some((last, so_far)) if *last == kind => *so_far += length,
            _ if length > 0 => self.0.push((kind, length)),
            _ => {}
        }
    }

    /// The parts of the text they were read from.
    fn parts(self, text: &str) -> Vec<(Kind, &str)> {
        let mut at = 0;
        let part = |(kind, length)| {
            let from = at;
            at += length;
            (kind, text.get(from..at).unwrap_or_default())
        };
        self.0.into_iter().map(part).collect()
    }
}

/// Reads code line by line.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    state: State,
    /// How much it has read.
    bytes: usize,
}

#[derive(Debug, Clone)]
enum State {
    Plain,
    Diff,
    Shell(shell::State),
    Family(&'static Grammar, scan::State),
}

impl Reader {
    /// At the beginning of code in a language.
    pub(crate) fn new(language: Language) -> Reader {
        let state = match language {
            Language::Plain => State::Plain,
            Language::Shell => State::Shell(shell::State::default()),
            Language::Diff => State::Diff,
            Language::Family(grammar) => State::Family(grammar, scan::State::Code),
        };
        Reader { state, bytes: 0 }
    }

    /// Reads whole lines.
    pub(crate) fn read<'a>(&mut self, lines: &'a str) -> Vec<(Kind, &'a str)> {
        let mut spans = Spans::default();
        for line in lines.split_inclusive('\n') {
            self.bytes += line.len();
            let is_long = line.len() > PLAIN_LINE || self.bytes > PLAIN_ABOVE;
            match &mut self.state {
                _ if is_long => spans.push(Kind::Plain, line.len()),
                State::Plain => spans.push(Kind::Plain, line.len()),
                State::Diff => spans.push(in_diff(line), line.len()),
                State::Shell(state) => shell::line(state, line, &mut spans),
                State::Family(grammar, state) => scan::line(grammar, state, line, &mut spans),
            }
        }
        spans.parts(lines)
    }
}

fn in_diff(line: &str) -> Kind {
    let is_head = ["+++", "---", "@@", "diff ", "index "].iter().any(|head| line.starts_with(head));
    match line.chars().next() {
        _ if is_head => Kind::Meta,
        Some('+') => Kind::Added,
        Some('-') => Kind::Removed,
        _ => Kind::Plain,
    }
}

/// Parts as nodes.
pub(crate) fn views(parts: Vec<(Kind, &str)>) -> Vec<AnyView> {
    let view = |(kind, text): (Kind, &str)| match kind.class() {
        None => text.to_owned().into_any(),
        Some(class) => view! { <span class=class>{text.to_owned()}</span> }.into_any(),
    };
    parts.into_iter().map(view).collect()
}

/// A command as nodes, with what it hides marked.
pub(crate) fn command(text: &str) -> Vec<AnyView> {
    let view = |(kind, text): (Kind, &str)| match kind.class() {
        None => revealed(text).into_any(),
        Some(class) => view! { <span class=class>{revealed(text)}</span> }.into_any(),
    };
    Reader::new(Language::Shell).read(text).into_iter().map(view).collect()
}
