//! The output of one running tool on its way to the eye: collected as it comes, made readable once per frame, bounded.

use agent_loop::Stream;
use leptos::prelude::*;

use crate::app::{OutputChunk, ToolRun};
use crate::run::live::terminal::Terminal;

/// How many bytes wait for a frame at most: no more would be kept of them anyway, and a frame has time for no more.
const MOST_WAITING: usize = ToolRun::KEPT;

/// What waits for the next frame.
pub(super) struct Output {
    run: ToolRun,
    stdout: Terminal,
    stderr: Terminal,
    waiting: Vec<(Stream, Vec<u8>)>,
    waiting_bytes: usize,
    bytes: u64,
    next_number: u64,
}

impl Output {
    /// For a run that is on show.
    pub(super) fn new(run: ToolRun) -> Output {
        Output {
            run,
            stdout: Terminal::default(),
            stderr: Terminal::default(),
            waiting: Vec::new(),
            waiting_bytes: 0,
            bytes: 0,
            next_number: 0,
        }
    }

    /// The run.
    pub(super) fn run(&self) -> &ToolRun {
        &self.run
    }

    /// Output came.
    pub(super) fn push(&mut self, stream: Stream, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.waiting_bytes += bytes.len();
        match self.waiting.last_mut() {
            Some((last, waiting)) if *last == stream => waiting.extend_from_slice(bytes),
            _ => self.waiting.push((stream, bytes.to_vec())),
        }
        if self.waiting_bytes > 2 * MOST_WAITING {
            self.forget_oldest();
        }
    }

    /// Output was lost on the way.
    pub(super) fn gap(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// Shows what came since the last frame.
    pub(super) fn show(&mut self) {
        self.forget_oldest();
        let mut pieces = Vec::new();
        for (stream, bytes) in std::mem::take(&mut self.waiting) {
            let text = match stream {
                Stream::Stdout => self.stdout.read(&bytes),
                Stream::Stderr => self.stderr.read(&bytes),
            };
            pieces.push((stream, text));
        }
        self.waiting_bytes = 0;
        self.append(pieces);
        if self.run.bytes.get_untracked() != self.bytes {
            self.run.bytes.set(self.bytes);
        }
    }

    /// Shows all that is left; nothing more comes.
    pub(super) fn finish(&mut self) {
        self.show();
        let rest = vec![(Stream::Stdout, self.stdout.finish()), (Stream::Stderr, self.stderr.finish())];
        self.append(rest);
        self.run.ended.set(true);
    }

    fn append(&mut self, pieces: Vec<(Stream, String)>) {
        let pieces: Vec<_> = pieces.into_iter().filter(|(_, text)| !text.is_empty()).collect();
        if pieces.is_empty() {
            return;
        }
        self.run.output.update(|shown| {
            for (stream, text) in pieces {
                shown.push(OutputChunk { number: self.next_number, stream, text });
                self.next_number += 1;
            }
            keep_last(shown, ToolRun::KEPT, ToolRun::KEPT_LINES);
        });
    }

    fn forget_oldest(&mut self) {
        while self.waiting_bytes > MOST_WAITING {
            let Some((_, oldest)) = self.waiting.first_mut() else { return };
            let excess = (self.waiting_bytes - MOST_WAITING).min(oldest.len());
            oldest.drain(..excess);
            self.waiting_bytes -= excess;
            if oldest.is_empty() {
                self.waiting.remove(0);
            }
        }
    }
}

/// Drops from the front until no more than `most` bytes and `lines` lines are left; the piece at the cut is dropped whole
/// unless it is the last one.
fn keep_last(shown: &mut Vec<OutputChunk>, most: usize, lines: usize) {
    let (mut bytes, mut breaks) = (0, 0);
    let mut from = shown.len();
    for (place, chunk) in shown.iter().enumerate().rev() {
        bytes += chunk.text.len();
        breaks += chunk.text.matches('\n').count();
        if (bytes > most || breaks > lines) && from < shown.len() {
            break;
        }
        from = place;
    }
    shown.drain(..from);
    let Some(only) = shown.first_mut() else { return };
    let text = &only.text;
    // The break that ends a line belongs to it.
    let earliest =
        text.rmatch_indices('\n').nth(lines).map_or(0, |(at, _)| at + 1).max(text.len().saturating_sub(most));
    if earliest > 0 {
        let cut = (earliest..text.len()).find(|place| text.is_char_boundary(*place)).unwrap_or(text.len());
        // Not within the code of a colour.
        let begun = text.get(..cut).and_then(|before| before.rfind('\u{1b}'));
        let end = begun.and_then(|begun| Some(begun + text.get(begun..)?.find('m')? + 1));
        only.text.drain(..end.unwrap_or(0).max(cut));
    }
}

#[cfg(test)]
mod tests {
    use agent_loop::Stream;

    use super::keep_last;
    use crate::app::OutputChunk;

    #[track_caller]
    fn check(texts: &[&str], most: usize, lines: usize, expected: &[&str]) {
        let chunk = |(number, text): (usize, &&str)| OutputChunk {
            number: number as u64,
            stream: Stream::Stdout,
            text: (*text).to_owned(),
        };
        let mut shown: Vec<OutputChunk> = texts.iter().enumerate().map(chunk).collect();
        keep_last(&mut shown, most, lines);
        let kept: Vec<&str> = shown.iter().map(|chunk| chunk.text.as_str()).collect();
        assert_eq!(kept, expected);
    }

    #[test]
    fn the_newest_output_is_kept() {
        check(&[], 4, 9, &[]);
        check(&["ab", "cd"], 4, 9, &["ab", "cd"]);
        check(&["ab", "cd", "e"], 4, 9, &["cd", "e"]);
        check(&["abcdef"], 4, 9, &["cdef"]);
        check(&["ab", "中中中"], 4, 9, &["中"]);
        check(&["a\u{1b}[31mbc"], 4, 9, &["bc"]);
        check(&["\u{1b}[31mabcdef"], 4, 9, &["cdef"]);
        check(&["a\nb\nc\n"], 99, 2, &["b\nc\n"]);
        check(&["a\nb\nc"], 99, 2, &["a\nb\nc"]);
        check(&["a\n", "b\n", "c\n"], 99, 2, &["b\n", "c\n"]);
        check(&["a\nb", "\nc"], 99, 1, &["\nc"]);
    }
}
