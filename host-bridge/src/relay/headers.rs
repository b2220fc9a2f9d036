//! Which headers go through the relay: allow lists in both directions.
//!
//! What a browser adds (`Origin`, `Referer`, `Cookie`), what names another key (`Authorization`, `x-api-key`) and what
//! speaks of the connection (`Host`, `X-Forwarded-For`) stays here because it is not listed. Nor can a service set a
//! cookie, lift a policy or name another address for the bridge's own origin.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::scrub::Scrub;

const TO_UPSTREAM: [&str; 4] = ["content-type", "accept", "anthropic-version", "anthropic-beta"];

const TO_PAGE: [&str; 9] = [
    "content-type",
    "content-encoding",
    "retry-after",
    "retry-after-ms",
    "x-should-retry",
    "request-id",
    "x-request-id",
    "openai-processing-ms",
    "openai-model",
];

/// Rate limits, under the names of Anthropic and of everybody else.
const TO_PAGE_PREFIXES: [&str; 2] = ["anthropic-ratelimit-", "x-ratelimit-"];

/// What of a page's headers a service is sent.
pub(super) fn to_upstream(headers: &HeaderMap) -> HeaderMap {
    let mut kept = keep(headers, |name, _| TO_UPSTREAM.contains(&name.as_str()));
    // The answer is passed on as it comes, and looked through on the way.
    kept.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    kept
}

/// What of a service's headers the page is sent: none that holds the key.
pub(super) fn to_page(headers: &HeaderMap, scrub: &Scrub) -> HeaderMap {
    keep(headers, |name, value| {
        let name = name.as_str();
        let is_listed = TO_PAGE.contains(&name) || TO_PAGE_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
        is_listed && !scrub.finds(value.as_bytes())
    })
}

fn keep(headers: &HeaderMap, is_kept: impl Fn(&HeaderName, &HeaderValue) -> bool) -> HeaderMap {
    headers
        .iter()
        .filter(|(name, value)| is_kept(name, value))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
