//! The audit log: what happened at this bridge, one JSON object a line, in the user's state directory.
//!
//! It is only ever appended to, readable by nobody else, and kept within bounds: a full file becomes `audit.1.jsonl`, and
//! the oldest goes. No secret of the bridge gets into it, and what looks like a key in a command is left out. It is for the
//! person: a command runs with that person's rights, so it could write there too.

mod entry;
mod redact;
mod show;
mod time;

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde::Serialize;

pub use entry::{Entry, Key};
pub use redact::Secrets;
pub(crate) use redact::without_keys;
pub use show::{LogArgs, print};

/// The most bytes of a file.
const FILE: u64 = 8 * 1024 * 1024;
/// How many full files are kept.
const KEPT: usize = 4;
/// How many refusals a minute are written: whoever knocks for ever must not push the rest out.
const REFUSALS: u32 = 60;
const MINUTE: Duration = Duration::from_secs(60);

/// Where entries go.
pub struct Audit {
    bridge: String,
    secrets: Secrets,
    log: Mutex<Option<Log>>,
}

struct Log {
    path: PathBuf,
    file: File,
    refusals: u32,
    minute: Instant,
}

/// A line.
#[derive(Serialize)]
struct Line<'a> {
    at: String,
    bridge: &'a str,
    #[serde(flatten)]
    entry: &'a Entry,
}

impl Audit {
    /// A log for the bridge of this id, in this folder, which is made if need be. `secrets` never get into it. Without a
    /// folder nothing is kept.
    pub fn new(folder: Option<PathBuf>, bridge: String, secrets: Secrets) -> io::Result<Self> {
        let log = folder.map(|folder| Log::open(&folder)).transpose()?;
        Ok(Self { bridge, secrets, log: Mutex::new(log) })
    }

    /// Writes an entry. What cannot be written is lost, and said once.
    pub fn write(&self, entry: &Entry) {
        let mut place = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(log) = place.as_mut() else { return };
        if matches!(entry, Entry::Refused { .. }) && !log.has_room_for_a_refusal() {
            return;
        }
        let line = Line { at: time::rfc3339(SystemTime::now()), bridge: &self.bridge, entry };
        let Ok(text) = serde_json::to_string(&line) else { return };
        let mut text = self.secrets.removed_from(&text);
        text.push('\n');
        if let Err(error) = log.append(text.as_bytes()) {
            tracing::error!(%error, "the audit log cannot be written; nothing more is kept in it");
            *place = None;
        }
    }
}

impl Log {
    fn open(folder: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let path = folder.join("audit.jsonl");
        let file = open(&path)?;
        Ok(Self { path, file, refusals: 0, minute: Instant::now() })
    }

    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        // Another bridge may have begun a new file.
        let is_ours = fs::symlink_metadata(&self.path).is_ok_and(|there| {
            self.file.metadata().is_ok_and(|ours| (there.dev(), there.ino()) == (ours.dev(), ours.ino()))
        });
        if !is_ours {
            self.file = open(&self.path)?;
        }
        if self.file.metadata()?.len() + line.len() as u64 > FILE {
            for number in (1..KEPT).rev() {
                // Those that are not there yet cannot be moved.
                let _ = fs::rename(numbered(&self.path, number), numbered(&self.path, number + 1));
            }
            fs::rename(&self.path, numbered(&self.path, 1))?;
            self.file = open(&self.path)?;
        }
        // In one call, so that the lines of two bridges do not mix.
        self.file.write_all(line)
    }

    fn has_room_for_a_refusal(&mut self) -> bool {
        if self.minute.elapsed() > MINUTE {
            (self.minute, self.refusals) = (Instant::now(), 0);
        }
        self.refusals = self.refusals.saturating_add(1);
        self.refusals <= REFUSALS
    }
}

/// The usual folder (XDG Base Directory Specification). A relative path in the environment counts as none.
pub fn folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    Some(absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?.join("loopglass"))
}

/// The files of the log in this folder, oldest first.
fn files(folder: &Path) -> Vec<PathBuf> {
    let newest = folder.join("audit.jsonl");
    let older = (1..=KEPT).rev().map(|number| numbered(&newest, number));
    older.chain([newest.clone()]).filter(|file| file.is_file()).collect()
}

fn numbered(path: &Path, number: usize) -> PathBuf {
    path.with_extension(format!("{number}.jsonl"))
}

/// Opens it to append, through no link, for nobody else.
fn open(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .custom_flags(nix::fcntl::OFlag::O_NOFOLLOW.bits() | nix::fcntl::OFlag::O_CLOEXEC.bits())
        .open(path)?;
    let about = file.metadata()?;
    if !about.is_file() || about.mode() & 0o077 != 0 {
        return Err(io::Error::other(format!("{} is not a file that is only yours; remove it", path.display())));
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused() -> Entry {
        Entry::Refused { why: "token".to_owned() }
    }

    #[test]
    fn a_full_file_is_set_aside_and_the_oldest_goes() {
        let folder = tempfile::tempdir().unwrap();
        let audit = Audit::new(Some(folder.path().to_owned()), "b".to_owned(), Secrets::default()).unwrap();
        let command = "x".repeat(1024 * 1024);
        let entry = |call: usize| Entry::Ended { call: format!("{call} {command}"), end: serde_json::Value::Null };
        for call in 0..50 {
            audit.write(&entry(call));
        }
        let files = files(folder.path());
        assert_eq!(files.len(), KEPT + 1);
        assert!(files.iter().all(|file| fs::metadata(file).unwrap().len() <= FILE));
        let newest = fs::read_to_string(files.last().unwrap()).unwrap();
        assert!(newest.lines().last().unwrap().contains("\"49 xxx"));
        // In order, and only the oldest are gone.
        let all: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
        let calls: Vec<usize> = all
            .lines()
            .map(|line| line.split_once("\"call\":\"").unwrap().1.split(' ').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(calls, (50 - calls.len()..50).collect::<Vec<_>>());
    }

    #[test]
    fn a_link_and_a_file_of_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Audit::new(Some(folder.path().to_owned()), "b".to_owned(), Secrets::default()).is_ok();
        let path = folder.path().join("audit.jsonl");
        std::os::unix::fs::symlink("/dev/null", &path).unwrap();
        assert!(!open());
        fs::remove_file(&path).unwrap();
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
        assert!(!open());
        fs::remove_file(&path).unwrap();
        assert!(open());
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn who_knocks_for_ever_does_not_fill_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let audit = Audit::new(Some(folder.path().to_owned()), "b".to_owned(), Secrets::default()).unwrap();
        (0..1000).for_each(|_| audit.write(&refused()));
        let text = fs::read_to_string(folder.path().join("audit.jsonl")).unwrap();
        assert_eq!(text.lines().count(), REFUSALS as usize);
    }

    #[test]
    fn two_bridges_share_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let new = || Audit::new(Some(folder.path().to_owned()), "b".to_owned(), Secrets::default()).unwrap();
        let (one, two) = (new(), new());
        one.write(&refused());
        fs::rename(folder.path().join("audit.jsonl"), folder.path().join("audit.1.jsonl")).unwrap();
        two.write(&refused());
        one.write(&refused());
        let lines = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap().lines().count();
        assert_eq!((lines("audit.1.jsonl"), lines("audit.jsonl")), (1, 2));
    }
}
