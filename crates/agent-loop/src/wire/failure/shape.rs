//! Where an error stands in what an endpoint sends: there is no shape that all of them share.

use serde_json::Value;

use crate::wire::json::{text, written};

/// An error as an endpoint told it.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Its class (`invalid_request_error`), or empty.
    pub(super) class: String,
    /// Its more particular code (`context_length_exceeded`, `502`), or empty.
    pub(super) code: String,
    /// Its words.
    pub(super) message: String,
    /// The endpoint's id of the request.
    pub(super) request_id: Option<String>,
}

impl Told {
    /// The most particular name it has.
    pub(super) fn name(&self) -> Option<String> {
        let code_is_name = !self.code.is_empty() && (self.class.is_empty() || self.code.parse::<i64>().is_err());
        [&self.code, &self.class].into_iter().skip(usize::from(!code_is_name)).find(|name| !name.is_empty()).cloned()
    }
}

/// The error in the body of a refused request: everything an answer may hold, and what only such a body can mean.
pub(super) fn of_refusal(body: &Value) -> Option<Told> {
    let body = inner(body);
    of_answer(body).or_else(|| match body {
        Value::String(message) => Some(Told { message: message.clone(), ..Told::default() }),
        Value::Object(_) => ["detail", "errors", "message", "msg"]
            .into_iter()
            .any(|key| body.get(key).is_some_and(is_told))
            .then(|| of_error(body, body)),
        _ => None,
    })
}

/// The error in a payload that arrived with status 200, if it is one.
pub(super) fn of_answer(payload: &Value) -> Option<Told> {
    let payload = inner(payload);
    let in_choice = payload.get("choices").and_then(Value::as_array).into_iter().flatten();
    let in_choice = in_choice.flat_map(|choice| [Some(choice), choice.get("delta"), choice.get("message")]).flatten();
    let mut places = [Some(payload), payload.get("x_groq")].into_iter().flatten().chain(in_choice);
    if let Some(error) = places.find_map(|place| place.get("error").filter(|error| is_told(error))) {
        return Some(of_error(error, payload));
    }
    let flat = Told {
        class: text(payload, "error_type").to_owned(),
        message: text(payload, "error_message").to_owned(),
        ..Told::default()
    };
    if !flat.class.is_empty() || !flat.message.is_empty() {
        return Some(flat);
    }
    if let Some(status) = payload.get("base_resp") {
        // MiniMax
        let code = status.get("status_code").and_then(Value::as_i64).filter(|code| *code != 0)?;
        let message = text(status, "status_msg").to_owned();
        return Some(Told { code: code.to_string(), message, ..Told::default() });
    }
    // What has words and a code, or a detail, and nothing of an answer (DashScope, FastAPI).
    let has = |key: &str| payload.get(key).is_some_and(is_told);
    let is_answer = ["choices", "content", "delta", "usage", "message_id", "content_block"]
        .into_iter()
        .any(|key| payload.get(key).is_some());
    let is_coded =
        payload.get("message").is_some_and(Value::is_string) && (has("code") || has("status_code") || has("status"));
    if !is_answer && (is_coded || has("detail") || has("errors")) {
        return Some(of_error(payload, payload));
    }
    let is_error = ["type", "object"].into_iter().any(|key| payload.get(key).and_then(Value::as_str) == Some("error"));
    is_error.then(|| of_error(payload, payload))
}

/// Some endpoints wrap an error in a list.
fn inner(payload: &Value) -> &Value {
    payload.as_array().and_then(|list| list.first()).unwrap_or(payload)
}

/// Whether a field that could hold an error holds one.
fn is_told(error: &Value) -> bool {
    match error {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        // A field that is always there and says nothing.
        Value::Object(fields) => fields.values().any(is_told),
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Bool(true) => true,
    }
}

fn of_error(error: &Value, around: &Value) -> Told {
    if let Some(nested) = error.get("error").filter(|nested| nested.is_object()) {
        return of_error(nested, around);
    }
    let words = |value: &Value| match value {
        Value::String(text) => text.clone(),
        // FastAPI lists what is wrong with each field.
        Value::Array(list) => list.iter().map(words_of_item).collect::<Vec<_>>().join("; "),
        Value::Object(_) => words_of_item(value),
        _ => String::new(),
    };
    let said_in = |value: &Value| {
        let keys = ["message", "detail", "msg", "error", "errors", "error_message"].into_iter();
        keys.filter_map(|key| value.get(key)).map(words).find(|words| !words.is_empty())
    };
    let mut message = match error {
        Value::Object(_) => said_in(error).unwrap_or_else(|| written(error)),
        // `{"error": "not_found", "message": "…"}`: the string is the name, the words stand beside it.
        Value::String(_) if !text(around, "message").is_empty() => text(around, "message").to_owned(),
        Value::Bool(_) | Value::Number(_) => said_in(around).unwrap_or_default(),
        other => words(other),
    };
    // OpenRouter hides what the upstream really said one level down.
    let upstream = error.get("metadata").map(|metadata| text(metadata, "raw")).unwrap_or_default();
    if !upstream.is_empty() {
        message = format!("{message}: {upstream}");
    }
    let name = |key: &str| match error.get(key).or_else(|| around.get(key)) {
        Some(Value::String(text)) if text != "error" => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let own_name = error.as_str().filter(|name| **name != message).unwrap_or_default().to_owned();
    let class = [name("type"), name("status"), own_name].into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    let request_id =
        [error, around].into_iter().flat_map(|value| [text(value, "request_id"), text(value, "requestId")]);
    let request_id = request_id.into_iter().find(|id| !id.is_empty()).map(str::to_owned);
    Told { class, code: name("code"), message, request_id }
}

fn words_of_item(item: &Value) -> String {
    let message = ["msg", "message"].into_iter().map(|key| text(item, key)).find(|words| !words.is_empty());
    let place = item.get("loc").and_then(Value::as_array).map(|path| {
        path.iter()
            .map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned))
            .collect::<Vec<_>>()
            .join(".")
    });
    match (place, message) {
        (Some(place), Some(message)) => format!("{place}: {message}"),
        (None, Some(message)) => message.to_owned(),
        (_, None) => item.as_str().map_or_else(|| written(item), str::to_owned),
    }
}
