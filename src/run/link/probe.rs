//! Why a socket did not open. A browser does not tell a refused token from a bridge that is not there, but `fetch` does.

use leptos::prelude::window;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestCache, RequestCredentials, RequestInit, Response};

/// A route behind the same token, which does nothing.
const ROUTE: &str = "/practice/anthropic/v1/models";

/// What a bridge says to a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Probe {
    /// It is there and does not know it.
    Refused,
    /// It is not there, or something else is the matter.
    Unclear,
}

/// Asks the bridge whether it knows this token.
pub(super) async fn probe(origin: &str, token: &str) -> Probe {
    match status(origin, token).await {
        Some(401) => Probe::Refused,
        Some(_) | None => Probe::Unclear,
    }
}

async fn status(origin: &str, token: &str) -> Option<u16> {
    let headers = Headers::new().ok()?;
    headers.set("authorization", &format!("Bearer {token}")).ok()?;
    let init = RequestInit::new();
    init.set_headers(&headers);
    init.set_credentials(RequestCredentials::Omit);
    init.set_cache(RequestCache::NoStore);
    let answer = window().fetch_with_str_and_init(&format!("{origin}{ROUTE}"), &init);
    let response: Response = JsFuture::from(answer).await.ok()?.dyn_into().ok()?;
    Some(response.status())
}
