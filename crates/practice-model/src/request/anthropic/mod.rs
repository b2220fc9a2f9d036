//! The body of `POST /v1/messages`.
//!
//! Fields as in the client `anthropic` 2.14; parameters that change nothing here (temperature, thinking, cache_control,
//! metadata …) are accepted as they come. Error texts are in the service's form: the path, a colon, what is wrong.

mod blocks;
mod history;
mod tools;

use super::{Delivery, Request};
use crate::{
    Fields, Service,
    refusal::{Refusal, Refused},
    tokens::weight,
};
use serde_json::Value;

pub(super) fn read(fields: &Fields) -> Refused<Request> {
    let max_tokens = match fields.get("max_tokens") {
        None => return Err(wrong("max_tokens", REQUIRED)),
        Some(value) => match (value.as_u64(), value.as_i64()) {
            (Some(0), _) | (None, Some(_)) => {
                return Err(wrong("max_tokens", "Input should be greater than or equal to 1"));
            }
            (Some(number), _) => usize::try_from(number).unwrap_or(usize::MAX),
            (None, None) => return Err(wrong("max_tokens", "Input should be a valid integer")),
        },
    };
    let Some(messages) = fields.get("messages") else { return Err(wrong("messages", REQUIRED)) };
    let messages = history::read(messages)?;
    let tools = tools::read(fields.get("tools"), fields.get("tool_choice"))?;
    let system_weight = match fields.get("system") {
        None => 0,
        Some(Value::String(text)) => weight(text),
        Some(Value::Array(blocks)) => system_weight(blocks)?,
        Some(_) => return Err(wrong("system", STRING)),
    };
    let delivery = match fields.get("stream") {
        None | Some(Value::Bool(false)) => Delivery::Whole,
        Some(Value::Bool(true)) => Delivery::Streamed,
        Some(_) => return Err(wrong("stream", "Input should be a valid boolean")),
    };
    if let Some(temperature) = fields.get("temperature")
        && !temperature.as_f64().is_some_and(|value| (0.0..=1.0).contains(&value))
    {
        return Err(wrong("temperature", "Input should be a number between 0 and 1"));
    }
    let stop_sequences = stop_sequences(fields.get("stop_sequences"))?;
    let input_weight = messages.weight + system_weight + tools.weight;
    Ok(Request {
        delivery,
        max_tokens: Some(max_tokens),
        stop_sequences,
        tools: tools.tools,
        ..Request::new(Service::AnthropicMessages, fields, messages.messages, input_weight)
    })
}

const REQUIRED: &str = "Field required";
const STRING: &str = "Input should be a valid string";
const LIST: &str = "Input should be a valid list";
const DICTIONARY: &str = "Input should be a valid dictionary";

fn wrong(path: &str, what: &str) -> Box<Refusal> {
    Refusal::invalid(format!("{path}: {what}"))
}

/// An element of `messages`, `tools` or `system`, and perhaps one of its content: what error texts name.
#[derive(Clone, Copy)]
struct Place {
    list: &'static str,
    nth: usize,
    block: Option<usize>,
}

impl Place {
    fn wrong(self, field: &str, what: &str) -> Box<Refusal> {
        let Self { list, nth, block } = self;
        let dot = if field.is_empty() { "" } else { "." };
        Refusal::invalid(match block {
            Some(block) => format!("{list}.{nth}.content.{block}{dot}{field}: {what}"),
            None => format!("{list}.{nth}{dot}{field}: {what}"),
        })
    }
}

fn system_weight(blocks: &[Value]) -> Refused<usize> {
    let mut total = 0;
    for (nth, block) in blocks.iter().enumerate() {
        let place = Place { list: "system", nth, block: None };
        if block.get("type").and_then(Value::as_str) != Some("text") {
            return Err(place.wrong("type", "Input should be 'text'"));
        }
        match block.get("text").and_then(Value::as_str) {
            None => return Err(place.wrong("text", REQUIRED)),
            Some("") => return Err(wrong("system", "text content blocks must be non-empty")),
            Some(text) => total += weight(text),
        }
    }
    Ok(total)
}

fn stop_sequences(value: Option<&Value>) -> Refused<Vec<String>> {
    let list = match value {
        None => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(wrong("stop_sequences", LIST)),
    };
    let mut read = Vec::new();
    for (nth, sequence) in list.iter().enumerate() {
        match sequence.as_str() {
            Some(text) if !text.trim().is_empty() => read.push(text.to_owned()),
            Some(_) => return Err(wrong("stop_sequences", "each stop sequence must contain non-whitespace")),
            None => return Err(Place { list: "stop_sequences", nth, block: None }.wrong("", STRING)),
        }
    }
    Ok(read)
}
