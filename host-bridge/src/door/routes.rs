//! The routes, each with its access. There is no other way in: what stands in [`table`] is what the server answers.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};

use super::{Access, Asked, Refused, protect};
use crate::bridge::Bridge;
use crate::{launch, page, socket};

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
    let route = |path, method, access, handler| Route { path, method, access, handler };
    vec![
        route("/", Method::GET, Access::Static, get(page::serve)),
        route("/{*path}", Method::GET, Access::Static, get(page::serve)),
        route("/open/{code}", Method::GET, Access::Static, get(launch::open)),
        route("/bridge", Method::GET, Access::Socket, get(socket::accept)),
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
        Ok(()) => next.run(request).await,
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
    let (status, text) = refused.answer(&bridge.authority);
    (status, [(header::CONNECTION, "close")], text).into_response()
}
