//! Reads commands of a shell: what is run, what is quoted, what is a variable. A question shows commands by this, so what
//! is not certain stays plain, and quotes inside `$(…)` inside quotes are followed.

use super::{Kind, Spans};

/// What a line begins in.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    /// From the outside in; none: commands.
    inside: Vec<Inside>,
    /// What was announced on this line and begins on the next.
    announced: Vec<HereDocument>,
    /// The one whose lines these are.
    here: Option<HereDocument>,
    /// What a word means here.
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Brackets, with commands in them.
    Brackets,
    /// Double quotes.
    Double,
    /// Single quotes.
    Single,
    /// `$'…'`, where a backslash escapes.
    Escaping,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    /// The next word is what is run.
    #[default]
    Command,
    /// The next word is told to it.
    Argument,
    /// Behind `for` and `case`, up to `in`.
    BeforeIn,
}

#[derive(Debug, Clone)]
struct HereDocument {
    end: String,
    /// Whether its lines may be indented with tabs.
    tabs: Tabs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tabs {
    Kept,
    Dropped,
}

const OPENING: [&str; 9] = ["if", "then", "elif", "else", "while", "until", "do", "time", "!"];
const CLOSING: [&str; 5] = ["fi", "done", "esac", "function", "return"];
const BEFORE_IN: [&str; 3] = ["for", "case", "select"];

pub(super) fn line(state: &mut State, line: &str, spans: &mut Spans) {
    if let Some(here) = &state.here {
        let bare = line.trim_end_matches('\n');
        let bare = if here.tabs == Tabs::Dropped { bare.trim_start_matches('\t') } else { bare };
        let is_end = bare == here.end;
        spans.push(if is_end { Kind::Meta } else { Kind::Text }, line.len());
        if is_end {
            state.here = state.next_announced();
        }
        return;
    }
    let mut at = 0;
    while let (Some(before), Some(rest)) = (line.get(..at), line.get(at..).filter(|rest| !rest.is_empty())) {
        let (kind, length) = match state.inside.last() {
            None | Some(Inside::Brackets) => state.command(before, rest),
            Some(Inside::Single) => state.up_to('\'', rest, |_| false),
            Some(Inside::Escaping) => state.up_to('\'', rest, |c| c == '\\'),
            Some(Inside::Double) => state.double(rest),
        };
        spans.push(kind, length);
        at += length;
    }
    if matches!(state.inside.last(), None | Some(Inside::Brackets)) {
        state.here = state.next_announced();
    }
}

impl State {
    fn next_announced(&mut self) -> Option<HereDocument> {
        (!self.announced.is_empty()).then(|| self.announced.remove(0))
    }

    /// A quoted text up to its end, which closes it.
    fn up_to(&mut self, end: char, rest: &str, escapes: fn(char) -> bool) -> (Kind, usize) {
        let mut escaped = false;
        for (at, character) in rest.char_indices() {
            if !escaped && character == end {
                self.inside.pop();
                return (Kind::Text, at + 1);
            }
            escaped = !escaped && escapes(character);
        }
        (Kind::Text, rest.len())
    }

    fn double(&mut self, rest: &str) -> (Kind, usize) {
        if let Some(variable) = self.dollar(rest) {
            return variable;
        }
        let mut escaped = false;
        for (at, character) in rest.char_indices() {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    self.inside.pop();
                    return (Kind::Text, at + 1);
                }
                '$' if at > 0 => return (Kind::Text, at),
                _ => {}
            }
        }
        (Kind::Text, rest.len())
    }

    /// What a dollar begins: a variable, or commands in brackets.
    fn dollar(&mut self, rest: &str) -> Option<(Kind, usize)> {
        let after = rest.strip_prefix('$')?;
        let first = after.chars().next()?;
        let length = match first {
            '(' => {
                self.inside.push(Inside::Brackets);
                self.place = Place::Command;
                return Some((Kind::Plain, 2));
            }
            '{' => after.find(['}', '\n']).filter(|at| after.get(*at..).is_some_and(|end| end.starts_with('}')))? + 1,
            '?' | '@' | '*' | '#' | '$' | '!' | '-' => 1,
            _ if first.is_ascii_digit() => 1,
            _ => after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(after.len()),
        };
        (length > 0).then_some((Kind::Atom, 1 + length))
    }

    fn command(&mut self, before: &str, rest: &str) -> (Kind, usize) {
        let first = rest.chars().next().unwrap_or_default();
        let is_at_word = before.is_empty() || before.ends_with(|c: char| c.is_whitespace() || ";&|()".contains(c));
        match first {
            '\n' => {
                self.place = Place::Command;
                (Kind::Plain, 1)
            }
            _ if first.is_whitespace() => (Kind::Plain, first.len_utf8()),
            '#' if is_at_word => (Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
            '\\' => (Kind::Plain, rest.chars().take(2).map(char::len_utf8).sum()),
            '\'' => self.opens(Inside::Single, before, 1),
            '"' => self.opens(Inside::Double, before, 1),
            '$' if rest.starts_with("$'") => self.opens(Inside::Escaping, before, 2),
            '$' => {
                let place = self.place;
                let variable = self.dollar(rest).unwrap_or((Kind::Plain, 1));
                if variable.0 == Kind::Atom {
                    self.place = place;
                    self.is_said(before);
                }
                variable
            }
            '<' if rest.starts_with("<<<") => (Kind::Plain, 3),
            '<' if rest.starts_with("<<") => self.here_document(rest),
            '&' if before.ends_with(['>', '<']) || rest.starts_with("&>") => (Kind::Plain, 1),
            '(' => {
                self.inside.push(Inside::Brackets);
                self.place = Place::Command;
                (Kind::Plain, 1)
            }
            ')' => {
                if self.inside.last() == Some(&Inside::Brackets) {
                    self.inside.pop();
                    self.place = Place::Argument;
                } else {
                    // The end of a pattern of `case`.
                    self.place = Place::Command;
                }
                (Kind::Plain, 1)
            }
            '|' | '&' | ';' | '`' => {
                self.place = Place::Command;
                (Kind::Plain, 1)
            }
            '<' | '>' => {
                self.place = Place::Argument;
                (Kind::Plain, 1)
            }
            _ => self.word(rest),
        }
    }

    fn opens(&mut self, inside: Inside, before: &str, length: usize) -> (Kind, usize) {
        self.is_said(before);
        self.inside.push(inside);
        (Kind::Text, length)
    }

    /// Something that is no plain word stands where one could: what follows is told to it, unless it is a value.
    fn is_said(&mut self, before: &str) {
        if !before.ends_with('=') && self.place == Place::Command {
            self.place = Place::Argument;
        }
    }

    fn here_document(&mut self, rest: &str) -> (Kind, usize) {
        let after = rest.get(2..).unwrap_or_default();
        let (tabs, after) = match after.strip_prefix('-') {
            Some(after) => (Tabs::Dropped, after),
            None => (Tabs::Kept, after),
        };
        let named = after.trim_start_matches(' ');
        let length = named.find(|c: char| c.is_whitespace() || ";|&<>()".contains(c)).unwrap_or(named.len());
        let end: String = named.chars().take_while(|c| !(c.is_whitespace() || ";|&<>()".contains(*c))).collect();
        let end = end.replace(['\'', '"', '\\'], "");
        if !end.is_empty() {
            self.announced.push(HereDocument { end, tabs });
        }
        (Kind::Meta, rest.len() - named.len() + length)
    }

    fn word(&mut self, rest: &str) -> (Kind, usize) {
        let length = rest.find(|c: char| c.is_whitespace() || "|&;()<>'\"$`\\".contains(c)).unwrap_or(rest.len());
        // A character that begins nothing else is a word of its own.
        let length = length.max(rest.chars().next().map_or(1, char::len_utf8));
        let word = rest.get(..length).unwrap_or_default();
        let kind = match self.place {
            Place::Argument => Kind::Plain,
            Place::BeforeIn if word == "in" => {
                self.place = Place::Argument;
                Kind::Keyword
            }
            Place::BeforeIn => Kind::Plain,
            Place::Command if OPENING.contains(&word) => Kind::Keyword,
            Place::Command if matches!(word, "{" | "}") => Kind::Plain,
            Place::Command if CLOSING.contains(&word) => {
                self.place = Place::Argument;
                Kind::Keyword
            }
            Place::Command if BEFORE_IN.contains(&word) => {
                self.place = Place::BeforeIn;
                Kind::Keyword
            }
            Place::Command if is_assignment(word) => Kind::Plain,
            Place::Command => {
                self.place = Place::Argument;
                Kind::Name
            }
        };
        (kind, length)
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "_+".contains(c))
    })
}
