//! Why a model call failed: one set of kinds for every provider, named for what the caller does about them.

mod kind;
mod shape;
mod wait;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::json;

/// What to do about a failed model call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// 401: check the key.
    Authentication,
    /// 403, billing, an organisation that forbids browser calls: ask who runs the account.
    Permission,
    /// 404: check the address and the model's name.
    NotFound,
    /// 400: the request is not what this endpoint accepts.
    InvalidRequest,
    /// The messages are longer than the model reads.
    ContextOverflow,
    /// 413: the body is too large in bytes.
    TooLarge,
    /// 429: wait, then try again.
    RateLimit,
    /// 529, 503: wait, then try again.
    Overloaded,
    /// Other 5xx, or an error inside a 200: try again.
    Server,
    /// No answer could be read: network, address, or CORS.
    Unreachable,
    /// The answer broke off before its end: try again.
    Incomplete,
    /// The answer did not begin in time.
    NotBegun,
    /// The answer began and then was silent for too long.
    Stalled,
    /// Part of the answer is broken: it is this dialect, and not JSON.
    Undecodable,
    /// Part of the answer is longer than is read.
    TooLong,
    /// What came is not this dialect (HTML, other JSON): check the address.
    NotThisDialect,
}

/// A failed model call, as the endpoint told it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFailure {
    /// What to do about it.
    pub kind: FailureKind,
    /// HTTP status, where there was one.
    pub status: Option<u16>,
    /// The endpoint's own name for it (`overloaded_error`, `invalid_api_key`, …).
    pub error_type: Option<String>,
    /// The endpoint's own words, or the transport's.
    pub message: String,
    /// How long the endpoint asks to wait, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// The endpoint's id of the request, for its support.
    pub request_id: Option<String>,
}

impl ModelFailure {
    /// A failure with nothing but a kind and words.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> ModelFailure {
        ModelFailure {
            kind,
            status: None,
            error_type: None,
            message: message.into(),
            retry_after_ms: None,
            request_id: None,
        }
    }

    /// Whether the same request may well succeed a little later.
    pub fn is_transient(&self) -> bool {
        match self.kind {
            FailureKind::RateLimit
            | FailureKind::Overloaded
            | FailureKind::Server
            | FailureKind::Incomplete
            | FailureKind::Undecodable
            | FailureKind::Unreachable => true,
            FailureKind::Authentication
            | FailureKind::Permission
            | FailureKind::NotFound
            | FailureKind::InvalidRequest
            | FailureKind::ContextOverflow
            | FailureKind::TooLarge
            | FailureKind::NotBegun
            | FailureKind::Stalled
            | FailureKind::TooLong
            | FailureKind::NotThisDialect => false,
        }
    }
}

/// The longest text quoted from a body that is not an error of any known shape, in characters.
const EXCERPT: usize = 500;

/// Reads the answer to a request that was refused (status other than 2xx). `headers` have lower-case names.
pub fn failure_of_status(status: u16, headers: &[(String, String)], body: &[u8]) -> ModelFailure {
    let header = |name: &str| headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let payload = json::read(body).unwrap_or(Value::Null);
    let told =
        shape::of_refusal(&payload).unwrap_or_else(|| shape::Told { message: excerpt(body), ..Default::default() });
    ModelFailure {
        retry_after_ms: wait::of_headers(header).or_else(|| wait::of_payload(&payload, &told.message)),
        request_id: ["request-id", "x-request-id"]
            .into_iter()
            .find_map(header)
            .map(str::to_owned)
            .or_else(|| told.request_id.clone()),
        kind: kind::of(Some(status), &told),
        status: Some(status),
        error_type: told.name(),
        message: told.message,
    }
}

/// The failure that a payload of an answer with status 200 tells, in any of the shapes seen.
pub(crate) fn failure_of_payload(payload: &Value) -> Option<ModelFailure> {
    shape::of_answer(payload).map(|told| failure(told, payload))
}

/// The failure told by an event that is named an error, whatever it holds.
pub(crate) fn failure_of_event(payload: &Value) -> ModelFailure {
    let told = shape::of_refusal(payload);
    failure(told.unwrap_or_else(|| shape::Told { message: json::written(payload), ..Default::default() }), payload)
}

fn failure(told: shape::Told, payload: &Value) -> ModelFailure {
    ModelFailure {
        kind: kind::of(None, &told),
        status: None,
        error_type: told.name(),
        retry_after_ms: wait::of_payload(payload, &told.message),
        request_id: told.request_id,
        message: told.message,
    }
}

/// The beginning of a body that is no known error: the title of a page, or the text itself.
pub(crate) fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let text = text.trim_start_matches('\u{feff}').trim();
    let lower = text.to_ascii_lowercase();
    let title =
        lower.find("<title").and_then(|at| Some((at + lower.get(at..)?.find('>')? + 1, lower.find("</title")?)));
    let text = title.and_then(|(from, to)| text.get(from..to)).map_or(text, str::trim);
    text.chars().take(EXCERPT).collect()
}
