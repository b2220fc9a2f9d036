//! Everything the loop needs of the world, in one place.

use std::fmt;

use futures_util::future::LocalBoxFuture;

use crate::gate::Gate;
use crate::host::{ToolEvent, ToolHost};
use crate::message::CallKey;
use crate::stop::Stop;
use crate::transport::{HttpRequest, Reply, Transport};
use crate::wire::Delta;

/// What a run is given. The loop awaits nothing else.
pub struct Env<'a> {
    /// Carries bytes to the model.
    pub transport: &'a dyn Transport,
    /// The key of the endpoint. Its address stands in the settings.
    pub endpoint: &'a Endpoint,
    /// Runs tools.
    pub host: &'a dyn ToolHost,
    /// Asked at the seams.
    pub gate: &'a dyn Gate,
    /// Time, and ids that nobody used before.
    pub clock: &'a dyn Clock,
    /// Pressed when a person stops the run.
    pub stop: Stop,
    /// What happens between facts, for the eye.
    pub live: &'a dyn Live,
}

/// What reaches an endpoint beside the request, and never the log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Endpoint {
    /// The key, where the endpoint wants one.
    pub key: Option<Secret>,
}

/// The shortest key that is looked for in what an endpoint says: shorter ones are no secrets but placeholders.
const SECRET_LENGTH: usize = 8;

impl Endpoint {
    /// A text with the key taken out of it: some endpoints quote the key they refuse, and what they say is kept.
    pub fn without_key(&self, text: &str) -> String {
        match self.key.as_ref().map(|key| key.reveal().trim()).filter(|key| key.len() >= SECRET_LENGTH) {
            Some(key) => text.replace(key, "(the key)"),
            None => text.to_owned(),
        }
    }
}

/// A text that does not show itself in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// The key itself, for the header it goes into.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Time and fresh ids.
pub trait Clock {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// Done after this many milliseconds.
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()>;

    /// An id that nobody used before, for ever: letters, digits, `-` and `_`.
    fn fresh_id(&self) -> String;
}

/// Sees what is too small or too large for the log. Losing it loses a view, never the session.
pub trait Live {
    /// A request goes out, exactly as given.
    fn sent(&self, request: &HttpRequest);

    /// Part of the answer came, exactly as given.
    fn received(&self, reply: &Reply);

    /// What the decoder made of it.
    fn delta(&self, delta: &Delta);

    /// A running tool tells something.
    fn tool(&self, call: CallKey, event: &ToolEvent);
}
