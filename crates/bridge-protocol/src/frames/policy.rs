//! What the rules of the bridge settle about a call: the answer to a review.

use serde::{Deserialize, Serialize};

/// What the rules of the bridge settle about a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// What.
    pub decision: Decision,
    /// By what.
    #[serde(flatten)]
    pub reason: Reason,
}

/// What is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It runs without a question.
    Allow,
    /// A person is asked.
    Ask,
    /// It does not run.
    Deny,
}

/// By what it is settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Reason {
    /// A rule of the person's configuration.
    Rule {
        /// As it was written.
        rule: String,
    },
    /// It only looks at the workspace.
    ReadOnly,
    /// It only looks at, or ends, commands in the background, which were allowed before.
    Background,
    /// It is more than one simple command of literal words, so no rule can allow it.
    NotSimple,
    /// No rule speaks of it.
    NoRule,
}
