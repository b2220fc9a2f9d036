//! `messages`: the roles, and the pairing of calls and `tool` messages.

use super::place::{Place, bad_name, empty_array, told, unknown_value, wrong_type};
use crate::{
    refusal::Refused,
    request::{Message, Part, Role, is_tool_name},
    tokens::{FRAME, weight},
};
use serde_json::Value;

pub(super) struct History {
    /// Without the system's and developer's, which no script reads.
    pub(super) messages: Vec<Message>,
    pub(super) weight: usize,
}

pub(super) fn read(value: &Value) -> Refused<History> {
    let Some(list) = value.as_array() else { return Err(wrong_type("messages", "an array of objects", value)) };
    if list.is_empty() {
        return Err(empty_array("messages"));
    }
    let mut history = History { messages: Vec::new(), weight: 0 };
    let mut unanswered: Vec<String> = Vec::new();
    let mut after_calls = false;
    for (nth, message) in list.iter().enumerate() {
        let place = Place { list: "messages", nth, inner: None };
        let role = match message.get("role") {
            Some(Value::String(role)) => role.as_str(),
            Some(value) => return Err(place.wrong_type("role", "a string", value)),
            None => return Err(place.missing("role")),
        };
        history.weight += FRAME;
        if role == "tool" {
            let result = read_result(place, message, after_calls, &mut unanswered)?;
            history.weight += part_weight(&result);
            match history.messages.last_mut() {
                Some(Message { role: Role::User, parts }) => parts.push(result),
                _ => history.messages.push(Message { role: Role::User, parts: vec![result] }),
            }
            continue;
        }
        check_answered(&unanswered)?;
        after_calls = false;
        let (role, parts) = match role {
            "system" | "developer" => {
                history.weight += weight(&content(place, message)?);
                continue;
            }
            "user" => (Role::User, vec![Part::Text(content(place, message)?)]),
            "assistant" => (Role::Assistant, read_assistant(place, message)?),
            other => {
                let known = "'system', 'assistant', 'user', 'tool', and 'developer'";
                return Err(unknown_value(place, "role", other, known));
            }
        };
        for part in &parts {
            history.weight += part_weight(part);
            if let Part::Call { id, .. } = part {
                unanswered.push(id.clone());
                after_calls = true;
            }
        }
        history.messages.push(Message { role, parts });
    }
    check_answered(&unanswered)?;
    Ok(history)
}

fn part_weight(part: &Part) -> usize {
    match part {
        Part::Text(text) | Part::Result { text, .. } => weight(text),
        Part::Call { name, arguments, .. } => FRAME + weight(name) + weight(arguments),
        Part::ServerCall { .. } | Part::ServerResult { .. } | Part::Other => 0,
    }
}

fn check_answered(unanswered: &[String]) -> Refused<()> {
    if unanswered.is_empty() {
        return Ok(());
    }
    let message = format!(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The \
         following tool_call_ids did not have response messages: {}",
        unanswered.join(", ")
    );
    Err(told("messages", None, message))
}

fn read_result(place: Place, message: &Value, after_calls: bool, unanswered: &mut Vec<String>) -> Refused<Part> {
    let id = string(place, message.get("tool_call_id"), "tool_call_id")?;
    if !after_calls {
        let message =
            "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
        return Err(place.parameter("role", None, message));
    }
    let Some(at) = unanswered.iter().position(|known| *known == id) else {
        let message =
            format!("Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message.");
        return Err(place.told("tool_call_id", None, message));
    };
    unanswered.remove(at);
    Ok(Part::Result { id, text: content(place, message)?, error: false })
}

/// The text of a message's `content`: a string, or its text parts joined.
fn content(place: Place, message: &Value) -> Refused<String> {
    let parts = match message.get("content") {
        Some(Value::String(text)) => return Ok(text.clone()),
        Some(Value::Array(list)) if list.is_empty() => return Err(place.empty_array("content")),
        Some(Value::Array(list)) => list,
        Some(Value::Null) | None => {
            let message = "Invalid value for '$': expected a string, got null.";
            return Err(place.parameter("content", Some("invalid_type"), message));
        }
        Some(value) => return Err(place.wrong_type("content", "a string or an array of objects", value)),
    };
    let mut text = String::new();
    for (nth, part) in parts.iter().enumerate() {
        let place = Place { inner: Some(("content", nth)), ..place };
        match part.get("type").and_then(Value::as_str) {
            Some("text") => text.push_str(&string(place, part.get("text"), "text")?),
            Some("image_url" | "input_audio" | "file" | "refusal") => {}
            Some(kind) => {
                let known = "'text', 'image_url', 'input_audio', 'refusal', and 'file'";
                return Err(unknown_value(place, "type", kind, known));
            }
            None => return Err(place.missing("type")),
        }
    }
    Ok(text)
}

fn read_assistant(place: Place, message: &Value) -> Refused<Vec<Part>> {
    let mut parts = Vec::new();
    let calls = match message.get("tool_calls") {
        None | Some(Value::Null) => None,
        Some(Value::Array(list)) if list.is_empty() => return Err(place.empty_array("tool_calls")),
        Some(Value::Array(list)) => Some(list),
        Some(value) => return Err(place.wrong_type("tool_calls", "an array of objects", value)),
    };
    let silent = matches!(message.get("content"), None | Some(Value::Null));
    let refused = message.get("refusal").is_some_and(Value::is_string);
    if !silent || (calls.is_none() && !refused) {
        parts.push(Part::Text(content(place, message)?));
    }
    for (nth, call) in calls.into_iter().flatten().enumerate() {
        parts.push(read_call(Place { inner: Some(("tool_calls", nth)), ..place }, call)?);
    }
    Ok(parts)
}

fn read_call(place: Place, call: &Value) -> Refused<Part> {
    let id = string(place, call.get("id"), "id")?;
    if id.is_empty() {
        return Err(place.parameter("id", Some("empty_string"), "Invalid '$': empty string."));
    }
    let kind = string(place, call.get("type"), "type")?;
    if kind != "function" {
        return Err(unknown_value(place, "type", &kind, "'function'"));
    }
    let function = call.get("function");
    let field = |name| function.and_then(|function| function.get(name));
    let name = string(place, field("name"), "function.name")?;
    if !is_tool_name(&name, 64) {
        return Err(bad_name(place));
    }
    let arguments = string(place, field("arguments"), "function.arguments")?;
    if serde_json::from_str::<Value>(&arguments).is_err() {
        let message = "Invalid '$': the string is not valid JSON.";
        return Err(place.parameter("function.arguments", Some("invalid_value"), message));
    }
    Ok(Part::Call { id, name, arguments })
}

fn string(place: Place, value: Option<&Value>, field: &str) -> Refused<String> {
    match value {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(value) => Err(place.wrong_type(field, "a string", value)),
        None => Err(place.missing(field)),
    }
}
