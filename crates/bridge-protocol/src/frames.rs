//! The frames: what travels between page and bridge, and how it is written.
//!
//! Control frames are JSON text with a `type`. Unknown fields are ignored, so that either side may grow; an unknown
//! `type` is answered with an `error` frame. Output travels in binary frames ([`Output`]), because bytes of a command
//! need not be text.

mod background;
mod policy;
mod read;
mod relay;
mod sandbox;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use background::{BackgroundCommand, Standing};
pub use policy::{Decision, Reason, Verdict};
pub use relay::RelayTarget;
pub use sandbox::{NoSandbox, Sandbox};

/// The version both `hello` frames carry. Another number means that page and bridge cannot talk.
pub const PROTO: u32 = 1;

/// The WebSocket subprotocol: the only one the bridge ever selects.
pub const SUBPROTOCOL: &str = "loopglass.v1";

/// The token is offered as a second subprotocol, behind this prefix, because a browser can set no header on a
/// WebSocket. The bridge never echoes it.
pub const TOKEN_PREFIX: &str = "loopglass.auth.";

/// The close code for a connection that a newer one has replaced.
pub const CLOSE_REPLACED: u16 = 4001;

/// The close code for a page whose `hello` carries another [`PROTO`].
pub const CLOSE_PROTO: u16 = 4002;

/// The longest call id, in bytes: its length is one byte of an output frame.
pub const MAX_CALL_ID: usize = 255;

/// One WebSocket message, in either direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// A control frame: JSON.
    Text(String),
    /// An output frame: see [`Output`].
    Binary(Vec<u8>),
}

/// What the page sends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBridge {
    /// The first frame of every connection.
    Hello {
        /// The page's [`PROTO`].
        proto: u32,
    },
    /// Run a tool, as a person has allowed. A call id starts at most one process, for ever: the same frame again attaches to the call.
    Run {
        /// The id of the call, chosen by the page: 1 to [`MAX_CALL_ID`] bytes, no control characters.
        call: String,
        /// The name of a tool that the bridge's `hello` announced.
        tool: String,
        /// The arguments, as the tool's schema wants them.
        arguments: Value,
        /// How long the command may run. Without it, the bridge's default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
    /// As `run`, but nobody was asked: the call runs only where the rules of the bridge allow it without a question.
    RunUnasked {
        /// The id of the call.
        call: String,
        /// The name of a tool.
        tool: String,
        /// The arguments.
        arguments: Value,
        /// How long the command may run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
    /// Say what the rules of the bridge settle about a call. Nothing runs.
    Review {
        /// A name for the answer, chosen by the page.
        review: String,
        /// The name of a tool.
        tool: String,
        /// The arguments.
        arguments: Value,
    },
    /// Go on showing a call after a lost connection.
    Attach {
        /// The call.
        call: String,
        /// How many bytes of its output the page already has.
        after_seq: u64,
    },
    /// Stop a call: its whole process tree.
    Cancel {
        /// The call.
        call: String,
    },
    /// The page has taken output and can take as much again.
    Credit {
        /// The call.
        call: String,
        /// How many bytes more the bridge may send.
        bytes: u64,
    },
}

/// What the bridge sends as text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToPage {
    /// The first frame of every connection.
    Hello(Hello),
    /// The process of a call runs.
    Started {
        /// The call.
        call: String,
        /// The shell's process id.
        pid: u32,
    },
    /// Output that the page will never see: it came faster than it was taken, and the ring has moved on.
    Gap {
        /// The call.
        call: String,
        /// The sequence number of the first lost byte.
        from: u64,
        /// The sequence number after the last lost byte.
        to: u64,
    },
    /// The shell itself has ended. Output may still follow.
    Exited {
        /// The call.
        call: String,
        /// How it ended.
        status: Status,
    },
    /// The last frame of a call that ran: its output is complete and its process tree is gone.
    Closed {
        /// The call.
        call: String,
        /// What became of it.
        outcome: Outcome,
        /// From the start of the process to the end of its tree.
        duration_ms: u64,
        /// The directory the command was started in.
        cwd: String,
        /// Descendants that outlived the shell and were killed.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        leftovers: Vec<Leftover>,
        /// All bytes of output, both streams: the sequence number after the last byte.
        bytes: u64,
    },
    /// The last frame of a call that did not run.
    Refused {
        /// The call.
        call: String,
        /// Why.
        #[serde(flatten)]
        why: Refusal,
    },
    /// The answer to a `review`.
    Reviewed {
        /// The name the page gave it.
        review: String,
        /// What the rules settle.
        #[serde(flatten)]
        verdict: Verdict,
    },
    /// The commands in the background, oldest first: all of them, after `hello` and whenever they have changed.
    Background {
        /// Those that run, and the newest of those that have ended.
        commands: Vec<BackgroundCommand>,
    },
    /// A frame could not be understood. The connection stays.
    Error {
        /// The call the frame spoke of, if that much could be read.
        #[serde(skip_serializing_if = "Option::is_none")]
        call: Option<String>,
        /// What was wrong with it, for a log.
        message: String,
    },
}

/// How the bridge introduces itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hello {
    /// The bridge's [`PROTO`].
    pub proto: u32,
    /// The id of this start of the bridge. Another id is another bridge, which knows none of the calls.
    pub bridge: String,
    /// The version of the bridge's program.
    pub version: String,
    /// The operating system, as Rust names it: `linux`, `macos`.
    pub os: String,
    /// The workspace: the directory every command starts in.
    pub cwd: String,
    /// The tools it offers.
    pub tools: Vec<Tool>,
    /// The tools it offers to a page whose model may leave commands running in the background, in place of `tools`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub background: Vec<Tool>,
    /// The bounds it keeps.
    pub limits: Limits,
    /// The services it relays model calls to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub relay: Vec<RelayTarget>,
    /// Whether a call that a person allowed is asked about again on the bridge's own terminal.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub asks_on_terminal: bool,
    /// What holds commands in; `None` from a bridge that does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox>,
}

/// A tool, as a model is told about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tool {
    /// The name a call uses.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON schema of its arguments.
    pub input_schema: Value,
}

/// The bounds a bridge keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// How long a command may run when its `run` frame does not say.
    pub timeout_ms: u64,
    /// The longest time a `run` frame may ask for.
    pub max_timeout_ms: u64,
    /// How long commands go on without a page.
    pub grace_ms: u64,
    /// The credit a viewer starts with, in bytes.
    pub window: u64,
    /// How much of a call's output can be sent again, in bytes.
    pub ring: u64,
    /// The longest command, in bytes.
    pub command: u64,
    /// How many calls may run at once.
    pub running: u64,
}

/// The two streams of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// How the shell itself ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// By itself, with this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    /// The shell ended by itself.
    Exited {
        /// Its exit code.
        code: i32,
    },
    /// The shell was ended by a signal that the bridge did not send.
    Signalled {
        /// The signal's number.
        number: i32,
    },
    /// It ran too long and was killed.
    TimedOut {
        /// The time it had.
        after_ms: u64,
    },
    /// The page asked for its end.
    Stopped,
    /// The bridge answered: the call started a command in the background, or was about one. It has no process of its own.
    Background {
        /// The command's id.
        id: String,
        /// How the command stood.
        #[serde(flatten)]
        standing: Standing,
    },
    /// The bridge answered: the output is the list of commands in the background.
    Listed,
    /// Nothing ran.
    CannotStart {
        /// Why not.
        #[serde(flatten)]
        why: Refusal,
    },
    /// It was not seen to its end: it may have done all, some or nothing of its work. It is never run again by itself.
    Lost {
        /// How it was lost.
        #[serde(flatten)]
        why: Loss,
    },
}

/// Why nothing ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Refusal {
    /// The id belongs to a call with another tool or other arguments.
    IdConflict,
    /// The bridge has no call of this id.
    UnknownCall,
    /// No command in the background has this id.
    UnknownId {
        /// The id.
        id: String,
    },
    /// The bridge offers no tool of this name.
    UnknownTool,
    /// The call is not well formed.
    BadArguments {
        /// What is wrong with it.
        detail: String,
    },
    /// As many calls as the bridge allows are running.
    TooManyRunning {
        /// How many that is.
        limit: u64,
    },
    /// The workspace is no longer there.
    WorkspaceGone {
        /// Where it was.
        path: String,
    },
    /// The operating system did not start the shell.
    Os {
        /// What it said.
        detail: String,
    },
    /// The bridge is ending.
    ShuttingDown,
    /// A rule of the bridge denies it.
    Denied {
        /// The rule.
        rule: String,
    },
    /// It came as `run_unasked`, and no rule of the bridge allows it without a question.
    NotAsked,
    /// The person at the bridge's terminal did not allow it.
    NotConfirmed,
}

/// How a call was lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Loss {
    /// The bridge was started anew while the call ran; the old one took its commands with it.
    NewBridge,
    /// The bridge does not know the call any more.
    Forgotten,
    /// No page was connected for the bridge's grace, so it ended the command.
    Abandoned {
        /// The grace.
        after_ms: u64,
    },
    /// The command's supervisor died, so nobody saw how the command ended.
    SupervisorDied,
    /// The bridge was ended, and ended the command.
    BridgeEnded,
    /// The page gave up on the connection.
    GaveUp,
}

/// A descendant that outlived the shell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leftover {
    /// Its process id.
    pub pid: u32,
    /// Its command line, shortened.
    pub command: String,
    /// It could not be killed either: it belongs to another user, or hangs in the kernel.
    #[serde(default)]
    pub survived: bool,
}

/// A piece of a call's output: one binary frame.
///
/// ```text
/// byte 0        1, the kind of this frame
/// byte 1        the stream: 1 stdout, 2 stderr
/// bytes 2-9     the sequence number, big-endian
/// byte 10       the length n of the call id
/// n bytes       the call id, UTF-8
/// the rest      the output
/// ```
/// The sequence number counts bytes, as TCP does: it is the number of bytes of this call's output, both streams
/// together in order of arrival, before this frame's first. So a piece may be cut anew when it is sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output<'a> {
    /// The call.
    pub call: &'a str,
    /// The number of bytes before the first of these.
    pub seq: u64,
    /// Where they were written.
    pub stream: Stream,
    /// What was written.
    pub bytes: &'a [u8],
}

/// A frame that could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The call it spoke of, if that much could be read.
    pub call: Option<String>,
    /// What is wrong with it.
    pub message: String,
}

impl ToBridge {
    /// Reads a control frame of a page.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let (call, fields) = read::object(text)?;
        Self::deserialize(Value::Object(fields)).map_err(|error| Malformed { call, message: error.to_string() })
    }

    /// Writes it as JSON.
    pub fn to_text(&self) -> String {
        to_text(self)
    }
}

impl ToPage {
    /// Reads a control frame of a bridge.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let (call, fields) = read::object(text)?;
        read::to_page(fields).map_err(|message| Malformed { call, message })
    }

    /// Writes it as JSON.
    pub fn to_text(&self) -> String {
        to_text(self)
    }
}

impl<'a> Output<'a> {
    const KIND: u8 = 1;

    /// Reads a binary frame; `None` when it is not one.
    pub fn parse(frame: &'a [u8]) -> Option<Self> {
        let (head, rest) = frame.split_first_chunk::<11>()?;
        let [Self::KIND, stream, seq @ .., id_len] = head else { return None };
        let (id, bytes) = rest.split_at_checked(usize::from(*id_len))?;
        let stream = match stream {
            1 => Stream::Stdout,
            2 => Stream::Stderr,
            _ => return None,
        };
        Some(Self { call: std::str::from_utf8(id).ok()?, seq: u64::from_be_bytes(*seq), stream, bytes })
    }

    /// Writes it as a binary frame. A call id beyond [`MAX_CALL_ID`], which no bridge accepts, is cut.
    pub fn to_bytes(&self) -> Vec<u8> {
        let id = self.call.as_bytes();
        let id_len = u8::try_from(id.len()).unwrap_or(u8::MAX);
        let mut frame = Vec::with_capacity(11 + id.len() + self.bytes.len());
        frame.push(Self::KIND);
        frame.push(match self.stream {
            Stream::Stdout => 1,
            Stream::Stderr => 2,
        });
        frame.extend_from_slice(&self.seq.to_be_bytes());
        frame.push(id_len);
        frame.extend(id.iter().take(usize::from(id_len)));
        frame.extend_from_slice(self.bytes);
        frame
    }
}

/// Whether a string can be a call id.
pub fn is_call_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= MAX_CALL_ID && !id.chars().any(char::is_control)
}

fn to_text<T: Serialize>(frame: &T) -> String {
    // Maps with other keys than strings are all that JSON cannot hold, and no frame has one.
    serde_json::to_string(frame).unwrap_or_default()
}
