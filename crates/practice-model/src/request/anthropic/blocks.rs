//! One content block of a message.

use super::{DICTIONARY, Place, REQUIRED, STRING, wrong};
use crate::{
    refusal::Refused,
    request::{Part, Role, is_id, is_tool_name},
    tokens::{FRAME, weight},
};
use serde_json::Value;

/// Reads a block; also its weight.
pub(super) fn read(place: Place, role: Role, block: &Value) -> Refused<(Part, usize)> {
    let Some(kind) = block.get("type").and_then(Value::as_str) else { return Err(place.wrong("type", REQUIRED)) };
    let part = match (kind, role) {
        ("text", _) => {
            let text = string(place, block, "text.text", "text")?;
            check_text(text)?;
            return Ok((Part::Text(text.to_owned()), weight(text)));
        }
        ("tool_use", Role::Assistant) => return read_call(place, block),
        ("tool_result", Role::User) => {
            let id = id(place, block, "tool_result.tool_use_id", "tool_use_id")?;
            let text = result_text(place, block.get("content"))?;
            let error = match block.get("is_error") {
                None => false,
                Some(Value::Bool(error)) => *error,
                Some(_) => return Err(place.wrong("tool_result.is_error", "Input should be a valid boolean")),
            };
            let weight = weight(&text);
            return Ok((Part::Result { id, text, error }, weight));
        }
        ("tool_use", _) => {
            return Err(place.wrong("", "`tool_use` blocks can only be specified in `assistant` messages"));
        }
        ("tool_result", _) => {
            return Err(place.wrong("", "`tool_result` blocks can only be specified in `user` messages"));
        }
        ("thinking", Role::Assistant) => {
            string(place, block, "thinking.thinking", "thinking")?;
            if string(place, block, "thinking.signature", "signature")?.is_empty() {
                return Err(place.wrong("", "Invalid `signature` in `thinking` block"));
            }
            Part::Other
        }
        ("redacted_thinking", Role::Assistant) => Part::Other,
        ("server_tool_use", Role::Assistant) => Part::ServerCall { id: id(place, block, "server_tool_use.id", "id")? },
        ("image" | "document" | "search_result" | "container_upload", Role::User) => Part::Other,
        (kind, Role::Assistant) if kind.ends_with("_tool_result") => {
            Part::ServerResult { id: id(place, block, kind, "tool_use_id")? }
        }
        (kind, _) => {
            let what = format!("Input tag '{kind}' found using 'type' does not match any of the expected tags");
            return Err(place.wrong("", &what));
        }
    };
    Ok((part, weight(&block.to_string())))
}

pub(super) fn check_text(text: &str) -> Refused<()> {
    if text.is_empty() {
        return Err(wrong("messages", "text content blocks must be non-empty"));
    }
    if text.trim().is_empty() {
        return Err(wrong("messages", "text content blocks must contain non-whitespace text"));
    }
    Ok(())
}

fn read_call(place: Place, block: &Value) -> Refused<(Part, usize)> {
    let id = id(place, block, "tool_use.id", "id")?;
    let name = string(place, block, "tool_use.name", "name")?;
    if !is_tool_name(name, 200) {
        return Err(place.wrong("tool_use.name", "String should match pattern '^[a-zA-Z0-9_-]{1,200}$'"));
    }
    let arguments = match block.get("input") {
        Some(input @ Value::Object(_)) => input.to_string(),
        Some(_) => return Err(place.wrong("tool_use.input", DICTIONARY)),
        None => return Err(place.wrong("tool_use.input", REQUIRED)),
    };
    let weight = FRAME + weight(name) + weight(&arguments);
    Ok((Part::Call { id, name: name.to_owned(), arguments }, weight))
}

/// What a tool answered: a string, or text blocks joined (images are not read).
fn result_text(place: Place, content: Option<&Value>) -> Refused<String> {
    let blocks = match content {
        None => return Ok(String::new()),
        Some(Value::String(text)) => return Ok(text.clone()),
        Some(Value::Array(blocks)) => blocks,
        Some(_) => return Err(place.wrong("tool_result.content", STRING)),
    };
    let mut text = String::new();
    for block in blocks {
        match block.get("type").and_then(Value::as_str) {
            Some("text") => {
                let piece = string(place, block, "tool_result.content.text", "text")?;
                check_text(piece)?;
                text.push_str(piece);
            }
            Some("image" | "document" | "search_result" | "tool_reference") => {}
            _ => {
                let what = "Input tag does not match any of the expected tags";
                return Err(place.wrong("tool_result.content", what));
            }
        }
    }
    Ok(text)
}

fn string<'a>(place: Place, block: &'a Value, path: &str, field: &str) -> Refused<&'a str> {
    match block.get(field) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(place.wrong(path, STRING)),
        None => Err(place.wrong(path, REQUIRED)),
    }
}

fn id(place: Place, block: &Value, path: &str, field: &str) -> Refused<String> {
    let id = string(place, block, path, field)?;
    if !is_id(id) {
        return Err(place.wrong(path, "String should match pattern '^[a-zA-Z0-9_-]+$'"));
    }
    Ok(id.to_owned())
}
