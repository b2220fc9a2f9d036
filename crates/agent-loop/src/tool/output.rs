//! From a command's output to the text the model reads: joined, cut, and counted, with bounded memory.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::host::Stream;
use crate::tool::text;

/// How output becomes text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputRule {
    /// How many characters the model reads at most.
    pub cap: usize,
    /// Which of them.
    pub cut: Cut,
    /// In what order the two streams stand.
    pub join: Join,
    /// Whether terminal codes stay in.
    pub codes: Codes,
}

impl Default for OutputRule {
    fn default() -> OutputRule {
        OutputRule { cap: 50_000, cut: Cut::HeadAndTail, join: Join::Arrival, codes: Codes::Stripped }
    }
}

/// Which part of too much output is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// The beginning, with no mark: what the lessons do.
    Head,
    /// Both ends, with a mark that counts what is missing.
    HeadAndTail,
}

/// In what order stdout and stderr stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// As they came.
    Arrival,
    /// All of stdout, then all of stderr.
    StdoutThenStderr,
}

/// What becomes of terminal codes and binary output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Codes {
    /// Terminal codes go; binary output becomes a note with its size.
    Stripped,
    /// Everything stays, as in the lessons.
    Kept,
}

/// Collects the output of one run. Memory stays within a few times the cap, whatever comes.
#[derive(Debug)]
pub struct Collector {
    rule: OutputRule,
    first: Ends,
    second: Ends,
    missing: u64,
}

impl Collector {
    /// Nothing collected yet.
    pub fn new(rule: OutputRule) -> Collector {
        // Four bytes are the longest character; what terminal codes take is allowed for once more.
        let room = rule.cap.saturating_mul(4).saturating_add(16 * 1024);
        Collector { rule, first: Ends::new(room), second: Ends::new(room), missing: 0 }
    }

    /// Output came.
    pub fn push(&mut self, stream: Stream, bytes: &[u8]) {
        match (self.rule.join, stream) {
            (Join::StdoutThenStderr, Stream::Stderr) => self.second.push(bytes),
            (Join::StdoutThenStderr, Stream::Stdout) | (Join::Arrival, _) => self.first.push(bytes),
        }
    }

    /// This many bytes will never come.
    pub fn gap(&mut self, bytes: u64) {
        self.missing = self.missing.saturating_add(bytes);
    }

    /// All bytes of output, shown or not.
    pub fn total_bytes(&self) -> u64 {
        self.first.total.saturating_add(self.second.total).saturating_add(self.missing)
    }

    /// The text the model reads: joined, stripped of blank ends, cut. Empty if there is nothing but blanks.
    pub fn text(&self) -> String {
        if self.rule.codes == Codes::Stripped
            && (text::is_binary(&self.first.head) || text::is_binary(&self.second.head))
        {
            return format!("(binary output, {} bytes)", self.total_bytes());
        }
        match self.rule.cut {
            Cut::Head => self.head(),
            Cut::HeadAndTail => self.head_and_tail(),
        }
    }

    fn head(&self) -> String {
        let mut joined = self.readable(&self.first.whole_or_head());
        if self.first.is_whole() {
            joined.push_str(&self.readable(&self.second.whole_or_head()));
        }
        joined.trim().chars().take(self.rule.cap).collect()
    }

    fn head_and_tail(&self) -> String {
        let shown_twice = self.first.is_whole() && self.second.is_whole();
        let begin = {
            let mut begin = self.readable(&self.first.whole_or_head());
            if self.first.is_whole() {
                begin.push_str(&self.readable(&self.second.whole_or_head()));
            }
            begin
        };
        if shown_twice && begin.trim().chars().nth(self.rule.cap).is_none() && self.missing == 0 {
            return begin.trim().to_owned();
        }
        let end = if shown_twice {
            begin.clone()
        } else {
            let mut end = self.readable(&self.second.tail_or_whole());
            if self.second.is_whole() {
                end.insert_str(0, &self.readable(&self.first.tail_or_whole()));
            }
            end
        };
        let of_head = self.rule.cap / 2;
        let head: String = begin.chars().take(of_head).collect();
        let backwards: Vec<char> = end.chars().rev().take(self.rule.cap - of_head).collect();
        let tail: String = backwards.into_iter().rev().collect();
        let omitted = self.total_bytes().saturating_sub((head.len() + tail.len()) as u64);
        if omitted == 0 {
            return begin.trim().to_owned();
        }
        format!("{}\n… {omitted} bytes omitted …\n{}", head.trim_start(), tail.trim_end())
    }

    fn readable(&self, bytes: &[u8]) -> String {
        match self.rule.codes {
            Codes::Stripped => text::strip_terminal_codes(&text::decode(bytes)),
            Codes::Kept => text::decode(bytes),
        }
    }
}

/// The two ends of a stream of bytes.
#[derive(Debug)]
struct Ends {
    room: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl Ends {
    fn new(room: usize) -> Ends {
        Ends { room, head: Vec::new(), tail: VecDeque::new(), total: 0 }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.total = self.total.saturating_add(bytes.len() as u64);
        let (to_head, rest) = bytes.split_at(bytes.len().min(self.room - self.head.len()));
        self.head.extend_from_slice(to_head);
        let (_, kept) = rest.split_at(rest.len().saturating_sub(self.room));
        self.tail.drain(..(self.tail.len() + kept.len()).saturating_sub(self.room));
        self.tail.extend(kept);
    }

    fn is_whole(&self) -> bool {
        self.total == (self.head.len() + self.tail.len()) as u64
    }

    fn whole_or_head(&self) -> Vec<u8> {
        if self.is_whole() { self.head.iter().chain(&self.tail).copied().collect() } else { self.head.clone() }
    }

    fn tail_or_whole(&self) -> Vec<u8> {
        if self.is_whole() { self.whole_or_head() } else { self.tail.iter().copied().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Codes, Collector, Cut, Join, OutputRule};
    use crate::host::Stream::{self, Stderr, Stdout};

    const LESSON: OutputRule = OutputRule { cap: 10, cut: Cut::Head, join: Join::StdoutThenStderr, codes: Codes::Kept };
    const OURS: OutputRule = OutputRule { cap: 10, cut: Cut::HeadAndTail, join: Join::Arrival, codes: Codes::Stripped };

    #[track_caller]
    fn check(rule: OutputRule, output: &[(Stream, &[u8])], expected: &str) {
        let mut collector = Collector::new(rule);
        output.iter().for_each(|(stream, bytes)| collector.push(*stream, bytes));
        assert_eq!(collector.text(), expected);
        assert_eq!(collector.total_bytes(), output.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>());
    }

    #[test]
    fn a_lesson_joins_strips_and_cuts_in_that_order() {
        check(LESSON, &[(Stderr, b"err\n"), (Stdout, b"  out\n")], "out\nerr");
        check(LESSON, &[(Stdout, b"\n\n  0123456789abc")], "0123456789");
        check(LESSON, &[(Stdout, b" \n")], "");
        check(LESSON, &[(Stdout, "中文字符中文字符中文字符".as_bytes())], "中文字符中文字符中文");
        check(LESSON, &[(Stdout, b"\x1b[1mx")], "\u{1b}[1mx");
    }

    #[test]
    fn ours_keeps_the_order_of_arrival_and_both_ends() {
        check(OURS, &[(Stderr, b"err\n"), (Stdout, b"out\n")], "err\nout");
        check(OURS, &[(Stdout, b"\x1b[1mabc\x1b[0m\r\n")], "abc");
        check(OURS, &[(Stdout, b"0123456789")], "0123456789");
        check(OURS, &[(Stdout, b"0123456789abcdef")], "01234\n… 6 bytes omitted …\nbcdef");
        check(OURS, &[(Stdout, b"a\xff\xfeb\nafter")], "a\u{fffd}\u{fffd}b\nafter");
        check(OURS, &[(Stdout, b"ELF\0\x01")], "(binary output, 5 bytes)");
        let half = "中".as_bytes();
        check(OURS, &[(Stdout, &half[..1]), (Stdout, &half[1..])], "中");
    }

    #[test]
    fn a_flood_is_counted_exactly_and_held_in_bounds() {
        let mut collector = Collector::new(OURS);
        let chunk = [b'a'; 100_000];
        (0..200).for_each(|_| collector.push(Stdout, &chunk));
        collector.push(Stdout, b"the end");
        assert_eq!(collector.text(), format!("aaaaa\n… {} bytes omitted …\ne end", 20_000_007 - 10));
        assert!(collector.first.head.len() + collector.first.tail.len() <= 2 * (40 + 16 * 1024));
    }
}
