//! Writes the head of a request and its messages.

use serde_json::{Value, json};

use crate::message::{Block, Message, Role};
use crate::settings::{ReasoningSent, Settings};
use crate::tool::ToolSpec;
use crate::wire::form::{Form, Place, TellErrors};
use crate::wire::ids::{CallIds, id_of_result, legal_name};
use crate::wire::json::{object_text, push_quoted, written};
use crate::wire::sent::{is_blank, is_own, is_sent, stop_sequences, streams, token_limit};

/// Sent where the settings give no limit: the dialect requires one.
const MAX_TOKENS: u32 = 4096;

/// The body up to the `[` of `messages`.
pub(crate) fn head(settings: &Settings, system: &str, tools: &[&ToolSpec]) -> String {
    let mut head = String::from("{\"model\":");
    push_quoted(&mut head, &settings.model);
    head.push_str(",\"max_tokens\":");
    head.push_str(&token_limit(settings).unwrap_or(MAX_TOKENS).to_string());
    if !is_blank(system) {
        head.push_str(",\"system\":");
        push_quoted(&mut head, system);
    }
    if !tools.is_empty() {
        let tools = tools.iter().map(
            |tool| json!({ "name": legal_name(&tool.name), "description": tool.description, "input_schema": tool.input_schema }),
        );
        head.push_str(",\"tools\":");
        head.push_str(&Value::Array(tools.collect()).to_string());
    }
    let stop_sequences = stop_sequences(settings);
    if !stop_sequences.is_empty() {
        head.push_str(",\"stop_sequences\":");
        head.push_str(&json!(stop_sequences).to_string());
    }
    if settings.profile.reasoning == ReasoningSent::SwitchedOff {
        head.push_str(",\"thinking\":{\"type\":\"disabled\"}");
    }
    if streams(settings) {
        head.push_str(",\"stream\":true");
    }
    head.push_str(",\"messages\":[");
    head
}

/// One message. `ids` are those of the calls it makes or answers.
pub(crate) fn message(message: &Message, form: &Form, ids: &CallIds<'_>) -> String {
    let mut blocks: Vec<&Block> = message.blocks.iter().filter(|block| is_sent(block, message, form)).collect();
    // An answer must not end with thinking.
    while let Some(Block::Thinking { .. }) = blocks.last() {
        blocks.pop();
    }
    let mut out = String::from(match message.role {
        Role::User => "{\"role\":\"user\",\"content\":",
        Role::Assistant => "{\"role\":\"assistant\",\"content\":",
    });
    if let (Role::User, [Block::Text { text }]) = (message.role, blocks.as_slice()) {
        push_quoted(&mut out, text);
        out.push('}');
        return out;
    }
    let last = blocks.len().saturating_sub(1);
    let (mut calls, mut results) = (0, 0);
    out.push('[');
    for (place, block) in blocks.into_iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        match block {
            Block::Text { text } => {
                // The last answer's words must not end in blanks; others are left alone, since tables need theirs.
                let is_final = form.place == Place::Last && message.role == Role::Assistant && place == last;
                out.push_str("{\"type\":\"text\",\"text\":");
                push_quoted(&mut out, if is_final { text.trim_end() } else { text });
                out.push('}');
            }
            Block::Thinking { raw, .. } | Block::Opaque { raw } => out.push_str(&written(raw)),
            Block::ToolUse(call) => {
                out.push_str("{\"type\":\"tool_use\",\"id\":");
                push_quoted(&mut out, ids.get(calls).map_or("unknown", |(_, id)| id));
                out.push_str(",\"name\":");
                push_quoted(&mut out, &legal_name(&call.name));
                out.push_str(",\"input\":");
                out.push_str(&object_text(&call.arguments));
                if let Some(extra) = call.extra.as_ref().filter(|_| is_own(message, form)) {
                    for (key, value) in extra.as_object().into_iter().flatten() {
                        out.push(',');
                        push_quoted(&mut out, key);
                        out.push(':');
                        out.push_str(&written(value));
                    }
                }
                out.push('}');
                calls += 1;
            }
            Block::ToolResult(result) => {
                out.push_str("{\"type\":\"tool_result\",\"tool_use_id\":");
                push_quoted(&mut out, id_of_result(ids, results, result.call));
                out.push_str(",\"content\":");
                push_quoted(&mut out, if is_blank(&result.content) { "(no output)" } else { &result.content });
                if result.is_error && form.tells_errors == TellErrors::Yes {
                    out.push_str(",\"is_error\":true");
                }
                out.push('}');
                results += 1;
            }
        }
    }
    out.push_str("]}");
    out
}
