//! What the bridge says of the sandbox around commands.

use serde::Serialize;

/// Whether commands run in a sandbox. It is on only after one was made and tried at this start of the bridge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Sandbox {
    /// They do: they write in the workspace only, and secrets are hidden from them.
    On {
        /// Whether they have the network of this machine.
        network: bool,
    },
    /// They have all rights of the person who started the bridge.
    Off {
        /// Why.
        #[serde(flatten)]
        why: NoSandbox,
    },
}

/// Why there is no sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum NoSandbox {
    /// The person who started the bridge said so.
    NotWanted,
    /// There is none for this operating system.
    OtherSystem,
    /// The program that makes it is not installed.
    NoBubblewrap,
    /// One was tried, and could not be made or did not hold.
    Failed {
        /// What was seen of it, for a log.
        detail: String,
    },
}
