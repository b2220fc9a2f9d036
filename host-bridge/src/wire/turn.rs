//! A decoded turn as people and programs read it: content as Messages has it, whichever dialect it came in.

use std::fmt::Write;

use agent_loop::tool::parse_arguments;
use agent_loop::{Answer, Block, FailureKind, ModelFailure, StopReason, ToolCall, Usage};
use serde_json::{Map, Value, json};

use super::stop_names;
use super::suspicion;

/// What came of a capture.
pub(super) enum Outcome {
    /// Its end was told.
    Complete(Answer),
    /// It was cut or failed; what stood until then.
    Failed { draft: Vec<Block>, usage: Usage, failure: ModelFailure },
}

/// A turn, ready to be printed.
pub(super) struct Turn {
    content: Vec<Value>,
    /// `None`: its end was not told.
    stop_reason: Option<StopReason>,
    stop_details: Option<Value>,
    usage: Usage,
    warnings: Vec<String>,
    error: Option<ModelFailure>,
}

impl Turn {
    /// Reads the calls of an outcome, and says what a person should know of it.
    pub(super) fn new(outcome: Outcome) -> Turn {
        let mut turn = Turn {
            content: Vec::new(),
            stop_reason: None,
            stop_details: None,
            usage: Usage::default(),
            warnings: Vec::new(),
            error: None,
        };
        let blocks = match outcome {
            Outcome::Complete(answer) => {
                turn.warnings = suspicion::of_answer(&answer);
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
    pub(super) fn is_complete(&self) -> bool {
        self.error.is_none()
    }

    /// One JSON object, on one line.
    pub(super) fn json(&self) -> Value {
        let reason = self.stop_reason.as_ref().map(stop_names::name).filter(|name| !name.is_empty());
        let mut told = Map::new();
        told.insert("role".to_owned(), "assistant".into());
        told.insert("content".to_owned(), self.content.clone().into());
        told.insert("stop_reason".to_owned(), reason.into());
        told.insert("usage".to_owned(), json!(self.usage));
        told.insert("warnings".to_owned(), json!(self.warnings));
        told.insert("error".to_owned(), self.error.as_ref().map(error).unwrap_or_default());
        if let Some(StopReason::StopSequence(Some(matched))) = &self.stop_reason {
            told.insert("stop_sequence".to_owned(), matched.as_str().into());
        }
        if let Some(details) = &self.stop_details {
            told.insert("stop_details".to_owned(), details.clone());
        }
        Value::Object(told)
    }

    /// For a terminal: control characters are shown as signs, so that a capture cannot speak to the terminal.
    pub(super) fn words(&self) -> String {
        let mut told = String::new();
        for block in &self.content {
            let part = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
            let _ = match part("type") {
                "text" => writeln!(told, "{}\n", part("text").trim_end()),
                "thinking" => writeln!(told, "(thinking) {}\n", part("thinking").trim_end()),
                "tool_use" => match block.get("input") {
                    Some(input) => writeln!(told, "call {}: {} {input}\n", part("id"), part("name")),
                    None => writeln!(
                        told,
                        "call {}: {}, with unusable arguments ({}): {}\n",
                        part("id"),
                        part("name"),
                        part("input_error"),
                        part("arguments"),
                    ),
                },
                _ => writeln!(told, "(kept as it came) {block}\n"),
            };
        }
        let count = |tokens: Option<u64>| tokens.map_or("?".to_owned(), |tokens| tokens.to_string());
        let _ = match self.stop_reason.as_ref().map(stop_names::name) {
            Some(reason) => writeln!(
                told,
                "complete: {}; tokens: {} in, {} out",
                if reason.is_empty() { "no reason told" } else { reason },
                count(self.usage.input_tokens),
                count(self.usage.output_tokens),
            ),
            None => writeln!(told, "not complete"),
        };
        if let Some(details) = &self.stop_details {
            let _ = writeln!(told, "details: {details}");
        }
        for warning in &self.warnings {
            let _ = writeln!(told, "warning: {warning}");
        }
        if let Some(failure) = &self.error {
            let error = error(failure);
            let part = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default();
            let _ = writeln!(told, "error: {}: {}", part("kind"), part("message"));
        }
        told.chars().map(as_sign).collect()
    }

    /// A call. It has `input` only where the arguments may be used as they stand.
    fn tool_use(&mut self, call: &ToolCall, id: &str) -> Value {
        let mut told = Map::new();
        for (key, value) in [("type", "tool_use"), ("id", id), ("name", &call.name)] {
            told.insert(key.to_owned(), value.into());
        }
        if call.id != id {
            let why = if call.id.is_empty() { "has no id" } else { "has the id of another call" };
            self.warnings.push(format!("A call {why}; it is called {id} here."));
        }
        if call.name.trim().is_empty() {
            self.warnings.push(format!("Call {id} names no tool."));
        }
        match self.input(call) {
            Ok(input) => {
                if serde_json::from_str::<Value>(&call.arguments).ok().as_ref() != Some(&input) {
                    self.warnings.push(format!("The arguments of call {id} were not plain JSON and were mended."));
                }
                told.insert("input".to_owned(), input);
            }
            Err(why) => {
                self.warnings.push(format!("Call {id} cannot run: {why}"));
                told.insert("input_error".to_owned(), why.into());
                told.insert("arguments".to_owned(), call.arguments.as_str().into());
            }
        }
        for (key, value) in call.extra.iter().filter_map(Value::as_object).flatten() {
            told.entry(key.as_str()).or_insert_with(|| value.clone());
        }
        Value::Object(told)
    }

    fn input(&self, call: &ToolCall) -> Result<Value, String> {
        let Some(reason) = &self.stop_reason else {
            return Err("the answer was cut or failed, so the call may be unfinished".to_owned());
        };
        let is_empty = |arguments: &Map<String, Value>| arguments.is_empty();
        match parse_arguments(&call.arguments) {
            // A limit leaves `{}` of arguments it cut.
            Ok(Value::Object(input)) if reason.bars_calls() && is_empty(&input) => {
                Err(format!("the answer ended by {} before its arguments came", stop_names::name(reason)))
            }
            Ok(input @ Value::Object(_)) => Ok(input),
            Ok(_) => Err("the arguments are no JSON object".to_owned()),
            Err(fault) => Err(format!("the arguments are no JSON: {}", fault.reason)),
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

fn as_sign(character: char) -> char {
    match character {
        '\n' | '\t' => character,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        // C1 controls, and the marks that turn the direction of writing.
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        other => other,
    }
}
