//! The files of the checkout that a person or a program wrote as text.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fingerprint::files_under;

/// What .gitignore leaves out, and git itself.
const NOT_OURS: [&str; 5] = [".git", "target", "dist", "node_modules", "test-results"];

/// One text file.
#[derive(Clone)]
pub(super) struct Text {
    /// From the root, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

impl Text {
    /// A file made up for a test.
    pub(super) fn new(path: &str, text: &str) -> Text {
        Text { path: path.to_string(), text: text.to_string() }
    }

    /// What is read as code: not data, not prose, not a generated lock file.
    pub(super) fn is_source(&self) -> bool {
        [".rs", ".mjs", ".js", ".ts", ".css", ".sh"].iter().any(|ending| self.path.ends_with(ending))
    }
}

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Every text file of the checkout.
pub(super) fn texts() -> Vec<Text> {
    let root = root();
    let texts: Vec<Text> = files_under(&root, &NOT_OURS)
        .unwrap()
        .into_iter()
        .filter_map(|file| {
            let text = String::from_utf8(fs::read(&file).unwrap()).ok()?;
            Some(Text { path: file.strip_prefix(&root).unwrap().to_str().unwrap().to_string(), text })
        })
        .collect();
    assert!(texts.iter().any(|text| text.path == "xtask/src/tidy/tree.rs"), "the walk misses this very file");
    texts
}

/// The file at `path`, if there is one.
pub(super) fn text<'a>(texts: &'a [Text], path: &str) -> Option<&'a str> {
    texts.iter().find(|text| text.path == path).map(|text| text.text.as_str())
}
