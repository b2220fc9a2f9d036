//! Commands in the background: what is said of them.

use serde::Serialize;

use super::Outcome;

/// How a command in the background stood when a call about it was answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "standing", rename_all = "snake_case")]
pub enum Standing {
    /// The call has started it.
    Started,
    /// It ran.
    Running,
    /// It had ended.
    Ended {
        /// What became of it.
        end: Box<Outcome>,
    },
}

/// A command in the background, as a person is shown it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BackgroundCommand {
    /// Its id: a call's id like any other, chosen by the bridge.
    pub id: String,
    /// The command, its beginning.
    pub command: String,
    /// How many bytes it has written.
    pub bytes: u64,
    /// What became of it, once it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Outcome>,
}
