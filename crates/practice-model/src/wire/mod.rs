//! Writes a reply as its service does, streamed or whole.

mod anthropic;
mod openai;

use crate::{
    Answer, Chunk, Ending, Service, ids,
    pacing::{self, Event, EventKind},
    refusal::Refusal,
    reply::Reply,
    request::{Delivery, Request},
};

/// One turn of the model, ready to be written.
pub(crate) struct Turn<'a> {
    /// The id as it was asked for.
    pub(crate) model: &'a str,
    pub(crate) request: &'a Request,
    pub(crate) reply: &'a Reply,
    pub(crate) output_tokens: usize,
}

pub(crate) fn write(turn: &Turn<'_>) -> Answer {
    match turn.request.delivery {
        Delivery::Whole => ok(turn, vec![Chunk { pause_ms: 320, bytes: whole(turn).into_bytes() }]),
        Delivery::Streamed | Delivery::StreamedWithUsage => ok(turn, pacing::chunks(&events(turn), &turn.request.ids)),
    }
}

/// A 200 with these chunks.
pub(crate) fn ok(turn: &Turn<'_>, chunks: Vec<Chunk>) -> Answer {
    let service = turn.request.service;
    let kind = match turn.request.delivery {
        Delivery::Whole => "application/json",
        Delivery::Streamed | Delivery::StreamedWithUsage => "text/event-stream; charset=utf-8",
    };
    let headers = vec![
        ("content-type", kind.to_owned()),
        ("cache-control", "no-cache".to_owned()),
        (ids::request_id_header(service), turn.request.ids.request()),
    ];
    Answer { status: 200, headers, chunks, ending: Ending::Close }
}

/// The answer as one document.
pub(crate) fn whole(turn: &Turn<'_>) -> String {
    match turn.request.service {
        Service::AnthropicMessages => anthropic::whole(turn),
        Service::ChatCompletions => openai::whole(turn),
    }
}

/// The answer as a stream's events.
pub(crate) fn events(turn: &Turn<'_>) -> Vec<Event> {
    match turn.request.service {
        Service::AnthropicMessages => anthropic::events(turn),
        Service::ChatCompletions => openai::events(turn),
    }
}

/// An error that arrives inside a stream.
pub(crate) fn error_event(turn: &Turn<'_>, refusal: &Refusal) -> Event {
    let service = turn.request.service;
    let error = refusal.to_json(service, &turn.request.ids.request());
    match service {
        Service::AnthropicMessages => anthropic::event(EventKind::Delta, "error", error),
        Service::ChatCompletions => openai::event(EventKind::Delta, &error),
    }
}

/// The list of models.
pub(crate) fn models(service: Service) -> String {
    match service {
        Service::AnthropicMessages => anthropic::models(),
        Service::ChatCompletions => openai::models(),
    }
}
