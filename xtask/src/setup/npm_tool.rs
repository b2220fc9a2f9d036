//! A program of the page's build that comes from npm, kept in the cache by its version.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::process::{program, succeed, timed};

/// What is fetched.
pub(crate) struct NpmTool {
    /// The package on npm.
    pub(crate) package: &'static str,
    /// The program it brings.
    pub(crate) program: &'static str,
    /// Exactly this one.
    pub(crate) version: &'static str,
}

impl NpmTool {
    /// The folder that holds the program, where it has been fetched.
    pub(crate) fn cached(&self, cache: &Path) -> Option<PathBuf> {
        let folder = self.root(cache).join("node_modules/.bin");
        folder.join(self.program).is_file().then_some(folder)
    }

    /// The folder that holds the program. Fetches it if it is missing.
    pub(crate) fn ready(&self, cache: &Path) -> Result<PathBuf, Failure> {
        if let Some(folder) = self.cached(cache) {
            return Ok(folder);
        }
        let NpmTool { package, version, .. } = self;
        let root = self.root(cache);
        timed(&format!("set-up: fetching {package} {version} from npm"), || {
            std::fs::create_dir_all(&root).map_err(|error| Failure::Step(format!("{}: {error}", root.display())))?;
            succeed(
                program("npm")
                    .args(["install", "--no-fund", "--no-audit", "--loglevel=error", "--prefix"])
                    .arg(&root)
                    .arg(format!("{package}@{version}")),
            )
        })?;
        self.cached(cache).ok_or_else(|| Failure::Step(format!("{package} {version} brought no {}", self.program)))
    }

    fn root(&self, cache: &Path) -> PathBuf {
        cache.join(format!("{}-{}", self.package, self.version))
    }
}
