//! The tool of a trial: cards with a word on each, and a gate that lets everything through. No process starts.

use std::cell::RefCell;

use futures_util::StreamExt;
use futures_util::future::{LocalBoxFuture, ready};
use futures_util::stream::{self, LocalBoxStream};
use serde_json::json;

use crate::env::{Clock, Live};
use crate::gate::{Gate, ModelSeam, ResultSeam, ToolSeam};
use crate::host::{Ended, Offer, Offered, Review, Run, Status, Stream, ToolEvent, ToolHost, Verdict};
use crate::message::{CallKey, ToolCall, ToolResult};
use crate::stop::Stop;
use crate::tool::{Arguments, ToolSpec};
use crate::transport::{HttpRequest, Reply};
use crate::wire::{Delta, Request};

/// The tool's name.
pub(super) const TOOL: &str = "read_card";

/// What the model is asked.
pub(super) const REQUEST: &str =
    "Call the tool read_card with the card \"7\". Then answer with the word that is on it, and nothing else.";

/// The cards of one trial. All have the same word on them, which nobody can guess.
pub(super) struct Cards {
    /// The word.
    pub(super) word: String,
}

impl Cards {
    pub(super) fn new(clock: &dyn Clock) -> Cards {
        let chance: String = clock.fresh_id().chars().filter(char::is_ascii_alphanumeric).take(6).collect();
        Cards { word: format!("lantern{}", chance.to_lowercase()) }
    }
}

impl ToolHost for Cards {
    fn offer(&self) -> Offer {
        let card = json!({ "type": "string", "description": "The number on the card." });
        let tool = ToolSpec {
            name: TOOL.to_owned(),
            description: "Reads the word on a card.".to_owned(),
            input_schema: json!({ "type": "object", "properties": { "card": card }, "required": ["card"] }),
        };
        Offer::Ready(Offered {
            host: "trial".to_owned(),
            tools: vec![tool],
            cwd: String::new(),
            background: Vec::new(),
        })
    }

    fn review(&self, _: &ToolCall, _: &Arguments) -> LocalBoxFuture<'static, Review> {
        Box::pin(ready(Review::Allow))
    }

    fn run(&self, _: Run<'_>, _: Stop) -> LocalBoxStream<'static, ToolEvent> {
        let word = ToolEvent::Output { stream: Stream::Stdout, bytes: self.word.clone().into_bytes() };
        let status = Status::Answered(Verdict::Fine);
        let ended = ToolEvent::Ended(Ended { status, duration_ms: 0, leftovers: Vec::new() });
        stream::iter([word, ended]).boxed_local()
    }
}

impl Gate for Cards {
    fn before_model(&self, _: &Request) -> LocalBoxFuture<'static, ModelSeam> {
        Box::pin(ready(ModelSeam::Go))
    }

    fn before_tool(&self, _: &ToolCall, _: &Arguments, _: &Review) -> LocalBoxFuture<'static, ToolSeam> {
        Box::pin(ready(ToolSeam::Run))
    }

    fn after_tool(&self, _: &ToolCall, _: &ToolResult) -> LocalBoxFuture<'static, ResultSeam> {
        Box::pin(ready(ResultSeam::Keep))
    }
}

/// Shows nothing to anybody, and keeps how the last answer began: that tells which dialect it was in.
#[derive(Default)]
pub(super) struct Unseen(RefCell<Vec<u8>>);

/// How much is kept of an answer, in bytes.
const KEPT: usize = 4_096;

impl Unseen {
    pub(super) fn beginning(&self) -> Vec<u8> {
        self.0.borrow().clone()
    }
}

impl Live for Unseen {
    fn sent(&self, _: &HttpRequest) {
        self.0.borrow_mut().clear();
    }

    fn received(&self, reply: &Reply) {
        if let Reply::Bytes(bytes) = reply {
            let mut kept = self.0.borrow_mut();
            let room = KEPT.saturating_sub(kept.len());
            kept.extend(bytes.iter().take(room));
        }
    }

    fn delta(&self, _: &Delta) {}

    fn tool(&self, _: CallKey, _: &ToolEvent) {}
}
