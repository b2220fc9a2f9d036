//! What an event is, also where the server left out its name or its type.

use serde_json::Value;

use crate::wire::json::text;

/// What an event is.
pub(super) enum Kind {
    MessageStart,
    BlockStart,
    BlockDelta,
    MessageDelta,
    MessageStop,
    /// A whole message.
    Message,
    /// `content_block_stop`, `ping`, and whatever else will come.
    Other,
}

/// What it is by its type, else by its name, else by what it holds.
pub(super) fn kind(name: &str, event: &Value) -> Kind {
    let has = |key: &str| event.get(key).is_some_and(Value::is_object);
    match [text(event, "type"), name].into_iter().find(|name| !name.is_empty()).unwrap_or_default() {
        "message_start" => Kind::MessageStart,
        "content_block_start" => Kind::BlockStart,
        "content_block_delta" => Kind::BlockDelta,
        "message_delta" => Kind::MessageDelta,
        "message_stop" => Kind::MessageStop,
        // `message` is also what the events of a stream are called that has no names for them.
        "message" | "" if has("message") => Kind::MessageStart,
        "message" | "" if has("content_block") => Kind::BlockStart,
        "message" | "" if event.pointer("/delta/stop_reason").is_some() => Kind::MessageDelta,
        "message" | "" if has("delta") => Kind::BlockDelta,
        "message" | "" if is_message(event) => Kind::Message,
        _ => Kind::Other,
    }
}

/// Whether it holds content, or is an empty answer that says why it ended.
fn is_message(body: &Value) -> bool {
    match body.get("content") {
        Some(Value::Array(_) | Value::String(_)) => true,
        None | Some(Value::Null) => body.get("stop_reason").is_some_and(Value::is_string),
        Some(_) => false,
    }
}

/// The type of a delta, or what it must be.
pub(super) fn kind_of_delta(delta: &Value) -> &str {
    let fields = [
        ("text", "text_delta"),
        ("thinking", "thinking_delta"),
        ("signature", "signature_delta"),
        ("partial_json", "input_json_delta"),
    ];
    match text(delta, "type") {
        "" => fields.into_iter().find(|(field, _)| delta.get(field).is_some()).map_or("", |(_, kind)| kind),
        kind => kind,
    }
}
