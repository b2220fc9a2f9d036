//! What something was built from, as one value: the same inputs need no second build.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// A hash over names and contents. The standard library's hasher may change between Rust versions; all that costs is
/// one rebuild.
#[derive(Default)]
pub(crate) struct Fingerprint(DefaultHasher);

impl Fingerprint {
    /// Takes in a fact that is not a file, such as a tool's version.
    pub(crate) fn fact(mut self, fact: &str) -> Self {
        fact.hash(&mut self.0);
        self
    }

    /// Takes in every file at or under `path`, by its name below `root`. What is not there counts as nothing, so that
    /// its appearing is a change. Folders named in `without` are passed over.
    pub(crate) fn files(mut self, root: &Path, path: &Path, without: &[&str]) -> io::Result<Self> {
        for file in files_under(path, without)? {
            file.strip_prefix(root).unwrap_or(&file).hash(&mut self.0);
            fs::read(&file)?.hash(&mut self.0);
        }
        Ok(self)
    }

    pub(crate) fn finish(self) -> String {
        format!("{:016x}", self.0.finish())
    }
}

/// Every file at or under `path`, sorted; nothing if there is none.
pub(crate) fn files_under(path: &Path, without: &[&str]) -> io::Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![path.to_path_buf()];
    while let Some(next) = waiting.pop() {
        if next.is_dir() {
            for entry in fs::read_dir(&next)? {
                let entry = entry?;
                if !without.iter().any(|name| entry.file_name() == *name) {
                    waiting.push(entry.path());
                }
            }
        } else if next.is_file() {
            found.insert(next);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(root: &Path) -> String {
        Fingerprint::default().files(root, root, &["tests"]).unwrap().finish()
    }

    #[test]
    fn changes_with_names_and_contents_and_with_nothing_else() {
        let root = std::env::temp_dir().join(format!("loopglass-fingerprint-{}", std::process::id()));
        fs::create_dir_all(root.join("tests")).unwrap();
        fs::write(root.join("a"), "1").unwrap();
        let first = of(&root);
        fs::write(root.join("tests/t"), "passed over").unwrap();
        fs::write(root.join("a"), "1").unwrap();
        assert_eq!(of(&root), first);
        fs::write(root.join("a"), "2").unwrap();
        let second = of(&root);
        assert_ne!(second, first);
        fs::rename(root.join("a"), root.join("b")).unwrap();
        assert_ne!(of(&root), second);
        fs::remove_dir_all(&root).unwrap();
    }
}
