//! The processes below this one.

use std::collections::HashSet;

use bridge_protocol::frames::Leftover;
use nix::unistd::{Pid, getpid};

/// The longest command line that is told, in characters.
const COMMAND_CHARS: usize = 200;

/// A process of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    pub(crate) session: i32,
    pub(crate) name: String,
    pub(crate) is_zombie: bool,
}

/// The children of this process that have not ended.
pub(super) fn children() -> impl Iterator<Item = Pid> {
    let own = getpid().as_raw();
    processes().into_iter().filter(move |it| it.parent == own && !it.is_zombie).map(|it| Pid::from_raw(it.pid))
}

/// Everything below this process that has not ended.
pub(super) fn descendants() -> Vec<Leftover> {
    below(&processes(), getpid().as_raw()).into_iter().filter(|process| !process.is_zombie).map(leftover).collect()
}

/// A process that has to be ended, as it is told of.
pub(crate) fn leftover(process: &Process) -> Leftover {
    let command = command_line(process.pid).unwrap_or_else(|| process.name.clone());
    Leftover { pid: process.pid.unsigned_abs(), command, survived: false }
}

fn below(all: &[Process], root: i32) -> Vec<&Process> {
    let mut known = HashSet::from([root]);
    let mut found = Vec::new();
    loop {
        let before = found.len();
        found.extend(all.iter().filter(|it| known.contains(&it.parent) && !known.contains(&it.pid)));
        if found.len() == before {
            return found;
        }
        known.extend(found.iter().map(|it| it.pid));
    }
}

/// Every process that can be seen.
#[cfg(target_os = "linux")]
pub(crate) fn processes() -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| process(entry.file_name().to_str()?.parse().ok()?)).collect()
}

/// The process of this id, unless it has ended by now.
#[cfg(target_os = "linux")]
pub(crate) fn process(pid: i32) -> Option<Process> {
    parse_stat(pid, &String::from_utf8_lossy(&std::fs::read(format!("/proc/{pid}/stat")).ok()?))
}

/// Reads `/proc/PID/stat` (proc_pid_stat(5)): the name stands in parentheses and may hold any character.
#[cfg(any(target_os = "linux", test))]
fn parse_stat(pid: i32, stat: &str) -> Option<Process> {
    let (before, after) = stat.rsplit_once(')')?;
    let name = before.split_once('(')?.1.to_owned();
    let mut fields = after.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let session = fields.nth(1)?.parse().ok()?;
    Some(Process { pid, parent, session, name, is_zombie: matches!(state, "Z" | "X") })
}

#[cfg(target_os = "linux")]
fn command_line(pid: i32) -> Option<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let text = String::from_utf8_lossy(&bytes).trim_end_matches('\0').replace('\0', " ");
    (!text.is_empty()).then(|| text.chars().take(COMMAND_CHARS).collect())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn processes() -> Vec<Process> {
    let listed = std::process::Command::new("ps").args(["-axo", "pid=,ppid=,sess=,state=,comm="]).output();
    let text = listed.map(|listed| String::from_utf8_lossy(&listed.stdout).into_owned()).unwrap_or_default();
    text.lines()
        .filter_map(|line| {
            let mut fields = line.split_ascii_whitespace();
            Some(Process {
                pid: fields.next()?.parse().ok()?,
                parent: fields.next()?.parse().ok()?,
                // Shown as an address there.
                session: fields.next()?.parse().unwrap_or(0),
                is_zombie: fields.next()?.starts_with('Z'),
                name: fields.collect::<Vec<_>>().join(" "),
            })
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn command_line(_: i32) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_stat(stat: &str, expected: Option<(i32, i32, &str, bool)>) {
        let parsed = parse_stat(7, stat);
        let fields = parsed.as_ref().map(|it| (it.parent, it.session, it.name.as_str(), it.is_zombie));
        assert_eq!(fields, expected, "{stat}");
    }

    #[test]
    fn a_name_may_hold_anything() {
        check_stat("7 (sleep) S 1 7 5 0 -1", Some((1, 5, "sleep", false)));
        check_stat("7 (a) Z 9 (b) R 2 7 6 0 -1", Some((2, 6, "a) Z 9 (b", false)));
        check_stat("7 (gone) Z 1 7 5 0 -1", Some((1, 5, "gone", true)));
        check_stat("", None);
        check_stat("7 (sleep) S", None);
    }

    #[test]
    fn the_tree_is_followed_to_its_leaves() {
        let process = |pid, parent| Process { pid, parent, session: 1, name: String::new(), is_zombie: false };
        let all = [process(5, 4), process(3, 2), process(4, 3), process(2, 1), process(9, 8), process(6, 4)];
        let pids = |root| {
            let mut pids: Vec<i32> = below(&all, root).into_iter().map(|it| it.pid).collect();
            pids.sort_unstable();
            pids
        };
        assert_eq!(pids(2), [3, 4, 5, 6]);
        assert_eq!(pids(8), [9]);
        assert_eq!(pids(7), Vec::<i32>::new());
    }
}
