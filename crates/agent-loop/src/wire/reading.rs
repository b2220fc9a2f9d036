//! Reads the events of one answer, or its whole body, and hands them to the dialect's assembler.
//!
//! What frames an event is seen by its bytes: most hold one object, some a list or several in a row, and what holds
//! none is kept, because proxies write their errors there.

use serde_json::Value;

use crate::message::{Answer, Block, Usage};
use crate::settings::Dialect;
use crate::wire::decoder::Progress;
use crate::wire::deltas::Deltas;
use crate::wire::failure::{FailureKind, ModelFailure, excerpt, failure_of_event, failure_of_payload};
use crate::wire::halves::Waiting;
use crate::wire::json::RowEnd;
use crate::wire::sse::Frame;
use crate::wire::{anthropic, json, openai};

/// How much is kept of what is no event, in bytes: enough for a whole answer that stands in no event.
const STRAY_CAP: usize = 4 * 1024 * 1024;

/// In so many places at most an answer is looked for in what is no event.
const CANDIDATES: usize = 8;

/// One answer while it is read.
#[derive(Debug)]
pub(crate) struct Reading {
    assembler: Assembler,
    /// Whether a payload was JSON.
    understood: bool,
    /// An event that ends within a character.
    waiting: Option<Waiting>,
    /// What stood in no event.
    pub(crate) strays: Vec<u8>,
    /// Whether no more bytes will come: what is cut now stays cut.
    pub(crate) at_end: bool,
    /// Whether the last of it was cut.
    is_cut: bool,
}

#[derive(Debug)]
enum Assembler {
    Anthropic(anthropic::Assembler),
    OpenAi(openai::Assembler),
}

impl Reading {
    pub(crate) fn new(dialect: Dialect) -> Reading {
        let assembler = match dialect {
            Dialect::Anthropic => Assembler::Anthropic(anthropic::Assembler::default()),
            Dialect::OpenAi => Assembler::OpenAi(openai::Assembler::default()),
        };
        Reading { assembler, understood: false, waiting: None, strays: Vec::new(), at_end: false, is_cut: false }
    }

    /// The blocks as far as they stand.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks = match &self.assembler {
            Assembler::Anthropic(assembler) => assembler.blocks(),
            Assembler::OpenAi(assembler) => assembler.blocks(),
        };
        json::keep_shallow(&mut blocks);
        blocks
    }

    /// The tokens as far as they were counted.
    pub(crate) fn usage(&self) -> Usage {
        match &self.assembler {
            Assembler::Anthropic(assembler) => assembler.usage(),
            Assembler::OpenAi(assembler) => assembler.usage(),
        }
    }

    /// Takes a frame of an event stream.
    pub(crate) fn take(&mut self, frame: Frame<'_>, deltas: &mut Deltas<'_>) -> Result<(), ModelFailure> {
        let (name, data) = match frame {
            Frame::Event { name, data } => (name, data),
            Frame::Stray(line) => {
                if self.progress() != Progress::Ended {
                    self.keep_stray(line);
                }
                return Ok(());
            }
        };
        let mut shortened = None;
        if let Some(mut waiting) = self.waiting.take() {
            shortened = waiting.take_rest(data);
            self.event(&waiting.name, &waiting.data, deltas)?;
        }
        let data = shortened.as_deref().unwrap_or(data);
        self.waiting = Waiting::new(name, data);
        match self.waiting {
            Some(_) => Ok(()),
            None => self.event(name, data, deltas),
        }
    }

    /// The stream has ended: nothing has to wait any more.
    pub(crate) fn end_of_stream(&mut self, deltas: &mut Deltas<'_>) -> Result<(), ModelFailure> {
        match self.waiting.take() {
            Some(Waiting { name, data, .. }) => self.event(&name, &data, deltas),
            None => Ok(()),
        }
    }

    fn event(&mut self, name: &[u8], data: &[u8], deltas: &mut Deltas<'_>) -> Result<(), ModelFailure> {
        if self.progress() == Progress::Ended {
            return Ok(());
        }
        let quick = match &mut self.assembler {
            Assembler::Anthropic(assembler) => assembler.take_quickly(data, deltas),
            Assembler::OpenAi(assembler) => assembler.take_quickly(data, deltas),
        };
        if quick {
            return Ok(());
        }
        match json::read(data) {
            Ok(payload) if payload.is_object() => self.payload(name, payload, deltas),
            Ok(Value::Array(_)) if name != b"error" => self.row(data, name, deltas),
            Ok(payload) if name == b"error" => Err(failure_of_event(&payload)),
            Err(_) => self.row(data, name, deltas),
            // Keep-alives that some gateways send as data.
            Ok(_) => {
                self.keep_stray(data);
                Ok(())
            }
        }
    }

    /// Takes what is more than one value, or less: a list, values in a row, a whole body.
    fn row(&mut self, text: &[u8], name: &[u8], deltas: &mut Deltas<'_>) -> Result<(), ModelFailure> {
        let row = json::read_row(text);
        let begin = text.trim_ascii_start();
        let is_json = !row.values.is_empty() || begin.starts_with(b"{") || begin.starts_with(b"[{");
        for value in row.values {
            let payloads = match value {
                Value::Array(list) => list,
                value => vec![value],
            };
            for payload in payloads {
                if self.progress() == Progress::Ended {
                    return Ok(());
                }
                self.payload(name, payload, deltas)?;
            }
        }
        match row.end {
            RowEnd::Whole => Ok(()),
            RowEnd::Done => {
                if let Assembler::OpenAi(assembler) = &mut self.assembler {
                    assembler.done();
                }
                Ok(())
            }
            // What comes last may be cut, and then it says nothing.
            RowEnd::Cut if self.at_end => {
                self.is_cut = true;
                Ok(())
            }
            RowEnd::Cut | RowEnd::Broken | RowEnd::TooDeep if name == b"error" => {
                Err(ModelFailure::new(FailureKind::Server, excerpt(text)))
            }
            RowEnd::Cut | RowEnd::Broken | RowEnd::TooDeep if is_json => {
                let kind = if self.understood { FailureKind::Undecodable } else { FailureKind::NotThisDialect };
                Err(ModelFailure::new(kind, excerpt(text)))
            }
            RowEnd::Cut | RowEnd::Broken | RowEnd::TooDeep => {
                self.keep_stray(text);
                Ok(())
            }
        }
    }

    fn payload(&mut self, name: &[u8], payload: Value, deltas: &mut Deltas<'_>) -> Result<(), ModelFailure> {
        self.understood = true;
        let told_as_error = name == b"error";
        let failure = if told_as_error { Some(failure_of_event(&payload)) } else { failure_of_payload(&payload) };
        if let Some(failure) = failure {
            return Err(failure);
        }
        match &mut self.assembler {
            Assembler::Anthropic(assembler) => assembler.take(&String::from_utf8_lossy(name), payload, deltas),
            Assembler::OpenAi(assembler) => assembler.take(&payload, deltas),
        }
    }

    /// Takes a whole body.
    pub(crate) fn whole(&mut self, body: &[u8], deltas: &mut Deltas<'_>) -> Result<(), ModelFailure> {
        match json::read(body) {
            // Encoded twice.
            Ok(Value::String(inner)) => self.row(inner.as_bytes(), b"", deltas),
            Ok(payload @ Value::Object(_)) => self.payload(b"", payload, deltas),
            _ => self.row(body, b"", deltas),
        }
    }

    /// Looks for JSON in what stood in no event: an error that a proxy wrote, or, where nothing else came, an answer.
    pub(crate) fn stray(&mut self, text: &[u8], deltas: &mut Deltas<'_>) -> Result<(), ModelFailure> {
        let mut at = 0;
        let begins: Vec<usize> = text
            .split_inclusive(|byte| *byte == b'\n')
            .filter_map(|line| {
                let begin = at;
                at += line.len();
                let line = line.trim_ascii_start();
                let may_begin = matches!(line.first(), Some(b'{' | b'[')) || line.starts_with(b"event:");
                may_begin.then_some(begin)
            })
            .take(CANDIDATES)
            .collect();
        for begin in begins {
            let json = text.get(begin..).unwrap_or_default();
            let values = json::read_row(json).values;
            if values.is_empty() {
                continue;
            }
            if !self.recognised() {
                return self.row(json, b"", deltas);
            }
            return match values.iter().find_map(failure_of_payload) {
                Some(failure) => Err(failure),
                None => Ok(()),
            };
        }
        Ok(())
    }

    /// No more comes. `read` is how reading it ended, `text` what stood in no event, or the whole body. What goes wrong
    /// after the end of an answer takes nothing of it away.
    pub(crate) fn answer(
        self,
        read: Result<(), ModelFailure>,
        text: &[u8],
        declared_stream: bool,
    ) -> Result<Answer, ModelFailure> {
        if self.progress() == Progress::Open {
            read?;
        }
        let recognised = self.recognised();
        let text = if self.is_cut && !recognised { String::new() } else { excerpt(text) };
        let foreign = if self.understood { !recognised } else { !text.is_empty() && !declared_stream };
        let kind = if foreign { FailureKind::NotThisDialect } else { FailureKind::Incomplete };
        let answer = match self.assembler {
            Assembler::Anthropic(assembler) => assembler.finish(),
            Assembler::OpenAi(assembler) => assembler.finish(),
        };
        let mut answer = answer.ok_or_else(|| ModelFailure::new(kind, text))?;
        json::keep_shallow(&mut answer.blocks);
        answer.stop_details.take_if(|details| !json::is_shallow(details, json::DEPTH));
        Ok(answer)
    }

    fn keep_stray(&mut self, text: &[u8]) {
        let room = STRAY_CAP.saturating_sub(self.strays.len());
        self.strays.extend(text.iter().chain(b"\n").take(room));
    }

    /// How far the answer has come.
    pub(crate) fn progress(&self) -> Progress {
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
}
