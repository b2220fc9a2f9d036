//! Where tools run. A host announces its tools, reviews a call by its own policy, and runs it.

use futures_util::future::LocalBoxFuture;
use futures_util::stream::LocalBoxStream;
use serde::{Deserialize, Serialize};

use crate::message::ToolCall;
use crate::settings::OfferTools;
use crate::stop::Stop;
use crate::tool::{Arguments, ToolSpec};

/// A place where tools run: the host bridge, a person who types the result, later a shell inside the tab.
pub trait ToolHost {
    /// What it offers now.
    fn offer(&self) -> Offer;

    /// Its own policy on a call that has been parsed and validated.
    fn review(&self, call: &ToolCall, arguments: &Arguments) -> LocalBoxFuture<'static, Review>;

    /// Runs a call that has been authorised. The stream ends in exactly one [`ToolEvent::Ended`], also after `stop`.
    /// `run_id` is unique for ever: a host starts at most one process for it.
    fn run(&self, run: Run<'_>, stop: Stop) -> LocalBoxStream<'static, ToolEvent>;

    /// Follows a run that was begun before the page was loaded anew, from its first output on: the events are those of
    /// [`ToolHost::run`], and a run that the host does not know ends at once as lost. Starts nothing. `None`: its runs end
    /// with the page.
    fn take_up(&self, run_id: &str, stop: Stop) -> Option<LocalBoxStream<'static, ToolEvent>> {
        let _ = (run_id, stop);
        None
    }
}

/// One authorised run of a call.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// Unique for ever.
    pub run_id: &'a str,
    /// The call.
    pub call: &'a ToolCall,
    /// Its arguments, valid by the schema.
    pub arguments: &'a Arguments,
    /// How long it may run, in milliseconds.
    pub timeout_ms: u64,
}

/// What a host offers now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Offer {
    /// It is being reached.
    Connecting,
    /// It can run these.
    Ready(Offered),
    /// It is gone, and why.
    Gone(String),
}

/// The tools of a host and where they run: what the request is made from, and so a fact.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// The host's short name: `host-bridge`, `you`.
    pub host: String,
    /// Its tools, names unique.
    pub tools: Vec<ToolSpec>,
    /// Its working directory; fills `{cwd}`.
    pub cwd: String,
    /// The same tools with those for commands in the background. Empty: it has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub background: Vec<ToolSpec>,
}

impl Offered {
    /// Its tools, for a session that asks for these.
    pub fn tools_for(&self, wanted: OfferTools) -> &[ToolSpec] {
        match wanted {
            OfferTools::WithBackground if !self.background.is_empty() => &self.background,
            OfferTools::Host | OfferTools::WithBackground | OfferTools::Pinned | OfferTools::Off => &self.tools,
        }
    }
}

/// A host's own policy on one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Review {
    /// It may run without asking.
    Allow,
    /// A person should be asked; the text says why, and may be empty.
    Ask(String),
    /// It must not run, and why.
    Deny(String),
}

/// Which of a process's two outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// What a running tool tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolEvent {
    /// A process runs.
    Started,
    /// Output, in the order of arrival.
    Output {
        /// From which of the two.
        stream: Stream,
        /// As it came.
        bytes: Vec<u8>,
    },
    /// This many bytes of output are missing here.
    Gap(u64),
    /// The end, exactly once.
    Ended(Ended),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub status: Status,
    /// From start to end, in milliseconds.
    pub duration_ms: u64,
    /// Processes that were still running and were killed, as a person would name them.
    pub leftovers: Vec<String>,
}

/// How a run ended, in the host's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// Killed after running longer than it may.
    TimedOut,
    /// Killed because it was stopped.
    Stopped,
    /// It never started, and why.
    CannotStart(String),
    /// The host was lost while it ran, and how: the outcome is unknown.
    Lost(String),
    /// A person typed the output and says whether it is an error.
    Answered(Verdict),
    /// It was about a command in the background.
    Background {
        /// The command's id.
        id: String,
        /// How the command stands.
        standing: Standing,
    },
    /// It was about all commands in the background: the output is the list.
    Listed,
}

/// How a command in the background stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// This call has started it.
    Started,
    /// It runs.
    Running,
    /// It has ended, in this way.
    Ended(Box<Status>),
}

/// What a person who plays the tool says of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It went well.
    Fine,
    /// It is an error.
    Error,
}
