//! The routes, each with its access. There is no other way in: what stands in [`table`] is what the server answers.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use practice_model::Service::{AnthropicMessages, ChatCompletions};

use super::{Access, Asked, Refused, protect};
use crate::audit::Entry;
use crate::bridge::Bridge;
use crate::{launch, output, page, practice, relay, socket};

/// One way in.
pub struct Route {
    /// The path, in axum's notation.
    pub path: &'static str,
    /// The one method it takes (`HEAD` comes with `GET`).
    pub method: Method,
    /// What it asks of a request.
    pub access: Access,
    handler: MethodRouter<Arc<Bridge>>,
}

/// Every route.
pub fn table() -> Vec<Route> {
    let get_static = |path, handler| Route { path, method: Method::GET, access: Access::Static, handler };
    let get_with_key = |path, handler| Route { path, method: Method::GET, access: Access::Key, handler };
    let post_with_key = |path, handler| Route { path, method: Method::POST, access: Access::Key, handler };
    vec![
        get_static("/", get(page::serve)),
        get_static("/{*path}", get(page::serve)),
        get_static("/open/{code}", get(launch::open)),
        Route { path: "/bridge", method: Method::GET, access: Access::Socket, handler: get(socket::accept) },
        get_with_key("/output/{call}", get(output::serve)),
        post_with_key("/practice/anthropic/v1/messages", post(|body| practice::answer(AnthropicMessages, body))),
        get_with_key("/practice/anthropic/v1/models", get(|| practice::models(AnthropicMessages))),
        post_with_key("/practice/openai/v1/chat/completions", post(|body| practice::answer(ChatCompletions, body))),
        post_with_key("/relay/{name}/{*path}", post(relay::forward)),
        get_with_key("/relay/{name}/models", get(relay::forward)),
        get_with_key("/relay/{name}/v1/models", get(relay::forward)),
        get_with_key("/practice/openai/v1/models", get(|| practice::models(ChatCompletions))),
    ]
}

/// The whole server, behind the door.
pub fn router(bridge: Arc<Bridge>) -> Router {
    let mut router = Router::new();
    for Route { path, access, handler, .. } in table() {
        router = router.route(path, handler.layer(from_fn_with_state((bridge.clone(), access), check)));
    }
    router
        .method_not_allowed_fallback(async || (StatusCode::METHOD_NOT_ALLOWED, "Not by this method.\n"))
        .fallback(async || (StatusCode::NOT_FOUND, "There is nothing here.\n"))
        .layer(from_fn_with_state(bridge.clone(), guard))
        .with_state(bridge)
}

/// Stands before everything, also before what does not exist.
async fn guard(State(bridge): State<Arc<Bridge>>, request: Request, next: Next) -> Response {
    let mut response = match bridge.authority.admit(asked(&request)) {
        Ok(()) => match bridge.authority.guest(request.headers()) {
            Some(guest) if request.method() == Method::OPTIONS => guest.may_ask(request.headers()),
            Some(guest) => {
                let mut response = next.run(request).await;
                guest.may_read(response.headers_mut());
                response
            }
            None => next.run(request).await,
        },
        Err(refused) => refuse(refused, &bridge),
    };
    protect(response.headers_mut(), &bridge.authority);
    response
}

/// Stands before one route.
async fn check(State((bridge, access)): State<(Arc<Bridge>, Access)>, request: Request, next: Next) -> Response {
    match access.admit(&bridge.authority, &bridge.token, asked(&request)) {
        Ok(()) => next.run(request).await,
        Err(refused) => refuse(refused, &bridge),
    }
}

fn asked(request: &Request) -> Asked<'_> {
    Asked { method: request.method(), uri: request.uri(), headers: request.headers() }
}

fn refuse(refused: Refused, bridge: &Bridge) -> Response {
    tracing::info!(why = ?refused, "turned a request away");
    bridge.audit.write(&Entry::Refused { why: format!("{refused:?}").to_lowercase() });
    let (status, text) = refused.answer(&bridge.authority);
    (status, [(header::CONNECTION, "close")], text).into_response()
}
