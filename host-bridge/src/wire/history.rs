//! Messages as people write them down, Anthropic-style, and as `wire decode` prints a turn.
//!
//! A message does not say where it came from. Blocks that only their own provider may get back are taken to be from
//! the endpoint they are sent to if they are in its dialect; `"provider": "NAME"` in a message says better.

use std::collections::HashMap;
use std::rc::Rc;

use agent_loop::tool::Outcome;
use agent_loop::{
    Block, CallKey, Dialect, Message, Origin, Producer, Profile, Role, StopReason, ToolCall, ToolResult, ToolSpec,
    Usage,
};
use serde_json::{Map, Value};

use super::{WireError, stop_names};

/// What a file of messages says.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) messages: Vec<Rc<Message>>,
    pub(super) system: Vec<String>,
    pub(super) tools: Vec<ToolSpec>,
    pub(super) stop_sequences: Vec<String>,
    /// Of the body the messages stood in.
    pub(super) body: Map<String, Value>,
    /// What of the file is not sent.
    pub(super) left_out: Vec<String>,
}

/// Reads a list of messages, or a body that holds one. `profile` is that of the endpoint they will go to.
pub(super) fn read(file: Value, profile: &Profile) -> Result<History, WireError> {
    let mut history = History::default();
    let messages = match file {
        Value::Array(messages) => messages,
        Value::Object(mut body) => match body.remove("messages") {
            Some(Value::Array(messages)) => {
                history.system.extend(body.get("system").map(words).filter(|system| !system.trim().is_empty()));
                history.tools = tools(body.get("tools"))?;
                history.stop_sequences = texts(body.get("stop_sequences").or_else(|| body.get("stop")));
                history.body = body;
                messages
            }
            // A single one, as `wire decode --json` prints it.
            None if body.contains_key("role") => vec![Value::Object(body)],
            _ => return wrong("an object without a list \"messages\""),
        },
        _ => return wrong("a list of {\"role\", \"content\"} is wanted"),
    };
    let mut keys = HashMap::new();
    for (place, message) in messages.iter().enumerate() {
        let at = place + 1;
        match message.get("role").and_then(Value::as_str) {
            Some("system" | "developer") => history.system.push(words(message.get("content").unwrap_or(&Value::Null))),
            Some("user") => {
                let blocks =
                    history.blocks(message, at, &mut |block, left_out| user_block(block, &mut keys, left_out))?;
                history.push(Message::new(Role::User, Producer::Person, blocks));
            }
            Some("assistant") => {
                let mut calls = Calls { fact: at, made: Vec::new() };
                let blocks = history.blocks(message, at, &mut |block, _| calls.block(block))?;
                let answer = Message::new(Role::Assistant, Producer::Model, blocks);
                history.push(with_origin(answer, message, profile));
                for (id, key) in calls.made {
                    // Two calls of one message may have the same id: the first result is the first one's.
                    let queue: &mut Vec<CallKey> = keys.entry(id).or_default();
                    queue.retain(|known| known.fact == key.fact);
                    queue.push(key);
                }
            }
            Some(role) => {
                return wrong(&format!(
                    "message {at} has the role {role}; wanted are user and assistant, results as tool_result blocks"
                ));
            }
            None => return wrong(&format!("message {at} has no role")),
        }
    }
    Ok(history)
}

impl History {
    fn push(&mut self, message: Message) {
        self.messages.push(Rc::new(message));
    }

    fn blocks(&mut self, message: &Value, at: usize, read: &mut BlockReader<'_>) -> Result<Vec<Block>, WireError> {
        let content = match message.get("content") {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::String(text)) => return Ok(vec![Block::Text { text: text.clone() }]),
            Some(Value::Array(content)) => content,
            Some(_) => return wrong(&format!("the content of message {at} is neither text nor a list of blocks")),
        };
        let mut left_out = Vec::new();
        let blocks = content.iter().enumerate().map(|(place, block)| match block {
            Value::String(text) => Ok(Block::Text { text: text.clone() }),
            Value::Object(block) => read(block, &mut left_out)
                .map_err(|why| WireError::NotMessages(format!("block {} of message {at}: {why}", place + 1))),
            _ => wrong(&format!("block {} of message {at} is no object", place + 1)),
        });
        let blocks = blocks.collect();
        self.left_out.extend(left_out.into_iter().map(|what| format!("{what} in message {at}")));
        blocks
    }
}

/// Reads a block, and notes what of it is left out. An error says what is wrong with it.
type BlockReader<'a> = dyn FnMut(&Map<String, Value>, &mut Vec<String>) -> Result<Block, String> + 'a;

/// The calls of one answer while its blocks are read.
struct Calls {
    fact: usize,
    made: Vec<(String, CallKey)>,
}

impl Calls {
    fn block(&mut self, block: &Map<String, Value>) -> Result<Block, String> {
        match kind(block)? {
            "text" => Ok(Block::Text { text: text(block, "text") }),
            "thinking" if !block.contains_key("signature") => {
                let fields = block.iter().filter(|(key, _)| !matches!(key.as_str(), "type" | "thinking"));
                let fields: Map<_, _> = fields.map(|(key, value)| (key.clone(), value.clone())).collect();
                Ok(Block::Thinking { text: text(block, "thinking"), raw: fields.into() })
            }
            "thinking" | "redacted_thinking" => {
                Ok(Block::Thinking { text: text(block, "thinking"), raw: block.clone().into() })
            }
            "tool_use" => {
                let key = CallKey { fact: self.fact, index: self.made.len() };
                let id = text(block, "id");
                self.made.push((id.clone(), key));
                let known = ["type", "id", "name", "input", "input_error", "arguments", "cache_control"];
                let extra = block.iter().filter(|(key, _)| !known.contains(&key.as_str()));
                let extra: Map<_, _> = extra.map(|(key, value)| (key.clone(), value.clone())).collect();
                Ok(Block::ToolUse(ToolCall {
                    key,
                    id,
                    name: text(block, "name"),
                    arguments: match block.get("input").or_else(|| block.get("arguments")) {
                        None | Some(Value::Null) => String::new(),
                        Some(Value::String(written)) => written.clone(),
                        Some(input) => input.to_string(),
                    },
                    extra: (!extra.is_empty()).then(|| extra.into()),
                    original_arguments: None,
                }))
            }
            "tool_result" => Err("a tool_result stands in a user message".to_owned()),
            "message_fields" => Ok(Block::Opaque { raw: block.get("fields").cloned().unwrap_or_default() }),
            _ => Ok(Block::Opaque { raw: block.clone().into() }),
        }
    }
}

fn user_block(
    block: &Map<String, Value>,
    keys: &mut HashMap<String, Vec<CallKey>>,
    left_out: &mut Vec<String>,
) -> Result<Block, String> {
    match kind(block)? {
        "text" => Ok(Block::Text { text: text(block, "text") }),
        "tool_result" => {
            let asked = keys.get_mut(&text(block, "tool_use_id"));
            // One too many answers the last call once more, which the repair sees to.
            let key =
                asked.and_then(|calls| if calls.len() > 1 { Some(calls.remove(0)) } else { calls.first().copied() });
            if let Some(Value::Array(parts)) = block.get("content") {
                let others = parts.iter().filter_map(|part| part.get("type")?.as_str()).filter(|kind| *kind != "text");
                left_out.extend(others.map(|kind| format!("a block {kind} of a result")));
            }
            Ok(Block::ToolResult(ToolResult {
                call: key.unwrap_or(CallKey { fact: 0, index: 0 }),
                content: block.get("content").map(words).unwrap_or_default(),
                is_error: block.get("is_error").and_then(Value::as_bool).unwrap_or(false),
                outcome: Outcome::Answered,
                duration_ms: 0,
                output_bytes: 0,
                left_out: None,
                original_content: None,
            }))
        }
        "tool_use" => Err("a tool_use stands in an assistant message".to_owned()),
        other => {
            left_out.push(format!("a block {other}"));
            Ok(Block::Opaque { raw: block.clone().into() })
        }
    }
}

/// The answer with where it came from, and without the calls that the loop would not have kept.
fn with_origin(mut answer: Message, told: &Value, profile: &Profile) -> Message {
    let from = told.get("provider").and_then(Value::as_str);
    let is_chat = |block: &Block| match block {
        Block::Thinking { raw, .. } | Block::Opaque { raw } => {
            raw.get("type").is_none() && raw != &serde_json::json!({})
        }
        Block::ToolUse(call) => call.extra.as_ref().is_some_and(|extra| extra.get("extra_content").is_some()),
        Block::Text { .. } | Block::ToolResult(_) => false,
    };
    let dialect = match from {
        Some(from) if from == profile.id => profile.dialect,
        _ if answer.blocks.iter().any(is_chat) => Dialect::OpenAi,
        _ => Dialect::Anthropic,
    };
    let reason = told.get("stop_reason").and_then(Value::as_str).map_or(StopReason::EndTurn, stop_names::read);
    if stop_names::bars_calls(&reason) {
        answer.blocks.retain(|block| !matches!(block, Block::ToolUse(_)));
    }
    answer.origin = Some(Origin {
        dialect,
        profile: from.unwrap_or(&profile.id).to_owned(),
        model: String::new(),
        id: String::new(),
        stop_reason: reason,
        usage: Usage::default(),
        duration_ms: 0,
    });
    answer
}

fn tools(told: Option<&Value>) -> Result<Vec<ToolSpec>, WireError> {
    let told = match told {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(told)) => told,
        Some(_) => return wrong("\"tools\" is no list"),
    };
    let spec = |tool: &Value| {
        let tool = tool.get("function").unwrap_or(tool);
        let schema = tool.get("input_schema").or_else(|| tool.get("parameters"));
        Some(ToolSpec {
            name: tool.get("name")?.as_str()?.to_owned(),
            description: tool.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
            input_schema: schema.cloned().unwrap_or_else(|| serde_json::json!({ "type": "object" })),
        })
    };
    told.iter()
        .map(|tool| spec(tool).ok_or_else(|| WireError::NotMessages("a tool without a name".to_owned())))
        .collect()
}

/// The words of a content: its text, or that of its blocks.
fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(_) => texts(Some(content)).join("\n"),
        _ => String::new(),
    }
}

fn texts(list: Option<&Value>) -> Vec<String> {
    let text = |item: &Value| Some(item.get("text").unwrap_or(item).as_str()?.to_owned());
    match list {
        Some(Value::Array(items)) => items.iter().filter_map(text).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    }
}

fn kind(block: &Map<String, Value>) -> Result<&str, String> {
    block.get("type").and_then(Value::as_str).ok_or_else(|| "a block without a type".to_owned())
}

fn text(block: &Map<String, Value>, key: &str) -> String {
    block.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn wrong<T>(why: &str) -> Result<T, WireError> {
    Err(WireError::NotMessages(why.to_owned()))
}
