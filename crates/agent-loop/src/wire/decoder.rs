//! Reads one answer from the bytes of its body, however they are cut.
//!
//! What frames the answer is seen from its first byte: a JSON body, a page, or an event stream. The content type is
//! asked only about what the bytes leave open, because servers put the wrong one.

use crate::message::{Answer, Block, Usage};
use crate::settings::Dialect;
use crate::wire::Delta;
use crate::wire::deltas::Deltas;
use crate::wire::failure::{FailureKind, ModelFailure, failure_of_status};
use crate::wire::quirk::EMPTY_BODY;
use crate::wire::reading::Reading;
use crate::wire::sse::SseParser;
use crate::wire::transfer::{Head, Transfer};

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
    transfer: Transfer,
    framing: Framing,
    reading: Reading,
    declared_stream: bool,
    /// Set once the body has ended.
    end: Option<End>,
}

/// How a body ended.
#[derive(Debug)]
struct End {
    read: Result<(), ModelFailure>,
    /// What stood in no event, or the whole body.
    text: Vec<u8>,
    declared_stream: bool,
}

/// The largest body that is not a stream, in bytes.
const BODY_CAP: usize = 64 * 1024 * 1024;

#[derive(Debug)]
enum Framing {
    /// Nothing but blanks has come.
    Unknown,
    Stream(SseParser),
    Whole(Vec<u8>),
    /// The body of a request that the head says was refused.
    Refusal(Vec<u8>),
}

impl Decoder {
    /// For the body of an answer with status 200. A capture may have its head before it.
    pub fn new(dialect: Dialect, content_type: &str) -> Decoder {
        Decoder {
            transfer: Transfer::default(),
            framing: Framing::Unknown,
            reading: Reading::new(dialect),
            declared_stream: is_stream(content_type),
            end: None,
        }
    }

    /// Reads on. What was understood is appended to `deltas`, one for each block that grew. An error ends the answer.
    pub fn feed(&mut self, bytes: &[u8], deltas: &mut Vec<Delta>) -> Result<(), ModelFailure> {
        let Decoder { transfer, framing, reading, .. } = self;
        let mut deltas = Deltas::new(deltas);
        transfer.feed(bytes, &mut |head, bytes| framing.take(head, bytes, reading, &mut deltas))
    }

    /// How far the answer has come.
    pub fn progress(&self) -> Progress {
        self.reading.progress()
    }

    /// What stands so far, for a draft: no call in it is complete.
    pub fn draft(&self) -> Vec<Block> {
        self.reading.blocks()
    }

    /// The tokens as far as they were counted.
    pub fn usage(&self) -> Usage {
        self.reading.usage()
    }

    /// The body has ended: reads what waited for that, so that a draft shows it.
    pub fn end(&mut self) {
        if self.end.is_some() {
            return;
        }
        let mut unseen = Vec::new();
        let mut unseen = Deltas::new(&mut unseen);
        self.reading.at_end = true;
        let Decoder { transfer, framing, reading, .. } = self;
        let read = transfer.finish(&mut |head, bytes| framing.take(head, bytes, reading, &mut unseen));
        let head = transfer.head.as_ref();
        let end = match (std::mem::replace(framing, Framing::Unknown), head) {
            (Framing::Refusal(body), Some(head)) => refused(head, &body),
            (Framing::Unknown, Some(head)) if !head.is_ok() => refused(head, b""),
            (Framing::Unknown | Framing::Refusal(_), _) => {
                let failure = ModelFailure::new(FailureKind::Incomplete, "");
                let failure = ModelFailure { error_type: Some(EMPTY_BODY.to_owned()), ..failure };
                End { read: read.and(Err(failure)), text: Vec::new(), declared_stream: true }
            }
            (Framing::Whole(body), _) => {
                let read = read.and_then(|()| reading.whole(&body, &mut unseen));
                End { read, text: body, declared_stream: false }
            }
            (Framing::Stream(parser), _) => {
                let read = read.and_then(|()| parser.finish(&mut |frame| reading.take(frame, &mut unseen)));
                let read = read.and_then(|()| reading.end_of_stream(&mut unseen));
                let strays = std::mem::take(&mut reading.strays);
                let read = read.and_then(|()| reading.stray(&strays, &mut unseen));
                let declared_stream =
                    self.declared_stream || head.is_some_and(|head| is_stream(head.header("content-type")));
                End { read, text: strays, declared_stream }
            }
        };
        self.end = Some(end);
    }

    /// The answer. Only a positive terminator makes one.
    pub fn finish(mut self) -> Result<Answer, ModelFailure> {
        self.end();
        let end = self.end.unwrap_or(End { read: Ok(()), text: Vec::new(), declared_stream: true });
        self.reading.answer(end.read, &end.text, end.declared_stream)
    }
}

fn refused(head: &Head, body: &[u8]) -> End {
    End { read: Err(failure_of_status(head.status, &head.headers, body)), text: Vec::new(), declared_stream: true }
}

fn is_stream(content_type: &str) -> bool {
    content_type.to_ascii_lowercase().contains("event-stream")
}

impl Framing {
    fn take(
        &mut self,
        head: Option<&Head>,
        bytes: &[u8],
        reading: &mut Reading,
        deltas: &mut Deltas<'_>,
    ) -> Result<(), ModelFailure> {
        let mut bytes = bytes;
        if let Framing::Unknown = self {
            // Blanks, and a byte order mark, which may be cut in three.
            let is_blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0xEF | 0xBB | 0xBF);
            let Some(begin) = bytes.iter().position(|byte| !is_blank(byte)) else { return Ok(()) };
            bytes = bytes.get(begin..).unwrap_or_default();
            *self = match bytes {
                _ if head.is_some_and(|head| !head.is_ok()) => Framing::Refusal(Vec::new()),
                // The first byte of gzip.
                [0x1F, ..] => {
                    let message = "the body is compressed; capture it without compression";
                    return Err(ModelFailure::new(FailureKind::Undecodable, message));
                }
                [b'{' | b'[' | b'"' | b'<', ..] => Framing::Whole(Vec::new()),
                _ => Framing::Stream(SseParser::default()),
            };
        }
        match self {
            Framing::Unknown => Ok(()),
            Framing::Stream(parser) => parser.feed(bytes, &mut |frame| reading.take(frame, deltas)),
            Framing::Whole(body) | Framing::Refusal(body) if body.len() + bytes.len() > BODY_CAP => {
                Err(ModelFailure::new(FailureKind::TooLong, format!("a body longer than {BODY_CAP} bytes")))
            }
            Framing::Whole(body) | Framing::Refusal(body) => {
                body.extend_from_slice(bytes);
                Ok(())
            }
        }
    }
}
