//! From what a person wrote as the model to the bytes an endpoint would send. Pure.
//!
//! Words are words, and each line `$ command` is a call of bash. An assistant message in either dialect becomes an event
//! stream in the session's own; its arguments may be broken. What is a whole response, a stream, or no JSON at all goes
//! out as it is: the decoder says what it makes of it.

use agent_loop::Dialect;
use agent_loop::wire::{read_json, written_json};
use serde_json::{Value, json};

/// An answer to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// Words and one call.
    Normal,
    /// A call whose arguments lack their last brace.
    MissingBrace,
    /// Words and no call.
    NoCall,
    /// A call with the arguments `{}`.
    EmptyObject,
    /// A call with the arguments `[]`.
    EmptyArray,
    /// A call of a tool that nobody offered.
    UnknownTool,
    /// Two calls in one message.
    TwoCalls,
}

impl Sample {
    /// All of them, in the order of the lesson.
    pub const ALL: [Sample; 7] = [
        Sample::Normal,
        Sample::MissingBrace,
        Sample::NoCall,
        Sample::EmptyObject,
        Sample::EmptyArray,
        Sample::UnknownTool,
        Sample::TwoCalls,
    ];
}

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Call { id: String, name: String, arguments: String },
}

/// The sample as an assistant message of this dialect. Where arguments cannot stand in a Messages `input`, their text
/// stands there.
pub fn sample(sample: Sample, dialect: Dialect) -> String {
    let ls = r#"{"command": "ls"}"#;
    let (text, calls): (&str, &[(&str, &str)]) = match sample {
        Sample::Normal => ("I will look.", &[("bash", ls)]),
        Sample::MissingBrace => ("", &[("bash", r#"{"command": "ls""#)]),
        Sample::NoCall => ("There is nothing left to do.", &[]),
        Sample::EmptyObject => ("", &[("bash", "{}")]),
        Sample::EmptyArray => ("", &[("bash", "[]")]),
        Sample::UnknownTool => ("", &[("teleport", r#"{"to": "Mars"}"#)]),
        Sample::TwoCalls => ("", &[("bash", r#"{"command": "pwd"}"#), ("bash", ls)]),
    };
    let id = |place: usize| format!("call_{}", place + 1);
    let message = match dialect {
        Dialect::OpenAi => {
            let calls: Vec<Value> = calls
                .iter()
                .enumerate()
                .map(|(place, (name, arguments))| {
                    let function = json!({"name": name, "arguments": arguments});
                    json!({"id": id(place), "type": "function", "function": function})
                })
                .collect();
            let mut message = json!({"role": "assistant", "content": text});
            if let (Some(message), false) = (message.as_object_mut(), calls.is_empty()) {
                message.insert("tool_calls".to_owned(), Value::Array(calls));
            }
            message
        }
        Dialect::Anthropic => {
            let words = (!text.is_empty()).then(|| json!({"type": "text", "text": text}));
            let calls = calls.iter().enumerate().map(|(place, (name, arguments))| {
                let object = serde_json::from_str::<Value>(arguments).ok().filter(Value::is_object);
                let input = object.unwrap_or_else(|| json!(arguments));
                json!({"type": "tool_use", "id": id(place), "name": name, "input": input})
            });
            json!({"role": "assistant", "content": words.into_iter().chain(calls).collect::<Vec<_>>()})
        }
    };
    format!("{message:#}")
}

/// The body of the response.
pub(super) fn body(typed: &str, dialect: Dialect) -> Vec<u8> {
    let trimmed = typed.trim();
    let is_stream = ["data:", "event:", "id:", ":"].iter().any(|begin| trimmed.starts_with(begin));
    if is_stream {
        // The blank line that ends its last event may have been trimmed.
        return format!("{trimmed}\n\n").into_bytes();
    }
    if !trimmed.starts_with(['{', '[', '<']) {
        return written(&words(typed), None, dialect);
    }
    match read_json(trimmed.as_bytes()).ok().and_then(|value| message(&value)) {
        Some((pieces, reason)) => written(&pieces, reason.as_deref(), dialect),
        None => trimmed.as_bytes().to_vec(),
    }
}

/// Words, and calls where a line begins with `$ `.
fn words(typed: &str) -> Vec<Piece> {
    let mut text = Vec::new();
    let mut calls = Vec::new();
    for line in typed.lines() {
        match line.trim_start().strip_prefix("$ ") {
            Some(command) => {
                let id = format!("call_{}", calls.len() + 1);
                let arguments = json!({"command": command.trim()}).to_string();
                calls.push(Piece::Call { id, name: "bash".to_owned(), arguments });
            }
            None => text.push(line),
        }
    }
    let text = text.join("\n").trim().to_owned();
    (!text.is_empty()).then_some(Piece::Text(text)).into_iter().chain(calls).collect()
}

/// The pieces of an assistant message of either dialect and the reason it gives for its end. `None`: it is none.
fn message(value: &Value) -> Option<(Vec<Piece>, Option<String>)> {
    let is_whole = value.get("choices").is_some()
        || value.get("error").is_some()
        || value.get("type").and_then(Value::as_str) == Some("message");
    let blocks = match value {
        Value::Array(blocks) if !blocks.is_empty() => blocks.as_slice(),
        Value::Object(_) if !is_whole => match value.get("content") {
            Some(Value::Array(blocks)) => blocks.as_slice(),
            _ => &[],
        },
        _ => return None,
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut pieces = Vec::new();
    if let Some(content) = value.get("content").and_then(Value::as_str).filter(|content| !content.is_empty()) {
        pieces.push(Piece::Text(content.to_owned()));
    }
    for block in blocks {
        match block.get("type").and_then(Value::as_str)? {
            "text" => pieces.push(Piece::Text(text(block.get("text")?))),
            "tool_use" => pieces.push(Piece::Call {
                id: block.get("id").map(text).unwrap_or_default(),
                name: block.get("name").map(text).unwrap_or_default(),
                arguments: argument_text(block.get("input")),
            }),
            _ => return None,
        }
    }
    for call in value.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default() {
        let function = call.get("function").unwrap_or(call);
        pieces.push(Piece::Call {
            id: call.get("id").map(text).unwrap_or_default(),
            name: function.get("name").map(text).unwrap_or_default(),
            arguments: argument_text(function.get("arguments")),
        });
    }
    let is_message = value.get("role").is_some() || value.get("content").is_some() || !pieces.is_empty();
    let reason = value.get("stop_reason").or_else(|| value.get("finish_reason"));
    is_message.then(|| (pieces, reason.and_then(Value::as_str).map(str::to_owned)))
}

/// Text stays as it is, broken or not; anything else is written as JSON.
fn argument_text(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => written_json(other),
    }
}

/// An event stream that says this.
fn written(pieces: &[Piece], reason: Option<&str>, dialect: Dialect) -> Vec<u8> {
    let has_calls = pieces.iter().any(|piece| matches!(piece, Piece::Call { .. }));
    match dialect {
        Dialect::Anthropic => {
            let reason = match (reason, has_calls) {
                (Some("stop"), _) | (None, false) => "end_turn",
                (Some("tool_calls"), _) | (None, true) => "tool_use",
                (Some("length"), _) => "max_tokens",
                (Some(reason), _) => reason,
            };
            anthropic(pieces, reason)
        }
        Dialect::OpenAi => {
            let reason = match (reason, has_calls) {
                (Some("end_turn"), _) | (None, false) => "stop",
                (Some("tool_use"), _) | (None, true) => "tool_calls",
                (Some("max_tokens"), _) => "length",
                (Some(reason), _) => reason,
            };
            openai(pieces, reason)
        }
    }
}

fn anthropic(pieces: &[Piece], reason: &str) -> Vec<u8> {
    let mut out = String::new();
    let mut event = |name: &str, data: Value| out.push_str(&format!("event: {name}\ndata: {data}\n\n"));
    let message = json!({"id": "msg_you", "type": "message", "role": "assistant", "model": "you", "content": []});
    event("message_start", json!({"type": "message_start", "message": message}));
    for (index, piece) in pieces.iter().enumerate() {
        let (block, delta) = match piece {
            Piece::Text(text) => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text})),
            Piece::Call { id, name, arguments } => (
                json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
                json!({"type": "input_json_delta", "partial_json": arguments}),
            ),
        };
        event("content_block_start", json!({"type": "content_block_start", "index": index, "content_block": block}));
        event("content_block_delta", json!({"type": "content_block_delta", "index": index, "delta": delta}));
        event("content_block_stop", json!({"type": "content_block_stop", "index": index}));
    }
    event("message_delta", json!({"type": "message_delta", "delta": {"stop_reason": reason}}));
    event("message_stop", json!({"type": "message_stop"}));
    out.into_bytes()
}

fn openai(pieces: &[Piece], reason: &str) -> Vec<u8> {
    let mut out = String::new();
    let mut chunk = |delta: Value, reason: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        let chunk =
            json!({"id": "chatcmpl-you", "object": "chat.completion.chunk", "model": "you", "choices": [choice]});
        out.push_str(&format!("data: {chunk}\n\n"));
    };
    let mut index = 0;
    for piece in pieces {
        match piece {
            Piece::Text(text) => chunk(json!({"role": "assistant", "content": text}), Value::Null),
            Piece::Call { id, name, arguments } => {
                let function = json!({"name": name, "arguments": arguments});
                let call = json!({"index": index, "id": id, "type": "function", "function": function});
                chunk(json!({"tool_calls": [call]}), Value::Null);
                index += 1;
            }
        }
    }
    chunk(json!({}), json!(reason));
    out.push_str("data: [DONE]\n\n");
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use agent_loop::wire::Decoder;
    use agent_loop::{Block, Dialect, StopReason};

    use super::{Sample, body, sample};

    const BOTH: [Dialect; 2] = [Dialect::Anthropic, Dialect::OpenAi];

    /// What the endpoint's own decoder makes of it: words, calls as `name arguments`, and the reason.
    fn decoded(typed: &str, dialect: Dialect) -> Result<(Vec<String>, StopReason), String> {
        let mut decoder = Decoder::new(dialect, "text/event-stream");
        decoder.feed(&body(typed, dialect), &mut Vec::new()).map_err(|failure| format!("{:?}", failure.kind))?;
        let answer = decoder.finish().map_err(|failure| format!("{:?}", failure.kind))?;
        let blocks = answer.blocks.iter().map(|block| match block {
            Block::Text { text } => text.to_string(),
            Block::ToolUse(call) => format!("{} {}", call.name, call.arguments),
            other => format!("{other:?}"),
        });
        Ok((blocks.filter(|text| !text.is_empty()).collect(), answer.stop_reason))
    }

    #[track_caller]
    fn check(typed: &str, blocks: &[&str], reason: StopReason) {
        for dialect in BOTH {
            let expected = (blocks.iter().map(|block| (*block).to_owned()).collect(), reason.clone());
            assert_eq!(decoded(typed, dialect), Ok(expected), "{dialect:?}");
        }
    }

    #[test]
    fn words_and_commands() {
        check("There are two.", &["There are two."], StopReason::EndTurn);
        check(
            "Look:\n$ ls -l\n  $ pwd\nthen",
            &["Look:\nthen", r#"bash {"command":"ls -l"}"#, r#"bash {"command":"pwd"}"#],
            StopReason::ToolUse,
        );
        check("", &[], StopReason::EndTurn);
    }

    #[test]
    fn every_sample_in_either_dialect_into_either_dialect() {
        let ls = r#"bash {"command":"ls"}"#;
        let spaced = |text: &str| text.replace("\": \"", "\":\"");
        for from in BOTH {
            for into in BOTH {
                let check = |kind: Sample, blocks: &[&str], reason: StopReason| {
                    let (found, found_reason) = decoded(&sample(kind, from), into).unwrap();
                    let found: Vec<String> = found.iter().map(|block| spaced(block)).collect();
                    assert_eq!(
                        (found, found_reason),
                        (blocks.iter().map(|b| (*b).to_owned()).collect(), reason),
                        "{kind:?} {from:?} {into:?}"
                    );
                };
                check(Sample::Normal, &["I will look.", ls], StopReason::ToolUse);
                check(Sample::MissingBrace, &[r#"bash {"command":"ls""#], StopReason::ToolUse);
                check(Sample::NoCall, &["There is nothing left to do."], StopReason::EndTurn);
                check(Sample::EmptyObject, &["bash {}"], StopReason::ToolUse);
                check(Sample::EmptyArray, &["bash []"], StopReason::ToolUse);
                check(Sample::UnknownTool, &[r#"teleport {"to":"Mars"}"#], StopReason::ToolUse);
                check(Sample::TwoCalls, &[r#"bash {"command":"pwd"}"#, ls], StopReason::ToolUse);
            }
        }
    }

    #[test]
    fn a_reason_is_told_in_the_sessions_words() {
        check(r#"{"role":"assistant","content":"a","finish_reason":"length"}"#, &["a"], StopReason::MaxTokens);
        check(r#"{"content":[{"type":"text","text":"a"}],"stop_reason":"max_tokens"}"#, &["a"], StopReason::MaxTokens);
        check(r#"[{"type":"text","text":"a"}]"#, &["a"], StopReason::EndTurn);
    }

    #[test]
    fn what_is_no_message_goes_out_as_it_is() {
        for dialect in BOTH {
            for broken in
                [r#"{"role": "assistant", "content": "a"#, "{", "<html>", "[]", r#"{"error": {"message": "no"}}"#]
            {
                assert_eq!(body(broken, dialect), broken.as_bytes());
                assert!(decoded(broken, dialect).is_err(), "{broken}");
            }
        }
        let whole = r#"{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}"#;
        assert_eq!(decoded(whole, Dialect::OpenAi), Ok((vec!["hi".to_owned()], StopReason::EndTurn)));
        assert!(decoded(whole, Dialect::Anthropic).is_err());
        let stream =
            "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]";
        assert_eq!(decoded(stream, Dialect::OpenAi), Ok((vec!["hi".to_owned()], StopReason::EndTurn)));
    }
}
