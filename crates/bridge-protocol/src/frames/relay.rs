//! What the bridge says of the services it relays to.

use serde::Serialize;

/// A service that the bridge relays to, as `/relay/NAME/...`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RelayTarget {
    /// Its name in the path.
    pub name: String,
    /// The address it is reached at, without a slash at its end.
    pub base_url: String,
    /// The wire format it speaks: `messages` or `chat_completions`.
    pub dialect: String,
    /// Whether the bridge has a key for it.
    pub has_key: bool,
    /// Whether a page may call it without the bridge.
    pub admits_pages: bool,
    /// The model to ask for, where the person who started the bridge said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}
