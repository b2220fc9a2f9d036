//! From a command's output to the text the model reads: joined, cut, and counted, with bounded memory.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::host::Stream;
use crate::message::LeftOut;
use crate::tool::text::Within;
use crate::tool::{screen, text};

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
    /// Terminal codes are obeyed and go, so that a progress bar is its last state; binary output becomes a note with its
    /// size.
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
    /// What of a character has come in stdout and in stderr: the other stream must not come between its bytes.
    begun: [Vec<u8>; 2],
    missing: u64,
}

impl Collector {
    /// Nothing collected yet.
    pub fn new(rule: OutputRule) -> Collector {
        // Four bytes are the longest character; what terminal codes take is allowed for once more.
        let room = rule.cap.saturating_mul(4).saturating_add(16 * 1024);
        Collector { rule, first: Ends::new(room), second: Ends::new(room), begun: Default::default(), missing: 0 }
    }

    /// Output came.
    pub fn push(&mut self, stream: Stream, bytes: &[u8]) {
        let [of_stdout, of_stderr] = &mut self.begun;
        let (begun, ends) = match (stream, self.rule.join) {
            (Stream::Stdout, _) => (of_stdout, &mut self.first),
            (Stream::Stderr, Join::Arrival) => (of_stderr, &mut self.first),
            (Stream::Stderr, Join::StdoutThenStderr) => (of_stderr, &mut self.second),
        };
        if begun.is_empty() {
            let (whole, rest) = bytes.split_at(bytes.len() - text::begun_character(bytes));
            ends.push(whole);
            begun.extend_from_slice(rest);
            return;
        }
        let until = bytes.iter().position(|byte| !text::continues_character(*byte)).unwrap_or(bytes.len());
        let (continued, rest) = bytes.split_at(until);
        begun.extend_from_slice(continued);
        if rest.is_empty() && text::begun_character(begun) > 0 {
            return;
        }
        ends.push(&std::mem::take(begun));
        self.push(stream, rest);
    }

    /// This many bytes will never come. A character that has begun stays the half it is.
    pub fn gap(&mut self, bytes: u64) {
        let [of_stdout, of_stderr] = std::mem::take(&mut self.begun);
        self.first.push(&of_stdout);
        match self.rule.join {
            Join::Arrival => self.first.push(&of_stderr),
            Join::StdoutThenStderr => self.second.push(&of_stderr),
        }
        match self.rule.cut {
            Cut::Head => self.missing = self.missing.saturating_add(bytes),
            Cut::HeadAndTail => self.first.gap(bytes),
        }
    }

    /// All bytes of output, shown or not.
    pub fn total_bytes(&self) -> u64 {
        let begun: usize = self.begun.iter().map(Vec::len).sum();
        let parts = [self.first.total, self.second.total, self.missing, begun as u64];
        parts.into_iter().fold(0, u64::saturating_add)
    }

    /// The text the model reads: joined, stripped of blank ends, cut. Empty if there is nothing but blanks.
    pub fn text(&self) -> String {
        self.told().0
    }

    /// The same, and what of the output is not in it because there was too much.
    pub fn told(&self) -> (String, Option<LeftOut>) {
        if self.rule.codes == Codes::Stripped
            && (text::is_binary(&self.first.head) || text::is_binary(&self.second.head))
        {
            return (format!("(binary output, {} bytes)", self.total_bytes()), None);
        }
        match self.rule.cut {
            Cut::Head => {
                let begin = self.begin();
                let text: String = begin.trim().chars().take(self.rule.cap).collect();
                let is_all = text.len() == begin.trim().len() && self.first.is_whole() && self.second.is_whole();
                let bytes = self.total_bytes().saturating_sub(text.len() as u64);
                let left_out = LeftOut { head: text.chars().count(), bytes, tail: 0 };
                (text, (!is_all || self.missing > 0).then_some(left_out))
            }
            Cut::HeadAndTail if self.first.is_whole() && self.second.is_whole() => self.cut_whole(),
            Cut::HeadAndTail => self.cut_ends(),
        }
    }

    /// Everything was kept, so that what is left out is counted as it would have been read.
    fn cut_whole(&self) -> (String, Option<LeftOut>) {
        let whole = self.begin();
        let text = whole.trim();
        let characters = text.chars().count();
        if characters <= self.rule.cap {
            return (text.to_owned(), None);
        }
        let of_head = self.rule.cap / 2;
        let at = |nth: usize| text.char_indices().nth(nth).map_or(text.len(), |(at, _)| at);
        let (head, rest) = text.split_at(at(of_head));
        let (omitted, tail) = rest.split_at(at(characters - (self.rule.cap - of_head)) - head.len());
        let bytes = omitted.len() as u64;
        let left_out = LeftOut { head: of_head, bytes, tail: self.rule.cap - of_head };
        (marked(head, bytes, tail), Some(left_out))
    }

    fn cut_ends(&self) -> (String, Option<LeftOut>) {
        let mut end = self.readable(&self.second.tail_or_whole(), self.begun.get(1));
        if self.second.is_whole() {
            end.insert_str(0, &self.readable(&self.first.tail_or_whole(), self.begun.first()));
        }
        let of_head = self.rule.cap / 2;
        let head: String = self.begin().trim_start().chars().take(of_head).collect();
        let backwards: Vec<char> = end.trim_end().chars().rev().take(self.rule.cap - of_head).collect();
        let tail: String = backwards.into_iter().rev().collect();
        let bytes = self.total_bytes().saturating_sub((head.len() + tail.len()) as u64);
        let left_out = LeftOut { head: head.chars().count(), bytes, tail: tail.chars().count() };
        (marked(&head, bytes, &tail), Some(left_out))
    }

    /// As much of the beginning as was kept without a hole.
    fn begin(&self) -> String {
        let nothing = None;
        let [of_stdout, of_stderr] = &self.begun;
        match (self.first.is_whole(), self.rule.join) {
            (false, _) => {
                let head = &self.first.head;
                let (characters, _) = head.split_at(head.len() - text::begun_character(head));
                self.readable(characters, nothing)
            }
            (true, Join::Arrival) => {
                self.readable(&self.first.whole_or_head(), Some(of_stdout)) + &self.readable(of_stderr, nothing)
            }
            (true, Join::StdoutThenStderr) => {
                let of_stderr = Some(of_stderr).filter(|_| self.second.is_whole());
                self.readable(&self.first.whole_or_head(), Some(of_stdout))
                    + &self.readable(&self.second.whole_or_head(), of_stderr)
            }
        }
    }

    fn readable(&self, bytes: &[u8], begun: Option<&Vec<u8>>) -> String {
        let text = text::decode(&[bytes, begun.map_or(&[], Vec::as_slice)].concat());
        match self.rule.codes {
            Codes::Stripped => screen::as_shown(&text),
            Codes::Kept => text,
        }
    }
}

fn marked(head: &str, omitted: u64, tail: &str) -> String {
    let mark = format!("… {omitted} bytes omitted …");
    let lines = [head, mark.as_str(), tail];
    lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The two ends of a stream of bytes.
#[derive(Debug)]
struct Ends {
    /// How much the head may hold: none after a gap.
    head_room: usize,
    tail_room: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// In what the tail begins.
    tail_is_in: Within,
    total: u64,
}

impl Ends {
    fn new(room: usize) -> Ends {
        Ends {
            head_room: room,
            tail_room: room,
            head: Vec::new(),
            tail: VecDeque::new(),
            tail_is_in: Within::Text,
            total: 0,
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.total = self.total.saturating_add(bytes.len() as u64);
        let (to_head, rest) = bytes.split_at(bytes.len().min(self.head_room - self.head.len()));
        self.head.extend_from_slice(to_head);
        let excess = (self.tail.len() + rest.len()).saturating_sub(self.tail_room);
        let of_tail = excess.min(self.tail.len());
        let (skipped, kept) = rest.split_at(excess - of_tail);
        let (front, back) = self.tail.as_slices();
        let (of_front, _) = front.split_at(of_tail.min(front.len()));
        let (of_back, _) = back.split_at(of_tail - of_front.len());
        self.tail_is_in = [to_head, of_front, of_back, skipped].into_iter().fold(self.tail_is_in, Within::after_all);
        self.tail.drain(..of_tail);
        self.tail.extend(kept);
    }

    /// The head ends here, and the tail begins after it: what stood on both sides of a hole is not put together.
    fn gap(&mut self, bytes: u64) {
        self.total = self.total.saturating_add(bytes);
        self.head_room = self.head.len();
        self.tail.clear();
        self.tail_is_in = Within::Text;
    }

    fn is_whole(&self) -> bool {
        self.total == (self.head.len() + self.tail.len()) as u64
    }

    fn whole_or_head(&self) -> Vec<u8> {
        if self.is_whole() { self.head.iter().chain(&self.tail).copied().collect() } else { self.head.clone() }
    }

    /// A tail begins with a whole character, or with the beginning of the control sequence that it begins in.
    fn tail_or_whole(&self) -> Vec<u8> {
        if self.is_whole() {
            return self.whole_or_head();
        }
        let begun = self.tail_is_in.beginning();
        let is_cut = |byte: &&u8| begun.is_empty() && text::continues_character(**byte);
        let cut = self.tail.iter().take(3).take_while(is_cut).count();
        begun.iter().chain(self.tail.iter().skip(cut)).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Codes, Collector, Cut, Ends, Join, OutputRule};
    use crate::host::Stream::{self, Stderr, Stdout};
    use crate::tool::{screen, text};

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
    fn both_ends_are_cut_between_characters_and_counted_exactly() {
        let with_cap = |cap: usize| OutputRule { cap, ..OURS };
        check(with_cap(0), &[(Stdout, b"abc")], "… 3 bytes omitted …");
        check(with_cap(0), &[(Stdout, b" \n")], "");
        check(with_cap(1), &[(Stdout, b"abc")], "… 2 bytes omitted …\nc");
        check(with_cap(3), &[(Stdout, "一二三四五".as_bytes())], "一\n… 6 bytes omitted …\n四五");
        // Blank ends and terminal codes are not read, and so not omitted.
        check(with_cap(2), &[(Stdout, b"\n\n\n\n\x1b[1mabcd\x1b[0m\n\n")], "a\n… 2 bytes omitted …\nd");
        check(with_cap(4), &[(Stdout, b"      abcd      ")], "abcd");
        let apart = OutputRule { join: Join::StdoutThenStderr, ..OURS };
        check(apart, &[(Stderr, b"fghijkl"), (Stdout, b"abcde")], "abcde\n… 2 bytes omitted …\nhijkl");
    }

    #[test]
    fn no_stream_comes_between_the_bytes_of_a_character_of_the_other() {
        let half = "中".as_bytes();
        let rest = "文".as_bytes();
        check(OURS, &[(Stdout, &half[..2]), (Stderr, b"err"), (Stdout, &half[2..])], "err中");
        check(OURS, &[(Stdout, &half[..1]), (Stderr, &rest[..1]), (Stdout, &half[1..]), (Stderr, &rest[1..])], "中文");
        check(OURS, &[(Stdout, &half[..1]), (Stdout, &half[1..2]), (Stdout, &half[2..]), (Stdout, b"x")], "中x");
        check(OURS, &[(Stdout, &half[..1]), (Stdout, b"x")], "\u{fffd}x");
        check(OURS, &[(Stdout, b"x"), (Stdout, &half[..2])], "x\u{fffd}");
        check(OURS, &[(Stderr, &half[..2])], "\u{fffd}");
        check(OURS, &[(Stdout, b"\x1b[3"), (Stdout, b"1mred")], "red");
        let lesson = OutputRule { join: Join::StdoutThenStderr, ..LESSON };
        check(
            lesson,
            &[(Stdout, &half[..2]), (Stderr, &rest[..2]), (Stdout, &half[2..]), (Stderr, &rest[2..])],
            "中文",
        );
    }

    #[test]
    fn what_stands_on_both_sides_of_a_gap_is_not_put_together() {
        #[track_caller]
        fn check(rule: OutputRule, before: &[u8], after: &[u8], expected: &str) {
            let mut collector = Collector::new(rule);
            collector.push(Stdout, before);
            collector.gap(5);
            collector.push(Stdout, after);
            assert_eq!(collector.text(), expected);
            assert_eq!(collector.total_bytes(), (before.len() + after.len() + 5) as u64);
        }
        check(OURS, b"abc", b"", "abc\n… 5 bytes omitted …");
        check(OURS, b"", b"abc", "… 5 bytes omitted …\nabc");
        check(OURS, b"abc", b"def", "abc\n… 5 bytes omitted …\ndef");
        check(OURS, b"abcdefgh", b"ijklmnop", "abcde\n… 11 bytes omitted …\nlmnop");
        check(LESSON, b"abc", b"def", "abcdef");
        // Nor are the halves of two characters.
        let character = "中".as_bytes();
        check(OURS, &character[..1], &character[1..], "… 8 bytes omitted …");
        check(OURS, b"abc\xe4\xb8", b"\xad\xaddef", "abc\n… 9 bytes omitted …\ndef");
    }

    #[test]
    fn a_tail_does_not_begin_inside_a_character_or_a_control_sequence() {
        // Whatever byte of them the tail begins with, all that is read of these is `中x`.
        for whole in [
            "中x",
            "\u{1b}[38;5;196m中x\u{1b}[0m",
            "\u{1b}[?25l\u{1b}(B\u{1b}=中x",
            "\u{1b}]0;a title\u{7}中x",
            "\u{1b}]8;;https://example.org\u{1b}\\中x\u{1b}]8;;\u{1b}\\",
            "\u{1b}Pq#0;2;0;0;0\u{9c}中x",
            "\u{9b}31m中x",
            "\u{9d}0;a title\u{9c}中x",
        ] {
            let place = whole.find('中').unwrap();
            for skipped in 1..=place + 3 {
                let mut ends = Ends::new(whole.len() - skipped);
                ends.push(&vec![b'-'; whole.len() - skipped]);
                ends.push(whole.as_bytes());
                let told = screen::as_shown(&text::decode(&ends.tail_or_whole()));
                assert_eq!(told, if skipped <= place { "中x" } else { "x" }, "{whole:?} from {skipped}");
            }
        }
        // However long the sequence is, and however it is cut on the way.
        let mut collector = Collector::new(OURS);
        collector.push(Stdout, &[b'a'; 100_000]);
        collector.push(Stdout, b"\x1bPq");
        (0..1000).for_each(|_| collector.push(Stdout, b"#0~~@@vv@@~~$"));
        (0..1000).for_each(|_| collector.push(Stdout, b"#1??}}GG}}??-"));
        collector.push(Stdout, b"\x1b");
        collector.push(Stdout, b"\\the end");
        assert_eq!(collector.text(), format!("aaaaa\n… {} bytes omitted …\ne end", 126_012 - 10));
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
