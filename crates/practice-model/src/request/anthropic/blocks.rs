//! One content block of a message.

use crate::{
    refusal::Refusal,
    request::{Part, Role, is_id, is_tool_name},
    tokens::{FRAME, weight},
};
use serde_json::Value;

/// Reads a block that stands at `path`; also its weight.
pub(super) fn read(path: &str, role: Role, block: &Value) -> Result<(Part, usize), Refusal> {
    let Some(kind) = block.get("type").and_then(Value::as_str) else {
        return Err(Refusal::invalid(format!("{path}.type: Field required")));
    };
    let part = match (kind, role) {
        ("text", _) => {
            let text = string(path, block, "text.text", "text")?;
            check_text(text)?;
            return Ok((Part::Text(text.to_owned()), weight(text)));
        }
        ("tool_use", Role::Assistant) => {
            let id = id(path, block, "tool_use.id", "id")?;
            let name = string(path, block, "tool_use.name", "name")?;
            if !is_tool_name(name, 200) {
                return Err(Refusal::invalid(format!(
                    "{path}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{{1,200}}$'"
                )));
            }
            match block.get("input") {
                Some(input @ Value::Object(_)) => {
                    let arguments = input.to_string();
                    let weight = FRAME + weight(name) + weight(&arguments);
                    return Ok((Part::Call { id, name: name.to_owned(), arguments }, weight));
                }
                Some(_) => {
                    return Err(Refusal::invalid(format!("{path}.tool_use.input: Input should be a valid dictionary")));
                }
                None => return Err(Refusal::invalid(format!("{path}.tool_use.input: Field required"))),
            }
        }
        ("tool_result", Role::User) => {
            let id = id(path, block, "tool_result.tool_use_id", "tool_use_id")?;
            let text = result_text(path, block.get("content"))?;
            let error = match block.get("is_error") {
                None => false,
                Some(Value::Bool(error)) => *error,
                Some(_) => {
                    return Err(Refusal::invalid(format!(
                        "{path}.tool_result.is_error: Input should be a valid boolean"
                    )));
                }
            };
            let weight = weight(&text);
            return Ok((Part::Result { id, text, error }, weight));
        }
        ("tool_use" | "tool_result", _) => {
            let owner = if role == Role::User { "assistant" } else { "user" };
            return Err(Refusal::invalid(format!(
                "{path}: `{kind}` blocks can only be specified in `{owner}` messages"
            )));
        }
        ("thinking", Role::Assistant) => {
            string(path, block, "thinking.thinking", "thinking")?;
            if string(path, block, "thinking.signature", "signature")?.is_empty() {
                return Err(Refusal::invalid(format!("{path}: Invalid `signature` in `thinking` block")));
            }
            Part::Other
        }
        ("redacted_thinking", Role::Assistant) => Part::Other,
        ("server_tool_use", Role::Assistant) => Part::ServerCall { id: id(path, block, "server_tool_use.id", "id")? },
        ("image" | "document" | "search_result" | "container_upload", Role::User) => Part::Other,
        (kind, Role::Assistant) if kind.ends_with("_tool_result") => {
            Part::ServerResult { id: id(path, block, kind, "tool_use_id")? }
        }
        _ => {
            return Err(Refusal::invalid(format!(
                "{path}: Input tag '{kind}' found using 'type' does not match any of the expected tags"
            )));
        }
    };
    Ok((part, weight(&block.to_string())))
}

pub(super) fn check_text(text: &str) -> Result<(), Refusal> {
    if text.is_empty() {
        return Err(Refusal::invalid("messages: text content blocks must be non-empty"));
    }
    if text.trim().is_empty() {
        return Err(Refusal::invalid("messages: text content blocks must contain non-whitespace text"));
    }
    Ok(())
}

/// What a tool answered: a string, or text blocks joined (images are not read).
fn result_text(path: &str, content: Option<&Value>) -> Result<String, Refusal> {
    match content {
        None => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Array(blocks)) => {
            let mut text = String::new();
            for (nth, block) in blocks.iter().enumerate() {
                match block.get("type").and_then(Value::as_str) {
                    Some("text") => {
                        let piece = string(&format!("{path}.tool_result.content.{nth}"), block, "text.text", "text")?;
                        check_text(piece)?;
                        text.push_str(piece);
                    }
                    Some("image" | "document" | "search_result" | "tool_reference") => {}
                    _ => {
                        return Err(Refusal::invalid(format!(
                            "{path}.tool_result.content.{nth}: Input tag does not match any of the expected tags"
                        )));
                    }
                }
            }
            Ok(text)
        }
        Some(_) => Err(Refusal::invalid(format!("{path}.tool_result.content: Input should be a valid string"))),
    }
}

fn string<'a>(path: &str, block: &'a Value, place: &str, field: &str) -> Result<&'a str, Refusal> {
    match block.get(field) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(Refusal::invalid(format!("{path}.{place}: Input should be a valid string"))),
        None => Err(Refusal::invalid(format!("{path}.{place}: Field required"))),
    }
}

fn id(path: &str, block: &Value, place: &str, field: &str) -> Result<String, Refusal> {
    let id = string(path, block, place, field)?;
    if !is_id(id) {
        return Err(Refusal::invalid(format!("{path}.{place}: String should match pattern '^[a-zA-Z0-9_-]+$'")));
    }
    Ok(id.to_owned())
}
