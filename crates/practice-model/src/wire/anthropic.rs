//! Messages: events and fields as in the client `anthropic` 2.14.

use super::Turn;
use crate::{
    pacing::{Event, EventKind, pieces},
    reply::{Block, Stop},
    script,
};
use serde_json::{Value, json};

pub(super) fn whole(turn: &Turn<'_>) -> Value {
    let blocks: Vec<Value> = turn.reply.blocks.iter().enumerate().map(|(nth, block)| full(turn, nth, block)).collect();
    let mut message = message(turn, turn.output_tokens);
    if let Value::Object(fields) = &mut message {
        fields.insert("content".to_owned(), Value::Array(blocks));
        let Value::Object(ended) = ended(&turn.reply.stop) else { return message };
        fields.extend(ended);
    }
    message
}

pub(super) fn events(turn: &Turn<'_>) -> Vec<Event> {
    let mut events = vec![event(EventKind::Frame, json!({"type": "message_start", "message": message(turn, 1)}))];
    for (index, block) in turn.reply.blocks.iter().enumerate() {
        let start = json!({"type": "content_block_start", "index": index, "content_block": opened(turn, index, block)});
        events.push(event(EventKind::Frame, start));
        // The service pings after the first block has opened, and again wherever it likes.
        if index == 0 || matches!(block, Block::Call { .. }) {
            events.push(event(EventKind::Frame, json!({"type": "ping"})));
        }
        let mut delta = |kind, delta| {
            events.push(event(kind, json!({"type": "content_block_delta", "index": index, "delta": delta})));
        };
        match block {
            Block::Text(text) | Block::Refusal(text) => {
                for piece in pieces(text, &turn.request.ids) {
                    delta(EventKind::Delta, json!({"type": "text_delta", "text": piece}));
                }
            }
            Block::Call { arguments, .. } => {
                delta(EventKind::Frame, json!({"type": "input_json_delta", "partial_json": ""}));
                for piece in pieces(arguments, &turn.request.ids) {
                    delta(EventKind::Delta, json!({"type": "input_json_delta", "partial_json": piece}));
                }
            }
            Block::ServerSearch { query } => {
                let input = json!({"query": query}).to_string();
                for piece in pieces(&input, &turn.request.ids) {
                    delta(EventKind::Delta, json!({"type": "input_json_delta", "partial_json": piece}));
                }
            }
            Block::ServerSearchResult { .. } => {}
        }
        events.push(event(EventKind::Frame, json!({"type": "content_block_stop", "index": index})));
    }
    let usage = usage(turn, turn.output_tokens);
    events.push(event(
        EventKind::Frame,
        json!({"type": "message_delta", "delta": ended(&turn.reply.stop), "usage": usage}),
    ));
    events.push(event(EventKind::Frame, json!({"type": "message_stop"})));
    events
}

pub(super) fn models() -> Value {
    let data: Vec<Value> = script::scenarios()
        .iter()
        .map(|scenario| {
            json!({
                "type": "model", "id": scenario.id, "display_name": format!("Practice: {}", scenario.title.en),
                "created_at": "1970-01-01T00:00:00Z", "lifecycle": "active",
            })
        })
        .collect();
    let id = |model: Option<&Value>| model.and_then(|model| model.get("id")).cloned();
    let (first, last) = (id(data.first()), id(data.last()));
    json!({"data": data, "has_more": false, "first_id": first, "last_id": last})
}

fn event(kind: EventKind, data: Value) -> Event {
    let name = data.get("type").and_then(Value::as_str).unwrap_or_default();
    Event { kind, text: format!("event: {name}\ndata: {data}\n\n") }
}

/// The message as it stands when the stream starts.
fn message(turn: &Turn<'_>, output_tokens: usize) -> Value {
    json!({
        "id": turn.request.ids.message(turn.request.service), "type": "message", "role": "assistant",
        "model": turn.model, "content": [], "stop_reason": null, "stop_sequence": null, "stop_details": null,
        "usage": usage(turn, output_tokens),
    })
}

fn usage(turn: &Turn<'_>, output_tokens: usize) -> Value {
    json!({
        "input_tokens": turn.request.input_tokens, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        "output_tokens": output_tokens,
    })
}

fn ended(stop: &Stop) -> Value {
    let (reason, sequence, details) = match stop {
        Stop::EndTurn | Stop::ContentFilter => ("end_turn", None, Value::Null),
        Stop::ToolUse => ("tool_use", None, Value::Null),
        Stop::MaxTokens => ("max_tokens", None, Value::Null),
        Stop::Sequence(sequence) => ("stop_sequence", Some(sequence), Value::Null),
        Stop::PauseTurn => ("pause_turn", None, Value::Null),
        Stop::Refusal(why) => {
            ("refusal", None, json!({"type": "refusal", "category": "general_harms", "explanation": why}))
        }
        Stop::ContextWindow => ("model_context_window_exceeded", None, Value::Null),
    };
    json!({"stop_reason": reason, "stop_sequence": sequence, "stop_details": details})
}

/// A block as `content_block_start` shows it: its content comes in deltas.
fn opened(turn: &Turn<'_>, nth: usize, block: &Block) -> Value {
    match block {
        Block::Text(_) | Block::Refusal(_) => json!({"type": "text", "text": ""}),
        Block::Call { name, .. } => {
            json!({"type": "tool_use", "id": turn.request.ids.call("toolu_01", nth), "name": name, "input": {}})
        }
        Block::ServerSearch { .. } => json!({
            "type": "server_tool_use", "id": turn.request.ids.call("srvtoolu_01", nth), "name": "web_search",
            "input": {},
        }),
        Block::ServerSearchResult { tool_use_id } => {
            json!({"type": "web_search_tool_result", "tool_use_id": tool_use_id, "content": []})
        }
    }
}

/// A block with its content. Arguments that are no JSON cannot be told in a whole answer: they become `{}`.
fn full(turn: &Turn<'_>, nth: usize, block: &Block) -> Value {
    let mut value = opened(turn, nth, block);
    let content = match block {
        Block::Text(text) | Block::Refusal(text) => ("text", json!(text)),
        Block::Call { arguments, .. } => ("input", serde_json::from_str(arguments).unwrap_or_else(|_| json!({}))),
        Block::ServerSearch { query } => ("input", json!({"query": query})),
        Block::ServerSearchResult { .. } => return value,
    };
    if let Value::Object(fields) = &mut value {
        fields.insert(content.0.to_owned(), content.1);
    }
    value
}
