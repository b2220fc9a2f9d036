//! The names of the models that an endpoint lists, asked for as a request would be.

use futures_util::StreamExt;
use futures_util::future::{Either, select};

use super::Trial;
use crate::transport::{HttpRequest, Reply, TransportError};
use crate::wire::{FailureKind, ModelFailure, failure_of_status, models_url, read_models, request_headers};

/// How long a list may take, in milliseconds.
const PATIENCE_MS: u64 = 20_000;

/// The longest list that is read, in bytes: the longest one known has a tenth of that.
const CAP: usize = 8 * 1024 * 1024;

/// The names, as the endpoint lists them. Pressing stop ends it as an incomplete answer does.
pub async fn list_models(trial: &Trial<'_>) -> Result<Vec<String>, ModelFailure> {
    let Some(url) = models_url(trial.settings) else {
        return Err(ModelFailure::new(FailureKind::NotFound, ""));
    };
    let mut headers = request_headers(&trial.settings.profile, trial.endpoint);
    headers.retain(|(name, _)| name != "content-type");
    let request = HttpRequest { url, headers, body: Vec::new() };
    let silent = trial.clock.sleep(PATIENCE_MS);
    let read = trial.stop.or(select(Box::pin(read(trial, &request)), silent)).await;
    let listed = match read {
        Some(Either::Left((listed, _))) => listed,
        Some(Either::Right(_)) => Err(ModelFailure::new(FailureKind::NotBegun, format!("{PATIENCE_MS} ms"))),
        None => Err(ModelFailure::new(FailureKind::Incomplete, "")),
    };
    listed.map_err(|failure| ModelFailure { message: trial.endpoint.without_key(&failure.message), ..failure })
}

async fn read(trial: &Trial<'_>, request: &HttpRequest) -> Result<Vec<String>, ModelFailure> {
    let mut replies = trial.transport.send(request);
    let (mut head, mut body) = ((0, Vec::new()), Vec::new());
    while let Some(reply) = replies.next().await {
        match reply {
            Ok(Reply::Head { status, headers }) => head = (status, headers),
            Ok(Reply::Bytes(more)) if body.len() + more.len() <= CAP => body.extend_from_slice(&more),
            Ok(Reply::Bytes(_)) => return Err(ModelFailure::new(FailureKind::TooLong, "")),
            Err(TransportError::Unreachable(why)) => return Err(ModelFailure::new(FailureKind::Unreachable, why)),
            Err(TransportError::Broken(why)) => return Err(ModelFailure::new(FailureKind::Incomplete, why)),
        }
    }
    match head {
        (200..300, _) => read_models(&body),
        (status, headers) => Err(failure_of_status(status, &headers, &body)),
    }
}
