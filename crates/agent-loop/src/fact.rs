//! What stands in the log: sealed facts, a few per turn, never a delta. The log is the truth; all else is a fold over it.
//!
//! Every enum is written under its variant's name, the way serde reads without buffering: a tag inside the object costs
//! the page tens of kilobytes, because each type is then compiled for serde's buffer as well.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::host::Offered;
use crate::message::{Answer, Block, CallKey, ToolResult};
use crate::settings::{Budget, Settings};
use crate::wire::{ModelFailure, Quirk, Repair};

/// The version of the log that this code writes. A log of a later version is refused, not guessed at.
pub const FORMAT: u32 = 1;

/// A fact with the time it was sealed at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sealed {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// The fact.
    pub fact: Fact,
}

/// Something that happened and will not change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// The log begins.
    Opened {
        /// The version it is written in.
        format: u32,
    },
    /// The knobs were set.
    Configured {
        /// All of them.
        settings: Rc<Settings>,
    },
    /// A person said something. Starts a run, or waits in line while one is under way.
    Said {
        /// The words.
        text: String,
    },
    /// A person took back something that waits in line.
    Withdrawn {
        /// Its place in the line, from 0.
        place: usize,
    },
    /// A person let a resting session go on.
    Resumed,
    /// A person allowed more model calls for this user message.
    Extended {
        /// How many more.
        model_calls: u32,
    },
    /// A person allowed this user message more than its budget.
    Raised {
        /// How much more, from what is spent by then.
        by: Budget,
    },
    /// The host announced something new: the request is made from this.
    Offered {
        /// What it announced.
        offered: Rc<Offered>,
    },
    /// The request was made, and nobody objected.
    Prepared {
        /// What had to be repaired in it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<Repair>,
    },
    /// The request went out.
    Called {
        /// Bytes of its body.
        bytes: u64,
    },
    /// The model answered, whole.
    Answered {
        /// What it said.
        answer: Answer,
    },
    /// The model call failed.
    CallFailed {
        /// How.
        failure: ModelFailure,
        /// What of the answer had come; kept for the eye, not sent.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        draft: Vec<Block>,
        /// When it is tried again by itself: after this many milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_in_ms: Option<u64>,
    },
    /// A refusal taught something about an endpoint; every request to it heeds that from now on.
    Learnt {
        /// The endpoint's base URL, as it stands in the settings.
        base_url: String,
        /// What.
        quirk: Quirk,
    },
    /// The model was told once to go on: its answer was empty, or lacked the call it spoke of.
    Nudged,
    /// The wait before a retry is over.
    Waited,
    /// A call was parsed, validated and authorised, or refused on the way.
    Ruled {
        /// Which call.
        call: CallKey,
        /// What was decided.
        ruling: Ruling,
    },
    /// The host could not take the call; it waits for one that can.
    HostUnavailable {
        /// Why.
        why: String,
    },
    /// A host was told to run a call.
    ToolStarted {
        /// Which call.
        call: CallKey,
        /// The run's id, unique for ever.
        run_id: String,
        /// The host's short name.
        host: String,
    },
    /// The host still knows the run of a call that was under way when the page went, and it is followed again. Only a
    /// reading: the run is the same.
    TakenUp {
        /// Which call.
        call: CallKey,
    },
    /// The call has its result.
    ToolEnded {
        /// The result; it names its call.
        result: ToolResult,
    },
    /// Every call was answered; the results stand in messages.
    WroteBack,
    /// A person changed something.
    Edited {
        /// What.
        edit: Edit,
    },
    /// A person stopped the run.
    Stopped {
        /// What of an answer had come; kept for the eye, not sent.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        draft: Vec<Block>,
    },
    /// The page was closed or reloaded while something was under way; recorded when the session is opened again.
    Interrupted {
        /// What of an answer had come; kept for the eye, not sent.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        draft: Vec<Block>,
    },
}

impl Fact {
    /// Its name, as it stands in a stored log.
    pub fn name(&self) -> &'static str {
        match self {
            Fact::Opened { .. } => "opened",
            Fact::Configured { .. } => "configured",
            Fact::Said { .. } => "said",
            Fact::Withdrawn { .. } => "withdrawn",
            Fact::Resumed => "resumed",
            Fact::Extended { .. } => "extended",
            Fact::Raised { .. } => "raised",
            Fact::Offered { .. } => "offered",
            Fact::Prepared { .. } => "prepared",
            Fact::Called { .. } => "called",
            Fact::Answered { .. } => "answered",
            Fact::CallFailed { .. } => "call_failed",
            Fact::Learnt { .. } => "learnt",
            Fact::Nudged => "nudged",
            Fact::Waited => "waited",
            Fact::Ruled { .. } => "ruled",
            Fact::HostUnavailable { .. } => "host_unavailable",
            Fact::ToolStarted { .. } => "tool_started",
            Fact::TakenUp { .. } => "taken_up",
            Fact::ToolEnded { .. } => "tool_ended",
            Fact::WroteBack => "wrote_back",
            Fact::Edited { .. } => "edited",
            Fact::Stopped { .. } => "stopped",
            Fact::Interrupted { .. } => "interrupted",
        }
    }
}

/// What was decided about a call. Grants nothing beyond it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// It runs.
    Run,
    /// It does not, and this is its result.
    Refused(ToolResult),
}

/// A change a person made. The original is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// The blocks of a message.
    Message {
        /// Place in `messages`.
        message: usize,
        /// The new blocks.
        blocks: Vec<Block>,
    },
    /// The arguments of a call that has no ruling yet.
    Arguments {
        /// Which call.
        call: CallKey,
        /// The new arguments, JSON text.
        arguments: String,
    },
    /// What the model shall read as the result of a call that is not written back yet.
    Result {
        /// Which call.
        call: CallKey,
        /// The new content.
        content: String,
    },
    /// The knobs.
    Settings {
        /// All of them.
        settings: Rc<Settings>,
    },
    /// The oldest exchanges are no longer sent. They stay in the log and can be read.
    Forget {
        /// How many entries of `messages`, up to one that a person said.
        messages: usize,
    },
}
