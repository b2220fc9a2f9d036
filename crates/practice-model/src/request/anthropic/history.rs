//! `messages`: who may speak when, and the pairing of calls and results.

use super::{DICTIONARY, LIST, Place, REQUIRED, blocks, wrong};
use crate::{
    refusal::{Refusal, Refused},
    request::{Message, Part, Role, paused_search},
    tokens::FRAME,
};
use serde_json::Value;

pub(super) struct History {
    pub(super) messages: Vec<Message>,
    pub(super) weight: usize,
}

pub(super) fn read(value: &Value) -> Refused<History> {
    let Some(list) = value.as_array() else { return Err(wrong("messages", LIST)) };
    let mut history = History { messages: Vec::new(), weight: 0 };
    for (nth, message) in list.iter().enumerate() {
        let place = Place { list: "messages", nth, block: None };
        let (message, weight) = read_message(place, message)?;
        if message.parts.is_empty() && (message.role == Role::User || nth + 1 < list.len()) {
            return Err(match message.role {
                Role::User => place.wrong("", "user messages must have non-empty content"),
                Role::Assistant => place.wrong(
                    "",
                    "all messages must have non-empty content except for the optional final assistant message",
                ),
            });
        }
        history.messages.push(message);
        history.weight += FRAME + weight;
    }
    check_pairs(&history.messages)?;
    check_ends(&history.messages)?;
    Ok(history)
}

fn read_message(place: Place, value: &Value) -> Refused<(Message, usize)> {
    let Some(fields) = value.as_object() else { return Err(place.wrong("", DICTIONARY)) };
    let role = match fields.get("role").map(Value::as_str) {
        None => return Err(place.wrong("role", REQUIRED)),
        Some(Some("user")) => Role::User,
        Some(Some("assistant")) => Role::Assistant,
        Some(Some("system")) => {
            return Err(wrong(
                "messages",
                "Unexpected role \"system\". The Messages API accepts a top-level `system` parameter, not \"system\" as \
                 an input message role.",
            ));
        }
        Some(_) => return Err(place.wrong("role", "Input should be 'user' or 'assistant'")),
    };
    if let Some(name) = fields.keys().find(|name| *name != "role" && *name != "content") {
        return Err(place.wrong(name, "Extra inputs are not permitted"));
    }
    let mut parts = Vec::new();
    let mut weight = 0;
    match fields.get("content") {
        None => return Err(place.wrong("content", REQUIRED)),
        Some(Value::String(text)) if text.is_empty() => {}
        Some(Value::String(text)) => {
            blocks::check_text(text)?;
            weight = crate::tokens::weight(text);
            parts.push(Part::Text(text.clone()));
        }
        Some(Value::Array(list)) => {
            for (nth, block) in list.iter().enumerate() {
                let (part, block_weight) = blocks::read(Place { block: Some(nth), ..place }, role, block)?;
                parts.push(part);
                weight += block_weight;
            }
        }
        Some(_) => return Err(place.wrong("content", LIST)),
    }
    Ok((Message { role, parts }, weight))
}

/// Every call has exactly one result, in the next message, before anything else in it; and no result lacks its call.
fn check_pairs(messages: &[Message]) -> Refused<()> {
    let mut seen: Vec<&str> = Vec::new();
    for (nth, message) in messages.iter().enumerate() {
        let place = Place { list: "messages", nth, block: None };
        let before = nth.checked_sub(1).and_then(|at| messages.get(at));
        let called = before.map(calls_of).unwrap_or_default();
        let mut answered: Vec<&str> = Vec::new();
        let mut other_content = false;
        for (block, part) in message.parts.iter().enumerate() {
            let Part::Result { id, .. } = part else {
                other_content = true;
                continue;
            };
            if !called.contains(&id.as_str()) {
                let what = format!(
                    "unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a \
                     corresponding `tool_use` block in the previous message."
                );
                return Err(Place { block: Some(block), ..place }.wrong("", &what));
            }
            if answered.contains(&id.as_str()) {
                let what = format!(
                    "each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}"
                );
                return Err(Place { block: Some(block), ..place }.wrong("", &what));
            }
            if other_content {
                return Err(place.wrong(
                    "",
                    "`tool_result` blocks must come before all other content of the message that follows `tool_use` \
                     blocks",
                ));
            }
            answered.push(id);
        }
        check_answered(nth.saturating_sub(1), &called, &answered)?;
        for id in calls_of(message) {
            if seen.contains(&id) {
                return Err(place.wrong("", &format!("`tool_use` ids must be unique: {id}")));
            }
            seen.push(id);
        }
        if nth + 1 == messages.len() {
            check_answered(nth, &calls_of(message), &[])?;
        }
    }
    Ok(())
}

fn check_answered(nth: usize, called: &[&str], answered: &[&str]) -> Refused<()> {
    let missing: Vec<&str> = called.iter().filter(|id| !answered.contains(id)).copied().collect();
    if missing.is_empty() {
        return Ok(());
    }
    let what = format!(
        "`tool_use` ids were found without `tool_result` blocks immediately after: {}. Each `tool_use` \
         block must have a corresponding `tool_result` block in the next message.",
        missing.join(", ")
    );
    Err(Place { list: "messages", nth, block: None }.wrong("", &what))
}

/// The first message is the user's, and so is the last, unless a paused turn is handed back to be continued.
fn check_ends(messages: &[Message]) -> Refused<()> {
    let (Some(first), Some(last)) = (messages.first(), messages.last()) else {
        return Err(wrong("messages", "at least one message is required"));
    };
    if first.role != Role::User {
        return Err(wrong("messages", "first message must use the \"user\" role"));
    }
    for (nth, pair) in messages.windows(2).enumerate() {
        let [message, next] = pair else { continue };
        if let Some(id) = paused_search(message, Some(next)) {
            let what = format!(
                "`web_search` tool use with id {id} was found without a corresponding `web_search_tool_result` block"
            );
            return Err(Place { list: "messages", nth, block: None }.wrong("", &what));
        }
    }
    let paused = paused_search(last, None).is_some();
    match (last.role, last.parts.last()) {
        (Role::User, _) => Ok(()),
        (Role::Assistant, _) if paused => Ok(()),
        (Role::Assistant, Some(Part::Text(text))) if text.trim_end() != text => {
            Err(wrong("messages", "final assistant content cannot end with trailing whitespace"))
        }
        (Role::Assistant, _) => Err(Refusal::invalid(
            "This model does not support assistant message prefill. The conversation must end with a user message."
                .to_owned(),
        )),
    }
}

fn calls_of(message: &Message) -> Vec<&str> {
    let calls = message.parts.iter().filter_map(|part| match part {
        Part::Call { id, .. } => Some(id.as_str()),
        _ => None,
    });
    calls.collect()
}
