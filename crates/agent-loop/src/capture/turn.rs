//! A decoded turn as people and programs read it: content as Messages has it, whichever dialect it came in.

use serde_json::{Map, Value, json};

use super::stop_names;
use super::suspicion::{self, InputFault, Suspicion};
use crate::message::{Answer, Block, StopReason, ToolCall, Usage};
use crate::tool::parse_arguments;
use crate::wire::{FailureKind, ModelFailure, read_json};

/// What came of a capture.
pub(super) enum Outcome {
    /// Its end was told.
    Complete(Answer),
    /// It was cut or failed; what stood until then.
    Failed { draft: Vec<Block>, usage: Usage, failure: ModelFailure },
}

/// A turn, ready to be shown.
#[derive(Debug)]
pub struct Turn {
    /// Its blocks, as Messages has them.
    pub content: Vec<Value>,
    /// Why it ended. `None`: its end was not told.
    pub stop_reason: Option<StopReason>,
    /// What was told with the reason.
    pub stop_details: Option<Value>,
    /// Tokens.
    pub usage: Usage,
    /// What is odd about it.
    pub suspicions: Vec<Suspicion>,
    /// What cut it, or why it failed.
    pub error: Option<ModelFailure>,
}

impl Turn {
    /// Reads the calls of an outcome, and says what a person should know of it.
    pub(super) fn new(outcome: Outcome) -> Turn {
        let mut turn = Turn {
            content: Vec::new(),
            stop_reason: None,
            stop_details: None,
            usage: Usage::default(),
            suspicions: Vec::new(),
            error: None,
        };
        let blocks = match outcome {
            Outcome::Complete(answer) => {
                turn.suspicions = suspicion::of_answer(&answer);
                turn.stop_reason = Some(answer.stop_reason);
                turn.stop_details = answer.stop_details;
                turn.usage = answer.usage;
                answer.blocks
            }
            Outcome::Failed { draft, usage, failure } => {
                turn.usage = usage;
                turn.error = Some(failure);
                draft
            }
        };
        let mut ids = Vec::new();
        for block in &blocks {
            let told = match block {
                Block::Text { text } if text.is_empty() => None,
                Block::Text { text } => Some(json!({ "type": "text", "text": text })),
                Block::Thinking { text, raw } => Some(thinking(text, raw)),
                Block::Opaque { raw } if raw.get("type").is_some() => Some(raw.clone()),
                // The further fields of a Chat Completions message.
                Block::Opaque { raw } => Some(json!({ "type": "message_fields", "fields": raw })),
                Block::ToolUse(call) => {
                    let id = unique_id(call, &ids);
                    ids.push(id.clone());
                    Some(turn.tool_use(call, &id))
                }
                Block::ToolResult(_) => None,
            };
            turn.content.extend(told);
        }
        turn
    }

    /// Whether its end was told.
    pub fn is_complete(&self) -> bool {
        self.error.is_none()
    }

    /// What cut it or why it failed, as JSON; `null` where nothing did.
    pub fn error_json(&self) -> Value {
        self.error.as_ref().map(error).unwrap_or_default()
    }

    /// One JSON object.
    pub fn json(&self) -> Value {
        let reason = self.stop_reason.as_ref().map(stop_names::name).filter(|name| !name.is_empty());
        let mut told = Map::new();
        told.insert("role".to_owned(), "assistant".into());
        told.insert("content".to_owned(), self.content.clone().into());
        told.insert("stop_reason".to_owned(), reason.into());
        told.insert("usage".to_owned(), json!(self.usage));
        let warnings: Vec<String> = self.suspicions.iter().map(Suspicion::to_string).collect();
        told.insert("warnings".to_owned(), json!(warnings));
        told.insert("error".to_owned(), self.error_json());
        if let Some(StopReason::StopSequence(Some(matched))) = &self.stop_reason {
            told.insert("stop_sequence".to_owned(), matched.as_str().into());
        }
        if let Some(details) = &self.stop_details {
            told.insert("stop_details".to_owned(), details.clone());
        }
        Value::Object(told)
    }

    /// A call. It has `input` only where the arguments may be used as they stand.
    fn tool_use(&mut self, call: &ToolCall, id: &str) -> Value {
        let mut told = Map::new();
        for (key, value) in [("type", "tool_use"), ("id", id), ("name", &call.name)] {
            told.insert(key.to_owned(), value.into());
        }
        if call.id != id {
            let suspicion = if call.id.is_empty() { Suspicion::NoId } else { Suspicion::IdTwice };
            self.suspicions.push(suspicion(id.to_owned()));
        }
        if call.name.trim().is_empty() {
            self.suspicions.push(Suspicion::NoName(id.to_owned()));
        }
        match self.input(call) {
            Ok(input) => {
                if serde_json::from_str::<Value>(&call.arguments).ok().as_ref() != Some(&input) {
                    self.suspicions.push(Suspicion::Mended(id.to_owned()));
                }
                // As it was written, where it is plain JSON.
                let plain = read_json(call.arguments.as_bytes()).ok().filter(Value::is_object);
                told.insert("input".to_owned(), plain.unwrap_or(input));
            }
            Err(why) => {
                told.insert("input_error".to_owned(), why.to_string().into());
                self.suspicions.push(Suspicion::CannotRun(id.to_owned(), why));
                told.insert("arguments".to_owned(), call.arguments.as_str().into());
            }
        }
        for (key, value) in call.extra.iter().filter_map(Value::as_object).flatten() {
            told.entry(key.as_str()).or_insert_with(|| value.clone());
        }
        Value::Object(told)
    }

    fn input(&self, call: &ToolCall) -> Result<Value, InputFault> {
        let Some(reason) = &self.stop_reason else {
            return Err(InputFault::Unfinished);
        };
        let is_empty = |arguments: &Map<String, Value>| arguments.is_empty();
        match parse_arguments(&call.arguments) {
            // A limit leaves `{}` of arguments it cut.
            Ok(Value::Object(input)) if reason.bars_calls() && is_empty(&input) => {
                Err(InputFault::EndedBefore(stop_names::name(reason).to_owned()))
            }
            Ok(input @ Value::Object(_)) => Ok(input),
            Ok(_) => Err(InputFault::NoObject),
            Err(fault) => Err(InputFault::NoJson(fault.reason)),
        }
    }
}

/// Messages: the block as it came. Chat Completions: a block of that kind, with the fields the reasoning came in.
fn thinking(text: &str, raw: &Value) -> Value {
    if raw.get("type").is_some() {
        return raw.clone();
    }
    let mut told = Map::from_iter([("type".to_owned(), "thinking".into()), ("thinking".to_owned(), text.into())]);
    told.extend(raw.as_object().into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())));
    Value::Object(told)
}

/// The id of a call, as the loop gives it where the endpoint gave none or one twice.
fn unique_id(call: &ToolCall, taken: &[String]) -> String {
    if !call.id.is_empty() && !taken.contains(&call.id) {
        return call.id.clone();
    }
    let made = |number: usize| format!("call_{number}");
    (call.key.index..).map(made).find(|id| !taken.contains(id)).unwrap_or_default()
}

fn error(failure: &ModelFailure) -> Value {
    let said = match failure.kind {
        _ if !failure.message.is_empty() => failure.message.as_str(),
        FailureKind::NotThisDialect => "this is no answer of this dialect",
        FailureKind::Server | FailureKind::Overloaded => "the endpoint told that the answer failed, and not why",
        _ => "the answer ended before its end was told",
    };
    let mut told = Map::from_iter([("kind".to_owned(), json!(failure.kind)), ("message".to_owned(), said.into())]);
    let more = [
        ("type", failure.error_type.clone().map(Value::String)),
        ("retry_after_ms", failure.retry_after_ms.map(Value::from)),
        ("request_id", failure.request_id.clone().map(Value::String)),
    ];
    told.extend(more.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    Value::Object(told)
}
