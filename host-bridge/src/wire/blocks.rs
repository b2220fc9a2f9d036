//! The blocks of a message as people write them down, Anthropic-style or as Chat Completions has them.
//!
//! A history is tried here because an endpoint refused it, so what is wrong with a block refuses nothing: it is read as
//! what it must mean, or left out and told.

use std::collections::HashMap;

use agent_loop::tool::Outcome;
use agent_loop::wire::written_json;
use agent_loop::{Block, CallKey, ToolCall, ToolResult};
use serde_json::{Map, Value};

/// Reads the blocks of one message after another.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// Which calls an id names; the ones that were answered are gone from it, but for the last.
    keys: HashMap<String, Vec<CallKey>>,
    /// The calls of the last answer that no result has named, in order.
    open: Vec<CallKey>,
    /// What is not sent.
    pub(super) left_out: Vec<String>,
}

impl Blocks {
    /// What the user says, and the results.
    pub(super) fn of_user(&mut self, at: usize, content: &[Value]) -> Vec<Block> {
        let mut blocks = Vec::new();
        for block in content {
            match (kind(block), block.as_object()) {
                ("text", _) => blocks.push(Block::Text { text: text_of(block).into() }),
                ("tool_result", Some(fields)) => blocks.push(self.result(at, fields)),
                (kind, fields) => {
                    let kind = if kind.is_empty() { "without a type" } else { kind };
                    self.left_out.push(format!("a block {kind} in message {at}"));
                    // What a user cannot say keeps its place, and the encoder leaves it out.
                    blocks.extend(fields.map(|fields| Block::Opaque { raw: fields.clone().into() }));
                }
            }
        }
        blocks
    }

    /// What an answer says and calls. Results that stand in it are those of its calls, and come second.
    pub(super) fn of_answer(&mut self, at: usize, content: &[Value]) -> (Vec<Block>, Vec<Block>) {
        let (mut blocks, mut results) = (Vec::new(), Vec::new());
        let mut made: Vec<(String, CallKey)> = Vec::new();
        for block in content.iter().filter(|block| kind(block) != "tool_result") {
            match (kind(block), block.as_object()) {
                ("text", _) => blocks.push(Block::Text { text: text_of(block).into() }),
                ("tool_use", Some(fields)) => {
                    let key = CallKey { fact: at, index: made.len() };
                    let call = call(key, fields);
                    made.push((call.id.clone(), key));
                    blocks.push(Block::ToolUse(call));
                }
                ("thinking" | "redacted_thinking", Some(fields)) => blocks.push(thinking(fields)),
                ("message_fields", Some(fields)) => {
                    blocks.push(Block::Opaque { raw: fields.get("fields").cloned().unwrap_or_default() });
                }
                ("", _) | (_, None) => self.left_out.push(format!("a block without a type in message {at}")),
                (_, Some(fields)) => blocks.push(Block::Opaque { raw: fields.clone().into() }),
            }
        }
        self.open = made.iter().map(|(_, key)| *key).collect();
        for (id, key) in made {
            // Two calls of one message may have the same id: the first result is the first one's.
            let queue = self.keys.entry(id).or_default();
            queue.retain(|known| known.fact == key.fact);
            queue.push(key);
        }
        for fields in content.iter().filter(|block| kind(block) == "tool_result").filter_map(Value::as_object) {
            results.push(self.result(at, fields));
        }
        (blocks, results)
    }

    /// A result. One that names no call is that of the first call without one.
    pub(super) fn result(&mut self, at: usize, fields: &Map<String, Value>) -> Block {
        let named = ["tool_use_id", "tool_call_id"].iter().filter_map(|key| fields.get(*key)?.as_str());
        let id = named.into_iter().find(|id| !id.is_empty()).unwrap_or_default();
        let key = match self.keys.get_mut(id) {
            // One too many answers the last call once more, which the repair sees to.
            Some(calls) if calls.len() > 1 => Some(calls.remove(0)),
            Some(calls) => calls.first().copied(),
            None if id.is_empty() => self.open.first().copied(),
            None => None,
        };
        let key = key.unwrap_or(CallKey { fact: 0, index: 0 });
        self.open.retain(|open| *open != key);
        let content = fields.get("content").unwrap_or(&Value::Null);
        if let Value::Array(parts) = content {
            let others = parts.iter().map(kind).filter(|kind| *kind != "text");
            self.left_out.extend(others.map(|kind| format!("a block {kind} of a result in message {at}")));
        }
        Block::ToolResult(ToolResult {
            call: key,
            content: result_words(content),
            is_error: fields.get("is_error").and_then(Value::as_bool).unwrap_or(false),
            outcome: Outcome::Answered,
            duration_ms: 0,
            output_bytes: 0,
            left_out: None,
            original_content: None,
        })
    }
}

/// The type of a block, or what it must be.
fn kind(block: &Value) -> &str {
    let has = |key: &str| block.get(key).is_some();
    match block.get("type").and_then(Value::as_str) {
        // What Chat Completions calls them.
        Some("input_text" | "output_text") => "text",
        Some(kind) => kind,
        None if block.is_string() || has("text") => "text",
        None if has("tool_use_id") => "tool_result",
        None if has("name") && (has("input") || has("arguments")) => "tool_use",
        None => "",
    }
}

fn text_of(block: &Value) -> String {
    block.as_str().or_else(|| block.get("text")?.as_str()).unwrap_or_default().to_owned()
}

fn call(key: CallKey, fields: &Map<String, Value>) -> ToolCall {
    let text = |key: &str| fields.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let known = ["type", "id", "name", "input", "input_error", "arguments", "cache_control"];
    let extra = fields.iter().filter(|(key, _)| !known.contains(&key.as_str()));
    let extra: Map<_, _> = extra.map(|(key, value)| (key.clone(), value.clone())).collect();
    ToolCall {
        key,
        id: text("id"),
        name: text("name"),
        arguments: match fields.get("input").or_else(|| fields.get("arguments")) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(written)) => written.clone(),
            Some(input) => written_json(input),
        },
        extra: (!extra.is_empty()).then(|| extra.into()),
        original_arguments: None,
    }
}

/// A block of Messages has its signature; the reasoning of Chat Completions has the fields it came in.
fn thinking(fields: &Map<String, Value>) -> Block {
    let text = fields.get("thinking").and_then(Value::as_str).unwrap_or_default().to_owned();
    let is_block = fields.contains_key("signature") || fields.get("type") == Some(&"redacted_thinking".into());
    let own = |key: &str| is_block || !matches!(key, "type" | "thinking");
    let raw: Map<_, _> =
        fields.iter().filter(|(key, _)| own(key)).map(|(key, value)| (key.clone(), value.clone())).collect();
    Block::Thinking { text: text.into(), raw: raw.into() }
}

/// The words of a result: its text, or that of its blocks, where what is no text leaves a mark. Other JSON is told as it
/// stands: a result is never lost.
fn result_words(content: &Value) -> String {
    let part = |part: &Value| match (kind(part), part) {
        ("text", _) => text_of(part),
        ("", part) => part.to_string(),
        (kind, _) => format!("[{kind} left out]"),
    };
    match content {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(part).collect::<Vec<_>>().join("\n"),
        Value::Object(_) => part(content),
        Value::Bool(_) | Value::Number(_) => content.to_string(),
    }
}
