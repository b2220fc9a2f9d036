//! The second wall: what is left of a command whose supervisor was killed.
//!
//! Without its subreaper the tree is no tree any more. Its processes are found by the session the supervisor made, and
//! by the mark in their environment. What has both another session and another environment is not found.
//!
//! They are not our children, so that any of their ids may be another process's a moment later: each is held by a
//! descriptor, looked at again, and signalled through that descriptor.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::time::Duration;

use bridge_protocol::frames::Leftover;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::supervisor::orders::MARK;
use crate::supervisor::tree::{self, Process};

const TRIES: u32 = 200;

/// Kills until none is found; who they were. The dead supervisor must not have been reaped, so that its session is still
/// its own.
pub(super) async fn end(supervisor: Option<u32>, mark: &str) -> Vec<Leftover> {
    let session = supervisor.and_then(|pid| i32::try_from(pid).ok());
    let mark = format!("{MARK}={mark}");
    let belongs = |process: &Process| {
        let is_left = !process.is_zombie && process.pid > 1 && Some(process.pid) != session;
        is_left && (Some(process.session) == session || has_mark(process.pid, &mark))
    };
    let mut ended = BTreeMap::new();
    let mut found = Vec::new();
    for _ in 0..TRIES {
        found = tree::processes();
        found.retain(belongs);
        if found.is_empty() {
            break;
        }
        for process in &found {
            ended.entry(process.pid).or_insert_with(|| tree::leftover(process));
            if let Some(straggler) = hold(process.pid, belongs) {
                let _ = pidfd_send_signal(straggler, Signal::KILL);
            }
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for survivor in found {
        ended.entry(survivor.pid).and_modify(|leftover| leftover.survived = true);
    }
    ended.into_values().collect()
}

/// Takes hold of the process that has this id now, if it is one of those looked for: what is held is no other later.
fn hold(pid: i32, belongs: impl Fn(&Process) -> bool) -> Option<OwnedFd> {
    let id = if pid > 1 { Pid::from_raw(pid) } else { None }?;
    let held = pidfd_open(id, PidfdFlags::empty()).ok()?;
    tree::process(pid).filter(belongs).map(|_| held)
}

fn has_mark(pid: i32, mark: &str) -> bool {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command};

    use super::*;

    fn sleep() -> (Child, i32) {
        let child = Command::new("sleep").arg("1000").spawn().unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        (child, pid)
    }

    #[test]
    fn p32_whoever_has_the_id_by_now_is_not_hit() {
        // It has ended and been reaped, so that its id is free: what was held is nobody, whoever gets the id.
        let (mut child, pid) = sleep();
        let held = hold(pid, |process| process.pid == pid).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(pidfd_send_signal(held, Signal::KILL), Err(rustix::io::Errno::SRCH));
        assert!(hold(pid, |_| true).is_none());
        // It was taken before it was looked at, and is not one of those: it is let go.
        let (mut other, pid) = sleep();
        assert!(hold(pid, |process| process.session == -7).is_none());
        assert_eq!(other.try_wait().unwrap(), None);
        let held = hold(pid, |process| process.pid == pid).unwrap();
        pidfd_send_signal(held, Signal::KILL).unwrap();
        assert!(!other.wait().unwrap().success());
        // Nor is anything that stands for more than one process.
        for pid in [0, -1, i32::MIN] {
            assert!(hold(pid, |_| true).is_none(), "{pid}");
        }
    }
}
