//! The whole output of a call, as a file: what a viewer lost in a gap can still be had here.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use crate::bridge::Bridge;

const PIECE: usize = 256 * 1024;

/// Answers `GET /output/CALL` with what the call has written so far, both streams in order of arrival, at most
/// [`MOST`](crate::commands::spool::MOST) bytes. The header `x-output-bytes` tells how many bytes it has written.
pub async fn serve(State(bridge): State<Arc<Bridge>>, Path(call): Path<String>) -> Response {
    let Some(call) = bridge.commands.find(&call) else {
        return (StatusCode::NOT_FOUND, "No call of this id has run.\n").into_response();
    };
    if call.spool().read(0, 0).is_none() {
        return (StatusCode::GONE, "The output of this call is not kept any more.\n").into_response();
    }
    let headers = [
        (header::CONTENT_TYPE.as_str(), "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION.as_str(), "attachment; filename=\"output.bin\"".to_owned()),
        ("x-output-bytes", call.channel().bytes().to_string()),
    ];
    let pieces = stream::unfold((call, 0_u64), async |(call, from)| {
        let piece = call.spool().read(from, PIECE);
        match piece {
            Some(piece) if piece.is_empty() => None,
            Some(piece) => {
                let next = from + piece.len() as u64;
                Some((Ok(Bytes::from(piece)), (call, next)))
            }
            // Better a broken answer than half of one that looks whole.
            None => Some((Err(std::io::Error::other("the output was given up")), (call, from))),
        }
    });
    (headers, Body::from_stream(pieces)).into_response()
}
