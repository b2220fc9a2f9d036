//! The sandbox around commands, made by bubblewrap on Linux.
//!
//! Each supervisor starts in namespaces of its own (user, pid, ipc, uts, cgroup and, unless it is allowed, network), so
//! that the making of a sandbox is no part of a command's time, and the supervisor is process 1 there: when it ends, the
//! kernel ends what is left. In it the workspace can be written, the rest of the disk only read, secrets are not there
//! ([`places`]), and `/tmp` is the bridge's own. A sandbox counts as on only after one was tried ([`trial`]).

mod bubble;
pub mod enter;
mod places;
mod scratch;
pub mod trial;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use bridge_protocol::frames::{NoSandbox, Sandbox};
use clap::ValueEnum;

pub use bubble::{Bubble, Plan};
pub use scratch::Scratch;

use crate::plain::plain;
use bubble::Outside;

/// Whether commands run in a sandbox.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// Never.
    Off,
    /// Where there can be one.
    #[default]
    Auto,
    /// Always: without one, the bridge does not start.
    Require,
}

/// The network of commands in a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// A loopback of their own, with nobody on it.
    Off,
    /// That of this machine.
    Open,
}

/// What came of it at this start.
#[derive(Debug)]
pub struct Found {
    /// As it is told to a page, to the log and to the person.
    pub told: Sandbox,
    /// What supervisors start in.
    pub bubble: Option<Bubble>,
}

impl Found {
    /// No sandbox, and why.
    pub fn none(why: NoSandbox) -> Self {
        Self { told: Sandbox::Off { why }, bubble: None }
    }
}

/// Makes a sandbox and tries it. `config` is the person's configuration, wherever it lies; both paths are absolute.
pub fn find(when: When, network: Network, workspace: PathBuf, config: Option<PathBuf>) -> Found {
    if when == When::Off {
        return Found::none(NoSandbox::NotWanted);
    }
    if !cfg!(target_os = "linux") {
        return Found::none(NoSandbox::OtherSystem);
    }
    let failed = |detail: String| Found::none(NoSandbox::Failed { detail });
    if workspace.parent().is_none() {
        return failed("the workspace is the whole disk".to_owned());
    }
    let Some(program) = bubble::program(&workspace) else { return Found::none(NoSandbox::NoBubblewrap) };
    let scratch = match Scratch::new() {
        Ok(scratch) => Arc::new(scratch),
        Err(error) => return failed(format!("no folder for temporary files: {error}")),
    };
    let bubble = Bubble::new(program, workspace, network, scratch, Outside::of_this_user(config));
    match trial::run(&bubble) {
        Ok(()) => Found { told: Sandbox::On { network: network == Network::Open }, bubble: Some(bubble) },
        Err(detail) => failed(detail),
    }
}

/// The state as a line for a terminal.
pub struct Line<'a>(pub &'a Sandbox);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Sandbox::On { network: false } => {
                f.write_str("on: commands write only in the workspace, see no keys, and have no network")
            }
            Sandbox::On { network: true } => {
                f.write_str("on: commands write only in the workspace and see no keys; the network is open")
            }
            Sandbox::Off { why } => write!(f, "off: {}", Reason(why)),
        }
    }
}

/// Why there is none, as a line for a terminal.
pub struct Reason<'a>(pub &'a NoSandbox);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            NoSandbox::NotWanted => f.write_str("--sandbox off; commands have all of your rights"),
            NoSandbox::OtherSystem => f.write_str("there is one on Linux only; commands have all of your rights"),
            NoSandbox::NoBubblewrap => f.write_str(
                "bubblewrap is not installed (apt install bubblewrap, or your system's way, changes that); commands have \
                 all of your rights",
            ),
            NoSandbox::Failed { detail } => write!(
                f,
                "it was tried and does not hold here: {} (docs/security.md says what it needs); commands have all of your \
                 rights",
                plain(detail)
            ),
        }
    }
}
