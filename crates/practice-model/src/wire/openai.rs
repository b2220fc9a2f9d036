//! Chat Completions: chunks and fields as in the client `openai` 3.57.

use super::Turn;
use crate::{
    json_text::{fill, quoted},
    pacing::{Event, EventKind, pieces},
    reply::{Block, Stop},
    request::Delivery,
    script,
};

/// Seconds since 1970 for `created`: a script has no clock, and the same request gets the same bytes.
const CREATED: &str = "1767225600";

pub(super) fn whole(turn: &Turn<'_>) -> String {
    let mut content = String::new();
    let mut refusal = "null".to_owned();
    let mut calls = Vec::new();
    for (nth, block) in turn.reply.blocks.iter().enumerate() {
        match block {
            Block::Text(text) => content.push_str(text),
            Block::Refusal(text) => refusal = quoted(text),
            Block::Call { name, arguments } => {
                let template = r#"{"id":"$","type":"function","function":{"name":$,"arguments":$}}"#;
                let id = turn.request.ids.call("call_", nth);
                calls.push(fill(template, &[&id, &quoted(name), &quoted(arguments)]));
            }
            Block::ServerSearch { .. } | Block::ServerSearchResult { .. } => {}
        }
    }
    let content = if content.is_empty() { "null".to_owned() } else { quoted(&content) };
    let calls = if calls.is_empty() { String::new() } else { fill(r#","tool_calls":[$]"#, &[&calls.join(",")]) };
    let template =
        r#"{"index":0,"message":{"role":"assistant","content":$,"refusal":$$},"logprobs":null,"finish_reason":"$"}"#;
    let choice = fill(template, &[&content, &refusal, &calls, finish_reason(&turn.reply.stop)]);
    document(turn, "chat.completion", &choice, &usage(turn))
}

pub(super) fn events(turn: &Turn<'_>) -> Vec<Event> {
    let opening = match turn.reply.blocks.first() {
        Some(Block::Text(_)) => r#""role":"assistant","content":"","refusal":null"#,
        _ => r#""role":"assistant","content":null,"refusal":null"#,
    };
    let mut events = vec![chunk(turn, EventKind::Frame, opening, "null")];
    let mut index = 0;
    for (nth, block) in turn.reply.blocks.iter().enumerate() {
        let at = index.to_string();
        let (text, template) = match block {
            Block::Text(text) => (text, r#""content":$"#),
            Block::Refusal(text) => (text, r#""refusal":$"#),
            Block::Call { name, arguments } => {
                let template =
                    r#""tool_calls":[{"index":$,"id":"$","type":"function","function":{"name":$,"arguments":""}}]"#;
                let id = turn.request.ids.call("call_", nth);
                events.push(chunk(turn, EventKind::Frame, &fill(template, &[&at, &id, &quoted(name)]), "null"));
                index += 1;
                (arguments, r#""tool_calls":[{"index":$,"function":{"arguments":$}}]"#)
            }
            Block::ServerSearch { .. } | Block::ServerSearchResult { .. } => continue,
        };
        for piece in pieces(text, &turn.request.ids) {
            let piece = quoted(piece);
            let delta = match block {
                Block::Call { .. } => fill(template, &[&at, &piece]),
                _ => fill(template, &[&piece]),
            };
            events.push(chunk(turn, EventKind::Delta, &delta, "null"));
        }
    }
    let finish_reason = fill("\"$\"", &[finish_reason(&turn.reply.stop)]);
    events.push(chunk(turn, EventKind::Frame, "", &finish_reason));
    if turn.request.delivery == Delivery::StreamedWithUsage {
        events.push(event(EventKind::Frame, &document(turn, "chat.completion.chunk", "", &usage(turn))));
    }
    events.push(event(EventKind::Frame, "[DONE]"));
    events
}

pub(super) fn models() -> String {
    let template = r#"{"id":"$","object":"model","created":$,"owned_by":"practice"}"#;
    let data: Vec<String> =
        script::scenarios().iter().map(|scenario| fill(template, &[scenario.id, CREATED])).collect();
    fill(r#"{"object":"list","data":[$]}"#, &[&data.join(",")])
}

pub(super) fn event(kind: EventKind, data: &str) -> Event {
    Event { kind, text: format!("data: {data}\n\n") }
}

/// `delta` is the inside of an object.
fn chunk(turn: &Turn<'_>, kind: EventKind, delta: &str, finish_reason: &str) -> Event {
    let template = r#"{"index":0,"delta":{$},"logprobs":null,"finish_reason":$}"#;
    let choice = fill(template, &[delta, finish_reason]);
    event(kind, &document(turn, "chat.completion.chunk", &choice, "null"))
}

/// A document or a chunk; a chunk tells `usage` (null until the last) only if the request asked for it.
fn document(turn: &Turn<'_>, object: &str, choices: &str, usage: &str) -> String {
    let template = r#"{"id":"$","object":"$","created":$,"model":$,"system_fingerprint":"fp_practice","choices":[$]$}"#;
    let usage = match turn.request.delivery {
        Delivery::Streamed => String::new(),
        Delivery::Whole | Delivery::StreamedWithUsage => fill(r#","usage":$"#, &[usage]),
    };
    let id = turn.request.ids.message(turn.request.service);
    fill(template, &[&id, object, CREATED, &quoted(turn.model), choices, &usage])
}

fn usage(turn: &Turn<'_>) -> String {
    let template = r#"{"prompt_tokens":$,"completion_tokens":$,"total_tokens":$,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}}"#;
    let (input, output) = (turn.request.input_tokens, turn.output_tokens);
    fill(template, &[&input.to_string(), &output.to_string(), &(input + output).to_string()])
}

fn finish_reason(stop: &Stop) -> &'static str {
    match stop {
        Stop::EndTurn | Stop::Sequence(_) | Stop::Refusal(_) | Stop::PauseTurn => "stop",
        Stop::ToolUse => "tool_calls",
        Stop::MaxTokens | Stop::ContextWindow => "length",
        Stop::ContentFilter => "content_filter",
    }
}
