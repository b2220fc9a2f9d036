//! Reads a line by the grammar of its family.

use super::grammar::{Escapes, Fields, Grammar, Lines, Marks, Meta, Nesting, Quote};
use super::{Kind, Spans};

/// What a line begins in.
#[derive(Debug, Clone)]
pub(super) enum State {
    Code,
    /// A comment with an end, so deep.
    Comment(usize),
    /// A text.
    Text(&'static Quote),
}

/// What the next part is.
struct Part {
    kind: Kind,
    length: usize,
    then: State,
}

impl Part {
    fn of(kind: Kind, length: usize) -> Part {
        Part { kind, length, then: State::Code }
    }
}

pub(super) fn line(grammar: &'static Grammar, state: &mut State, line: &str, spans: &mut Spans) {
    let mut at = 0;
    let mut is_defining = false;
    while let (Some(before), Some(rest)) = (line.get(..at), line.get(at..).filter(|rest| !rest.is_empty())) {
        let part = match state {
            State::Comment(depth) => in_comment(grammar, rest, *depth),
            State::Text(quote) => text(quote, rest, 0),
            State::Code => {
                let part = in_code(grammar, before, rest, is_defining);
                let word = rest.get(..part.length).unwrap_or_default();
                is_defining = grammar.defines.contains(&word) || (is_defining && word.trim().is_empty());
                part
            }
        };
        spans.push(part.kind, part.length);
        at += part.length;
        *state = part.then;
    }
}

fn in_code(grammar: &'static Grammar, before: &str, rest: &str, is_defining: bool) -> Part {
    let first = rest.chars().next().unwrap_or_default();
    if first.is_whitespace() {
        return Part::of(Kind::Plain, until(rest, |c| !c.is_whitespace()));
    }
    if let Some(part) = leading(grammar, before, rest) {
        return part;
    }
    // In words, and in addresses with a place behind `#`, the mark of a comment is none.
    let is_glued = before.ends_with(|c: char| c.is_alphanumeric());
    if grammar.comments.iter().any(|mark| rest.starts_with(mark) && !(is_glued && mark.starts_with('#'))) {
        return Part::of(Kind::Comment, until(rest, |c| c == '\n'));
    }
    if let Some(block) = &grammar.block
        && rest.starts_with(block.open)
    {
        return Part { kind: Kind::Comment, length: block.open.len(), then: State::Comment(1) };
    }
    if let Some(quote) = grammar.quotes.iter().find(|quote| rest.starts_with(quote.open)) {
        return quoted(grammar, quote, rest);
    }
    match (grammar.marks, first) {
        (Marks::Rust, '\'') => return character_or_lifetime(rest),
        (Marks::Slash, '/') => {
            if let Some(length) = regular_expression(before, rest) {
                return Part::of(Kind::Text, length);
            }
        }
        _ => {}
    }
    if first.is_ascii_digit() {
        return Part::of(Kind::Atom, number(rest));
    }
    if first.is_alphabetic() || first == '_' {
        return word(grammar, rest, is_defining);
    }
    Part::of(Kind::Plain, first.len_utf8())
}

fn until(text: &str, ends: impl Fn(char) -> bool) -> usize {
    text.find(ends).unwrap_or(text.len())
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// What only the beginning of a line can hold.
fn leading(grammar: &Grammar, before: &str, rest: &str) -> Option<Part> {
    if !before.trim().is_empty() {
        return None;
    }
    let end = until(rest, |c| c == '\n');
    if grammar.fields == Fields::Leading {
        let word = until(rest, |c| !(is_of_word(c) || "-. \"'/".contains(c)));
        let names = rest.get(word..).is_some_and(|after| after.starts_with([':', '=']));
        if names && word > 0 {
            return Some(Part::of(Kind::Name, rest.get(..word)?.trim_end().len()));
        }
    }
    let name = |from: usize| rest.get(from..).map_or(0, |after| until(after, |c| !(is_of_word(c) || c == '.')));
    let length = match grammar.meta {
        Meta::Decorator if rest.starts_with('@') => 1 + name(1),
        Meta::Attribute if rest.starts_with("#[") || rest.starts_with("#![") => {
            rest.rfind(']').map_or(end, |at| at + 1)
        }
        Meta::Directive if rest.starts_with('#') && name(1) > 0 => 1 + name(1),
        Meta::Section if rest.starts_with('[') => end,
        _ => return None,
    };
    Some(Part::of(Kind::Meta, length))
}

fn in_comment(grammar: &Grammar, rest: &str, depth: usize) -> Part {
    let Some(block) = &grammar.block else { return Part::of(Kind::Comment, rest.len()) };
    let close = rest.find(block.close);
    let open = rest.find(block.open).filter(|_| block.nesting == Nesting::Nested);
    match (open, close) {
        (Some(open), close) if close.is_none_or(|close| open < close) => {
            Part { kind: Kind::Comment, length: open + block.open.len(), then: State::Comment(depth + 1) }
        }
        (_, Some(close)) => {
            let then = if depth > 1 { State::Comment(depth - 1) } else { State::Code };
            Part { kind: Kind::Comment, length: close + block.close.len(), then }
        }
        (_, None) => Part { kind: Kind::Comment, length: rest.len(), then: State::Comment(depth) },
    }
}

/// The text that begins here with its quote; one before a colon can be the name of a field.
fn quoted(grammar: &Grammar, quote: &'static Quote, rest: &str) -> Part {
    let mut part = text(quote, rest, quote.open.len());
    let after = rest.get(part.length..).unwrap_or_default();
    if grammar.fields == Fields::Quoted && after.trim_start().starts_with(':') {
        part.kind = Kind::Name;
    }
    part
}

/// A text up to its closing quote, from so far on.
fn text(quote: &'static Quote, rest: &str, from: usize) -> Part {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip_while(|(at, _)| *at < from) {
        match character {
            _ if escaped => escaped = false,
            '\\' if quote.escapes == Escapes::Backslash => escaped = true,
            '\n' if quote.lines == Lines::One => return Part::of(Kind::Text, at),
            _ if rest.get(at..).is_some_and(|rest| rest.starts_with(quote.close)) => {
                return Part::of(Kind::Text, at + quote.close.len());
            }
            _ => {}
        }
    }
    let then = if quote.lines == Lines::Many { State::Text(quote) } else { State::Code };
    Part { kind: Kind::Text, length: rest.len(), then }
}

fn character_or_lifetime(rest: &str) -> Part {
    let mut characters = rest.char_indices().skip(1);
    let inside = characters.next().map(|(_, character)| character);
    let after = characters.next();
    match (inside, after) {
        (Some('\\'), _) => {
            let end = rest.get(3..).and_then(|after| after.find('\'')).map_or(1, |at| at + 4);
            Part::of(Kind::Text, end)
        }
        (Some(_), Some((at, '\''))) => Part::of(Kind::Text, at + 1),
        _ => Part::of(Kind::Atom, 1 + rest.get(1..).map_or(0, |name| until(name, |c| !is_of_word(c)))),
    }
}

/// A slash begins one where no value stands before it that could be divided.
fn regular_expression(before: &str, rest: &str) -> Option<usize> {
    let before = before.trim_end();
    let follows = before.is_empty() || before.ends_with(|c| "(,=:[!&|?{};>".contains(c)) || before.ends_with("return");
    if !follows {
        return None;
    }
    let (mut escaped, mut in_class) = (false, false);
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => {
                let flags = rest.get(at + 1..).map_or(0, |after| until(after, |c| !c.is_ascii_lowercase()));
                return Some(at + 1 + flags);
            }
            _ => {}
        }
    }
    None
}

/// Digits and what goes on like them; a point only before a digit, for `1..2` holds two numbers.
fn number(rest: &str) -> usize {
    let mut characters = rest.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_point = character == '.' && characters.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if !(is_of_word(character) || is_point) {
            return at;
        }
    }
    rest.len()
}

fn word(grammar: &'static Grammar, rest: &str, is_defining: bool) -> Part {
    let length = until(rest, |c| !is_of_word(c));
    let (word, after) = rest.split_at(length);
    if grammar.prefixes.contains(&word)
        && let Some(quote) = grammar.quotes.iter().find(|quote| after.starts_with(quote.open))
    {
        let part = text(quote, after, quote.open.len());
        return Part { length: length + part.length, ..part };
    }
    let is_called =
        after.starts_with('(') || (grammar.marks == Marks::Rust && after.starts_with('!') && !after.starts_with("!="));
    let kind = if grammar.keywords.contains(&word) {
        Kind::Keyword
    } else if grammar.atoms.contains(&word) {
        Kind::Atom
    } else if is_called || is_defining {
        Kind::Name
    } else {
        Kind::Plain
    };
    Part::of(kind, length)
}
