//! The headers that every response carries, also a refusal.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::Authority;

const COOP: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const CORP: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Adds them. There is no CORS header among them: those are a guest's alone.
pub fn protect(headers: &mut HeaderMap, authority: &Authority) {
    if let Ok(policy) = HeaderValue::from_str(&content_security_policy(authority)) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (COOP, "same-origin"),
        (CORP, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // What says nothing of caching is not kept.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

/// Scripts and styles only from here, nothing inline; WebAssembly, but no `eval`. Connections to the bridge, to https
/// services and to local model servers: the page talks to the model itself.
fn content_security_policy(authority: &Authority) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self' ws://{} https: http://127.0.0.1:* http://localhost:*; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        authority.host()
    )
}
