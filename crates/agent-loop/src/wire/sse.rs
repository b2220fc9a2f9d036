//! The SSE parser: bytes in, cut anywhere; events out.
//!
//! Follows the event stream format of the HTML standard (lines end in LF, CR or CRLF; a byte order mark, comments,
//! `id` and `retry` are skipped; several `data` lines are joined by LF; an event without data is none), and hands on
//! what the standard throws away: lines that are no field at all, where proxies like to write their errors. It works
//! on bytes, so that a character cut in two is whole again before anybody decodes it, and looks at each byte once.

use crate::wire::failure::{FailureKind, ModelFailure};

/// The longest line, and the longest data of one event, in bytes.
pub(crate) const LINE_CAP: usize = 32 * 1024 * 1024;

/// What the parser hands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame<'a> {
    /// An event with data.
    Event {
        /// The `event` field; empty where there was none.
        name: &'a [u8],
        /// The `data` lines joined by LF.
        data: &'a [u8],
    },
    /// A line that is no field of an event stream.
    Stray(&'a [u8]),
}

/// Whoever takes the frames. An error ends the parsing.
pub type Sink<'a> = dyn FnMut(Frame<'_>) -> Result<(), ModelFailure> + 'a;

/// The state that survives a cut.
#[derive(Debug, Default)]
pub struct SseParser {
    /// The line whose end has not come.
    line: Vec<u8>,
    name: Vec<u8>,
    /// Each data line with an LF after it.
    data: Vec<u8>,
    after_cr: bool,
    begun: bool,
}

impl SseParser {
    /// Reads on.
    pub fn feed(&mut self, bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), ModelFailure> {
        let mut rest = bytes;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (head, tail) = rest.split_at(end);
            if self.line.is_empty() {
                self.take_line(head, sink)?;
            } else {
                self.keep(head)?;
                let mut line = std::mem::take(&mut self.line);
                self.take_line(&line, sink)?;
                line.clear();
                self.line = line;
            }
            rest = match tail {
                [b'\r', b'\n', more @ ..] => more,
                [b'\r'] => {
                    self.after_cr = true;
                    &[]
                }
                [_, more @ ..] => more,
                [] => &[],
            };
        }
        self.keep(rest)
    }

    /// The stream has ended. An event whose closing blank line never came is handed on all the same: whether it is
    /// whole can be seen by its JSON.
    pub fn finish(mut self, sink: &mut Sink<'_>) -> Result<(), ModelFailure> {
        let line = std::mem::take(&mut self.line);
        self.take_line(&line, sink)?;
        self.take_line(b"", sink)
    }

    fn keep(&mut self, part: &[u8]) -> Result<(), ModelFailure> {
        if self.line.len() + part.len() > LINE_CAP {
            return Err(too_long());
        }
        self.line.extend_from_slice(part);
        Ok(())
    }

    fn take_line(&mut self, line: &[u8], sink: &mut Sink<'_>) -> Result<(), ModelFailure> {
        let line = if self.begun { line } else { line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line) };
        self.begun = true;
        if line.is_empty() {
            let data = self.data.strip_suffix(b"\n").unwrap_or(&self.data);
            let taken = if data.is_empty() { Ok(()) } else { sink(Frame::Event { name: &self.name, data }) };
            self.data.clear();
            self.name.clear();
            return taken;
        }
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (field, value) = line.split_at(colon);
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        // Blanks around a field's name come of copying and indenting.
        match field.trim_ascii() {
            b"data" => self.keep_data(value),
            // An event whose line breaks were lost: no name holds its data.
            b"event" if value.windows(5).any(|part| part == b"data:") => sink(Frame::Stray(line)),
            b"event" => {
                self.name.clear();
                self.name.extend_from_slice(value);
                Ok(())
            }
            // llama.cpp wrote its errors as a field of this name.
            b"error" => {
                self.name = b"error".to_vec();
                self.keep_data(value)
            }
            b"" | b"id" | b"retry" => Ok(()),
            _ => sink(Frame::Stray(line)),
        }
    }

    fn keep_data(&mut self, value: &[u8]) -> Result<(), ModelFailure> {
        if self.data.len() + value.len() > LINE_CAP {
            return Err(too_long());
        }
        self.data.extend_from_slice(value);
        self.data.push(b'\n');
        Ok(())
    }
}

fn too_long() -> ModelFailure {
    ModelFailure::new(FailureKind::TooLong, format!("an event longer than {LINE_CAP} bytes"))
}

#[cfg(test)]
mod tests {
    use super::{Frame, LINE_CAP, SseParser};
    use crate::wire::failure::FailureKind;

    fn frames<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
        let mut seen = Vec::new();
        let mut sink = |frame: Frame<'_>| {
            seen.push(match frame {
                Frame::Event { name, data } => {
                    format!("{}|{}", String::from_utf8_lossy(name), String::from_utf8_lossy(data))
                }
                Frame::Stray(line) => format!("stray {}", String::from_utf8_lossy(line)),
            });
            Ok(())
        };
        let mut parser = SseParser::default();
        for part in parts {
            parser.feed(part, &mut sink).unwrap();
        }
        parser.finish(&mut sink).unwrap();
        seen
    }

    #[track_caller]
    fn check(stream: &str, expected: &[&str]) {
        let bytes = stream.as_bytes();
        assert_eq!(frames([bytes]), expected, "whole");
        assert_eq!(frames(bytes.chunks(1)), expected, "byte by byte");
        for cut in 0..=bytes.len() {
            assert_eq!(frames([&bytes[..cut], &bytes[cut..]]), expected, "cut at {cut}");
        }
    }

    #[test]
    fn events_are_the_same_however_the_bytes_are_cut() {
        check("data: a\n\ndata: b\n\n", &["|a", "|b"]);
        check("data: a\r\rdata: b\r\r", &["|a", "|b"]);
        check("data: a\r\n\r\ndata: b\r\n\r\n", &["|a", "|b"]);
        check("\u{feff}data:a\n\n", &["|a"]);
        check(": OPENROUTER PROCESSING\n\n:\n\ndata: a\n\n", &["|a"]);
        check("data: a\ndata:  b\ndata\ndata: c\n\n", &["|a\n b\n\nc"]);
        check("data:\n\ndata\n\ndata: \n\nevent: ping\n\ndata: a\n\n", &["|a"]);
        check("event: e\nid: 1\nretry: 3\ndata: 你😀\n\n", &["e|你😀"]);
        check("data: unfinished", &["|unfinished"]);
        check("data: {\"a\":1}\n{\"error\":\"x\"}\n", &["stray {\"error\":\"x\"}", "|{\"a\":1}"]);
        check("error: {\"code\":500}\n\n", &["error|{\"code\":500}"]);
        check("  data: a\n\n\tdata : b\n\n", &["|a", "|b"]);
        check("event: a data: b\n\n", &["stray event: a data: b"]);
        check("", &[]);
    }

    #[test]
    fn a_line_without_end_is_an_error() {
        let mut parser = SseParser::default();
        let part = vec![b'x'; LINE_CAP / 2];
        let mut ignore = |_: Frame<'_>| Ok(());
        parser.feed(&part, &mut ignore).unwrap();
        parser.feed(&part, &mut ignore).unwrap();
        assert_eq!(parser.feed(b"x", &mut ignore).unwrap_err().kind, FailureKind::TooLong);
    }

    #[test]
    fn data_without_end_is_an_error() {
        let mut parser = SseParser::default();
        let line = [b"data: ".to_vec(), vec![b'x'; LINE_CAP / 2], b"\n".to_vec()].concat();
        let mut ignore = |_: Frame<'_>| Ok(());
        parser.feed(&line, &mut ignore).unwrap();
        assert_eq!(parser.feed(&line, &mut ignore).unwrap_err().kind, FailureKind::TooLong);
    }
}
