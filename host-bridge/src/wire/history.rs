//! Messages as people write them down, Anthropic-style, and as `wire decode` prints a turn.
//!
//! A message does not say where it came from. Blocks that only their own provider may get back are taken to be from
//! the endpoint they are sent to if they are in its dialect; `"provider": "NAME"` in a message says better.

use std::rc::Rc;

use agent_loop::capture::read_stop_name;
use agent_loop::{Block, Dialect, Message, Origin, Producer, Profile, Role, StopReason, ToolSpec, Usage};
use serde_json::{Map, Value};

use super::WireError;
use super::blocks::Blocks;

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
    let mut blocks = Blocks::default();
    for (place, message) in messages.iter().enumerate() {
        let at = place + 1;
        let content = content(message, at)?;
        let role = message.get("role").and_then(Value::as_str).map(str::to_lowercase);
        match role.as_deref() {
            Some("system" | "developer") => history.system.push(words(&Value::Array(content))),
            Some("user" | "human") => {
                let user = Message::new(Role::User, Producer::Person, blocks.of_user(at, &content));
                history.push(user);
            }
            Some("assistant" | "model") => {
                let (said, results) = blocks.of_answer(at, &content);
                history.push(with_origin(Message::new(Role::Assistant, Producer::Model, said), message, profile));
                if !results.is_empty() {
                    history.push(Message::new(Role::User, Producer::Person, results));
                }
            }
            // As Chat Completions has results.
            Some("tool" | "function") => {
                let result = message.as_object().map(|fields| blocks.result(at, fields));
                history.push(Message::new(Role::User, Producer::Person, result.into_iter().collect()));
            }
            Some(role) => {
                return wrong(&format!("message {at} has the role {role}; wanted are user and assistant"));
            }
            None => return wrong(&format!("message {at} has no role")),
        }
    }
    history.left_out = blocks.left_out;
    Ok(history)
}

impl History {
    fn push(&mut self, message: Message) {
        self.messages.push(Rc::new(message));
    }
}

/// The content of a message as blocks, with the calls that Chat Completions has beside it.
fn content(message: &Value, at: usize) -> Result<Vec<Value>, WireError> {
    let mut content = match message.get("content") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(content)) => content.iter().filter(|block| !block.is_null()).cloned().collect(),
        Some(content @ (Value::String(_) | Value::Object(_))) => vec![content.clone()],
        Some(_) => return wrong(&format!("the content of message {at} is neither text nor a list of blocks")),
    };
    let calls = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
    content.extend(calls.map(|call| {
        let mut block = call.as_object().cloned().unwrap_or_default();
        if let Some(Value::Object(function)) = block.remove("function") {
            block.extend(function);
        }
        block.insert("type".to_owned(), "tool_use".into());
        Value::Object(block)
    }));
    Ok(content)
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
    let reason = told.get("stop_reason").and_then(Value::as_str).map_or(StopReason::EndTurn, read_stop_name);
    if reason.bars_calls() {
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

fn wrong<T>(why: &str) -> Result<T, WireError> {
    Err(WireError::NotMessages(why.to_owned()))
}
