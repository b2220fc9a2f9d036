//! Call the model: the request's bytes out, the answer's bytes in, and the whole answer saved.

use futures_util::StreamExt;
use futures_util::future::{Either, select};

use crate::env::Env;
use crate::fact::Fact;
use crate::message::{Answer, Block};
use crate::session::Session;
use crate::settings::{Dialect, Limits};
use crate::stages::record_stop;
use crate::transport::{HttpRequest, Reply, TransportError};
use crate::wire::{self, Decoder, Delta, FailureKind, ModelFailure, Progress, Request};

/// How much of a refusal's body is read, in bytes.
const REFUSAL_CAP: usize = 64 * 1024;

/// How long a terminated answer is waited on for the usage that may follow it, in milliseconds.
const USAGE_PATIENCE_MS: u64 = 5_000;

/// Sends exactly this request and records the answer, the failure, or the stop.
pub async fn call_model(session: &Session, env: &Env<'_>, request: &Request) {
    let state = session.state();
    let Some(settings) = state.settings.clone() else { return };
    if env.stop.is_pressed() {
        return record_stop(session, env, Vec::new());
    }
    let headers = wire::request_headers(&settings.profile, env.endpoint);
    let http = HttpRequest { url: request.url.clone(), headers, body: request.body() };
    let began_ms = env.clock.now_ms();
    session.record(began_ms, Fact::Called { bytes: http.body.len() as u64 });
    env.live.sent(&http);

    let mut exchange = Exchange::new(settings.profile.dialect);
    let outcome = env.stop.or(exchange.read(env, &settings.limits, &http)).await;
    let draft = exchange.draft();
    let was_shown = exchange.was_shown;
    let now_ms = env.clock.now_ms();
    let fact = match outcome.map(|read| read.and_then(|()| exchange.finish())) {
        None => Fact::Stopped { draft },
        Some(Ok(answer)) => {
            Fact::Answered { answer: Answer { duration_ms: now_ms.saturating_sub(began_ms), ..answer } }
        }
        Some(Err(failure)) => {
            // Never after something of the answer was shown: the next attempt would say it twice.
            let retries = failure.is_transient() && !was_shown && state.failed_attempts < settings.limits.retries;
            let backoff_ms = 1000 << state.failed_attempts.min(5);
            let retry_in_ms = retries.then(|| failure.retry_after_ms.unwrap_or(backoff_ms));
            Fact::CallFailed { failure, draft, retry_in_ms }
        }
    };
    session.record(now_ms, fact);
}

/// One request and what has come of its answer.
struct Exchange {
    dialect: Dialect,
    body: Body,
    was_shown: bool,
}

enum Body {
    /// No head has come.
    None,
    /// Status 2xx.
    Answer(Box<Decoder>),
    /// Any other status.
    Refusal { status: u16, headers: Vec<(String, String)>, bytes: Vec<u8> },
}

impl Exchange {
    fn new(dialect: Dialect) -> Exchange {
        Exchange { dialect, body: Body::None, was_shown: false }
    }

    /// Reads until the body ends. The watchdog is reset by every byte, keep-alives included.
    async fn read(&mut self, env: &Env<'_>, limits: &Limits, http: &HttpRequest) -> Result<(), ModelFailure> {
        let mut replies = env.transport.send(http);
        let mut deltas = Vec::new();
        let mut patience_ms = limits.first_byte_ms;
        loop {
            let reply = match select(replies.next(), env.clock.sleep(patience_ms)).await {
                Either::Left((Some(reply), _)) => reply,
                Either::Left((None, _)) => return Ok(()),
                Either::Right(_) if self.progress() == Progress::Terminated => return Ok(()),
                Either::Right(_) => return Err(ModelFailure::new(FailureKind::Stalled, format!("{patience_ms} ms"))),
            };
            let reply = reply.map_err(|error| match error {
                TransportError::Unreachable(why) => ModelFailure::new(FailureKind::Unreachable, why),
                TransportError::Broken(why) => ModelFailure::new(FailureKind::Incomplete, why),
            })?;
            env.live.received(&reply);
            self.take(reply, &mut deltas)?;
            self.was_shown |= !deltas.is_empty();
            deltas.drain(..).for_each(|delta: Delta| env.live.delta(&delta));
            patience_ms = match self.progress() {
                Progress::Open => limits.idle_ms,
                Progress::Terminated => limits.idle_ms.min(USAGE_PATIENCE_MS),
                Progress::Ended => return Ok(()),
            };
        }
    }

    fn take(&mut self, reply: Reply, deltas: &mut Vec<Delta>) -> Result<(), ModelFailure> {
        match (reply, &mut self.body) {
            (Reply::Head { status: 200..300, headers }, _) => {
                let content_type = headers.iter().find(|(name, _)| name == "content-type");
                let content_type = content_type.map_or("", |(_, value)| value.as_str());
                self.body = Body::Answer(Box::new(Decoder::new(self.dialect, content_type)));
            }
            (Reply::Head { status, headers }, _) => self.body = Body::Refusal { status, headers, bytes: Vec::new() },
            (Reply::Bytes(bytes), Body::Answer(decoder)) => decoder.feed(&bytes, deltas)?,
            (Reply::Bytes(more), Body::Refusal { bytes, .. }) => bytes.extend_from_slice(&more),
            (Reply::Bytes(_), Body::None) => {}
        }
        Ok(())
    }

    /// How far the body has come: whether more has to, may, or need not follow.
    fn progress(&self) -> Progress {
        match &self.body {
            Body::None => Progress::Open,
            Body::Answer(decoder) => decoder.progress(),
            Body::Refusal { bytes, .. } if bytes.len() < REFUSAL_CAP => Progress::Open,
            Body::Refusal { .. } => Progress::Ended,
        }
    }

    fn draft(&self) -> Vec<Block> {
        if let Body::Answer(decoder) = &self.body { decoder.draft() } else { Vec::new() }
    }

    fn finish(self) -> Result<Answer, ModelFailure> {
        match self.body {
            Body::Answer(decoder) => decoder.finish(),
            Body::Refusal { status, headers, bytes } => Err(wire::failure_of_status(status, &headers, &bytes)),
            Body::None => Err(ModelFailure::new(FailureKind::Incomplete, "")),
        }
    }
}
