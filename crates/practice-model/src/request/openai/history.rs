//! `messages`: the roles, and the pairing of calls and `tool` messages.

use super::{empty_array, missing, wrong_type};
use crate::{
    refusal::Refusal,
    request::{Message, Part, Role, is_tool_name},
    tokens::{FRAME, weight},
};
use serde_json::Value;

pub(super) struct History {
    /// Without the system's and developer's, which no script reads.
    pub(super) messages: Vec<Message>,
    pub(super) weight: usize,
}

pub(super) fn read(value: &Value) -> Result<History, Refusal> {
    let Some(list) = value.as_array() else { return Err(wrong_type("messages", "an array of objects", value)) };
    if list.is_empty() {
        return Err(empty_array("messages"));
    }
    let mut history = History { messages: Vec::new(), weight: 0 };
    let mut unanswered: Vec<String> = Vec::new();
    let mut after_calls = false;
    for (nth, message) in list.iter().enumerate() {
        let path = format!("messages[{nth}]");
        let role = match message.get("role") {
            Some(Value::String(role)) => role.as_str(),
            Some(value) => return Err(wrong_type(format!("{path}.role"), "a string", value)),
            None => return Err(missing(format!("{path}.role"))),
        };
        history.weight += FRAME;
        if role == "tool" {
            let result = read_result(&path, message, after_calls, &mut unanswered)?;
            if let Part::Result { text, .. } = &result {
                history.weight += weight(text);
            }
            match history.messages.last_mut() {
                Some(Message { role: Role::User, parts }) => parts.push(result),
                _ => history.messages.push(Message { role: Role::User, parts: vec![result] }),
            }
            continue;
        }
        check_answered(&unanswered)?;
        after_calls = false;
        match role {
            "system" | "developer" => history.weight += weight(&content(&path, message)?),
            "user" => {
                let text = content(&path, message)?;
                history.weight += weight(&text);
                history.messages.push(Message { role: Role::User, parts: vec![Part::Text(text)] });
            }
            "assistant" => {
                let parts = read_assistant(&path, message)?;
                for part in &parts {
                    match part {
                        Part::Text(text) => history.weight += weight(text),
                        Part::Call { id, name, arguments } => {
                            history.weight += FRAME + weight(name) + weight(arguments);
                            unanswered.push(id.clone());
                            after_calls = true;
                        }
                        _ => {}
                    }
                }
                history.messages.push(Message { role: Role::Assistant, parts });
            }
            other => {
                return Err(Refusal::parameter(
                    format!("{path}.role"),
                    Some("invalid_value"),
                    format!(
                        "Invalid value: '{other}'. Supported values are: 'system', 'assistant', 'user', 'tool', and \
                         'developer'."
                    ),
                ));
            }
        }
    }
    check_answered(&unanswered)?;
    Ok(history)
}

fn check_answered(unanswered: &[String]) -> Result<(), Refusal> {
    if unanswered.is_empty() {
        return Ok(());
    }
    Err(Refusal::parameter(
        "messages",
        None,
        format!(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each \
             'tool_call_id'. The following tool_call_ids did not have response messages: {}",
            unanswered.join(", ")
        ),
    ))
}

fn read_result(path: &str, message: &Value, after_calls: bool, unanswered: &mut Vec<String>) -> Result<Part, Refusal> {
    let id = match message.get("tool_call_id") {
        Some(Value::String(id)) => id,
        Some(value) => return Err(wrong_type(format!("{path}.tool_call_id"), "a string", value)),
        None => return Err(missing(format!("{path}.tool_call_id"))),
    };
    if !after_calls {
        return Err(Refusal::parameter(
            format!("{path}.role"),
            None,
            "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        ));
    }
    let Some(at) = unanswered.iter().position(|known| known == id) else {
        return Err(Refusal::parameter(
            format!("{path}.tool_call_id"),
            None,
            format!("Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message."),
        ));
    };
    unanswered.remove(at);
    Ok(Part::Result { id: id.clone(), text: content(path, message)?, error: false })
}

/// The text of a message's `content`: a string, or its text parts joined.
fn content(path: &str, message: &Value) -> Result<String, Refusal> {
    match message.get("content") {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Array(list)) if list.is_empty() => Err(empty_array(format!("{path}.content"))),
        Some(Value::Array(list)) => {
            let mut text = String::new();
            for (nth, part) in list.iter().enumerate() {
                match (part.get("type").and_then(Value::as_str), part.get("text")) {
                    (Some("text"), Some(Value::String(piece))) => text.push_str(piece),
                    (Some("text"), _) => return Err(missing(format!("{path}.content[{nth}].text"))),
                    (Some("image_url" | "input_audio" | "file" | "refusal"), _) => {}
                    (Some(kind), _) => {
                        return Err(Refusal::parameter(
                            format!("{path}.content[{nth}].type"),
                            Some("invalid_value"),
                            format!("Invalid value: '{kind}'. 'text' and 'image_url' are among the supported values."),
                        ));
                    }
                    (None, _) => return Err(missing(format!("{path}.content[{nth}].type"))),
                }
            }
            Ok(text)
        }
        Some(Value::Null) | None => Err(Refusal::parameter(
            format!("{path}.content"),
            Some("invalid_type"),
            format!("Invalid value for '{path}.content': expected a string, got null."),
        )),
        Some(value) => Err(wrong_type(format!("{path}.content"), "a string or an array of objects", value)),
    }
}

fn read_assistant(path: &str, message: &Value) -> Result<Vec<Part>, Refusal> {
    let mut parts = Vec::new();
    let silent = matches!(message.get("content"), None | Some(Value::Null));
    if !silent {
        parts.push(Part::Text(content(path, message)?));
    }
    match message.get("tool_calls") {
        None | Some(Value::Null) => {
            let refused = message.get("refusal").is_some_and(Value::is_string);
            if silent && !refused {
                content(path, message)?;
            }
        }
        Some(Value::Array(list)) if list.is_empty() => return Err(empty_array(format!("{path}.tool_calls"))),
        Some(Value::Array(list)) => {
            for (nth, call) in list.iter().enumerate() {
                parts.push(read_call(&format!("{path}.tool_calls[{nth}]"), call)?);
            }
        }
        Some(value) => return Err(wrong_type(format!("{path}.tool_calls"), "an array of objects", value)),
    }
    Ok(parts)
}

fn read_call(path: &str, call: &Value) -> Result<Part, Refusal> {
    let text = |value: Option<&Value>, place: &str| match value {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(value) => Err(wrong_type(format!("{path}.{place}"), "a string", value)),
        None => Err(missing(format!("{path}.{place}"))),
    };
    let id = text(call.get("id"), "id")?;
    if id.is_empty() {
        return Err(Refusal::parameter(
            format!("{path}.id"),
            Some("empty_string"),
            format!("Invalid '{path}.id': empty string."),
        ));
    }
    let kind = text(call.get("type"), "type")?;
    if kind != "function" {
        return Err(Refusal::parameter(
            format!("{path}.type"),
            Some("invalid_value"),
            format!("Invalid value: '{kind}'. Supported values are: 'function'."),
        ));
    }
    let name = text(call.pointer("/function/name"), "function.name")?;
    if !is_tool_name(&name, 64) {
        return Err(Refusal::parameter(
            format!("{path}.function.name"),
            Some("invalid_value"),
            format!(
                "Invalid '{path}.function.name': string does not match pattern. Expected a string that matches the \
                 pattern '^[a-zA-Z0-9_-]+$'."
            ),
        ));
    }
    let arguments = text(call.pointer("/function/arguments"), "function.arguments")?;
    if serde_json::from_str::<Value>(&arguments).is_err() {
        return Err(Refusal::parameter(
            format!("{path}.function.arguments"),
            Some("invalid_value"),
            format!("Invalid '{path}.function.arguments': the string is not valid JSON."),
        ));
    }
    Ok(Part::Call { id, name, arguments })
}
