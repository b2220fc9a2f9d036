//! The practice model over HTTP, as a service would answer: the pauses slept, the faults real.

use std::io;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use practice_model::{Answer, Ending, Service};
use tokio::time::{sleep, timeout};

/// The largest request: a long conversation with pictures in it.
const BODY_BYTES: usize = 32 * 1024 * 1024;
/// How long a request's body may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Lets the last bytes leave before the connection is cut.
const BEFORE_CUT: Duration = Duration::from_millis(20);

/// Answers a request to one of the two services.
pub async fn answer(service: Service, request: Request) -> Response {
    let body = match timeout(BODY_TIMEOUT, to_bytes(request.into_body(), BODY_BYTES)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return (StatusCode::PAYLOAD_TOO_LARGE, "The request is too large.\n").into_response(),
        Err(_) => return (StatusCode::REQUEST_TIMEOUT, "The request did not arrive.\n").into_response(),
    };
    let Answer { status, headers, chunks, ending } = practice_model::answer(service, &body);
    let pieces = stream::unfold((chunks.into_iter(), Some(ending)), async |(mut chunks, ending)| {
        if let Some(chunk) = chunks.next() {
            sleep(Duration::from_millis(chunk.pause_ms.into())).await;
            return Some((Ok(Bytes::from(chunk.bytes)), (chunks, ending)));
        }
        match ending? {
            Ending::Close => None,
            Ending::Cut => {
                sleep(BEFORE_CUT).await;
                Some((Err(io::Error::other("cut on purpose")), (chunks, None)))
            }
            Ending::Stall => std::future::pending().await,
        }
    });
    let mut response = Response::new(Body::from_stream(pieces));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().append(HeaderName::from_static(name), value);
        }
    }
    response
}

/// Answers with the list of scenarios.
pub async fn models(service: Service) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], practice_model::models(service)).into_response()
}
