//! What is wrong where, in the words of Chat Completions.

use crate::refusal::Refusal;
use serde_json::Value;

/// An element of a list, and perhaps of a list inside it, such as `messages[1].tool_calls[0]`.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) list: &'static str,
    pub(super) nth: usize,
    pub(super) inner: Option<(&'static str, usize)>,
}

impl Place {
    pub(super) fn missing(self, field: &str) -> Box<Refusal> {
        missing(&self.path(field))
    }

    pub(super) fn wrong_type(self, field: &str, expected: &str, got: &Value) -> Box<Refusal> {
        wrong_type(&self.path(field), expected, got)
    }

    pub(super) fn empty_array(self, field: &str) -> Box<Refusal> {
        empty_array(&self.path(field))
    }

    /// As [`parameter`].
    pub(super) fn parameter(self, field: &str, code: Option<&'static str>, message: &str) -> Box<Refusal> {
        parameter(&self.path(field), code, message)
    }

    /// As [`told`].
    pub(super) fn told(self, field: &str, code: Option<&'static str>, message: String) -> Box<Refusal> {
        told(&self.path(field), code, message)
    }

    fn path(self, field: &str) -> String {
        let Self { list, nth, inner } = self;
        let dot = if field.is_empty() { "" } else { "." };
        match inner {
            Some((inner, inner_nth)) => format!("{list}[{nth}].{inner}[{inner_nth}]{dot}{field}"),
            None => format!("{list}[{nth}]{dot}{field}"),
        }
    }
}

/// A `$` in the message stands for the parameter.
pub(super) fn parameter(param: &str, code: Option<&'static str>, message: &str) -> Box<Refusal> {
    told(param, code, message.replace('$', param))
}

/// A refusal with a message that may hold the request's own words.
pub(super) fn told(param: &str, code: Option<&'static str>, message: String) -> Box<Refusal> {
    Box::new(Refusal { param: Some(param.to_owned()), code, ..*Refusal::invalid(message) })
}

pub(super) fn missing(param: &str) -> Box<Refusal> {
    parameter(param, Some("missing_required_parameter"), "Missing required parameter: '$'.")
}

pub(super) fn empty_array(param: &str) -> Box<Refusal> {
    parameter(
        param,
        Some("empty_array"),
        "Invalid '$': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    )
}

/// `expected` as in "expected a string".
pub(super) fn wrong_type(param: &str, expected: &str, got: &Value) -> Box<Refusal> {
    let got = match got {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a decimal number",
        Value::Number(_) => "an integer",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    let message = format!("Invalid type for '$': expected {expected}, but got {got} instead.");
    parameter(param, Some("invalid_type"), &message)
}

/// A word that is none of those the service knows.
pub(super) fn unknown_value(place: Place, field: &str, value: &str, known: &str) -> Box<Refusal> {
    let message = format!("Invalid value: '{value}'. Supported values are: {known}.");
    place.told(field, Some("invalid_value"), message)
}

/// A function's name with characters that the service does not allow.
pub(super) fn bad_name(place: Place) -> Box<Refusal> {
    let message = "Invalid '$': expected at most 64 of the characters a-z, A-Z, 0-9, _ and -.";
    place.parameter("function.name", Some("invalid_value"), message)
}
