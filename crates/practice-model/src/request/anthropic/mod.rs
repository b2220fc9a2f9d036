//! The body of `POST /v1/messages`.
//!
//! Fields as in the client `anthropic` 2.14; parameters that change nothing here (temperature, thinking, cache_control,
//! metadata …) are accepted as they come. Error texts are in the service's form: the path, a colon, what is wrong.

mod blocks;
mod history;
mod tools;

use super::{Delivery, Request};
use crate::{Fields, Service, refusal::Refusal, tokens::weight};
use serde_json::Value;

pub(super) fn read(fields: &Fields) -> Result<Request, Refusal> {
    let max_tokens = match fields.get("max_tokens") {
        None | Some(Value::Null) => return Err(Refusal::invalid("max_tokens: Field required")),
        Some(value) => whole_number("max_tokens", value)?,
    };
    let Some(messages) = fields.get("messages") else { return Err(Refusal::invalid("messages: Field required")) };
    let messages = history::read(messages)?;
    let tools = tools::read(fields.get("tools"), fields.get("tool_choice"))?;
    let system_weight = match fields.get("system") {
        None => 0,
        Some(Value::String(text)) => weight(text),
        Some(Value::Array(blocks)) => system_weight(blocks)?,
        Some(_) => return Err(Refusal::invalid("system: Input should be a valid string")),
    };
    let delivery = match fields.get("stream") {
        None | Some(Value::Bool(false)) => Delivery::Whole,
        Some(Value::Bool(true)) => Delivery::Streamed,
        Some(_) => return Err(Refusal::invalid("stream: Input should be a valid boolean")),
    };
    if let Some(temperature) = fields.get("temperature")
        && !temperature.as_f64().is_some_and(|value| (0.0..=1.0).contains(&value))
    {
        return Err(Refusal::invalid("temperature: Input should be a number between 0 and 1"));
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

fn whole_number(path: &str, value: &Value) -> Result<usize, Refusal> {
    match (value.as_u64(), value.as_i64()) {
        (Some(0), _) | (None, Some(_)) => {
            Err(Refusal::invalid(format!("{path}: Input should be greater than or equal to 1")))
        }
        (Some(number), _) => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
        (None, None) => Err(Refusal::invalid(format!("{path}: Input should be a valid integer"))),
    }
}

fn system_weight(blocks: &[Value]) -> Result<usize, Refusal> {
    let mut total = 0;
    for (nth, block) in blocks.iter().enumerate() {
        if block.get("type").and_then(Value::as_str) != Some("text") {
            return Err(Refusal::invalid(format!("system.{nth}.type: Input should be 'text'")));
        }
        let Some(text) = block.get("text").and_then(Value::as_str) else {
            return Err(Refusal::invalid(format!("system.{nth}.text: Field required")));
        };
        if text.is_empty() {
            return Err(Refusal::invalid("system: text content blocks must be non-empty"));
        }
        total += weight(text);
    }
    Ok(total)
}

fn stop_sequences(value: Option<&Value>) -> Result<Vec<String>, Refusal> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let Some(sequences) = value.as_array() else {
        return Err(Refusal::invalid("stop_sequences: Input should be a valid list"));
    };
    let mut read = Vec::new();
    for (nth, sequence) in sequences.iter().enumerate() {
        match sequence.as_str() {
            Some(text) if !text.trim().is_empty() => read.push(text.to_owned()),
            Some(_) => {
                return Err(Refusal::invalid("stop_sequences: each stop sequence must contain non-whitespace"));
            }
            None => return Err(Refusal::invalid(format!("stop_sequences.{nth}: Input should be a valid string"))),
        }
    }
    Ok(read)
}
