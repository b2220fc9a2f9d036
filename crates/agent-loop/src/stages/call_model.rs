//! Call the model: the request's bytes out, the answer's bytes in, and the whole answer saved.

use futures_util::StreamExt;
use futures_util::future::{Either, select};

use crate::env::Env;
use crate::fact::Fact;
use crate::message::{Answer, Block};
use crate::session::Session;
use crate::settings::{Dialect, Limits, Settings};
use crate::stages::{elapsed, record_stop};
use crate::state::LoopState;
use crate::transport::{HttpRequest, Reply, TransportError};
use crate::wire::{self, Decoder, Delta, FailureKind, ModelFailure, Progress, Quirk, Request};

/// How much of a refusal's body is read, in bytes.
const REFUSAL_CAP: usize = 64 * 1024;

/// How long a terminated answer is waited on for the usage that may follow it, in milliseconds.
const USAGE_PATIENCE_MS: u64 = 5_000;

/// The longest wait before a retry that nobody asked for, in milliseconds. An endpoint that wants more has failed: a
/// person decides whether to wait that long.
const RETRY_WAIT_CAP_MS: u64 = 120_000;

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
    let first_byte_ms = exchange.first_byte_at_ms.map(|at_ms| at_ms.saturating_sub(began_ms));
    let now_ms = env.clock.now_ms();
    let fact = match outcome.map(|read| read.and_then(|()| exchange.finish())) {
        None => Fact::Stopped { draft },
        Some(Ok(answer)) => {
            let duration_ms = now_ms.saturating_sub(began_ms);
            Fact::Answered { answer: Answer { duration_ms, first_byte_ms, ..answer } }
        }
        Some(Err(mut failure)) => {
            failure.message = env.endpoint.without_key(&failure.message);
            // Never after something of the answer was shown: the next attempt would say it twice.
            let quirk = if was_shown { None } else { learnt(&state, request, &failure) };
            let attempts = state.failed_attempts.saturating_sub(state.lessons);
            let retries = failure.is_transient() && !was_shown && attempts < settings.limits.retries;
            let wait_ms = failure.retry_after_ms.unwrap_or_else(|| backoff_ms(attempts, &env.clock.fresh_id()));
            let retry_in_ms = (retries && wait_ms <= RETRY_WAIT_CAP_MS).then_some(wait_ms);
            let retry_in_ms = if quirk.is_some() { Some(0) } else { retry_in_ms };
            session.record(now_ms, Fact::CallFailed { failure, draft, retry_in_ms });
            let Some(quirk) = quirk else { return };
            Fact::Learnt { base_url: settings.base_url.clone(), quirk }
        }
    };
    session.record(now_ms, fact);
    if session.state().may_be_nudged() {
        session.record(now_ms, Fact::Nudged);
    }
}

/// How many lessons one model call may take: more is an endpoint that contradicts itself.
const LESSONS: u32 = 5;

/// What this failure teaches, if heeding it makes another request than the one that failed.
fn learnt(state: &LoopState, request: &Request, failure: &ModelFailure) -> Option<Quirk> {
    // One empty answer may be an accident.
    let is_accident = failure.kind == FailureKind::Incomplete && state.failed_attempts == 0;
    if is_accident || state.lessons >= LESSONS {
        return None;
    }
    let settings = state.taught_settings()?;
    let quirk = wire::learn(&settings, failure, &state.quirks())?;
    let taught = Settings { profile: settings.profile.taught(quirk), ..(*settings).clone() };
    let next = wire::request(&taught, &state.offered, &state.messages);
    (next.body() != request.body()).then_some(quirk)
}

/// The wait before a retry that nobody set: doubled each time, and longer by up to a quarter, so that the pages which
/// one busy endpoint turned away do not come back all at once. The chance is the id's, which is fresh.
fn backoff_ms(attempts: u32, fresh_id: &str) -> u64 {
    let base_ms = 1000_u64 << attempts.min(5);
    let chance =
        fresh_id.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    base_ms + u64::from(chance) % (base_ms / 4)
}

/// One request and what has come of its answer.
struct Exchange {
    dialect: Dialect,
    body: Body,
    was_shown: bool,
    first_byte_at_ms: Option<u64>,
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
        Exchange { dialect, body: Body::None, was_shown: false, first_byte_at_ms: None }
    }

    /// Reads until the body ends. The watchdog is reset by every byte, keep-alives included; the head is none, because
    /// servers send it before they begin to think.
    async fn read(&mut self, env: &Env<'_>, limits: &Limits, http: &HttpRequest) -> Result<(), ModelFailure> {
        let mut replies = env.transport.send(http);
        let mut deltas = Vec::new();
        let mut patience_ms = limits.first_byte_ms;
        let mut silent = FailureKind::NotBegun;
        loop {
            let silence = elapsed(env.clock, patience_ms);
            futures_util::pin_mut!(silence);
            let read = match select(replies.next(), silence).await {
                Either::Left((None, _)) => return Ok(()),
                Either::Left((Some(Ok(reply)), _)) => {
                    env.live.received(&reply);
                    let is_byte = matches!(&reply, Reply::Bytes(bytes) if !bytes.is_empty());
                    if is_byte && self.first_byte_at_ms.is_none() {
                        self.first_byte_at_ms = Some(env.clock.now_ms());
                    }
                    let taken = self.take(reply, &mut deltas);
                    self.was_shown |= !deltas.is_empty();
                    deltas.drain(..).for_each(|delta: Delta| env.live.delta(&delta));
                    taken.map(|()| is_byte)
                }
                Either::Left((Some(Err(TransportError::Unreachable(why))), _)) => {
                    Err(ModelFailure::new(FailureKind::Unreachable, why))
                }
                Either::Left((Some(Err(TransportError::Broken(why))), _)) => {
                    Err(ModelFailure::new(FailureKind::Incomplete, why))
                }
                Either::Right(_) => Err(ModelFailure::new(silent, format!("{patience_ms} ms"))),
            };
            match (self.progress(), read) {
                (Progress::Ended, Ok(_)) => return Ok(()),
                // The answer is whole; whatever went wrong after its end takes nothing of it away.
                (Progress::Ended | Progress::Terminated, Err(_)) => return Ok(()),
                (Progress::Open, Err(failure)) => return Err(failure),
                (Progress::Terminated, Ok(_)) => patience_ms = limits.idle_ms.min(USAGE_PATIENCE_MS),
                (Progress::Open, Ok(true)) => (patience_ms, silent) = (limits.idle_ms, FailureKind::Stalled),
                (Progress::Open, Ok(false)) => {}
            }
        }
    }

    fn take(&mut self, reply: Reply, deltas: &mut Vec<Delta>) -> Result<(), ModelFailure> {
        let broken = |why: &str| Err(ModelFailure::new(FailureKind::Incomplete, why));
        match (reply, &mut self.body) {
            // An interim answer (1xx) may stand before the head.
            (Reply::Head { status, headers }, Body::None | Body::Refusal { status: 0..200, .. }) => {
                let content_type = headers.iter().find(|(name, _)| name == "content-type");
                let content_type = content_type.map_or("", |(_, value)| value.as_str());
                self.body = match status {
                    200..300 => Body::Answer(Box::new(Decoder::new(self.dialect, content_type))),
                    _ => Body::Refusal { status, headers, bytes: Vec::new() },
                };
                Ok(())
            }
            (Reply::Head { .. }, Body::Answer(_) | Body::Refusal { .. }) => broken("a second head in one answer"),
            (Reply::Bytes(bytes), Body::Answer(decoder)) => decoder.feed(&bytes, deltas),
            (Reply::Bytes(more), Body::Refusal { bytes, .. }) => {
                bytes.extend_from_slice(&more);
                Ok(())
            }
            (Reply::Bytes(_), Body::None) => broken("bytes before the head of the answer"),
        }
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

#[cfg(test)]
mod tests {
    use super::backoff_ms;

    #[test]
    fn a_wait_that_nobody_set_doubles_and_differs_by_chance() {
        let check = |attempts: u32, base_ms: u64| {
            let waits: Vec<u64> = (0..50).map(|n| backoff_ms(attempts, &format!("id-{n}"))).collect();
            assert!(waits.iter().all(|wait| (base_ms..base_ms + base_ms / 4).contains(wait)), "{attempts}: {waits:?}");
            let apart: std::collections::BTreeSet<&u64> = waits.iter().collect();
            assert!(apart.len() > 25, "{attempts}: {waits:?}");
            assert_eq!(backoff_ms(attempts, "id-0"), waits[0], "the same chance gives the same wait");
        };
        check(0, 1_000);
        check(1, 2_000);
        check(5, 32_000);
        check(40, 32_000);
    }
}
