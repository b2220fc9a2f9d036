//! Endpoints that fail: refusals at the door, and answers that go wrong on their way.

use crate::{
    Answer, Chunk, Ending, Service,
    pacing::{self, EventKind},
    refusal::{Refusal, Refused},
    request::{self, Delivery},
    wire::{self, Turn},
};

/// What happens before a request is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Door {
    /// The service's error for this status.
    Status(u16),
    /// A page for people, with this status, as a proxy or a captive portal sends it.
    Html(u16),
    /// A 200 whose body is empty.
    Empty,
    /// The request is longer than the context window.
    Overflow,
}

/// What happens to an answer after it was begun.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Spoil {
    /// The connection breaks inside the last block.
    Cut,
    /// The response ends properly inside the last block, without the terminator.
    Eof,
    /// Nothing more comes.
    Stall,
    /// One event's data is not JSON.
    BrokenJson,
    /// The service reports that it is overloaded, after a 200 and some of the answer.
    ErrorInside,
}

pub(crate) fn at_the_door(door: Door, service: Service, body: &[u8]) -> Refused<Answer> {
    match door {
        Door::Status(status) => Err(refused(service, status)),
        Door::Html(status) => {
            let page = "<!DOCTYPE html>\n<html><head><title>Practice</title></head><body><h1>This is a web page, not an \
                        API</h1><p>Sent by practice/fault-html: a script, not an AI.</p></body></html>\n";
            Ok(Answer {
                status,
                headers: vec![("content-type", "text/html; charset=utf-8".to_owned())],
                chunks: vec![Chunk { pause_ms: 40, bytes: page.as_bytes().to_vec() }],
                ending: Ending::Close,
            })
        }
        Door::Empty => Ok(Answer {
            status: 200,
            headers: vec![("content-type", "text/event-stream; charset=utf-8".to_owned())],
            chunks: Vec::new(),
            ending: Ending::Close,
        }),
        Door::Overflow => Err(overflow(service, body)?),
    }
}

pub(crate) fn spoil(spoil: Spoil, turn: &Turn<'_>) -> Answer {
    match turn.request.delivery {
        Delivery::Whole => spoil_document(spoil, turn),
        Delivery::Streamed | Delivery::StreamedWithUsage => spoil_stream(spoil, turn),
    }
}

fn spoil_stream(spoil: Spoil, turn: &Turn<'_>) -> Answer {
    let mut events = wire::events(turn);
    let deltas = events.iter().enumerate().filter(|(_, event)| event.kind == EventKind::Delta).map(|(at, _)| at);
    let at = deltas.rev().nth(2).unwrap_or_default();
    let mut ending = Ending::Close;
    match spoil {
        Spoil::Cut | Spoil::Stall => {
            events.truncate(at + 1);
            if let Some(last) = events.last_mut() {
                last.text.truncate(middle(&last.text));
            }
            ending = if matches!(spoil, Spoil::Cut) { Ending::Cut } else { Ending::Stall };
        }
        Spoil::Eof => events.truncate(at + 1),
        Spoil::BrokenJson => {
            if let Some(event) = events.get_mut(at) {
                event.text.replace_range(middle(&event.text).., "\n\n");
            }
        }
        Spoil::ErrorInside => {
            events.truncate(at + 1);
            events.push(wire::error_event(turn, &refused(turn.request.service, 529)));
        }
    }
    Answer { ending, ..wire::ok(turn, pacing::chunks(&events, &turn.request.ids)) }
}

fn spoil_document(spoil: Spoil, turn: &Turn<'_>) -> Answer {
    let mut text = wire::whole(turn);
    let half = middle(&text);
    let mut ending = Ending::Close;
    match spoil {
        Spoil::Cut => {
            text.truncate(half);
            ending = Ending::Cut;
        }
        Spoil::Stall => {
            text.truncate(half);
            ending = Ending::Stall;
        }
        Spoil::Eof => text.truncate(half),
        Spoil::BrokenJson => text.insert_str(half, "\n\u{0}<<"),
        Spoil::ErrorInside => {
            let service = turn.request.service;
            text = refused(service, 529).to_json(service, &turn.request.ids.request());
        }
    }
    Answer { ending, ..wire::ok(turn, vec![Chunk { pause_ms: 320, bytes: text.into_bytes() }]) }
}

/// The middle of a text, between two characters.
fn middle(text: &str) -> usize {
    text.char_indices().map(|(at, _)| at).find(|at| *at >= text.len() / 2).unwrap_or_default()
}

/// The service's words for a status, and that they are scripted.
fn refused(service: Service, status: u16) -> Box<Refusal> {
    let (message, code) = match (service, status) {
        (Service::AnthropicMessages, 401) => ("invalid x-api-key", None),
        (Service::AnthropicMessages, 403) => ("Your API key does not have permission to use this resource", None),
        (Service::AnthropicMessages, 429) => ("This request would exceed your rate limit", None),
        (Service::AnthropicMessages, 529) => ("Overloaded", None),
        (Service::AnthropicMessages, _) => ("Internal server error", None),
        (Service::ChatCompletions, 401) => ("Incorrect API key provided", Some("invalid_api_key")),
        (Service::ChatCompletions, 403) => ("You are not allowed to use this resource", Some("permission_denied")),
        (Service::ChatCompletions, 429) => ("Rate limit reached for requests", Some("rate_limit_exceeded")),
        (Service::ChatCompletions, 529) => ("The engine is currently overloaded, please try again later", None),
        (Service::ChatCompletions, _) => ("The server had an error while processing your request", None),
    };
    Box::new(Refusal {
        status,
        code,
        retry_after: (status == 429).then_some(2),
        ..*Refusal::invalid(format!("{message} (practice model: scripted, no key or quota was looked at)"))
    })
}

/// This scenario's context window, in tokens: every request is longer.
const WINDOW: usize = 2;

fn overflow(service: Service, body: &[u8]) -> Refused<Box<Refusal>> {
    let fields = request::parse(service, body)?;
    let tokens = request::read(service, &fields)?.input_tokens;
    Ok(match service {
        Service::AnthropicMessages => {
            Refusal::invalid(format!("prompt is too long: {tokens} tokens > {WINDOW} maximum"))
        }
        Service::ChatCompletions => Box::new(Refusal {
            param: Some("messages".to_owned()),
            code: Some("context_length_exceeded"),
            ..*Refusal::invalid(format!(
                "This model's maximum context length is {WINDOW} tokens. However, your messages resulted in {tokens} \
                 tokens. Please reduce the length of the messages."
            ))
        }),
    })
}
