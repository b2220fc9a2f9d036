//! A request that is refused: the status and the error body that each service gives for it.
//!
//! Shapes and types as in the official clients (`anthropic` 2.14, `openai` 3.57) and the services' error pages.

use crate::{
    Answer, Chunk, Ending, Service, ids,
    json_text::{fill, quoted},
};

/// What an HTTP error says. The error's type follows from the status and the service.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) message: String,
    /// Chat Completions only: the parameter at fault.
    pub(crate) param: Option<String>,
    /// Chat Completions only: a code for programs.
    pub(crate) code: Option<&'static str>,
    /// Seconds, sent as `retry-after`.
    pub(crate) retry_after: Option<u32>,
}

/// Boxed, because a refusal travels up through many functions and is rare.
pub(crate) type Refused<T> = Result<T, Box<Refusal>>;

impl Refusal {
    /// A 400 with a message alone: all that Messages says.
    pub(crate) fn invalid(message: String) -> Box<Self> {
        Box::new(Self { status: 400, message, param: None, code: None, retry_after: None })
    }

    pub(crate) fn unknown_model(service: Service, model: &str) -> Box<Self> {
        let (message, code) = match service {
            Service::AnthropicMessages => (format!("model: {model}"), None),
            Service::ChatCompletions => (
                format!("The model `{model}` does not exist or you do not have access to it."),
                Some("model_not_found"),
            ),
        };
        Box::new(Self { status: 404, code, ..*Self::invalid(message) })
    }

    /// The error as the service writes it into a body, or into a stream.
    pub(crate) fn to_json(&self, service: Service, request_id: &str) -> String {
        let message = quoted(&self.message);
        match service {
            Service::AnthropicMessages => {
                let kind = match self.status {
                    401 => "authentication_error",
                    403 => "permission_error",
                    404 => "not_found_error",
                    429 => "rate_limit_error",
                    529 => "overloaded_error",
                    500.. => "api_error",
                    _ => "invalid_request_error",
                };
                let template = r#"{"type":"error","error":{"type":"$","message":$},"request_id":"$"}"#;
                fill(template, &[kind, &message, request_id])
            }
            Service::ChatCompletions => {
                let kind = match self.status {
                    429 => "requests",
                    500.. => "server_error",
                    _ => "invalid_request_error",
                };
                let or_null = |text: Option<&str>| text.map_or("null".to_owned(), quoted);
                let (param, code) = (or_null(self.param.as_deref()), or_null(self.code));
                let template = r#"{"error":{"message":$,"type":"$","param":$,"code":$}}"#;
                fill(template, &[&message, kind, &param, &code])
            }
        }
    }

    pub(crate) fn into_answer(self, service: Service, body: &[u8]) -> Answer {
        let request_id = ids::request_id(body);
        let bytes = self.to_json(service, &request_id).into_bytes();
        let mut headers =
            vec![("content-type", "application/json".to_owned()), (ids::request_id_header(service), request_id)];
        headers.extend(self.retry_after.map(|seconds| ("retry-after", seconds.to_string())));
        Answer { status: self.status, headers, chunks: vec![Chunk { pause_ms: 40, bytes }], ending: Ending::Close }
    }
}
