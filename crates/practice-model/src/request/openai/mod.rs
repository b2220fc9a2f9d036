//! The body of `POST /v1/chat/completions`.
//!
//! Fields as in the client `openai` 3.57; parameters that change nothing here (temperature, seed, reasoning_effort …) and
//! those of compatible servers are accepted as they come. Error texts are in the service's form, with `param` and `code`.

mod history;
mod place;
mod tools;

use super::{Delivery, Request};
use crate::{
    Fields, Service,
    refusal::{Refusal, Refused},
};
use place::{Place, missing, parameter, wrong_type};
use serde_json::Value;

pub(super) fn read(fields: &Fields) -> Refused<Request> {
    let Some(messages) = fields.get("messages") else { return Err(missing("messages")) };
    let history = history::read(messages)?;
    let tools = tools::read(fields)?;
    let delivery = delivery(fields)?;
    let max_tokens = match (sent(fields, "max_completion_tokens"), sent(fields, "max_tokens")) {
        (None, None) => None,
        (Some(value), None) => Some(whole_number("max_completion_tokens", value)?),
        (None, Some(value)) => Some(whole_number("max_tokens", value)?),
        (Some(_), Some(_)) => {
            return Err(Refusal::invalid(
                "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.".to_owned(),
            ));
        }
    };
    if sent(fields, "n").is_some_and(|n| n.as_u64() != Some(1)) {
        return Err(parameter("n", Some("invalid_value"), "Invalid '$': a practice model gives one choice."));
    }
    let input_weight = history.weight + tools.weight;
    Ok(Request {
        delivery,
        max_tokens,
        stop_sequences: stop_sequences(sent(fields, "stop"))?,
        tools: tools.tools,
        ..Request::new(Service::ChatCompletions, fields, history.messages, input_weight)
    })
}

/// A field that is there and not null: null means the same as leaving it out.
fn sent<'a>(fields: &'a Fields, name: &str) -> Option<&'a Value> {
    fields.get(name).filter(|value| !value.is_null())
}

fn flag(fields: &Fields, name: &str) -> Refused<bool> {
    match sent(fields, name) {
        None => Ok(false),
        Some(Value::Bool(value)) => Ok(*value),
        Some(value) => Err(wrong_type(name, "a boolean", value)),
    }
}

fn delivery(fields: &Fields) -> Refused<Delivery> {
    let streamed = flag(fields, "stream")?;
    match sent(fields, "stream_options") {
        None if streamed => Ok(Delivery::Streamed),
        None => Ok(Delivery::Whole),
        Some(Value::Object(_)) if !streamed => {
            Err(parameter("stream_options", None, "The '$' parameter is only allowed when 'stream' is enabled."))
        }
        Some(Value::Object(options)) if flag(options, "include_usage")? => Ok(Delivery::StreamedWithUsage),
        Some(Value::Object(_)) => Ok(Delivery::Streamed),
        Some(value) => Err(wrong_type("stream_options", "an object", value)),
    }
}

fn whole_number(param: &str, value: &Value) -> Refused<usize> {
    match (value.as_u64(), value.as_i64()) {
        (Some(0), _) | (None, Some(_)) => Err(parameter(
            param,
            Some("integer_below_min_value"),
            "Invalid '$': integer below minimum value. Expected a value >= 1.",
        )),
        (Some(number), _) => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
        (None, None) => Err(wrong_type(param, "an integer", value)),
    }
}

fn stop_sequences(value: Option<&Value>) -> Refused<Vec<String>> {
    let list = match value {
        None => return Ok(Vec::new()),
        Some(text @ Value::String(_)) => std::slice::from_ref(text),
        Some(Value::Array(list)) => list,
        Some(value) => return Err(wrong_type("stop", "a string or an array of strings", value)),
    };
    if list.len() > 4 {
        return Err(parameter(
            "stop",
            Some("array_above_max_length"),
            "Invalid '$': array too long. Expected an array with maximum length 4.",
        ));
    }
    let mut read = Vec::new();
    for (nth, sequence) in list.iter().enumerate() {
        match sequence {
            Value::String(text) if text.is_empty() => {}
            Value::String(text) => read.push(text.clone()),
            value => return Err(Place { list: "stop", nth, inner: None }.wrong_type("", "a string", value)),
        }
    }
    Ok(read)
}
