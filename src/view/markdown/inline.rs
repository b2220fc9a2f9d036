//! What stands in a line of Markdown: emphasis, code, links.

use super::node::{Element, Node};

/// Brackets within brackets, deeper than which nothing is a link: a text of brackets alone is read in one go.
const BRACKETS: usize = 16;

/// The nodes of a paragraph's text.
pub(crate) fn inline(text: &str) -> Vec<Node> {
    let mut line = Line { rest: text, before: ' ', pieces: Vec::new() };
    while line.step() {}
    pair(line.pieces)
}

/// A piece of a line while it is read.
enum Piece {
    Done(Node),
    Run(Run),
}

/// Marks that may begin or end emphasis.
#[derive(Clone, Copy)]
struct Run {
    mark: char,
    count: usize,
    opens: bool,
    closes: bool,
}

struct Line<'a> {
    rest: &'a str,
    /// The character before the rest.
    before: char,
    pieces: Vec<Piece>,
}

impl<'a> Line<'a> {
    /// Reads the next thing. `false`: there is none.
    fn step(&mut self) -> bool {
        let Some(first) = self.rest.chars().next() else { return false };
        match first {
            '\\' => self.escape(),
            '`' => self.code(),
            '*' | '_' | '~' => self.run(first),
            '[' => self.link(),
            '!' if self.rest.starts_with("![") => self.image(),
            '<' => self.address(),
            '&' => self.entity(),
            ' ' if self.rest.trim_start_matches(' ').starts_with('\n') => self.line_end(),
            _ => self.words(),
        }
        true
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        self.before = taken.chars().next_back().unwrap_or(self.before);
        taken
    }

    fn push(&mut self, node: Node) {
        self.pieces.push(Piece::Done(node));
    }

    fn text(&mut self, length: usize) {
        let text = self.take(length);
        if let Some(Piece::Done(Node::Text(last))) = self.pieces.last_mut() {
            last.push_str(text);
        } else {
            self.push(Node::Text(text.to_owned()));
        }
    }

    /// Up to the next character that may mean something.
    fn words(&mut self) {
        let first = self.rest.chars().next().map_or(1, char::len_utf8);
        let after = self.rest.get(first..).unwrap_or_default();
        let length = after.find(['\\', '`', '*', '_', '~', '[', '!', '<', '&', ' ']).unwrap_or(after.len());
        self.text(first + length);
    }

    fn escape(&mut self) {
        match self.rest.chars().nth(1) {
            Some('\n') => {
                self.take(2);
                self.push(Node::Break);
            }
            Some(mark) if mark.is_ascii_punctuation() => {
                self.take(1);
                self.text(1);
            }
            _ => self.text(1),
        }
    }

    /// Two spaces and more before a line's end force a break.
    fn line_end(&mut self) {
        let spaces = self.rest.len() - self.rest.trim_start_matches(' ').len();
        self.take(spaces);
        if spaces >= 2 {
            self.take(1);
            self.push(Node::Break);
        }
    }

    fn code(&mut self) {
        let marks = self.rest.bytes().take_while(|byte| *byte == b'`').count();
        let after = self.rest.get(marks..).unwrap_or_default();
        let Some(length) = closing(after, marks) else { return self.text(marks) };
        let inside = after.get(..length).unwrap_or_default().replace('\n', " ");
        let is_padded = inside.starts_with(' ') && inside.ends_with(' ') && !inside.trim().is_empty();
        let inside = if is_padded { inside.get(1..inside.len() - 1).unwrap_or_default() } else { &inside };
        self.push(Node::Code(inside.to_owned()));
        self.take(marks + length + marks);
    }

    fn run(&mut self, mark: char) {
        let count = self.rest.chars().take_while(|c| *c == mark).count();
        let before = self.before;
        let after = self.rest.get(count..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        let is_mark = |c: char| c.is_ascii_punctuation() || (!c.is_alphanumeric() && !c.is_whitespace());
        let left = !after.is_whitespace() && (!is_mark(after) || before.is_whitespace() || is_mark(before));
        let right = !before.is_whitespace() && (!is_mark(before) || after.is_whitespace() || is_mark(after));
        let (opens, closes) = match mark {
            '_' => (left && (!right || is_mark(before)), right && (!left || is_mark(after))),
            _ => (left, right),
        };
        if mark == '~' && count != 2 {
            return self.text(count);
        }
        self.take(count);
        self.pieces.push(Piece::Run(Run { mark, count, opens, closes }));
    }

    /// `[words](address)`. The words may hold brackets in pairs, the address may not hold spaces.
    fn link(&mut self) {
        let Some((words, address, length)) = link(self.rest) else { return self.text(1) };
        let inside = inline(words);
        if is_safe(address) {
            self.push(Node::Link { address: address.to_owned(), inside });
        } else {
            self.pieces.extend(inside.into_iter().map(Piece::Done));
        }
        self.take(length);
    }

    /// An image becomes its words: nothing is fetched for a message.
    fn image(&mut self) {
        let Some((words, _, length)) = self.rest.get(1..).and_then(link) else { return self.text(1) };
        self.pieces.extend(inline(words).into_iter().map(Piece::Done));
        self.take(1 + length);
    }

    /// `<https://…>`; every other `<` is a character.
    fn address(&mut self) {
        let after = self.rest.get(1..).unwrap_or_default();
        let end = after.find(|c: char| matches!(c, '<' | '>') || c.is_whitespace()).unwrap_or(after.len());
        let (inside, after) = after.split_at(end);
        if !after.starts_with('>') || !is_safe(inside) {
            return self.text(1);
        }
        self.push(Node::Link { address: inside.to_owned(), inside: vec![Node::Text(inside.to_owned())] });
        self.take(inside.len() + 2);
    }

    /// The few entities that are written where a character would mean something.
    fn entity(&mut self) {
        let known =
            [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{a0}"), ("&#39;", "'")];
        match known.iter().find(|(name, _)| self.rest.starts_with(name)) {
            Some((name, character)) => {
                self.take(name.len());
                self.push(Node::Text((*character).to_owned()));
            }
            None => self.text(1),
        }
    }
}

/// The length of the code before a run of exactly so many backticks.
fn closing(text: &str, marks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text.get(at..)?.find('`') {
        let from = at + found;
        let length = text.get(from..)?.bytes().take_while(|byte| *byte == b'`').count();
        if length == marks {
            return Some(from);
        }
        at = from + length;
    }
    None
}

/// Words, address and length of the link that begins here.
fn link(text: &str) -> Option<(&str, &str, usize)> {
    let mut depth = 0_usize;
    let mut is_escaped = false;
    let mut end = None;
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' if depth == BRACKETS => return None,
            '[' => depth += 1,
            ']' if depth == 1 => {
                end = Some(at);
                break;
            }
            ']' => depth -= 1,
            _ => {}
        }
    }
    let end = end?;
    let words = text.get(1..end)?;
    let target = text.get(end + 1..)?.strip_prefix('(')?;
    let mut depth = 0_usize;
    let mut close = None;
    for (at, character) in target.char_indices() {
        match character {
            '(' if depth == BRACKETS => return None,
            '(' => depth += 1,
            ')' if depth == 0 => {
                close = Some(at);
                break;
            }
            ')' => depth -= 1,
            _ => {}
        }
    }
    let close = close?;
    let inside = target.get(..close)?.trim();
    // A title after the address is left out.
    let address = inside.split_once(char::is_whitespace).map_or(inside, |(address, _)| address);
    let address = address.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(address);
    Some((words, address, end + 2 + close + 1))
}

/// Only the web and mail, and only spelled so that no browser reads something else: it drops tabs and line breaks, and
/// leading spaces, before it looks at the scheme.
fn is_safe(address: &str) -> bool {
    let begins = |scheme: &str| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    !address.chars().any(char::is_control) && (begins("https://") || begins("http://") || begins("mailto:"))
}

/// Pairs the marks, innermost first, as CommonMark does; what finds no partner is text.
fn pair(pieces: Vec<Piece>) -> Vec<Node> {
    let mut done: Vec<Piece> = Vec::with_capacity(pieces.len());
    // Below these places a mark of that kind has looked in vain: a text without partners is not searched again and again.
    let mut searched = [0_usize; 18];
    for piece in pieces {
        let mut run = match piece {
            Piece::Run(run) => run,
            Piece::Done(_) => {
                done.push(piece);
                continue;
            }
        };
        while run.closes && run.count > 0 {
            let Some(bottom) = searched.get_mut(kind(run)) else { break };
            let Some((place, opener)) = opener(&done, run, *bottom) else {
                *bottom = done.len();
                break;
            };
            let both = if opener.count >= 2 && run.count >= 2 { 2 } else { 1 };
            let element = match (run.mark, both) {
                ('~', _) => Element::Struck,
                (_, 2) => Element::Strong,
                _ => Element::Emphasis,
            };
            let inside = joined(done.drain(place + 1..).map(node).collect());
            done.pop();
            if opener.count > both {
                done.push(Piece::Run(Run { count: opener.count - both, ..opener }));
            }
            done.push(Piece::Done(Node::Element(element, inside)));
            run.count -= both;
        }
        if run.count > 0 {
            done.push(Piece::Run(run));
        }
    }
    joined(done.into_iter().map(node).collect())
}

/// What decides which opener a closing run may take.
fn kind(run: Run) -> usize {
    let mark = match run.mark {
        '*' => 0,
        '_' => 1,
        _ => 2,
    };
    mark * 6 + usize::from(run.opens) * 3 + run.count % 3
}

/// The nearest run that can begin what this one ends.
fn opener(done: &[Piece], closer: Run, bottom: usize) -> Option<(usize, Run)> {
    done.iter().enumerate().skip(bottom).rev().find_map(|(place, piece)| {
        let Piece::Run(run) = piece else { return None };
        let three = (run.closes || closer.opens) && (run.count + closer.count).is_multiple_of(3);
        let fits = !three || (run.count.is_multiple_of(3) && closer.count.is_multiple_of(3));
        (run.opens && run.mark == closer.mark && fits).then_some((place, *run))
    })
}

fn node(piece: Piece) -> Node {
    match piece {
        Piece::Done(node) => node,
        Piece::Run(run) => Node::Text(run.mark.to_string().repeat(run.count)),
    }
}

/// Text beside text is one text.
fn joined(nodes: Vec<Node>) -> Vec<Node> {
    let mut joined: Vec<Node> = Vec::with_capacity(nodes.len());
    for node in nodes {
        match (joined.last_mut(), node) {
            (Some(Node::Text(last)), Node::Text(more)) => last.push_str(&more),
            (_, node) => joined.push(node),
        }
    }
    joined
}
