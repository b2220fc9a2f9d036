//! The tool contract: what a tool is, and the four layers a call passes.
//!
//! Parse the arguments, validate them against the schema, authorise the action, execute it: each layer has its own
//! file and its own failure, and only the last one starts a process. Every failure becomes the call's result.

mod blacklist;
mod output;
mod parse;
mod screen;
mod text;
mod validate;
mod wording;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use blacklist::Blacklist;
pub use output::{Codes, Collector, Cut, Join, OutputRule};
pub(crate) use parse::with_legal_escapes;
pub use parse::{ParseFault, parse_arguments};
pub use screen::as_shown;
pub use text::{strip_all_but_colours, strip_terminal_codes};
pub use validate::{Arguments, ValidateFault, validate};
pub use wording::{Refusal, WordingSet};

/// A tool as a host announces it or a lesson pins it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name, unique within an offer.
    pub name: String,
    /// What the model is told it does.
    pub description: String,
    /// JSON Schema of its arguments.
    pub input_schema: Value,
}

/// The layer at which a call ended without running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The arguments are not JSON.
    Parse,
    /// They are not what the schema asks for, or the tool does not exist.
    Validate,
    /// A person, a policy or a lesson's blacklist said no.
    Authorise,
    /// The host could not start it, or it ran.
    Execute,
}

/// What really happened to a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It ran and ended by itself with this exit code.
    Exited(i32),
    /// It ran and a signal ended it.
    Signalled(i32),
    /// It ran longer than it may and was killed.
    TimedOut,
    /// It ran and was killed because a person stopped the run.
    Stopped,
    /// It did not run: the named layer refused it.
    Refused(Layer),
    /// It did not run: a person denied it.
    Denied,
    /// It did not run: the run was stopped, or went on without it, before its turn came.
    NotRun,
    /// The host could not start it.
    CannotStart,
    /// The connection to the host, or the page, was lost while it ran: nobody knows how it ended.
    Unknown,
    /// A person typed the result.
    Answered,
    /// It was started, and goes on in the background.
    Background,
    /// The host answered by itself: the call was about commands in the background.
    Told,
}

impl Outcome {
    /// Whether a process was started. `None`: nobody knows.
    pub fn process_started(&self) -> Option<bool> {
        match self {
            Outcome::Exited(_) | Outcome::Signalled(_) | Outcome::TimedOut | Outcome::Stopped | Outcome::Background => {
                Some(true)
            }
            Outcome::Refused(_)
            | Outcome::Denied
            | Outcome::NotRun
            | Outcome::CannotStart
            | Outcome::Answered
            | Outcome::Told => Some(false),
            Outcome::Unknown => None,
        }
    }

    /// The layer at which the call failed. `None`: it did not fail.
    pub fn failed_layer(&self) -> Option<Layer> {
        match self {
            Outcome::Exited(0) | Outcome::Answered | Outcome::Background | Outcome::Told => None,
            Outcome::Refused(layer) => Some(*layer),
            Outcome::Denied | Outcome::NotRun => Some(Layer::Authorise),
            Outcome::Exited(_)
            | Outcome::Signalled(_)
            | Outcome::TimedOut
            | Outcome::Stopped
            | Outcome::CannotStart
            | Outcome::Unknown => Some(Layer::Execute),
        }
    }
}
