//! Reads a service's request body into one neutral view, refusing what the service refuses.

mod anthropic;
mod openai;

use crate::{
    Fields, Service,
    ids::Ids,
    refusal::{Refusal, Refused},
};
use serde_json::Value;

/// A request that passed validation.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) service: Service,
    pub(crate) delivery: Delivery,
    /// `None`: not sent, which Chat Completions allows.
    pub(crate) max_tokens: Option<usize>,
    /// None of them empty.
    pub(crate) stop_sequences: Vec<String>,
    pub(crate) messages: Vec<Message>,
    pub(crate) tools: Tools,
    /// An estimate: see [`crate::tokens`].
    pub(crate) input_tokens: usize,
    pub(crate) ids: Ids,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// One JSON document.
    Whole,
    /// Events; in Messages these always tell the usage.
    Streamed,
    /// Chat Completions with `stream_options.include_usage`.
    StreamedWithUsage,
}

#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) role: Role,
    pub(crate) parts: Vec<Part>,
}

/// Who speaks. A tool's result is the user's side of the conversation, as in Messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    User,
    Assistant,
}

#[derive(Debug)]
pub(crate) enum Part {
    Text(String),
    /// `arguments` is JSON text.
    Call {
        id: String,
        name: String,
        arguments: String,
    },
    /// `error` is what Messages calls `is_error`.
    Result {
        id: String,
        text: String,
        error: bool,
    },
    /// Messages only: a call of a tool that the service runs itself.
    ServerCall {
        id: String,
    },
    /// Messages only: its result, in the same assistant message or the next.
    ServerResult {
        id: String,
    },
    /// Thinking, images and whatever else a script does not read.
    Other,
}

/// What may be called.
#[derive(Debug, Default)]
pub(crate) struct Tools {
    /// The names of all offered tools.
    pub(crate) names: Vec<String>,
    /// The first that takes a string named `command`, unless the request forbids calls.
    pub(crate) shell: Option<String>,
    /// Whether one answer may hold one call only.
    pub(crate) one_at_a_time: bool,
    /// Whether an answer without a call is not allowed.
    pub(crate) required: bool,
}

pub(crate) fn parse(service: Service, body: &[u8]) -> Refused<Fields> {
    let value = match std::str::from_utf8(body) {
        Ok(text) => serde_json::from_str(text).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match (value, service) {
        (Ok(Value::Object(fields)), _) => Ok(fields),
        (Ok(_), Service::AnthropicMessages) => Err(Refusal::invalid("Input should be a valid dictionary".to_owned())),
        (Err(error), Service::AnthropicMessages) => {
            Err(Refusal::invalid(format!("The request body is not valid JSON: {error}")))
        }
        (Ok(_) | Err(_), Service::ChatCompletions) => Err(Refusal::invalid(
            "We could not parse the JSON body of your request. The API expects a JSON object, sent with the header \
             `content-type: application/json`."
                .to_owned(),
        )),
    }
}

pub(crate) fn model(service: Service, fields: &Fields) -> Refused<&str> {
    match (fields.get("model"), service) {
        (Some(Value::String(model)), _) if !model.is_empty() => Ok(model),
        (None, Service::AnthropicMessages) => Err(Refusal::invalid("model: Field required".to_owned())),
        (Some(Value::String(_)), Service::AnthropicMessages) => {
            Err(Refusal::invalid("model: String should have at least 1 character".to_owned()))
        }
        (Some(_), Service::AnthropicMessages) => {
            Err(Refusal::invalid("model: Input should be a valid string".to_owned()))
        }
        (_, Service::ChatCompletions) => Err(Refusal::invalid("you must provide a model parameter".to_owned())),
    }
}

pub(crate) fn read(service: Service, fields: &Fields) -> Refused<Request> {
    match service {
        Service::AnthropicMessages => anthropic::read(fields),
        Service::ChatCompletions => openai::read(fields),
    }
}

/// The service's own call in `message` that no result answers there or in the assistant message after it.
pub(crate) fn paused_search<'a>(message: &'a Message, next: Option<&Message>) -> Option<&'a str> {
    let next = next.filter(|next| next.role == Role::Assistant).map_or(&[][..], |next| &next.parts);
    let answered = |id: &str| {
        let mut parts = message.parts.iter().chain(next);
        parts.any(|part| matches!(part, Part::ServerResult { id: of } if of == id))
    };
    let mut calls = message.parts.iter().filter_map(|part| match part {
        Part::ServerCall { id } => Some(id.as_str()),
        _ => None,
    });
    calls.find(|id| !answered(id))
}

impl Request {
    /// The part of a request that both services' readers fill in the same way.
    fn new(service: Service, fields: &Fields, messages: Vec<Message>, input_weight: usize) -> Self {
        let mut ids = Ids::of(fields);
        ids.taken.extend(messages.iter().flat_map(|message| &message.parts).filter_map(|part| match part {
            Part::Call { id, .. } | Part::ServerCall { id } => Some(id.clone()),
            _ => None,
        }));
        Self {
            service,
            delivery: Delivery::Whole,
            max_tokens: None,
            stop_sequences: Vec::new(),
            messages,
            tools: Tools::default(),
            input_tokens: crate::tokens::tokens(input_weight),
            ids,
        }
    }
}

/// Whether a schema of a tool's input has a string named `command`.
fn takes_command(schema: &Value) -> bool {
    let command = schema.get("properties").and_then(|properties| properties.get("command"));
    command.and_then(|command| command.get("type")).and_then(Value::as_str) == Some("string")
}

/// The names both services allow for tools (the longest name differs).
fn is_tool_name(name: &str, longest: usize) -> bool {
    !name.is_empty() && name.len() <= longest && is_id(name)
}

/// The characters both services allow in ids and names.
fn is_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
