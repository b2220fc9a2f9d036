//! What bridge and supervisor say to each other: one JSON value per line, over a socket pair.

use std::io::{self, Write};
use std::path::PathBuf;

use bridge_protocol::frames::{Leftover, Refusal, Status};
use serde::{Deserialize, Serialize};

use super::ceilings::Ceilings;

/// What the bridge orders. The end of its side of the socket is an order as well: end everything.
#[derive(Debug, Serialize, Deserialize)]
pub enum Order {
    /// Start the command. The first order, given once.
    Start {
        /// For `bash -c`.
        command: String,
        /// The directory to start it in.
        cwd: PathBuf,
        /// How long it may run.
        timeout_ms: u64,
        /// The value of [`MARK`] in the command's environment.
        mark: String,
        /// What it may use at most.
        ceilings: Ceilings,
    },
    /// The output has fallen silent after the shell's end: end what is left of the tree.
    Finish,
    /// End the whole tree.
    Stop,
}

/// What the supervisor reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// It is there, and waits for an order.
    Ready,
    /// The shell runs.
    Started {
        /// Its process id.
        pid: u32,
    },
    /// Nothing runs. The last report.
    CannotStart(Refusal),
    /// The shell has ended.
    Exited(Status),
    /// The tree is gone. The last report.
    Ended {
        /// What ended the shell.
        cause: Cause,
        /// What outlived it.
        leftovers: Vec<Leftover>,
    },
}

/// What ended the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// Itself, or a signal that did not come from here.
    Itself,
    /// The timeout.
    Timeout,
    /// An order.
    Order,
}

/// The variable by which a command's processes can be found when its supervisor has died.
pub const MARK: &str = "LOOPGLASS_CALL";

/// Takes whole lines out of what has arrived so far.
pub fn take_line<T: for<'de> Deserialize<'de>>(arrived: &mut Vec<u8>) -> Option<io::Result<T>> {
    let end = arrived.iter().position(|byte| *byte == b'\n')?;
    let line: Vec<u8> = arrived.drain(..=end).collect();
    Some(serde_json::from_slice(&line).map_err(io::Error::other))
}

/// Writes one line.
pub fn line<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.write_all(b"\n")?;
    Ok(line)
}
