//! The bridge's end of one call: its numbered, bounded output, and what its viewer must still be told.
//!
//! The command writes into the channel and never waits; the viewer reads from it as far as its credit goes. Between them
//! is a ring of the newest output. What a slow or absent viewer misses is told as a gap, never silently.
//!
//! A call has one viewer at a time. A new one attaches, says how much it has, and is told the rest.

use std::collections::VecDeque;

use crate::frames::{Frame, Leftover, Outcome, Output, Refusal, Status, Stream, ToPage};

/// One call, as seen from its viewer.
#[derive(Debug)]
pub struct Channel {
    call: String,
    ring: Ring,
    started: Option<u32>,
    exited: Option<Status>,
    end: Option<ToPage>,
    viewer: Option<Viewer>,
}

/// How a call that ran has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closing {
    /// What became of it.
    pub outcome: Outcome,
    /// From the start of the process to the end of its tree.
    pub duration_ms: u64,
    /// The directory the command was started in.
    pub cwd: String,
    /// Descendants that outlived the shell.
    pub leftovers: Vec<Leftover>,
}

/// What the present viewer has been told, and may still be sent.
#[derive(Debug)]
struct Viewer {
    next: u64,
    credit: u64,
    knows_start: bool,
    knows_exit: bool,
    knows_end: bool,
}

impl Channel {
    /// A call that has not started, whose ring holds at most `ring` bytes. Nobody is attached.
    pub fn new(call: String, ring: usize) -> Self {
        let ring = Ring { capacity: ring, bytes: VecDeque::new(), segments: VecDeque::new(), start: 0 };
        Self { call, ring, started: None, exited: None, end: None, viewer: None }
    }

    /// The process runs.
    pub fn started(&mut self, pid: u32) {
        self.started = Some(pid);
    }

    /// The command has written. Never blocks; the oldest output makes room.
    pub fn push(&mut self, stream: Stream, bytes: &[u8]) {
        self.ring.push(stream, bytes);
    }

    /// The shell has ended; output may follow.
    pub fn exited(&mut self, status: Status) {
        self.exited = Some(status);
    }

    /// The call is over: no output follows.
    pub fn closed(&mut self, closing: Closing) {
        let Closing { outcome, duration_ms, cwd, leftovers } = closing;
        let (call, bytes) = (self.call.clone(), self.ring.end());
        self.end = Some(ToPage::Closed { call, outcome, duration_ms, cwd, leftovers, bytes });
    }

    /// The call is over: nothing ran.
    pub fn refused(&mut self, why: Refusal) {
        self.end = Some(ToPage::Refused { call: self.call.clone(), why });
    }

    /// A viewer that has the first `after_seq` bytes wants the rest, and can take `window` bytes at first. It replaces the
    /// one before.
    pub fn attach(&mut self, after_seq: u64, window: u64) {
        let next = after_seq.min(self.ring.end());
        self.viewer = Some(Viewer { next, credit: window, knows_start: false, knows_exit: false, knows_end: false });
    }

    /// The viewer is gone.
    pub fn detach(&mut self) {
        self.viewer = None;
    }

    /// The viewer can take `bytes` more.
    pub fn credit(&mut self, bytes: u64) {
        if let Some(viewer) = &mut self.viewer {
            viewer.credit = viewer.credit.saturating_add(bytes);
        }
    }

    /// The next frame for the viewer, with at most `most` bytes of output; `None` when there is nothing to say, no credit
    /// to say it, or nobody to hear it.
    pub fn next_frame(&mut self, most: usize) -> Option<Frame> {
        let viewer = self.viewer.as_mut()?;
        if let (Some(pid), false) = (self.started, viewer.knows_start) {
            viewer.knows_start = true;
            return Some(Frame::Text(ToPage::Started { call: self.call.clone(), pid }.to_text()));
        }
        if let (Some(status), false) = (self.exited, viewer.knows_exit) {
            viewer.knows_exit = true;
            return Some(Frame::Text(ToPage::Exited { call: self.call.clone(), status }.to_text()));
        }
        // Output may be here before the news that something runs.
        if self.started.is_none() && self.end.is_none() {
            return None;
        }
        let from = viewer.next;
        if from == self.ring.end() {
            let end = self.end.as_ref().filter(|_| !viewer.knows_end)?;
            viewer.knows_end = true;
            return Some(Frame::Text(end.to_text()));
        }
        let credit = usize::try_from(viewer.credit).unwrap_or(usize::MAX);
        if credit == 0 {
            return None;
        }
        if from < self.ring.start {
            viewer.next = self.ring.start;
            let gap = ToPage::Gap { call: self.call.clone(), from, to: self.ring.start };
            return Some(Frame::Text(gap.to_text()));
        }
        let (stream, bytes) = self.ring.read(from, most.min(credit))?;
        viewer.next += bytes.len() as u64;
        viewer.credit -= bytes.len() as u64;
        Some(Frame::Binary(Output { call: &self.call, seq: from, stream, bytes }.to_bytes()))
    }

    /// The frame that tells the end, once there is one.
    pub fn end(&self) -> Option<&ToPage> {
        self.end.as_ref()
    }

    /// Whether the process runs, or has run.
    pub fn is_started(&self) -> bool {
        self.started.is_some()
    }

    /// The kept output from byte `from` on, and how many bytes of it are not kept any more.
    pub fn output_since(&self, from: u64) -> (u64, Vec<(Stream, Vec<u8>)>) {
        let mut next = from.max(self.ring.start);
        let missing = next - from;
        let mut pieces = Vec::new();
        while let Some((stream, bytes)) = self.ring.read(next, usize::MAX).filter(|(_, bytes)| !bytes.is_empty()) {
            next += bytes.len() as u64;
            pieces.push((stream, bytes.to_vec()));
        }
        (missing, pieces)
    }

    /// Whether the call has ended, told or not.
    pub fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// Whether the viewer has been told everything there will ever be.
    pub fn is_told(&self) -> bool {
        self.viewer.as_ref().is_some_and(|viewer| viewer.knows_end)
    }

    /// How many bytes the command has written so far.
    pub fn bytes(&self) -> u64 {
        self.ring.end()
    }

    /// How much memory the kept output takes, in bytes.
    pub fn kept(&self) -> usize {
        self.ring.bytes.len()
    }

    /// Gives the kept output's memory back. Who attaches later is told of a gap.
    pub fn drop_output(&mut self) {
        self.ring.start = self.ring.end();
        self.ring.bytes = VecDeque::new();
        self.ring.segments = VecDeque::new();
    }
}

/// The newest output of both streams, in order of arrival.
#[derive(Debug)]
struct Ring {
    capacity: usize,
    bytes: VecDeque<u8>,
    segments: VecDeque<Segment>,
    /// The sequence number of the oldest kept byte.
    start: u64,
}

/// A run of bytes of one stream; it ends where the next one starts.
#[derive(Debug, Clone, Copy)]
struct Segment {
    start: u64,
    stream: Stream,
}

impl Ring {
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    fn push(&mut self, stream: Stream, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if self.segments.back().is_none_or(|last| last.stream != stream) {
            self.segments.push_back(Segment { start: self.end(), stream });
        }
        // A program that alternates its streams byte by byte must not make the segments outgrow the bytes.
        let room = self.capacity.saturating_sub(self.segments.len() * size_of::<Segment>());
        let kept = bytes.get(bytes.len().saturating_sub(room)..).unwrap_or(bytes);
        let excess = (self.bytes.len() + bytes.len()).saturating_sub(room);
        self.bytes.drain(..excess.min(self.bytes.len()));
        self.bytes.extend(kept);
        self.start += excess as u64;
        while self.segments.get(1).is_some_and(|second| second.start <= self.start) {
            self.segments.pop_front();
        }
    }

    /// At most `most` bytes of one stream, from the sequence number `from` on, which must be kept.
    fn read(&self, from: u64, most: usize) -> Option<(Stream, &[u8])> {
        let index = self.segments.partition_point(|segment| segment.start <= from).checked_sub(1)?;
        let stream = self.segments.get(index)?.stream;
        let end = self.segments.get(index + 1).map_or(self.end(), |next| next.start);
        let skip = usize::try_from(from - self.start).ok()?;
        let len = usize::try_from(end - from).unwrap_or(usize::MAX).min(most);
        let (front, back) = self.bytes.as_slices();
        // A piece that wraps round the end of the buffer is cut there; the next read gives the rest.
        let slice = match front.get(skip..) {
            Some(rest) if !rest.is_empty() => rest,
            _ => back.get(skip - front.len()..)?,
        };
        slice.get(..len.min(slice.len())).map(|bytes| (stream, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a viewer with `credit` bytes is told of a ring of 64 bytes after these writes, as one line per frame.
    #[track_caller]
    fn check(writes: &[(Stream, &str)], attach: (u64, u64), expected: &[&str]) {
        let mut channel = Channel::new("c".to_owned(), 64);
        channel.started(7);
        for (stream, text) in writes {
            channel.push(*stream, text.as_bytes());
        }
        channel.attach(attach.0, attach.1);
        let mut told = Vec::new();
        while let Some(frame) = channel.next_frame(16) {
            told.push(match frame {
                Frame::Text(text) => match ToPage::parse(&text).unwrap() {
                    ToPage::Started { .. } => continue,
                    ToPage::Gap { from, to, .. } => format!("gap {from}..{to}"),
                    other => panic!("not output: {other:?}"),
                },
                Frame::Binary(bytes) => {
                    let Output { seq, stream, bytes, .. } = Output::parse(&bytes).unwrap();
                    format!("{stream:?} {seq} {}", String::from_utf8_lossy(bytes))
                }
            });
        }
        assert_eq!(told, expected);
    }

    #[test]
    fn tells_output_in_order_of_arrival() {
        use Stream::{Stderr, Stdout};
        check(&[], (0, 100), &[]);
        check(&[(Stdout, "ab"), (Stdout, "c"), (Stderr, "d")], (0, 100), &["Stdout 0 abc", "Stderr 3 d"]);
        check(&[(Stdout, "abc"), (Stderr, "def")], (2, 100), &["Stdout 2 c", "Stderr 3 def"]);
        check(&[(Stdout, "abc"), (Stderr, "def")], (6, 100), &[]);
        check(&[(Stdout, "abc")], (99, 100), &[]);
    }

    #[test]
    fn nothing_is_told_before_the_start() {
        let mut channel = Channel::new("c".to_owned(), 64);
        channel.push(Stream::Stdout, b"early");
        channel.attach(0, 100);
        assert_eq!(channel.next_frame(16), None);
        channel.started(7);
        assert!(matches!(channel.next_frame(16), Some(Frame::Text(_))));
        assert!(matches!(channel.next_frame(16), Some(Frame::Binary(_))));
    }

    #[test]
    fn sends_no_more_than_the_credit() {
        check(&[(Stream::Stdout, "abcdef")], (0, 0), &[]);
        check(&[(Stream::Stdout, "abcdef")], (0, 4), &["Stdout 0 abcd"]);
    }

    #[test]
    fn tells_what_the_ring_has_lost() {
        // One segment takes 16 of the 64 bytes.
        let long = "0123456789".repeat(10);
        check(
            &[(Stream::Stdout, &long)],
            (0, 100),
            &["gap 0..52", "Stdout 52 2345678901234567", "Stdout 68 8901234567890123", "Stdout 84 4567890123456789"],
        );
        check(&[(Stream::Stdout, &long)], (90, 100), &["Stdout 90 0123456789"]);
    }

    #[test]
    fn what_is_new_is_read_once_and_what_is_lost_is_counted() {
        let mut channel = Channel::new("c".to_owned(), 64);
        assert_eq!(channel.output_since(0), (0, Vec::new()));
        channel.push(Stream::Stdout, b"abc");
        channel.push(Stream::Stderr, b"de");
        assert_eq!(
            channel.output_since(1),
            (0, vec![(Stream::Stdout, b"bc".to_vec()), (Stream::Stderr, b"de".to_vec())])
        );
        assert_eq!(channel.output_since(5), (0, Vec::new()));
        channel.push(Stream::Stderr, &[b'x'; 100]);
        let (missing, pieces) = channel.output_since(5);
        let read: usize = pieces.iter().map(|(_, bytes)| bytes.len()).sum();
        assert_eq!((missing + read as u64, pieces.iter().all(|(stream, _)| *stream == Stream::Stderr)), (100, true));
        channel.drop_output();
        assert_eq!(channel.output_since(5), (100, Vec::new()));
    }

    #[test]
    fn alternating_streams_stay_within_the_capacity() {
        let mut channel = Channel::new("c".to_owned(), 1 << 16);
        for _ in 0..100_000 {
            channel.push(Stream::Stdout, b"o");
            channel.push(Stream::Stderr, b"e");
        }
        let held = channel.ring.bytes.len() + channel.ring.segments.len() * size_of::<Segment>();
        assert!(held <= 1 << 16, "{held} bytes are kept");
        assert_eq!(channel.ring.end(), 200_000);
        channel.started(7);
        channel.attach(199_999, 1);
        channel.next_frame(16);
        let last = Output { call: "c", seq: 199_999, stream: Stream::Stderr, bytes: b"e" };
        assert_eq!(channel.next_frame(16), Some(Frame::Binary(last.to_bytes())));
    }
}
