//! "You are the tool": a person reads the call and types the result. Nothing runs anywhere.

use agent_loop::host::{Offered, Run, Verdict};
use agent_loop::tool::Arguments;
use agent_loop::{Clock, Ended, Offer, Review, Status, Stop, Stream, ToolCall, ToolEvent, ToolHost, ToolSpec};
use futures_util::future::{self, LocalBoxFuture};
use futures_util::stream::{self, LocalBoxStream};
use futures_util::{FutureExt, StreamExt};
use leptos::prelude::*;
use serde_json::json;

use crate::app::Ask;
use crate::run::clock::BrowserClock;
use crate::run::gate::command_of;
use crate::run::question::Desk;

/// The person at the page, as a tool host. Clones are the same person.
#[derive(Clone)]
pub struct You(Desk<Typed>);

/// Its short name, as the log has it.
pub const NAME: &str = "you";

/// What a person typed as the tool's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// The output.
    pub content: String,
    /// Whether it is an error.
    pub verdict: Verdict,
}

impl You {
    /// A host that asks in `ask`.
    pub fn new(ask: RwSignal<Option<Ask>, LocalStorage>) -> You {
        You(Desk::new(ask))
    }

    /// Answers the call that is on show.
    pub fn answer(&self, typed: Typed) {
        self.0.answer(typed);
    }
}

impl ToolHost for You {
    fn offer(&self) -> Offer {
        let bash = ToolSpec {
            name: "bash".to_owned(),
            description: "Run a shell command.".to_owned(),
            input_schema: json!({
                "type": "object",
                "properties": {"command": {"type": "string"}},
                "required": ["command"],
            }),
        };
        Offer::Ready(Offered { host: NAME.to_owned(), tools: vec![bash], cwd: "/".to_owned(), background: Vec::new() })
    }

    /// Who types the result sees the call anyway.
    fn review(&self, _: &ToolCall, _: &Arguments) -> LocalBoxFuture<'static, Review> {
        future::ready(Review::Allow).boxed_local()
    }

    fn run(&self, run: Run<'_>, stop: Stop) -> LocalBoxStream<'static, ToolEvent> {
        let desk = self.0.clone();
        let question = Ask::Result { call: run.call.clone(), command: command_of(run.arguments) };
        let events = async move {
            let began_ms = BrowserClock.now_ms();
            let typed = stop.or(desk.ask(question)).await.flatten();
            let duration_ms = BrowserClock.now_ms().saturating_sub(began_ms);
            let ended = |status| ToolEvent::Ended(Ended { status, duration_ms, leftovers: Vec::new() });
            match typed {
                Some(Typed { content, verdict }) => vec![
                    ToolEvent::Output { stream: Stream::Stdout, bytes: content.into_bytes() },
                    ended(Status::Answered(verdict)),
                ],
                None => vec![ended(Status::Stopped)],
            }
        };
        events.map(stream::iter).flatten_stream().boxed_local()
    }
}
