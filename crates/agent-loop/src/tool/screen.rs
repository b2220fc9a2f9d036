//! Output as a terminal would finally show it, as plain text: a progress bar is its last state, not its history.
//!
//! A pure function over the whole text, so that where the output was cut on its way changes nothing. The terminal has 24
//! lines that can be written to again; what has left them upwards is final. Its lines do not wrap, because a program that
//! writes into a pipe knows no width, and tabs stay tabs, because the text may be a file's. It obeys carriage return,
//! backspace, cursor movement, erasing, and the alternate screen (ECMA-48; xterm's ctlseqs); what it does not know, it
//! leaves out. Scrolling regions and inserted lines are among that.

use std::collections::VecDeque;

use crate::tool::text::{Piece, pieces};

/// How many lines can be written to again: those of a terminal nobody has made larger.
const LINES: usize = 24;
/// The cursor is moved no further right than this by a code, so that a few bytes cannot ask for much room.
const COLUMNS: usize = 240;
/// What has been written of a line is final from here on, as it is where a terminal wraps: so the work stays in proportion
/// to the output, whatever the output asks for.
const FINAL: usize = 4096;
const TAB: usize = 8;
/// Follows a character that takes more than one column.
const CONTINUED: char = '\0';

/// The text that is finally to be seen, above the screen and on it.
pub fn as_shown(text: &str) -> String {
    // A terminal shows plain text as it is, and most of what is long is that.
    if text.chars().all(|character| matches!(character, '\n' | '\t') || !character.is_control()) {
        return text.to_owned();
    }
    on_screen(text)
}

fn on_screen(text: &str) -> String {
    let mut screen = Screen::new();
    let mut main = None;
    for piece in pieces(text) {
        match piece {
            Piece::Csi { parameters: "?1049" | "?1047" | "?47", last: 'h' } if main.is_none() => {
                main = Some(std::mem::replace(&mut screen, Screen::new()));
            }
            // What was on the alternate screen is gone when it is left.
            Piece::Csi { parameters: "?1049" | "?1047" | "?47", last: 'l' } => {
                screen = main.take().unwrap_or(screen);
            }
            other => screen.obey(other),
        }
    }
    let before = main.map_or_else(String::new, |main| main.into_text() + "\n");
    before + &screen.into_text()
}

#[derive(Debug)]
struct Screen {
    /// What has left the screen upwards.
    above: String,
    /// Never empty, at most [`LINES`].
    lines: VecDeque<Line>,
    row: usize,
    column: usize,
    saved: (usize, usize),
}

/// One line, column by column.
#[derive(Debug, Default)]
struct Line {
    /// What of it is final, before its first column.
    before: String,
    columns: Vec<char>,
    /// Characters that take no column, and the column they belong to, in the order they came.
    marks: Vec<(usize, char)>,
}

impl Screen {
    fn new() -> Screen {
        Screen { above: String::new(), lines: VecDeque::from([Line::default()]), row: 0, column: 0, saved: (0, 0) }
    }

    fn obey(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Text(character) => self.write(character),
            Piece::Control('\n') | Piece::Escape('E') => {
                self.down();
                self.column = 0;
            }
            Piece::Control('\r') => self.column = 0,
            Piece::Control('\u{8}') => self.column = self.column.saturating_sub(1),
            Piece::Control('\t') => self.tab(),
            Piece::Escape('D') => self.down(),
            Piece::Escape('M') => self.row = self.row.saturating_sub(1),
            Piece::Escape('7') => self.saved = (self.row, self.column),
            Piece::Escape('8') => self.go(self.saved.0, self.saved.1),
            Piece::Escape('c') => {
                self.erase_lines(0, LINES);
                self.go(0, 0);
            }
            // Private sequences begin with one of these.
            Piece::Csi { parameters, .. } if parameters.starts_with(['<', '=', '>', '?']) => {}
            Piece::Csi { parameters, last } => self.obey_csi(parameters, last),
            Piece::Control(_) | Piece::Escape(_) | Piece::Silent => {}
        }
    }

    fn obey_csi(&mut self, parameters: &str, last: char) {
        let mut numbers = parameters.split([';', ':']).map(|number| number.parse::<u16>().map_or(0, usize::from));
        let first = numbers.next().unwrap_or(0);
        let second = numbers.next().unwrap_or(0);
        // Counts and places begin at one, and nought means one.
        let count = first.max(1);
        let (row, column) = (self.row, self.column);
        match last {
            'A' => self.row = row.saturating_sub(count),
            'B' | 'e' => self.go(row + count, column),
            'C' | 'a' => self.column = column.max(COLUMNS.min(column + count)),
            'D' => self.column = column.saturating_sub(count),
            'E' => self.go(row + count, 0),
            'F' => self.go(row.saturating_sub(count), 0),
            'G' | '`' => self.column = (count - 1).min(COLUMNS),
            'd' => self.go(count - 1, column),
            'H' | 'f' => self.go(count - 1, (second.max(1) - 1).min(COLUMNS)),
            's' => self.saved = (row, column),
            'u' => self.go(self.saved.0, self.saved.1),
            'K' => self.with_line(|line| match first {
                0 => line.cut(column),
                1 => line.blank(0, column + 1),
                2 => line.cut(0),
                _ => {}
            }),
            'X' => self.with_line(|line| line.blank(column, column + count)),
            'P' => self.with_line(|line| line.remove(column, count)),
            'J' => match first {
                0 => {
                    self.with_line(|line| line.cut(column));
                    self.erase_lines(row + 1, LINES);
                }
                1 => {
                    self.erase_lines(0, row);
                    self.with_line(|line| line.blank(0, column + 1));
                }
                2 => self.erase_lines(0, LINES),
                _ => {}
            },
            _ => {}
        }
    }

    fn write(&mut self, character: char) {
        let column = self.column;
        match width(character) {
            // What has become final takes its marks along.
            0 => self.with_line(|line| match column.checked_sub(1) {
                Some(before) => line.marks.push((before, character)),
                None => line.before.push(character),
            }),
            width => {
                self.with_line(|line| line.put(column, character, width));
                self.column += width;
            }
        }
        self.settle();
    }

    /// At the end of a line a tab is written, because it may be a file's; within it, only the cursor moves.
    fn tab(&mut self) {
        let (column, next) = (self.column, (self.column / TAB + 1) * TAB);
        self.with_line(|line| {
            if column >= line.columns.len() {
                line.put(column, '\t', next - column);
            }
        });
        self.column = next;
        self.settle();
    }

    fn settle(&mut self) {
        let column = self.column;
        let is_settled = self.lines.get_mut(self.row).is_some_and(|line| line.settle(column));
        if is_settled {
            self.column = 0;
        }
    }

    fn down(&mut self) {
        if self.row + 1 < LINES {
            return self.go(self.row + 1, self.column);
        }
        if let Some(line) = self.lines.pop_front() {
            line.tell(&mut self.above);
            self.above.push('\n');
        }
        self.lines.push_back(Line::default());
    }

    fn go(&mut self, row: usize, column: usize) {
        self.row = row.min(LINES - 1);
        self.column = column;
        while self.lines.len() <= self.row {
            self.lines.push_back(Line::default());
        }
    }

    fn erase_lines(&mut self, from: usize, to: usize) {
        self.lines.iter_mut().take(to).skip(from).for_each(|line| *line = Line::default());
    }

    fn with_line(&mut self, change: impl FnOnce(&mut Line)) {
        if let Some(line) = self.lines.get_mut(self.row) {
            change(line);
        }
    }

    /// Lines that the cursor passed and nothing was written to do not count at the end, except the one it stands on.
    fn into_text(mut self) -> String {
        while self.lines.len() > self.row + 1 && self.lines.back().is_some_and(Line::is_empty) {
            self.lines.pop_back();
        }
        let mut text = std::mem::take(&mut self.above);
        for (place, line) in self.lines.iter().enumerate() {
            if place > 0 {
                text.push('\n');
            }
            line.tell(&mut text);
        }
        text
    }
}

impl Line {
    fn put(&mut self, column: usize, character: char, width: usize) {
        self.blank(column, column + width);
        if self.columns.len() < column + width {
            self.columns.resize(column, ' ');
            self.columns.resize(column + width, CONTINUED);
        }
        for (place, cell) in self.columns.iter_mut().skip(column).take(width).enumerate() {
            *cell = if place == 0 { character } else { CONTINUED };
        }
    }

    /// Makes columns blank, as far as there are any; what of a wider character is left beside them is blank too.
    fn blank(&mut self, from: usize, to: usize) {
        let to = to.min(self.columns.len());
        if from >= to {
            return;
        }
        let is_continued = |at: &usize| self.columns.get(*at) == Some(&CONTINUED);
        let from = (0..=from).rev().find(|at| !is_continued(at)).unwrap_or(0);
        let to = (to..self.columns.len()).find(|at| !is_continued(at)).unwrap_or(self.columns.len());
        self.columns.iter_mut().take(to).skip(from).for_each(|cell| *cell = ' ');
        self.marks.retain(|(at, _)| !(from..to).contains(at));
    }

    fn cut(&mut self, column: usize) {
        self.blank(column, self.columns.len());
        self.columns.truncate(column);
    }

    fn remove(&mut self, column: usize, count: usize) {
        let to = (column + count).min(self.columns.len());
        if column < to {
            self.blank(column, to);
            self.columns.drain(column..to);
            let gone = to - column;
            self.marks.iter_mut().filter(|(at, _)| *at >= to).for_each(|(at, _)| *at -= gone);
        }
    }

    fn is_empty(&self) -> bool {
        self.before.is_empty() && self.columns.is_empty()
    }

    /// Whether what was written has become final.
    fn settle(&mut self, column: usize) -> bool {
        let is_long = column >= FINAL || self.marks.len() >= FINAL;
        if is_long {
            let mut before = std::mem::take(&mut self.before);
            Line { before: String::new(), ..std::mem::take(self) }.tell(&mut before);
            self.before = before;
        }
        is_long
    }

    fn tell(&self, text: &mut String) {
        text.push_str(&self.before);
        if self.marks.is_empty() {
            return text.extend(self.columns.iter().filter(|cell| **cell != CONTINUED));
        }
        let mut marks = self.marks.clone();
        // Stable: marks of one character stay in their order.
        marks.sort_by_key(|(at, _)| *at);
        let mut marks = marks.into_iter().peekable();
        for (at, cell) in self.columns.iter().enumerate() {
            if *cell != CONTINUED {
                text.push(*cell);
            }
            while let Some((_, mark)) = marks.next_if(|(of, _)| *of <= at) {
                text.push(mark);
            }
        }
        text.extend(marks.map(|(_, mark)| mark));
    }
}

/// How many columns a character takes: the wide blocks of UAX #11, and what joins the character before it.
fn width(character: char) -> usize {
    match character {
        '\u{20}'..='\u{2ff}' => 1,
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::{as_shown, on_screen};

    #[test]
    fn plain_text_needs_no_terminal() {
        let long: String = (0..1000).map(|number| format!("{number}\t中\u{301}\n")).collect();
        let wide = "x\u{301}y".repeat(10_000);
        for text in ["", "a", "a\nb\n", "\n\n", "a\tb\n\tc\n", " a  \n", "\u{301}x", "👩\u{200d}💻\n", &long, &wide]
        {
            assert_eq!((as_shown(text), on_screen(text)), (text.to_owned(), text.to_owned()));
        }
    }
}
