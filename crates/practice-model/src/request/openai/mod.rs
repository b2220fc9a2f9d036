//! The body of `POST /v1/chat/completions`.
//!
//! Fields as in the client `openai` 3.57; parameters that change nothing here (temperature, seed, reasoning_effort …) and
//! those of compatible servers are accepted as they come. Error texts are in the service's form, with `param` and `code`.

mod history;
mod tools;

use super::{Delivery, Request};
use crate::{Fields, Service, refusal::Refusal};
use serde_json::Value;

pub(super) fn read(fields: &Fields) -> Result<Request, Refusal> {
    let Some(messages) = fields.get("messages") else {
        return Err(Refusal::parameter(
            "messages",
            Some("missing_required_parameter"),
            "Missing required parameter: 'messages'.",
        ));
    };
    let history = history::read(messages)?;
    let tools = tools::read(fields)?;
    let delivery = delivery(fields)?;
    let max_tokens = match (fields.get("max_completion_tokens"), fields.get("max_tokens")) {
        (Some(Value::Null) | None, Some(Value::Null) | None) => None,
        (Some(value), Some(Value::Null) | None) => Some(whole_number("max_completion_tokens", value)?),
        (Some(Value::Null) | None, Some(value)) => Some(whole_number("max_tokens", value)?),
        (Some(_), Some(_)) => {
            return Err(Refusal::invalid(
                "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
            ));
        }
    };
    if !matches!(fields.get("n"), None | Some(Value::Null)) && fields.get("n").and_then(Value::as_u64) != Some(1) {
        return Err(Refusal::parameter("n", Some("invalid_value"), "Invalid 'n': a practice model gives one choice."));
    }
    let input_weight = history.weight + tools.weight;
    Ok(Request {
        delivery,
        max_tokens,
        stop_sequences: stop_sequences(fields.get("stop"))?,
        tools: tools.tools,
        ..Request::new(Service::ChatCompletions, fields, history.messages, input_weight)
    })
}

/// `expected` as in "expected a string".
fn wrong_type(param: impl Into<String>, expected: &str, got: &Value) -> Refusal {
    let param = param.into();
    let got = match got {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a decimal number",
        Value::Number(_) => "an integer",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    let message = format!("Invalid type for '{param}': expected {expected}, but got {got} instead.");
    Refusal::parameter(param, Some("invalid_type"), message)
}

fn missing(param: impl Into<String>) -> Refusal {
    let param = param.into();
    let message = format!("Missing required parameter: '{param}'.");
    Refusal::parameter(param, Some("missing_required_parameter"), message)
}

fn empty_array(param: impl Into<String>) -> Refusal {
    let param = param.into();
    let message = format!(
        "Invalid '{param}': empty array. Expected an array with minimum length 1, but got an empty array instead."
    );
    Refusal::parameter(param, Some("empty_array"), message)
}

fn flag(fields: &Fields, name: &str) -> Result<bool, Refusal> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(value)) => Ok(*value),
        Some(value) => Err(wrong_type(name, "a boolean", value)),
    }
}

fn delivery(fields: &Fields) -> Result<Delivery, Refusal> {
    let streamed = flag(fields, "stream")?;
    match fields.get("stream_options") {
        None | Some(Value::Null) if streamed => Ok(Delivery::Streamed),
        None | Some(Value::Null) => Ok(Delivery::Whole),
        Some(Value::Object(_)) if !streamed => Err(Refusal::parameter(
            "stream_options",
            None,
            "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
        )),
        Some(Value::Object(options)) if flag(options, "include_usage")? => Ok(Delivery::StreamedWithUsage),
        Some(Value::Object(_)) => Ok(Delivery::Streamed),
        Some(value) => Err(wrong_type("stream_options", "an object", value)),
    }
}

fn whole_number(param: &str, value: &Value) -> Result<usize, Refusal> {
    match (value.as_u64(), value.as_i64()) {
        (Some(0), _) | (None, Some(_)) => Err(Refusal::parameter(
            param,
            Some("integer_below_min_value"),
            format!("Invalid '{param}': integer below minimum value. Expected a value >= 1, but got {value} instead."),
        )),
        (Some(number), _) => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
        (None, None) => Err(wrong_type(param, "an integer", value)),
    }
}

fn stop_sequences(value: Option<&Value>) -> Result<Vec<String>, Refusal> {
    let list = match value {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(text @ Value::String(_)) => std::slice::from_ref(text),
        Some(Value::Array(list)) => list,
        Some(value) => return Err(wrong_type("stop", "a string or an array of strings", value)),
    };
    if list.len() > 4 {
        return Err(Refusal::parameter(
            "stop",
            Some("array_above_max_length"),
            format!(
                "Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length \
                 {} instead.",
                list.len()
            ),
        ));
    }
    let mut read = Vec::new();
    for (nth, sequence) in list.iter().enumerate() {
        match sequence {
            Value::String(text) if text.is_empty() => {}
            Value::String(text) => read.push(text.clone()),
            value => return Err(wrong_type(format!("stop[{nth}]"), "a string", value)),
        }
    }
    Ok(read)
}
