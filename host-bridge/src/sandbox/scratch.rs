//! The folder behind `/tmp` of commands in a sandbox: the bridge's own, for as long as it runs, so that what one command
//! puts there the next one finds. It goes with the bridge; that of a bridge which was killed goes with a later start.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::fcntl::{Flock, FlockArg};

use crate::token::Token;

const PREFIX: &str = "loopglass-tmp-";
/// A folder that is younger may belong to a bridge that has not locked it yet.
const YOUNG: Duration = Duration::from_secs(60);
/// How often it is tried to remove the folder, and how long after a failure.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(10);

/// The folder; removed at the latest when this is dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// Says that it is in use, to whoever clears up.
    _lock: Flock<File>,
}

impl Scratch {
    /// A new one, in the system's place for temporary files.
    pub(super) fn new() -> io::Result<Self> {
        let parent = std::env::temp_dir().canonicalize()?;
        clear_up(&parent);
        let name: String = Token::new().map_err(io::Error::other)?.reveal().chars().take(16).collect();
        let path = parent.join(format!("{PREFIX}{name}"));
        DirBuilder::new().mode(0o700).create(&path)?;
        DirBuilder::new().mode(0o700).create(path.join("tmp"))?;
        OpenOptions::new().write(true).create_new(true).mode(0o400).open(path.join("empty"))?;
        let lock = lock(&path).ok_or_else(|| io::Error::other("it cannot be locked"))?;
        Ok(Self { path, _lock: lock })
    }

    /// What commands see as `/tmp`.
    pub(super) fn tmp(&self) -> PathBuf {
        self.path.join("tmp")
    }

    /// An empty file, to stand in the place of others.
    pub(super) fn empty(&self) -> PathBuf {
        self.path.join("empty")
    }

    /// Removes it with all that is in it. A sandbox that is still being made puts a place for the workspace into it, and
    /// a command that is being ended writes what it writes: so it is tried again for a moment.
    pub fn remove(&self) {
        for _ in 0..TRIES {
            match fs::remove_dir_all(&self.path) {
                Ok(()) => return,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return,
                Err(_) => std::thread::sleep(PAUSE),
            }
        }
        // A command may have left what cannot be removed; the system clears up in the end.
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.remove();
    }
}

fn lock(path: &Path) -> Option<Flock<File>> {
    Flock::lock(File::open(path).ok()?, FlockArg::LockExclusiveNonblock).ok()
}

/// Removes what bridges of this user have left that could not do it themselves.
fn clear_up(parent: &Path) {
    let own = nix::unistd::geteuid().as_raw();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_named = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        let Ok(about) = entry.metadata() else { continue };
        let is_old = about.modified().ok().and_then(|at| at.elapsed().ok()).is_some_and(|age| age > YOUNG);
        if is_named && is_old && about.is_dir() && about.uid() == own && lock(&entry.path()).is_some() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_with_its_bridge_and_only_then() {
        let scratch = Scratch::new().unwrap();
        let path = scratch.path.clone();
        let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!((mode(&path), mode(&scratch.tmp()), mode(&scratch.empty())), (0o700, 0o700, 0o400));
        let age =
            |path: &Path| File::open(path).unwrap().set_modified(std::time::SystemTime::now() - 2 * YOUNG).unwrap();
        // In use, and old: another start leaves it alone.
        age(&path);
        let parent = path.parent().unwrap();
        clear_up(parent);
        assert!(path.exists());
        drop(scratch);
        assert!(!path.exists());
        // Nobody's, and old: it goes. Young: it stays.
        let left = parent.join(format!("{PREFIX}left-{}", std::process::id()));
        fs::create_dir_all(left.join("tmp/deep")).unwrap();
        clear_up(parent);
        assert!(left.exists());
        age(&left);
        clear_up(parent);
        assert!(!left.exists());
    }
}
