//! The blocks of a Markdown text: paragraphs, headings, lists, quotations, code, tables, rules.
//!
//! Our own reader rather than a library's: those that were weighed cost the page 40 kB, a sixth of what it may weigh,
//! mostly for tables of entities and for HTML, which a message here must not have. It follows CommonMark and GitHub's
//! tables, task lists and strikethrough where models write them; what it does not know it shows as it was written.

use super::inline::inline;
use super::node::{Done, Element, Node};
use crate::view::signs::signs;

/// Deeper than this, what would be a list or a quotation in another is text.
const DEPTH: usize = 12;

/// The nodes of a text.
pub(crate) fn nodes(text: &str) -> Vec<Node> {
    let text = signs(text);
    let lines: Vec<&str> = text.lines().collect();
    read(&lines, 0).into_iter().map(|(_, node)| node).collect()
}

/// Where the last block of a text begins: what stands before it will not change however the text goes on.
pub(crate) fn start_of_last(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let last = read(&lines, 0).last().map_or(0, |(line, _)| *line);
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).nth(last).unwrap_or(0)
}

/// The blocks of some lines, each with the number of its first line.
fn read(lines: &[&str], depth: usize) -> Vec<(usize, Node)> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if line.trim().is_empty() {
            at += 1;
            continue;
        }
        let rest = lines.get(at..).unwrap_or_default();
        let (node, taken) = block(rest, depth);
        blocks.push((at, node));
        at += taken.max(1);
    }
    blocks
}

/// The first block of some lines, the first of which is not blank, and how many of them it takes.
fn block(lines: &[&str], depth: usize) -> (Node, usize) {
    let first = lines.first().copied().unwrap_or_default();
    match start(first) {
        Start::Fence(fence) => fenced(lines, &fence),
        Start::Heading(level, words) => (Node::Element(Element::Heading(level), inline(words)), 1),
        Start::Rule => (Node::Rule, 1),
        Start::Indented => indented(lines),
        Start::Quote if depth < DEPTH => quote(lines, depth),
        Start::Item(item) if depth < DEPTH => list(lines, &item, depth),
        Start::Quote | Start::Item(_) | Start::Words => table(lines).unwrap_or_else(|| paragraph(lines)),
    }
}

/// How a line begins.
enum Start<'a> {
    Fence(Fence<'a>),
    Heading(usize, &'a str),
    Rule,
    Indented,
    Quote,
    Item(Item),
    Words,
}

struct Fence<'a> {
    indent: usize,
    mark: char,
    length: usize,
    language: &'a str,
}

#[derive(PartialEq, Eq)]
struct Item {
    /// The bullet, or what follows the number.
    mark: char,
    number: Option<u64>,
    /// Where its content begins.
    content: usize,
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn start(line: &str) -> Start<'_> {
    let indent = indent(line);
    let words = line.trim_start();
    if indent >= 4 || line.starts_with('\t') {
        return Start::Indented;
    }
    if let Some(fence) = fence(indent, words) {
        return Start::Fence(fence);
    }
    let level = words.chars().take_while(|c| *c == '#').count();
    if let Some(title) = words.get(level..)
        && (1..=6).contains(&level)
        && (title.is_empty() || title.starts_with([' ', '\t']))
    {
        let bare = title.trim();
        let closed = bare.trim_end_matches('#');
        let is_closing = closed.is_empty() || closed.ends_with(' ');
        return Start::Heading(level, if is_closing { closed.trim_end() } else { bare });
    }
    if is_rule(words) {
        return Start::Rule;
    }
    if words.starts_with('>') {
        return Start::Quote;
    }
    item(indent, words).map_or(Start::Words, Start::Item)
}

fn fence(indent: usize, words: &str) -> Option<Fence<'_>> {
    let mark = words.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = words.chars().take_while(|c| *c == mark).count();
    let info = words.get(length..)?.trim();
    let language = info.split_whitespace().next().unwrap_or_default();
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(Fence { indent, mark, length, language })
}

fn is_rule(words: &str) -> bool {
    let mut marks = words.chars().filter(|c| !c.is_whitespace());
    let Some(first) = marks.next().filter(|c| matches!(c, '-' | '*' | '_')) else { return false };
    let more = marks.clone().count();
    more >= 2 && marks.all(|mark| mark == first)
}

fn item(indent: usize, words: &str) -> Option<Item> {
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let mark = words.get(digits..)?.chars().next()?;
    let is_item = match digits {
        0 => matches!(mark, '-' | '*' | '+'),
        1..=9 => matches!(mark, '.' | ')'),
        _ => false,
    };
    let after = words.get(digits + 1..).filter(|_| is_item)?;
    let gap = after.len() - after.trim_start().len();
    if gap == 0 && !after.is_empty() {
        return None;
    }
    // Five spaces and more are one space and indented code.
    let gap = if (1..=4).contains(&gap) && gap < after.len() { gap } else { 1 };
    let number = words.get(..digits).and_then(|digits| digits.parse().ok());
    Some(Item { mark, number, content: indent + digits + 1 + gap })
}

/// Whether a line ends a paragraph by beginning something else.
fn interrupts(line: &str) -> bool {
    match start(line) {
        Start::Fence(_) | Start::Heading(..) | Start::Rule | Start::Quote => true,
        Start::Item(item) => item.number.is_none_or(|number| number == 1) && line.len() > item.content,
        Start::Indented | Start::Words => false,
    }
}

fn fenced(lines: &[&str], fence: &Fence<'_>) -> (Node, usize) {
    let closes = |line: &str| {
        let words = line.trim();
        indent(line) < 4 && words.len() >= fence.length && words.chars().all(|c| c == fence.mark)
    };
    let inside = lines.iter().skip(1).take_while(|line| !closes(line));
    let text: String = inside.clone().map(|line| format!("{}\n", dedent(line, fence.indent))).collect();
    let taken = inside.count() + 2;
    (Node::CodeBlock { language: fence.language.to_owned(), text }, taken.min(lines.len()))
}

fn indented(lines: &[&str]) -> (Node, usize) {
    let is_code = |line: &&&str| line.trim().is_empty() || indent(line) >= 4 || line.starts_with('\t');
    let mut taken = lines.iter().take_while(is_code).count();
    while taken > 1 && lines.get(taken - 1).is_some_and(|line| line.trim().is_empty()) {
        taken -= 1;
    }
    let inside = lines.iter().take(taken);
    let text = inside.map(|line| format!("{}\n", line.strip_prefix('\t').unwrap_or_else(|| dedent(line, 4)))).collect();
    (Node::CodeBlock { language: String::new(), text }, taken)
}

/// A line without so many of the spaces it begins with.
fn dedent(line: &str, spaces: usize) -> &str {
    line.get(spaces.min(indent(line))..).unwrap_or_default()
}

fn quote(lines: &[&str], depth: usize) -> (Node, usize) {
    let mut inside = Vec::new();
    for line in lines {
        let words = line.trim_start();
        match words.strip_prefix('>') {
            Some(after) => inside.push(after.strip_prefix(' ').unwrap_or(after)),
            // A paragraph in it goes on without the mark.
            None if !words.is_empty() && !interrupts(line) && inside.last().is_some_and(|last| goes_on(last)) => {
                inside.push(line);
            }
            None => break,
        }
    }
    (Node::Element(Element::Quote, within(&inside, depth)), inside.len())
}

/// Whether what follows such a line can belong to its paragraph.
fn goes_on(line: &str) -> bool {
    !line.trim().is_empty() && matches!(start(line), Start::Words | Start::Item(_) | Start::Quote)
}

fn list(lines: &[&str], first: &Item, depth: usize) -> (Node, usize) {
    let mut items: Vec<Vec<&str>> = Vec::new();
    let mut content = first.content;
    let mut blanks = 0;
    let mut taken = 0;
    let mut is_loose = false;
    for line in lines {
        let is_blank = line.trim().is_empty();
        let next = match start(line) {
            Start::Item(item) if item.mark == first.mark && item.number.is_some() == first.number.is_some() => {
                Some(item)
            }
            _ => None,
        };
        let belongs = !is_blank && !items.is_empty() && indent(line) >= content;
        let is_lazy = next.is_none() && blanks == 0 && !interrupts(line);
        match (next, items.last_mut()) {
            (_, Some(item)) if is_blank || belongs || (is_lazy && item.last().is_some_and(|last| goes_on(last))) => {
                let had_blank = blanks > 0 && !is_blank;
                is_loose |= had_blank && item.len() > blanks;
                item.push(dedent(line, content));
            }
            (Some(item), _) => {
                is_loose |= blanks > 0;
                content = item.content;
                items.push(vec![line.get(content..).unwrap_or_default()]);
            }
            (None, _) => break,
        }
        blanks = if is_blank { blanks + 1 } else { 0 };
        taken += 1;
    }
    let element = first.number.map_or(Element::List, Element::Numbered);
    let items = items.iter().map(|lines| Node::Element(Element::Item, entry(lines, is_loose, depth)));
    (Node::Element(element, items.collect()), taken - blanks.min(taken - 1))
}

/// The content of a list's entry: its box, if it is a task, and its blocks, paragraphs unwrapped in a tight list.
fn entry(lines: &[&str], is_loose: bool, depth: usize) -> Vec<Node> {
    let mut lines = lines.to_vec();
    let mut nodes = Vec::new();
    if let Some(first) = lines.first_mut() {
        let task = [("[ ] ", Done::No), ("[x] ", Done::Yes), ("[X] ", Done::Yes)];
        let found = task.iter().find_map(|(mark, done)| Some((first.strip_prefix(mark)?, *done)));
        if let Some((rest, done)) = found {
            *first = rest;
            nodes.push(Node::Task(done));
        }
    }
    for node in within(&lines, depth) {
        match node {
            Node::Element(Element::Paragraph, inside) if !is_loose => nodes.extend(inside),
            other => nodes.push(other),
        }
    }
    nodes
}

fn within(lines: &[&str], depth: usize) -> Vec<Node> {
    read(lines, depth + 1).into_iter().map(|(_, node)| node).collect()
}

/// A table is a line of cells above a line of dashes with as many.
fn table(lines: &[&str]) -> Option<(Node, usize)> {
    let [head, dashes, rows @ ..] = lines else { return None };
    let columns = cells(head);
    let marks = cells(dashes);
    let is_mark = |cell: &String| cell.contains('-') && cell.trim_matches(':').chars().all(|c| c == '-');
    if !head.contains('|') || marks.len() != columns.len() || !marks.iter().all(is_mark) {
        return None;
    }
    let count = columns.len();
    let row = |element: Element, mut cells: Vec<String>| {
        cells.resize(count, String::new());
        Node::Element(element, cells.iter().map(|cell| Node::Element(Element::Cell, inline(cell))).collect())
    };
    let rows: Vec<&&str> = rows.iter().take_while(|line| !line.trim().is_empty() && !interrupts(line)).collect();
    let taken = rows.len() + 2;
    let body = rows.iter().map(|line| row(Element::Row, cells(line)));
    let all = std::iter::once(row(Element::HeadRow, columns)).chain(body).collect();
    Some((Node::Element(Element::Table, all), taken))
}

/// The cells of a line. A bar after a backslash is no border.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut cells = vec![String::new()];
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let Some(cell) = cells.last_mut() else { break };
        match character {
            '\\' if characters.next_if_eq(&'|').is_some() => cell.push('|'),
            '|' if characters.peek().is_none() => break,
            '|' => cells.push(String::new()),
            other => cell.push(other),
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// Words up to a blank line or something else; a heading if they are underlined.
fn paragraph(lines: &[&str]) -> (Node, usize) {
    let mut words: Vec<&str> = Vec::new();
    for line in lines {
        let bare = line.trim();
        if !words.is_empty() && !bare.is_empty() && indent(line) < 4 {
            let level = [('=', 1), ('-', 2)].iter().find(|(mark, _)| bare.chars().all(|c| c == *mark));
            if let Some((_, level)) = level {
                return (Node::Element(Element::Heading(*level), inline(&words.join("\n"))), words.len() + 1);
            }
        }
        if bare.is_empty() || (!words.is_empty() && interrupts(line)) {
            break;
        }
        words.push(line.trim_start());
    }
    let taken = words.len();
    (Node::Element(Element::Paragraph, inline(words.join("\n").trim_end())), taken)
}
