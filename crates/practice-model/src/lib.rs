//! A scripted stand-in for a model: it makes everything work with no key and no network. It is a script, not an AI,
//! and says so whenever it is asked something it has no script for.
//!
//! [`answer`] takes the body of a request as Anthropic's Messages or OpenAI's Chat Completions define it, refuses it
//! as those services would if it is broken, and otherwise answers as they do: streamed or whole, as bytes with the
//! pause that comes before each of them. The caller sleeps; tests do not. The same request gets the same bytes.
//!
//! The model id names the scenario (see [`scenarios`]); plain `practice` picks one from the user's words. Scripts read
//! the history that was really sent and quote the results that really came back; they remember nothing.
//!
//! # Layout
//! - `request/` reads and validates a body into one neutral view, per service
//! - `conversation` is what a script is shown: the user's last words, and the calls and results since
//! - `script/` decides what is said and asked for, one file per family of scenarios
//! - `limits` cuts a reply at `max_tokens` and stop sequences, `tokens` estimates, `ids` names
//! - `wire/` writes a reply as a service does, `pacing` cuts it into network chunks
//! - `faults` spoils an answer on purpose

mod conversation;
mod faults;
mod ids;
mod json_text;
mod limits;
mod pacing;
mod refusal;
mod reply;
mod request;
mod script;
mod tokens;
mod wire;

pub use script::{Group, Scenario, Words, scenarios};

use refusal::{Refusal, Refused};
use script::Plot;
use serde_json::{Map, Value};

/// The API whose wire format is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// Anthropic's `POST /v1/messages`.
    AnthropicMessages,
    /// OpenAI's `POST /v1/chat/completions`, as compatible servers answer it too.
    ChatCompletions,
}

/// An HTTP answer and how it arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// Header names in lower case, with their values; `content-type` is among them, `content-length` never.
    pub headers: Vec<(&'static str, String)>,
    /// The body, in the pieces in which a network would deliver it.
    pub chunks: Vec<Chunk>,
    /// What happens after the last piece.
    pub ending: Ending,
}

/// A piece of a body. Its borders mean nothing: they may fall inside an event, a line or a character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Milliseconds to wait before the bytes are sent.
    pub pause_ms: u32,
    /// The bytes, never empty.
    pub bytes: Vec<u8>,
}

/// How the body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The body is over and the response closes properly.
    Close,
    /// The connection breaks.
    Cut,
    /// Nothing more comes, and the connection stays open until the caller gives up.
    Stall,
}

/// Answers one request, whatever its bytes are.
pub fn answer(service: Service, body: &[u8]) -> Answer {
    scripted(service, body).unwrap_or_else(|refusal| refusal.into_answer(service, body))
}

/// The body of `GET /v1/models`: every scenario's id, in the service's own shape.
pub fn models(service: Service) -> Vec<u8> {
    wire::models(service).into_bytes()
}

fn scripted(service: Service, body: &[u8]) -> Refused<Answer> {
    let fields = request::parse(service, body)?;
    let model = request::model(service, &fields)?;
    let scenario = script::find(model);
    if let Some(Scenario { plot: Plot::Door(door), .. }) = scenario {
        return faults::at_the_door(*door, service, body);
    }
    let request = request::read(service, &fields)?;
    let Some(scenario) = scenario else { return Err(Refusal::unknown_model(service, model)) };
    let conversation = conversation::Conversation::of(&request);
    let reply = script::perform(scenario, &conversation);
    let (reply, output_tokens) = limits::apply(reply, &request);
    let turn = wire::Turn { model, request: &request, reply: &reply, output_tokens };
    Ok(match scenario.plot {
        Plot::Spoiled(spoil, _) => faults::spoil(spoil, &turn),
        Plot::Script(_) | Plot::Door(_) => wire::write(&turn),
    })
}

type Fields = Map<String, Value>;
