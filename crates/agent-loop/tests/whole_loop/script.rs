//! What a scripted model answers, as the bytes of each dialect.

use agent_loop::Dialect;
use agent_loop::transport::{Reply as Part, TransportError};
use serde_json::{Value, json};

/// One answer of the scripted model.
#[derive(Debug, Clone)]
pub enum Reply {
    /// Words and calls (name, arguments as JSON text), ended for this reason.
    Says(Says),
    /// A refusal with this status and message.
    Refuses(u16, &'static str),
    /// The first part of an answer with these words, then nothing more, ever.
    Stalls(&'static str),
    /// The first part of an answer with these words, then the end of the body.
    Breaks(&'static str),
    /// Exactly this.
    Raw(Vec<Result<Part, TransportError>>),
    /// This, then nothing more, ever.
    Silent(Vec<Result<Part, TransportError>>),
    /// No answer at all.
    Unreachable,
}

#[derive(Debug, Clone, Default)]
pub struct Says {
    pub text: String,
    pub calls: Vec<(String, String)>,
    pub why: Option<&'static str>,
}

/// Words, and an end of the turn.
pub fn text(text: &str) -> Reply {
    Reply::Says(Says { text: text.to_owned(), ..Says::default() })
}

/// Calls of bash with these commands.
pub fn bash(commands: &[&str]) -> Reply {
    let calls = commands.iter().map(|command| ("bash".to_owned(), json!({"command": command}).to_string())).collect();
    Reply::Says(Says { calls, ..Says::default() })
}

/// One call with this name and these arguments, whatever they are.
pub fn call(name: &str, arguments: &str) -> Reply {
    Reply::Says(Says { calls: vec![(name.to_owned(), arguments.to_owned())], ..Says::default() })
}

/// Words ended for this reason, in the dialect's own name.
pub fn ended(text: &str, why: &'static str) -> Reply {
    Reply::Says(Says { text: text.to_owned(), why: Some(why), ..Says::default() })
}

/// A call of bash in an answer ended for this reason.
pub fn bash_ended(command: &str, why: &'static str) -> Reply {
    let calls = vec![("bash".to_owned(), json!({"command": command}).to_string())];
    Reply::Says(Says { calls, why: Some(why), ..Says::default() })
}

/// The stream of an answer; `number` makes its ids unique.
pub fn stream(dialect: Dialect, number: usize, says: &Says) -> Vec<u8> {
    match dialect {
        Dialect::Anthropic => anthropic(number, says),
        Dialect::OpenAi => openai(number, says),
    }
}

/// The beginning of a stream: some words and no end.
pub fn beginning(dialect: Dialect, words: &str) -> Vec<u8> {
    let whole = stream(dialect, 0, &Says { text: words.to_owned(), ..Says::default() });
    let whole = String::from_utf8(whole).unwrap();
    let end = match dialect {
        Dialect::Anthropic => whole.find("event: content_block_stop").unwrap(),
        Dialect::OpenAi => whole[..whole.rfind("data: {").unwrap()].rfind("data: {").unwrap(),
    };
    whole.as_bytes()[..end].to_vec()
}

fn anthropic(number: usize, says: &Says) -> Vec<u8> {
    let mut out = String::new();
    let mut event =
        |value: Value| out.push_str(&format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap()));
    let message = json!({"id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "m",
        "content": [], "stop_reason": null, "usage": {"input_tokens": 10, "output_tokens": 1}});
    event(json!({"type": "message_start", "message": message}));
    let mut index = 0;
    if !says.text.is_empty() {
        event(json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}));
        event(json!({"type": "ping"}));
        event(json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": says.text}}));
        event(json!({"type": "content_block_stop", "index": 0}));
        index = 1;
    }
    for (n, (name, arguments)) in says.calls.iter().enumerate() {
        let block = json!({"type": "tool_use", "id": format!("call_{number}_{n}"), "name": name, "input": {}});
        event(json!({"type": "content_block_start", "index": index, "content_block": block}));
        let half = arguments.char_indices().nth(arguments.chars().count() / 2).map_or(0, |(at, _)| at);
        for part in ["", &arguments[..half], &arguments[half..]] {
            let delta = json!({"type": "input_json_delta", "partial_json": part});
            event(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        event(json!({"type": "content_block_stop", "index": index}));
        index += 1;
    }
    let why = says.why.unwrap_or(if says.calls.is_empty() { "end_turn" } else { "tool_use" });
    event(json!({"type": "message_delta", "delta": {"stop_reason": why}, "usage": {"output_tokens": 5}}));
    event(json!({"type": "message_stop"}));
    out.into_bytes()
}

fn openai(number: usize, says: &Says) -> Vec<u8> {
    let mut out = String::new();
    let mut chunk = |delta: Value, why: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": why});
        let chunk = json!({"id": format!("chatcmpl-{number}"), "object": "chat.completion.chunk", "model": "m", "choices": [choice]});
        out.push_str(&format!("data: {chunk}\n\n"));
    };
    chunk(json!({"role": "assistant", "content": says.text}), Value::Null);
    for (n, (name, arguments)) in says.calls.iter().enumerate() {
        let half = arguments.char_indices().nth(arguments.chars().count() / 2).map_or(0, |(at, _)| at);
        let id = format!("call_{number}_{n}");
        let first = json!({"index": n, "id": id, "type": "function", "function": {"name": name, "arguments": &arguments[..half]}});
        chunk(json!({"tool_calls": [first]}), Value::Null);
        let rest = json!({"index": n, "function": {"arguments": &arguments[half..]}});
        chunk(json!({"tool_calls": [rest]}), Value::Null);
    }
    let why = match says.why {
        Some("max_tokens") => "length",
        Some(other) => other,
        None if says.calls.is_empty() => "stop",
        None => "tool_calls",
    };
    chunk(json!({}), json!(why));
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 5});
    let chunk = json!({"object": "chat.completion.chunk", "model": "m", "choices": [], "usage": usage});
    out.push_str(&format!("data: {chunk}\n\n"));
    out.push_str("data: [DONE]\n\n");
    out.into_bytes()
}
