//! What is written down.

use bridge_protocol::frames::{Sandbox, Verdict};
use serde::Serialize;
use serde_json::Value;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Entry {
    /// The bridge has started.
    Started {
        /// Its version.
        version: &'static str,
        /// Its port.
        port: u16,
        /// Where commands start.
        workspace: String,
        /// What holds them in.
        sandbox: Sandbox,
    },
    /// The bridge ends.
    Stopped,
    /// A page has connected.
    Connected {
        /// Its number, from 1.
        connection: u64,
    },
    /// It is gone.
    Disconnected {
        /// Its number.
        connection: u64,
    },
    /// The door turned a request away.
    Refused {
        /// Why.
        why: String,
    },
    /// It was decided whether a call may run.
    Decided {
        /// The call.
        call: String,
        /// What it would run, keys left out; its first 4,096 characters.
        command: String,
        /// Whether it would go on in the background.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        background: bool,
        /// What the rules settled.
        #[serde(flatten)]
        verdict: Verdict,
        /// Who was asked: `person`, `nobody` or `terminal`.
        asked: &'static str,
        /// Whether it runs.
        runs: bool,
    },
    /// A call is over.
    Ended {
        /// The call.
        call: String,
        /// Its last frame, as docs/protocol.md describes it: outcome, duration, bytes, leftovers.
        #[serde(flatten)]
        end: Value,
    },
    /// A model call was relayed.
    Relayed {
        /// Where to.
        upstream: String,
        /// The path there.
        path: &'static str,
        /// The status that came back.
        status: u16,
        /// Whose key it carried.
        key: Key,
        /// How many bytes of the answer were passed on.
        bytes: u64,
    },
}

/// Whose key a relayed call carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// The bridge's.
    Bridge,
    /// One that was typed in the page.
    Typed,
    /// None.
    None,
}
