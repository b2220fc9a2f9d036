//! One block of an answer while it grows.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::message::{Block, CallKey, ToolCall};
use crate::wire::deltas::Deltas;
use crate::wire::json::{self, text};

/// A block and its place in the answer, as the server counts.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) index: u64,
    pub(super) part: Part,
}

/// What a block is.
#[derive(Debug)]
pub(super) enum Part {
    Text(String),
    Thinking {
        text: String,
        /// The block as it began, with its signature once that has come.
        raw: Map<String, Value>,
    },
    Call {
        id: String,
        name: String,
        /// The fragments of the arguments, joined.
        json: String,
        /// The arguments that came with the block itself: `{}` in a stream, the whole of them in a whole body.
        input: Value,
        /// Fields we do not know.
        extra: Map<String, Value>,
    },
    /// A kind we do not know, or the call of a tool that the server runs itself.
    Opaque {
        raw: Map<String, Value>,
        /// The fragments of its input, joined.
        json: String,
    },
}

impl Slot {
    /// The block as it begins.
    pub(super) fn new(index: u64, block: Value) -> Slot {
        let block = typed(block);
        let kind = text(&block, "type").to_owned();
        let words = |key: &str| text(&block, key).to_owned();
        let part = match kind.as_str() {
            "text" => Part::Text(words("text")),
            "thinking" | "redacted_thinking" => Part::Thinking { text: words("thinking"), raw: fields(block) },
            "tool_use" => Part::Call {
                id: words("id"),
                name: words("name"),
                json: String::new(),
                input: block.get("input").cloned().unwrap_or_default(),
                extra: fields(block)
                    .into_iter()
                    .filter(|(key, value)| {
                        !matches!(key.as_str(), "type" | "id" | "name" | "input") && !value.is_null()
                    })
                    .collect(),
            },
            _ => Part::Opaque { raw: fields(block), json: String::new() },
        };
        Slot { index, part }
    }

    /// Whether a delta of this kind is one for this block. One that we do not know may be for any.
    pub(super) fn takes(&self, kind: &str) -> bool {
        match (&self.part, kind) {
            (Part::Text(_), "thinking_delta" | "signature_delta" | "input_json_delta")
            | (Part::Thinking { .. }, "text_delta" | "input_json_delta" | "citations_delta")
            | (Part::Call { .. }, "text_delta" | "thinking_delta" | "signature_delta" | "citations_delta") => false,
            (Part::Text(_) | Part::Thinking { .. } | Part::Call { .. } | Part::Opaque { .. }, _) => true,
        }
    }

    /// Takes a delta. One that does not fit the block, or that we do not know, changes nothing of a block we know.
    pub(super) fn grow(&mut self, kind: &str, delta: &Value, place: usize, deltas: &mut Deltas<'_>) {
        match (&mut self.part, kind) {
            (Part::Text(words), "text_delta") => {
                words.push_str(text(delta, "text"));
                deltas.text(place, text(delta, "text"));
            }
            (Part::Thinking { text: words, .. }, "thinking_delta") => {
                words.push_str(text(delta, "thinking"));
                deltas.thinking(place, text(delta, "thinking"));
            }
            (Part::Thinking { raw, .. }, "signature_delta") if !text(delta, "signature").is_empty() => {
                raw.insert("signature".to_owned(), text(delta, "signature").into());
            }
            (Part::Call { json, .. }, "input_json_delta") => {
                let more = written(delta.get("partial_json"));
                json.push_str(&more);
                deltas.arguments(place, &more);
            }
            (Part::Opaque { json, .. }, "input_json_delta") => json.push_str(&written(delta.get("partial_json"))),
            (Part::Opaque { raw, .. }, _) => {
                // Texts grow and everything else is set, which is what every delta so far has meant.
                for (key, value) in delta.as_object().into_iter().flatten().filter(|(key, _)| *key != "type") {
                    match (raw.get_mut(key), value) {
                        (Some(Value::String(known)), Value::String(more)) => known.push_str(more),
                        _ => {
                            raw.insert(key.clone(), value.clone());
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The block as it stands. `key` names the next call.
    pub(super) fn block(&self, key: &mut CallKey) -> Block {
        match &self.part {
            Part::Text(text) => Block::Text { text: text.as_str().into() },
            Part::Thinking { text, raw } => {
                let mut raw = raw.clone();
                if raw.get("type").and_then(Value::as_str) == Some("thinking") {
                    raw.insert("thinking".to_owned(), text.as_str().into());
                }
                Block::Thinking { text: text.as_str().into(), raw: raw.into() }
            }
            Part::Call { id, name, json, input, extra } => {
                let call = *key;
                key.index += 1;
                Block::ToolUse(ToolCall {
                    key: call,
                    id: id.clone(),
                    name: name.clone(),
                    arguments: match input {
                        _ if !json.trim().is_empty() => json.clone(),
                        Value::Null => "{}".to_owned(),
                        Value::String(text) if text.trim().is_empty() => "{}".to_owned(),
                        Value::String(text) => text.clone(),
                        input => json::written(input),
                    },
                    extra: (!extra.is_empty()).then(|| extra.clone().into()),
                    original_arguments: None,
                })
            }
            Part::Opaque { raw, json } => {
                let mut raw = raw.clone();
                if !json.trim().is_empty() {
                    let input = json::read(json.as_bytes()).ok().filter(Value::is_object);
                    raw.insert("input".to_owned(), input.unwrap_or_else(|| Map::new().into()));
                }
                Block::Opaque { raw: raw.into() }
            }
        }
    }
}

/// The block with its type, where that was left out and nothing else can be meant.
fn typed(block: Value) -> Value {
    let mut block = block;
    if let Value::Object(fields) = &mut block
        && !fields.get("type").is_some_and(Value::is_string)
    {
        let has = |key: &str| fields.get(key).is_some_and(Value::is_string);
        let kind = match () {
            () if has("text") => Some("text"),
            () if has("thinking") => Some("thinking"),
            () if has("name") && fields.contains_key("input") => Some("tool_use"),
            () => None,
        };
        if let Some(kind) = kind {
            fields.insert("type".to_owned(), kind.into());
        }
    }
    block
}

/// A fragment of JSON; some servers send the value itself.
fn written(fragment: Option<&Value>) -> Cow<'_, str> {
    match fragment {
        Some(Value::String(text)) => Cow::Borrowed(text),
        None | Some(Value::Null) => Cow::Borrowed(""),
        Some(value) => Cow::Owned(json::written(value)),
    }
}

fn fields(block: Value) -> Map<String, Value> {
    match block {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
