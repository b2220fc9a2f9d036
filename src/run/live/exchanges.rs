//! Model calls as they really were: the bytes that were sent, the bytes that came and when. Bounded in number and size.

use std::rc::Rc;

use agent_loop::{HttpRequest, Reply};
use leptos::prelude::*;

use crate::app::Exchange;

/// How many exchanges the page remembers.
const KEPT: usize = 50;

/// How many bytes of bodies it remembers, in both directions. The newest exchange stays whatever its size.
const KEPT_BYTES: usize = 16 * 1024 * 1024;

/// Headers whose values are keys.
const SECRET: [&str; 3] = ["authorization", "x-api-key", "x-relay-key"];

/// The exchanges this tab has seen of the session on show.
pub(super) struct Exchanges {
    exchanges: RwSignal<Vec<Exchange>, LocalStorage>,
    sizes: Vec<usize>,
    called: usize,
    waiting: Vec<Waiting>,
}

enum Waiting {
    Head { status: u16, headers: Vec<(String, String)> },
    Bytes(u64, Vec<u8>),
}

impl Exchanges {
    /// None yet.
    pub(super) fn new(exchanges: RwSignal<Vec<Exchange>, LocalStorage>) -> Exchanges {
        Exchanges { exchanges, sizes: Vec::new(), called: 0, waiting: Vec::new() }
    }

    /// The next request belongs to the `Called` fact of this number.
    pub(super) fn called(&mut self, fact: usize) {
        self.called = fact;
    }

    /// A request goes out.
    pub(super) fn sent(&mut self, request: &HttpRequest, now_ms: u64) {
        self.show();
        let redacted = |(name, value): &(String, String)| {
            let value = if SECRET.contains(&name.as_str()) { redact(value) } else { value.clone() };
            (name.clone(), value)
        };
        let exchange = Exchange {
            fact: self.called,
            sent_ms: now_ms,
            url: request.url.clone(),
            headers: request.headers.iter().map(redacted).collect(),
            body: Rc::new(request.body.clone()),
            response: RwSignal::new_local(Rc::default()),
        };
        self.sizes.push(exchange.body.len());
        self.exchanges.update(|exchanges| exchanges.push(exchange));
        self.keep_within_bounds();
    }

    /// Part of its answer came.
    pub(super) fn received(&mut self, reply: &Reply, now_ms: u64) {
        self.waiting.push(match reply {
            Reply::Head { status, headers } => Waiting::Head { status: *status, headers: headers.clone() },
            Reply::Bytes(bytes) => Waiting::Bytes(now_ms, bytes.clone()),
        });
    }

    /// Shows what came since the last frame.
    pub(super) fn show(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let waiting = std::mem::take(&mut self.waiting);
        let newest = self.exchanges.with_untracked(|all| all.last().map(|last| (last.response, last.sent_ms)));
        let Some((response, sent_ms)) = newest else { return };
        let mut came = 0;
        response.update(|response| {
            let response = Rc::make_mut(response);
            for part in waiting {
                match part {
                    Waiting::Head { status, headers } => {
                        response.status = Some(status);
                        response.headers = headers;
                    }
                    Waiting::Bytes(at_ms, bytes) => {
                        came += bytes.len();
                        response.body.push(at_ms.saturating_sub(sent_ms), &bytes);
                    }
                }
            }
        });
        if let Some(size) = self.sizes.last_mut() {
            *size += came;
        }
        self.keep_within_bounds();
    }

    /// The newest is whole: its bytes need no memory any more.
    pub(super) fn seal(&mut self) {
        let newest = self.exchanges.with_untracked(|all| all.last().map(|last| last.response));
        if let Some(response) = newest {
            response.update(|response| Rc::make_mut(response).body.seal());
        }
    }

    /// Forgets all of them.
    pub(super) fn forget(&mut self) {
        self.waiting.clear();
        self.sizes.clear();
        self.exchanges.set(Vec::new());
    }

    fn keep_within_bounds(&mut self) {
        let excess = excess(&self.sizes);
        if excess > 0 {
            self.sizes.drain(..excess);
            self.exchanges.update(|exchanges| {
                // Their views go with the list; their signals stay valid, as small as can be.
                exchanges.drain(..excess).for_each(|old| drop(old.response.try_set(Rc::default())));
            });
        }
    }
}

/// How many of the oldest have to go.
fn excess(sizes: &[usize]) -> usize {
    let mut total = 0_usize;
    let kept = sizes.iter().rev().take(KEPT).take_while(|size| {
        total = total.saturating_add(**size);
        total <= KEPT_BYTES
    });
    sizes.len() - kept.count().max(sizes.len().min(1))
}

/// The scheme stays, the key goes.
fn redact(value: &str) -> String {
    if value.starts_with("Bearer ") { "Bearer …".to_owned() } else { "…".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{KEPT, KEPT_BYTES, excess, redact};

    #[track_caller]
    fn check(sizes: &[usize], expected: usize) {
        assert_eq!(excess(sizes), expected, "{sizes:?}");
    }

    #[test]
    fn the_newest_exchanges_are_kept() {
        check(&[], 0);
        check(&[1; KEPT], 0);
        check(&[1; KEPT + 3], 3);
        check(&[KEPT_BYTES, 1], 1);
        check(&[KEPT_BYTES - 1, 1], 0);
        check(&[1, KEPT_BYTES + 1], 1);
    }

    #[test]
    fn no_part_of_a_key_is_shown() {
        assert_eq!(redact("Bearer sk-123"), "Bearer …");
        assert_eq!(redact("sk-123"), "…");
        assert_eq!(redact("sk 123"), "…");
    }
}
