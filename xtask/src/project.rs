//! Where things lie in this checkout.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A checkout of the project, found from where xtask was compiled or, if that is gone, from the current directory.
pub(crate) struct Project {
    root: PathBuf,
    target: PathBuf,
}

impl Project {
    pub(crate) fn find() -> Result<Project, Failure> {
        let compiled_in = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf);
        let root = compiled_in
            .into_iter()
            .chain(std::env::current_dir())
            .find(|root| root.join("Trunk.toml").is_file())
            .ok_or_else(|| Failure::Step("not in a checkout: no Trunk.toml here".to_string()))?;
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(target) => root.join(target),
            None => root.join("target"),
        };
        Ok(Project { root, target })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The built page: what trunk and `compress` leave.
    pub(crate) fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// cargo's output.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// What xtask remembers between calls; losing it costs a rebuild and nothing else.
    pub(crate) fn memory(&self) -> PathBuf {
        self.target.join("xtask")
    }

    /// Where commands run unless told otherwise: a place in which nothing is precious.
    pub(crate) fn playground(&self) -> PathBuf {
        self.root.join("target/playground")
    }

    /// The browser tests and their node packages.
    pub(crate) fn browser_tests(&self) -> PathBuf {
        self.root.join("tests/browser")
    }
}
