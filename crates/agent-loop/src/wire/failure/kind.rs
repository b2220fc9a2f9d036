//! What to do about an error, from its status, its name and its words: decided here, once, for every provider.

use super::FailureKind;
use super::shape::Told;

/// Throttling that speaks of tokens, and so looks like an overflow. Asked first: trimming a history because of a busy
/// endpoint would destroy it for nothing.
const THROTTLED: &[&str] = &[
    "rate limit",
    "rate_limit",
    "ratelimit",
    "throttl",
    "too many requests",
    "too many tokens, please wait",
    "per minute",
    "per day",
    "requests per",
    "please wait",
    "slow down",
    "resource_exhausted",
    "concurrency",
];

/// The ways to say that the messages are longer than the model reads: Anthropic, OpenAI, Gemini, xAI, Groq,
/// OpenRouter, llama.cpp, LM Studio, Ollama, vLLM, MiniMax, Kimi, Mistral, DashScope, Bedrock.
const OVERFLOWN: &[&str] = &[
    "prompt is too long",
    "prompt exceeds max length",
    "prompt token count",
    "超长",
    "prompt too long",
    "input is too long",
    "input too long",
    "context_length_exceeded",
    "context length exceeded",
    "model_context_window_exceeded",
    "exceed_context_size",
    "maximum context length",
    "maximum context size",
    "maximum model length",
    "maximum prompt length",
    "max_model_len",
    "exceeds the context",
    "exceed context window",
    "context size has been exceeded",
    "context length is only",
    "context overflow",
    "context the overflows",
    "exceed context limit",
    "exceeds context limit",
    "exceeds the available context",
    "exceeds the model's context",
    "exceeds the maximum number of tokens",
    "exceeded model token limit",
    "exceeds model token limit",
    "context window exceeds limit",
    "context window exceeded",
    "exceeds the context window",
    "greater than the context length",
    "larger than the context",
    "longer than the model's context length",
    "reduce the length of the messages",
    "reduce the length of the input",
    "reduce the length of your prompt",
    "range of input length should be",
    "input token count",
    "token count exceeds",
    "too many tokens",
    "too large for model with",
    "string_above_max_length_tokens",
];

/// An account that has to be paid, opened or changed by who owns it.
const ACCOUNT: &[&str] = &[
    "insufficient_quota",
    "insufficient balance",
    "insufficient_balance",
    "insufficient credits",
    "credit balance",
    "arrearage",
    "billing_",
    "payment required",
    "cors requests",
    "access denied",
    "permission_denied",
    "permission_error",
];

const BAD_KEY: &[&str] = &[
    "authentication_error",
    "invalid_api_key",
    "invalidapikey",
    "invalid api key",
    "invalid api-key",
    "incorrect api key",
    "api key not valid",
    "api_key_invalid",
    "unauthenticated",
    "login fail",
];

const NO_SUCH_THING: &[&str] =
    &["not_found", "notfound", "model not found", "no such model", "unknown model", "model does not exist"];

const OVERLOADED: &[&str] = &[
    "overloaded",
    "over capacity",
    "at capacity",
    "no capacity",
    "loading model",
    "service_unavailable",
    "engine is busy",
];

/// Failures of a chat template come as 500, and no second try helps.
const TEMPLATE: &[&str] =
    &["jinja", "chat template", "chat_template", "does not support tools", "tool choice requires"];

/// What a service's filter says of a request: the same request is refused again.
const FILTERED: &[&str] = &[
    "datainspectionfailed",
    "data_inspection_failed",
    "content_policy",
    "content policy",
    "content management policy",
    "content_filter",
    "inappropriate content",
];

/// `status` is that of the answer; an error inside a 200 may name one of its own as its code.
pub(super) fn of(status: Option<u16>, told: &Told) -> FailureKind {
    let words = format!("{}\n{}\n{}", told.class, told.code, told.message).to_lowercase();
    let says = |list: &[&str]| list.iter().any(|phrase| words.contains(phrase));
    let status = status.or_else(|| told.code.parse().ok().filter(|code| (300..600).contains(code)));

    // Gemini tells a limit per minute in the words of an empty account, and gives it away by this name.
    if says(ACCOUNT) && !says(&["resource_exhausted"]) {
        return FailureKind::Permission;
    }
    if says(THROTTLED) {
        return FailureKind::RateLimit;
    }
    if status != Some(429) && says(OVERFLOWN) {
        return FailureKind::ContextOverflow;
    }
    if says(&["request_too_large", "payload too large", "request entity too large"]) {
        return FailureKind::TooLarge;
    }
    if says(BAD_KEY) {
        return FailureKind::Authentication;
    }
    match status {
        Some(401 | 407) => FailureKind::Authentication,
        Some(402 | 403) => FailureKind::Permission,
        Some(404 | 405 | 410 | 300..=399) => FailureKind::NotFound,
        Some(413) => FailureKind::TooLarge,
        Some(429) => FailureKind::RateLimit,
        Some(503 | 529) => FailureKind::Overloaded,
        Some(408 | 409 | 425) => FailureKind::Server,
        _ if says(NO_SUCH_THING) => FailureKind::NotFound,
        Some(400..=499) => FailureKind::InvalidRequest,
        _ if says(OVERLOADED) => FailureKind::Overloaded,
        _ if told.message.trim().eq_ignore_ascii_case("not found") => FailureKind::NotFound,
        _ if says(FILTERED) => FailureKind::InvalidRequest,
        _ if says(TEMPLATE) || says(&["invalid_request", "invalid_argument", "invalidparameter"]) => {
            FailureKind::InvalidRequest
        }
        _ => FailureKind::Server,
    }
}
