//! Reads one answer from the bytes of its body, however they are cut.
//!
//! What frames the answer is seen from its first byte: a JSON body, a page, or an event stream. The content type is
//! asked only about what the bytes leave open, because servers put the wrong one.

use crate::message::{Answer, Block};
use crate::settings::Dialect;
use crate::wire::failure::{FailureKind, ModelFailure, excerpt, failure_of_event, failure_of_payload};
use crate::wire::quirk::EMPTY_BODY;
use crate::wire::sse::{Frame, SseParser};
use crate::wire::{Delta, anthropic, json, openai};

/// How far an answer has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Its end has not been told.
    Open,
    /// Its end has been told; token counts may follow, which are worth a short wait and no more.
    Terminated,
    /// Nothing more comes.
    Ended,
}

/// Reads one answer.
#[derive(Debug)]
pub struct Decoder {
    framing: Framing,
    reading: Reading,
    declared_stream: bool,
}

/// The largest body that is not a stream, in bytes.
const BODY_CAP: usize = 64 * 1024 * 1024;

/// How much is kept of what is no event, in bytes: enough for an error that a proxy wrote between the events.
const STRAY_CAP: usize = 8 * 1024;

#[derive(Debug)]
enum Framing {
    /// Nothing but blanks has come.
    Unknown,
    Stream(SseParser),
    Whole(Vec<u8>),
}

#[derive(Debug)]
struct Reading {
    assembler: Assembler,
    /// Whether a payload was JSON.
    understood: bool,
    stray: Vec<u8>,
}

#[derive(Debug)]
enum Assembler {
    Anthropic(anthropic::Assembler),
    OpenAi(openai::Assembler),
}

impl Decoder {
    /// For the body of an answer with status 200.
    pub fn new(dialect: Dialect, content_type: &str) -> Decoder {
        let assembler = match dialect {
            Dialect::Anthropic => Assembler::Anthropic(anthropic::Assembler::default()),
            Dialect::OpenAi => Assembler::OpenAi(openai::Assembler::default()),
        };
        Decoder {
            framing: Framing::Unknown,
            reading: Reading { assembler, understood: false, stray: Vec::new() },
            declared_stream: content_type.to_ascii_lowercase().contains("event-stream"),
        }
    }

    /// Reads on. What was understood is appended to `deltas`, one for each block that grew. An error ends the answer.
    pub fn feed(&mut self, bytes: &[u8], deltas: &mut Vec<Delta>) -> Result<(), ModelFailure> {
        let mut bytes = bytes;
        if let Framing::Unknown = self.framing {
            // Blanks, and a byte order mark, which may be cut in three.
            let is_blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0xEF | 0xBB | 0xBF);
            let Some(begin) = bytes.iter().position(|byte| !is_blank(byte)) else { return Ok(()) };
            bytes = bytes.get(begin..).unwrap_or_default();
            self.framing = match bytes.first() {
                Some(b'{' | b'[' | b'"' | b'<') => Framing::Whole(Vec::new()),
                _ => Framing::Stream(SseParser::default()),
            };
        }
        match &mut self.framing {
            Framing::Unknown => Ok(()),
            Framing::Stream(parser) => {
                let mut deltas = Deltas::new(deltas);
                let reading = &mut self.reading;
                parser.feed(bytes, &mut |frame| reading.take(frame, &mut deltas))
            }
            Framing::Whole(body) if body.len() + bytes.len() > BODY_CAP => {
                Err(ModelFailure::new(FailureKind::TooLong, format!("a body longer than {BODY_CAP} bytes")))
            }
            Framing::Whole(body) => {
                body.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// How far the answer has come.
    pub fn progress(&self) -> Progress {
        self.reading.progress()
    }

    /// What stands so far, for a draft: no call in it is complete.
    pub fn draft(&self) -> Vec<Block> {
        let mut blocks = match &self.reading.assembler {
            Assembler::Anthropic(assembler) => assembler.blocks(),
            Assembler::OpenAi(assembler) => assembler.blocks(),
        };
        json::keep_shallow(&mut blocks);
        blocks
    }

    /// The body has ended. Only a positive terminator makes it an answer.
    pub fn finish(self) -> Result<Answer, ModelFailure> {
        let mut reading = self.reading;
        match self.framing {
            Framing::Unknown => {
                let failure = ModelFailure::new(FailureKind::Incomplete, "");
                return Err(ModelFailure { error_type: Some(EMPTY_BODY.to_owned()), ..failure });
            }
            Framing::Whole(body) => return reading.whole(&body),
            Framing::Stream(parser) => {
                let mut unseen = Vec::new();
                let mut unseen = Deltas::new(&mut unseen);
                parser.finish(&mut |frame| match frame {
                    // The last event may be cut, and then it says nothing.
                    Frame::Event { data, .. } if json::read(data).is_err_and(|error| error.is_eof()) => Ok(()),
                    frame => reading.take(frame, &mut unseen),
                })?;
            }
        }
        if let Some(failure) = json::read(&reading.stray).ok().as_ref().and_then(failure_of_payload)
            && reading.progress() == Progress::Open
        {
            return Err(failure);
        }
        let stray = excerpt(&reading.stray);
        let recognised = reading.recognised();
        let foreign = if reading.understood { !recognised } else { !stray.is_empty() && !self.declared_stream };
        let kind = if foreign { FailureKind::NotThisDialect } else { FailureKind::Incomplete };
        reading.answer().ok_or_else(|| ModelFailure::new(kind, stray))
    }
}

impl Reading {
    fn take(&mut self, frame: Frame<'_>, deltas: &mut Deltas<'_>) -> Result<(), ModelFailure> {
        if self.progress() == Progress::Ended {
            return Ok(());
        }
        let (name, data) = match frame {
            Frame::Event { name, data } => (name, data),
            Frame::Stray(line) => {
                self.keep_stray(line);
                return Ok(());
            }
        };
        let quick = match &mut self.assembler {
            Assembler::Anthropic(assembler) => assembler.take_quickly(data, deltas),
            Assembler::OpenAi(assembler) => assembler.take_quickly(data, deltas),
        };
        if quick {
            return Ok(());
        }
        let data = data.trim_ascii();
        if data == b"[DONE]" {
            if let Assembler::OpenAi(assembler) = &mut self.assembler {
                assembler.done();
            }
            return Ok(());
        }
        let told_as_error = name == b"error";
        let payload = match json::read(data) {
            Ok(payload) if payload.is_object() || payload.is_array() => payload,
            _ if told_as_error => return Err(ModelFailure::new(FailureKind::Server, excerpt(data))),
            Err(_) if data.starts_with(b"{") || data.starts_with(b"[{") => {
                let kind = if self.understood { FailureKind::Undecodable } else { FailureKind::NotThisDialect };
                return Err(ModelFailure::new(kind, excerpt(data)));
            }
            // Keep-alives that some gateways send as data.
            _ => {
                self.keep_stray(data);
                return Ok(());
            }
        };
        self.understood = true;
        let failure = if told_as_error { Some(failure_of_event(&payload)) } else { failure_of_payload(&payload) };
        if let Some(failure) = failure {
            return Err(failure);
        }
        match &mut self.assembler {
            Assembler::Anthropic(assembler) => assembler.take(&String::from_utf8_lossy(name), payload, deltas),
            Assembler::OpenAi(assembler) => assembler.take(&payload, deltas),
        }
    }

    fn whole(mut self, body: &[u8]) -> Result<Answer, ModelFailure> {
        let failed = |kind| ModelFailure::new(kind, excerpt(body));
        let payload = match json::read(body) {
            Ok(payload) => payload,
            Err(error) if error.is_eof() => return Err(ModelFailure::new(FailureKind::Incomplete, "")),
            Err(_) => return Err(failed(FailureKind::NotThisDialect)),
        };
        if let Some(failure) = failure_of_payload(&payload) {
            return Err(failure);
        }
        match &mut self.assembler {
            Assembler::Anthropic(assembler) => assembler.take_whole(payload)?,
            Assembler::OpenAi(assembler) => assembler.take_whole(&payload)?,
        }
        let kind = if self.recognised() { FailureKind::Incomplete } else { FailureKind::NotThisDialect };
        self.answer().ok_or_else(|| failed(kind))
    }

    fn keep_stray(&mut self, text: &[u8]) {
        let room = STRAY_CAP.saturating_sub(self.stray.len());
        self.stray.extend(text.iter().chain(b"\n").take(room));
    }

    fn progress(&self) -> Progress {
        match &self.assembler {
            Assembler::Anthropic(assembler) => assembler.progress(),
            Assembler::OpenAi(assembler) => assembler.progress(),
        }
    }

    fn recognised(&self) -> bool {
        match &self.assembler {
            Assembler::Anthropic(assembler) => assembler.recognised(),
            Assembler::OpenAi(assembler) => assembler.recognised(),
        }
    }

    fn answer(self) -> Option<Answer> {
        let mut answer = match self.assembler {
            Assembler::Anthropic(assembler) => assembler.finish(),
            Assembler::OpenAi(assembler) => assembler.finish(),
        }?;
        json::keep_shallow(&mut answer.blocks);
        answer.stop_details.take_if(|details| !json::is_shallow(details, json::DEPTH));
        Some(answer)
    }
}

/// The deltas of one call of `feed`. What grows one block is one delta, so that a chunk costs a view what it brings
/// and not how it was cut into events.
#[derive(Debug)]
pub(crate) struct Deltas<'a> {
    all: &'a mut Vec<Delta>,
    /// Where those of this call begin.
    from: usize,
}

impl<'a> Deltas<'a> {
    /// What is appended from now on.
    pub(crate) fn new(all: &'a mut Vec<Delta>) -> Deltas<'a> {
        let from = all.len();
        Deltas { all, from }
    }

    /// A block begins, or its name became known.
    pub(crate) fn tool_use(&mut self, index: usize, id: &str, name: &str) {
        self.all.push(Delta::ToolUse { index, id: id.to_owned(), name: name.to_owned() });
    }

    /// Words.
    pub(crate) fn text(&mut self, index: usize, more: &str) {
        match self.all.get_mut(self.from..).and_then(<[Delta]>::last_mut) {
            Some(Delta::Text { index: same, text }) if *same == index => text.push_str(more),
            _ => self.all.push(Delta::Text { index, text: more.to_owned() }),
        }
    }

    /// Reasoning.
    pub(crate) fn thinking(&mut self, index: usize, more: &str) {
        match self.all.get_mut(self.from..).and_then(<[Delta]>::last_mut) {
            Some(Delta::Thinking { index: same, text }) if *same == index => text.push_str(more),
            _ => self.all.push(Delta::Thinking { index, text: more.to_owned() }),
        }
    }

    /// A fragment of a call's arguments.
    pub(crate) fn arguments(&mut self, index: usize, more: &str) {
        match self.all.get_mut(self.from..).and_then(<[Delta]>::last_mut) {
            Some(Delta::Arguments { index: same, json }) if *same == index => json.push_str(more),
            _ => self.all.push(Delta::Arguments { index, json: more.to_owned() }),
        }
    }
}
