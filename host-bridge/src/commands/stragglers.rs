//! The second wall: what is left of a command whose supervisor was killed.
//!
//! Without its subreaper the tree is no tree any more. Its processes are found by the session the supervisor made, and
//! by the mark in their environment. What has both another session and another environment is not found.

use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::supervisor::orders::MARK;
use crate::supervisor::tree::processes;

const TRIES: u32 = 200;

/// Kills until none is found. The dead supervisor must not have been reaped, so that its session is still its own.
pub(super) async fn end(supervisor: Option<u32>, mark: &str) {
    let session = supervisor.and_then(|pid| i32::try_from(pid).ok());
    let mark = format!("{MARK}={mark}");
    for _ in 0..TRIES {
        let found: Vec<i32> = processes()
            .into_iter()
            .filter(|process| !process.is_zombie && process.pid > 1 && Some(process.pid) != session)
            .filter(|process| Some(process.session) == session || has_mark(process.pid, &mark))
            .map(|process| process.pid)
            .collect();
        if found.is_empty() {
            return;
        }
        for pid in found {
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn has_mark(pid: i32, mark: &str) -> bool {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
}
