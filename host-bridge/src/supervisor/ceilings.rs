//! What a command may use at most, where the person who started the bridge said so.
//!
//! The operating system keeps to these, and it counts in its own way: memory and file size for each process, processes
//! (threads are counted as well) for all that run as this user, so that what runs already is added to what was said.
//! Root may start as many as it likes.

use std::io;

use bridge_protocol::frames::Status;
use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use serde::{Deserialize, Serialize};

/// The ceilings; none where nothing was said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ceilings {
    /// How many bytes a process may map.
    pub memory: Option<u64>,
    /// How many processes a command may have at once.
    pub processes: Option<u64>,
    /// How many bytes a file may grow to.
    pub file_size: Option<u64>,
}

/// As the operating system takes them, for one command.
#[derive(Debug, Clone, Default)]
pub(super) struct Limits(Vec<(Resource, u64)>);

impl Ceilings {
    /// As they are for a command that starts now.
    pub(super) fn now(self) -> Limits {
        #[cfg(target_os = "linux")]
        let processes = self.processes.map(|processes| (Resource::RLIMIT_NPROC, processes.saturating_add(running())));
        // Elsewhere it cannot be said.
        #[cfg(not(target_os = "linux"))]
        let processes = None;
        let memory = self.memory.map(|bytes| (Resource::RLIMIT_AS, bytes));
        let file_size = self.file_size.map(|bytes| (Resource::RLIMIT_FSIZE, bytes));
        Limits([memory, processes, file_size].into_iter().flatten().collect())
    }

    /// The line that says which of them ended a shell, where that can be seen: of the three, only too large a file ends
    /// a process, and a shell tells of a child that a signal ended by 128 and its number.
    pub(crate) fn told(self, status: Status) -> Option<String> {
        let bytes = self.file_size?;
        let number = Signal::SIGXFSZ as i32;
        let is_hit = matches!(status, Status::Signal(it) if it == number)
            || matches!(status, Status::Code(it) if it == 128 + number);
        is_hit.then(|| format!("host-bridge: ended by --max-file-size: a file may have {bytes} bytes\n"))
    }
}

impl Limits {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets them for this process and what it becomes. Allocates nothing.
    pub(super) fn set(&self) -> io::Result<()> {
        for (resource, limit) in &self.0 {
            // What was lower before stays so.
            let (_, most) = getrlimit(*resource)?;
            let limit = if most == RLIM_INFINITY { *limit } else { most.min(*limit) };
            setrlimit(*resource, limit, limit)?;
        }
        Ok(())
    }
}

/// How many threads run as this user; in a sandbox, only what is in it is seen, and only that counts.
#[cfg(target_os = "linux")]
fn running() -> u64 {
    use std::fs::read_dir;
    use std::os::unix::fs::MetadataExt;

    let own = nix::unistd::getuid().as_raw();
    let processes = read_dir("/proc").into_iter().flatten().flatten();
    let threads = processes
        .filter(|entry| entry.metadata().is_ok_and(|about| about.uid() == own))
        .map(|entry| read_dir(entry.path().join("task")).into_iter().flatten().flatten().count());
    threads.sum::<usize>() as u64
}

/// Reads a size as a person writes it: a number of bytes, or of K, M, G or T, which are powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || "not a size such as 512M".to_owned();
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase();
    let power = match unit.trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    match number.checked_mul(1024_u64.pow(power)) {
        Some(bytes) if bytes > 0 => Ok(bytes),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<u64>) {
        assert_eq!(size(text).ok(), expected, "{text}");
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        check("1", Some(1));
        check("4096", Some(4096));
        check("512M", Some(512 * 1024 * 1024));
        check("512m", Some(512 * 1024 * 1024));
        check("2GiB", Some(2 * 1024 * 1024 * 1024));
        check("7kB", Some(7 * 1024));
        check("1T", Some(1024_u64.pow(4)));
        for wrong in ["", "0", "0M", "M", "-1", "1.5G", "5X", "5MM", "99999999999T", "１", "1 M", "5GG"] {
            check(wrong, None);
        }
    }
}
