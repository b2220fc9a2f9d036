//! The whole output of one call, beyond what the ring keeps: on the disk, where nobody else finds it.
//!
//! A short output stays in memory. A longer one goes into a file that only this user may open, and that has no name any
//! more before the first byte is in it: so it is gone with the bridge, however the bridge ends.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};

use crate::token::Token;

/// Up to here, output is kept in memory, in bytes.
const EARLY: usize = 64 * 1024;
/// Beyond this, output is counted but not kept, in bytes.
pub const MOST: u64 = 64 * 1024 * 1024;

/// The output of one call, both streams in order of arrival.
#[derive(Debug, Default)]
pub struct Spool {
    early: Vec<u8>,
    file: Option<File>,
    kept: u64,
    /// The output has been given up, or could not be written.
    is_over: bool,
}

impl Spool {
    /// Keeps these bytes too, as far as there is room.
    pub(super) fn append(&mut self, bytes: &[u8]) {
        let room = usize::try_from(MOST - self.kept).unwrap_or(usize::MAX);
        let bytes = bytes.get(..room).unwrap_or(bytes);
        if self.is_over || bytes.is_empty() {
            return;
        }
        if let Err(error) = self.write(bytes) {
            tracing::warn!(%error, "cannot keep a command's output");
            self.drop_output();
        }
    }

    /// Some of the output from byte `from` on; `Some` and empty at its end, `None` when it is not kept.
    pub fn read(&self, from: u64, most: usize) -> Option<Vec<u8>> {
        if self.is_over {
            return None;
        }
        if let Some(file) = &self.file {
            let mut bytes = vec![0; most];
            let len = file.read_at(&mut bytes, from).ok()?;
            bytes.truncate(len);
            return Some(bytes);
        }
        let start = usize::try_from(from).ok()?.min(self.early.len());
        Some(self.early.iter().skip(start).take(most).copied().collect())
    }

    /// Gives everything back. It is not kept any more.
    pub(super) fn drop_output(&mut self) {
        *self = Self { is_over: true, ..Self::default() };
    }

    /// How much memory it takes, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.early.len()
    }

    /// How much of the disk it takes, if any, in bytes.
    pub(super) fn file_bytes(&self) -> Option<u64> {
        self.file.as_ref().map(|_| self.kept)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.kept += bytes.len() as u64;
        if self.file.is_none() && self.early.len() + bytes.len() <= EARLY {
            self.early.extend_from_slice(bytes);
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let file = none.insert(nameless()?);
                file.write_all(&std::mem::take(&mut self.early))?;
                file
            }
        };
        file.write_all(bytes)
    }
}

/// A file without a name.
fn nameless() -> io::Result<File> {
    let name = Token::new().map_err(|error| io::Error::other(error.to_string()))?;
    let path = std::env::temp_dir().join(format!("loopglass-{}", name.reveal()));
    let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path)?;
    std::fs::remove_file(path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is kept after writes of these sizes, and whether it takes a file.
    #[track_caller]
    fn check(writes: &[usize], kept: usize, is_file: bool) {
        let mut spool = Spool::default();
        let mut all = Vec::new();
        for (index, len) in writes.iter().enumerate() {
            let bytes = vec![b'a' + index as u8; *len];
            spool.append(&bytes);
            all.extend(bytes);
        }
        let mut read = Vec::new();
        loop {
            let some = spool.read(read.len() as u64, 1 << 20).unwrap();
            if some.is_empty() {
                break;
            }
            read.extend(some);
        }
        assert!(read == all[..kept], "{writes:?}: {} bytes are kept", read.len());
        assert_eq!(spool.file_bytes(), is_file.then_some(kept as u64), "{writes:?}");
        spool.drop_output();
        assert_eq!((spool.read(0, 1), spool.memory(), spool.file_bytes()), (None, 0, None));
        spool.append(b"more");
        assert_eq!(spool.read(0, 1), None);
    }

    #[test]
    fn output_is_kept_up_to_a_bound() {
        let most = MOST as usize;
        check(&[], 0, false);
        check(&[1, 2, 3], 6, false);
        check(&[EARLY], EARLY, false);
        check(&[EARLY, 1], EARLY + 1, true);
        check(&[1, EARLY, 1], EARLY + 2, true);
        check(&[most - 1, 5, 5], most, true);
        check(&[most + 9], most, true);
    }
}
