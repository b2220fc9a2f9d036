//! What the two services refuse in `messages`, from their documents and from what people report of them.

use std::collections::HashSet;

use agent_loop::Dialect;
use serde_json::Value;

/// Panics where the body would be refused.
#[track_caller]
pub(crate) fn check(dialect: Dialect, body: &Value) {
    let told = match dialect {
        Dialect::Anthropic => anthropic(body),
        Dialect::OpenAi => openai(body),
    };
    if let Err(reason) = told {
        panic!("{reason}\n{body:#}");
    }
}

/// What strict endpoints refuse beside: roles out of turn, a user directly after results, other ids than of nine
/// letters and digits. Panics where the body would be refused.
#[track_caller]
pub(crate) fn check_strict(body: &Value) {
    let rows = body["messages"].as_array().unwrap();
    for pair in rows.windows(2) {
        let roles = (pair[0]["role"].as_str().unwrap(), pair[1]["role"].as_str().unwrap());
        let in_turn = matches!(
            roles,
            ("system", "user")
                | ("user", "assistant")
                | ("assistant", "user" | "tool")
                | ("tool", "tool" | "assistant")
        );
        assert!(in_turn, "{roles:?}\n{body:#}");
    }
    for row in rows {
        for call in row["tool_calls"].as_array().into_iter().flatten() {
            let id = call["id"].as_str().unwrap();
            assert!(id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
        }
    }
}

type Judged = Result<(), String>;

fn ensure(holds: bool, reason: &str) -> Judged {
    if holds { Ok(()) } else { Err(reason.to_owned()) }
}

fn anthropic(body: &Value) -> Judged {
    ensure(body["max_tokens"].as_u64().is_some_and(|limit| limit > 0), "max_tokens is required")?;
    ensure(body.get("tools").is_none_or(|tools| !tools.as_array().unwrap().is_empty()), "tools must not be empty")?;
    ensure(body.get("system").is_none_or(|system| !system.as_str().unwrap().is_empty()), "system must not be empty")?;
    let messages = body["messages"].as_array().ok_or("messages must be a list")?;
    ensure(messages.first().is_some_and(|first| first["role"] == "user"), "the first message must be the user's")?;
    let mut ids = HashSet::new();
    let mut open: Vec<String> = Vec::new();
    for (place, message) in messages.iter().enumerate() {
        let is_last = place + 1 == messages.len();
        let is_assistant = message["role"] == "assistant";
        ensure(is_assistant || message["role"] == "user", "roles are user and assistant")?;
        let content = match &message["content"] {
            Value::String(words) => vec![serde_json::json!({ "type": "text", "text": words })],
            Value::Array(blocks) => blocks.clone(),
            _ => return Err("content must be text or blocks".to_owned()),
        };
        ensure(!content.is_empty(), "content must not be empty")?;
        let answered: Vec<String> = content
            .iter()
            .take_while(|block| block["type"] == "tool_result")
            .map(|block| block["tool_use_id"].as_str().unwrap().to_owned())
            .collect();
        ensure(answered == open, "each tool_use is answered once, in order, at the front of the next message")?;
        open.clear();
        let mut results = 0;
        for block in &content {
            match block["type"].as_str().ok_or("a block must have a type")? {
                "text" => {
                    let words = block["text"].as_str().ok_or("text must be text")?;
                    ensure(!words.trim().is_empty(), "text blocks must not be blank")?;
                    let is_final = is_last && is_assistant && std::ptr::eq(block, content.last().unwrap());
                    ensure(!is_final || words == words.trim_end(), "the final words must not end in blanks")?;
                }
                "tool_use" => {
                    ensure(is_assistant, "only answers call")?;
                    let id = block["id"].as_str().ok_or("a call has an id")?;
                    ensure(is_legal(id, 64), "the id's pattern")?;
                    ensure(ids.insert(id.to_owned()), "tool_use ids must be unique")?;
                    ensure(is_legal(block["name"].as_str().unwrap_or_default(), 64), "the name's pattern")?;
                    ensure(block["input"].is_object(), "input must be an object")?;
                    open.push(id.to_owned());
                }
                "tool_result" => {
                    ensure(!is_assistant, "only users answer calls")?;
                    let words = block["content"].as_str().ok_or("results are text here")?;
                    ensure(!words.trim().is_empty(), "results must not be blank")?;
                    results += 1;
                }
                "thinking" => {
                    ensure(is_assistant, "only answers think")?;
                    ensure(
                        !block["signature"].as_str().unwrap_or_default().is_empty(),
                        "thinking needs its signature",
                    )?;
                    ensure(!std::ptr::eq(block, content.last().unwrap()), "an answer must not end with thinking")?;
                }
                _ => ensure(is_assistant, "unknown blocks stand in answers")?,
            }
        }
        ensure(results == answered.len(), "results stand before words, and each has its call")?;
    }
    ensure(open.is_empty(), "a call has no result")
}

fn openai(body: &Value) -> Judged {
    ensure(body.get("tools").is_none_or(|tools| !tools.as_array().unwrap().is_empty()), "tools must not be empty")?;
    let messages = body["messages"].as_array().ok_or("messages must be a list")?;
    let mut told = messages.iter().skip_while(|message| message["role"] == "system").peekable();
    ensure(told.peek().is_some_and(|first| first["role"] == "user"), "the first message must be the user's")?;
    ensure(messages.last().is_some_and(|last| last["role"] != "assistant"), "the last message must not be an answer")?;
    let mut ids = HashSet::new();
    let mut open: Vec<String> = Vec::new();
    for message in told {
        let role = message["role"].as_str().ok_or("a role is text")?;
        ensure(role == "tool" || open.is_empty(), "every call is answered before anything else is said")?;
        let words = || message["content"].as_str().filter(|words| !words.trim().is_empty());
        match role {
            "user" => ensure(words().is_some(), "users say something")?,
            "tool" => {
                ensure(words().is_some(), "results must not be blank")?;
                let answered = message["tool_call_id"].as_str().ok_or("a result names its call")?;
                ensure(!open.is_empty() && open.remove(0) == answered, "results stand in the order of the calls")?;
            }
            "assistant" => {
                let calls = match message.get("tool_calls") {
                    Some(calls) => calls.as_array().ok_or("calls are a list")?.clone(),
                    None => Vec::new(),
                };
                ensure(message.get("tool_calls").is_none() || !calls.is_empty(), "tool_calls must not be empty")?;
                ensure(words().is_some() || !calls.is_empty(), "an answer says or calls something")?;
                for call in &calls {
                    ensure(call["type"] == "function", "calls are functions")?;
                    let id = call["id"].as_str().ok_or("a call has an id")?;
                    ensure(!id.is_empty() && ids.insert(id.to_owned()), "ids are there, and unique")?;
                    let function = &call["function"];
                    ensure(is_legal(function["name"].as_str().unwrap_or_default(), 64), "the name's pattern")?;
                    let arguments = function["arguments"].as_str().ok_or("arguments must be text")?;
                    let object: Value = serde_json::from_str(arguments).map_err(|error| error.to_string())?;
                    ensure(object.is_object(), "arguments must be the text of an object")?;
                    open.push(id.to_owned());
                }
            }
            _ => return Err(format!("unknown role {role}")),
        }
    }
    ensure(open.is_empty(), "a call has no result")
}

fn is_legal(name: &str, cap: usize) -> bool {
    (1..=cap).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}
