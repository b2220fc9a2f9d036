//! Carries a request with the browser's `fetch`. Dropping the stream aborts the request through a controller of its own,
//! because dropping the body alone does not end a request whose head has not come.

use std::cell::Cell;

use agent_loop::{HttpRequest, Reply, Transport, TransportError};
use futures_util::StreamExt;
use futures_util::future;
use futures_util::stream::{self, LocalBoxStream};
use js_sys::{Array, Uint8Array};
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_streams::readable::{IntoStream, ReadableStream};
use web_sys::{
    AbortController, ReferrerPolicy, Request, RequestCache, RequestCredentials, RequestInit, RequestRedirect, Response,
    ResponseType,
};

thread_local! {
    /// Whether the page is being left: there is one page, and it is left once.
    static IS_LEFT: Cell<bool> = const { Cell::new(false) };
}

/// `fetch`, with no header beyond the request's own: each further one may fail a preflight.
#[derive(Debug, Clone, Copy)]
pub struct Fetch;

impl Transport for Fetch {
    fn send(&self, request: &HttpRequest) -> LocalBoxStream<'static, Result<Reply, TransportError>> {
        match ask(request) {
            Ok(stage) => stream::unfold(stage, next).boxed_local(),
            Err(why) => stream::once(future::ready(Err(TransportError::Unreachable(words(&why))))).boxed_local(),
        }
    }
}

/// From here on no request fails: the browser breaks them off because the page goes, which says nothing of the endpoint
/// and must not be recorded as its failure.
pub fn leave() {
    IS_LEFT.set(true);
}

/// How far a request has come.
enum Stage {
    Asked(JsFuture, Abort),
    Answering(IntoStream<'static>, Abort),
    Over,
}

/// Aborts the request when it is dropped; nothing happens to one that is over.
struct Abort(AbortController);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn ask(request: &HttpRequest) -> Result<Stage, JsValue> {
    let abort = AbortController::new()?;
    let headers = web_sys::Headers::new()?;
    for (name, value) in &request.headers {
        headers.set(name, value)?;
    }
    let init = RequestInit::new();
    init.set_headers(&headers);
    if !request.body.is_empty() {
        init.set_method("POST");
        init.set_body(&Uint8Array::from(request.body.as_slice()));
    }
    init.set_signal(Some(&abort.signal()));
    init.set_credentials(RequestCredentials::Omit);
    init.set_cache(RequestCache::NoStore);
    init.set_referrer_policy(ReferrerPolicy::NoReferrer);
    // A redirect would carry the key in `x-api-key` to wherever it leads.
    init.set_redirect(RequestRedirect::Manual);
    let request = Request::new_with_str_and_init(&request.url, &init)?;
    Ok(Stage::Asked(JsFuture::from(window().fetch_with_request(&request)), Abort(abort)))
}

async fn next(stage: Stage) -> Option<(Result<Reply, TransportError>, Stage)> {
    match stage {
        Stage::Asked(answer, abort) => {
            let unreachable = |why| Some((Err(TransportError::Unreachable(why)), Stage::Over));
            let response: Response = match answer.await.map(JsCast::dyn_into) {
                Ok(Ok(response)) => response,
                Ok(Err(other)) | Err(other) => return unreachable(reason(&other).await),
            };
            if response.type_() == ResponseType::Opaqueredirect {
                return unreachable("the address redirects to another one".to_owned());
            }
            let head = Reply::Head { status: response.status(), headers: headers(&response) };
            let stage = match response.body() {
                Some(body) => Stage::Answering(ReadableStream::from_raw(body).into_stream(), abort),
                None => Stage::Over,
            };
            Some((Ok(head), stage))
        }
        Stage::Answering(mut body, abort) => match body.next().await? {
            Ok(chunk) => {
                let bytes = Uint8Array::new(&chunk).to_vec();
                Some((Ok(Reply::Bytes(bytes)), Stage::Answering(body, abort)))
            }
            Err(why) => Some((Err(TransportError::Broken(reason(&why).await)), Stage::Over)),
        },
        Stage::Over => None,
    }
}

/// Why it failed, if the page stays to hear it.
async fn reason(error: &JsValue) -> String {
    if IS_LEFT.get() { future::pending().await } else { words(error) }
}

/// The headers that may be read, names in lower case as the browser gives them.
fn headers(response: &Response) -> Vec<(String, String)> {
    let entries = js_sys::try_iter(&response.headers()).ok().flatten();
    let pair = |entry: JsValue| {
        let entry: Array = entry.dyn_into().ok()?;
        Some((entry.get(0).as_string()?, entry.get(1).as_string()?))
    };
    entries.into_iter().flatten().filter_map(|entry| pair(entry.ok()?)).collect()
}

/// What the browser says about an error.
pub fn words(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => error.as_string().unwrap_or_else(|| format!("{error:?}")),
    }
}
