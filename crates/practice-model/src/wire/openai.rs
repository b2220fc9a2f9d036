//! Chat Completions: chunks and fields as in the client `openai` 3.57.

use super::Turn;
use crate::{
    pacing::{Event, EventKind, pieces},
    reply::{Block, Stop},
    request::Delivery,
    script,
};
use serde_json::{Map, Value, json};

/// Seconds since 1970 for `created`: a script has no clock, and the same request gets the same bytes.
const CREATED: u64 = 1_767_225_600;

pub(super) fn whole(turn: &Turn<'_>) -> Value {
    let mut content: Option<String> = None;
    let mut refusal = None;
    let mut calls = Vec::new();
    for (nth, block) in turn.reply.blocks.iter().enumerate() {
        match block {
            Block::Text(text) => content.get_or_insert_default().push_str(text),
            Block::Refusal(text) => refusal = Some(text),
            Block::Call { name, arguments } => calls.push(json!({
                "id": turn.request.ids.call("call_", nth), "type": "function",
                "function": {"name": name, "arguments": arguments},
            })),
            Block::ServerSearch { .. } | Block::ServerSearchResult { .. } => {}
        }
    }
    let mut message = json!({"role": "assistant", "content": content, "refusal": refusal});
    if let (Value::Object(fields), false) = (&mut message, calls.is_empty()) {
        fields.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    let finish_reason = finish_reason(&turn.reply.stop);
    let choice = json!({"index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason});
    let mut document = head(turn, "chat.completion");
    document.insert("choices".to_owned(), json!([choice]));
    document.insert("usage".to_owned(), usage(turn));
    Value::Object(document)
}

pub(super) fn events(turn: &Turn<'_>) -> Vec<Event> {
    let opening = match turn.reply.blocks.first() {
        Some(Block::Text(_)) => json!({"role": "assistant", "content": "", "refusal": null}),
        _ => json!({"role": "assistant", "content": null, "refusal": null}),
    };
    let mut events = vec![delta(turn, EventKind::Frame, opening)];
    let mut index = 0;
    for (nth, block) in turn.reply.blocks.iter().enumerate() {
        match block {
            Block::Text(text) => {
                for piece in pieces(text, &turn.request.ids) {
                    events.push(delta(turn, EventKind::Delta, json!({"content": piece})));
                }
            }
            Block::Refusal(text) => {
                for piece in pieces(text, &turn.request.ids) {
                    events.push(delta(turn, EventKind::Delta, json!({"refusal": piece})));
                }
            }
            Block::Call { name, arguments } => {
                let id = turn.request.ids.call("call_", nth);
                let function = json!({"name": name, "arguments": ""});
                let call = json!({"index": index, "id": id, "type": "function", "function": function});
                events.push(delta(turn, EventKind::Frame, json!({"tool_calls": [call]})));
                for piece in pieces(arguments, &turn.request.ids) {
                    let call = json!({"index": index, "function": {"arguments": piece}});
                    events.push(delta(turn, EventKind::Delta, json!({"tool_calls": [call]})));
                }
                index += 1;
            }
            Block::ServerSearch { .. } | Block::ServerSearchResult { .. } => {}
        }
    }
    let finish_reason = finish_reason(&turn.reply.stop);
    events.push(chunk(turn, EventKind::Frame, json!([choice(json!({}), json!(finish_reason))]), Value::Null));
    if turn.request.delivery == Delivery::StreamedWithUsage {
        events.push(chunk(turn, EventKind::Frame, json!([]), usage(turn)));
    }
    events.push(Event { kind: EventKind::Frame, text: "data: [DONE]\n\n".to_owned() });
    events
}

pub(super) fn models() -> Value {
    let data: Vec<Value> = script::scenarios()
        .iter()
        .map(|scenario| json!({"id": scenario.id, "object": "model", "created": CREATED, "owned_by": "practice"}))
        .collect();
    json!({"object": "list", "data": data})
}

fn delta(turn: &Turn<'_>, kind: EventKind, delta: Value) -> Event {
    chunk(turn, kind, json!([choice(delta, Value::Null)]), Value::Null)
}

fn choice(delta: Value, finish_reason: Value) -> Value {
    json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason})
}

/// A chunk tells `usage` (null until the last) only if the request asked for it.
fn chunk(turn: &Turn<'_>, kind: EventKind, choices: Value, usage: Value) -> Event {
    let mut data = head(turn, "chat.completion.chunk");
    data.insert("choices".to_owned(), choices);
    if turn.request.delivery == Delivery::StreamedWithUsage {
        data.insert("usage".to_owned(), usage);
    }
    Event { kind, text: format!("data: {}\n\n", Value::Object(data)) }
}

fn head(turn: &Turn<'_>, object: &str) -> Map<String, Value> {
    let mut head = Map::new();
    head.insert("id".to_owned(), json!(turn.request.ids.message(turn.request.service)));
    head.insert("object".to_owned(), json!(object));
    head.insert("created".to_owned(), json!(CREATED));
    head.insert("model".to_owned(), json!(turn.model));
    head.insert("system_fingerprint".to_owned(), json!("fp_practice"));
    head
}

fn usage(turn: &Turn<'_>) -> Value {
    json!({
        "prompt_tokens": turn.request.input_tokens, "completion_tokens": turn.output_tokens,
        "total_tokens": turn.request.input_tokens + turn.output_tokens,
        "prompt_tokens_details": {"cached_tokens": 0}, "completion_tokens_details": {"reasoning_tokens": 0},
    })
}

fn finish_reason(stop: &Stop) -> &'static str {
    match stop {
        Stop::EndTurn | Stop::Sequence(_) | Stop::Refusal(_) | Stop::PauseTurn => "stop",
        Stop::ToolUse => "tool_calls",
        Stop::MaxTokens | Stop::ContextWindow => "length",
        Stop::ContentFilter => "content_filter",
    }
}
