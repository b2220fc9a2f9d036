//! Tools that cargo can install: used from PATH if the version is right, else built into the cache.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::process::{answer, program, succeed, timed};

/// One tool at one version.
pub(crate) struct CargoTool {
    pub(crate) package: &'static str,
    pub(crate) program: &'static str,
    pub(crate) version: String,
    /// Those that it takes to have the program, separated by commas.
    pub(crate) features: &'static str,
}

impl CargoTool {
    /// The folder that holds the program.
    pub(crate) fn ready(&self, cache: &Path) -> Result<PathBuf, Failure> {
        let root = cache.join(format!("{}-{}", self.package, self.version));
        let cached = root.join("bin");
        if cached.join(self.program).is_file() {
            return Ok(cached);
        }
        if let Some(folder) = self.on_path() {
            return Ok(folder);
        }
        let what = format!("set-up: building {} {} (3 to 6 min, once for this user)", self.package, self.version);
        timed(&what, || self.install(cache, &root, Some("--locked")).or_else(|_| self.install(cache, &root, None)))?;
        Ok(cached)
    }

    fn on_path(&self) -> Option<PathBuf> {
        let path = std::env::var_os("PATH")?;
        let folder = std::env::split_paths(&path).find(|folder| folder.join(self.program).is_file())?;
        let version = answer(program(folder.join(self.program)).arg("--version").env_remove("NO_COLOR"))?;
        version.split_whitespace().any(|word| word == self.version).then_some(folder)
    }

    /// The package's own profile optimises for minutes; this tool runs for seconds. `locked` may fail where a registry
    /// lags behind, which the newest compatible dependencies get round.
    fn install(&self, cache: &Path, root: &Path, locked: Option<&str>) -> Result<(), Failure> {
        succeed(
            program("cargo")
                .args(["install", "--quiet", "--root"])
                .arg(root)
                .args(locked)
                .arg(format!("{}@{}", self.package, self.version))
                .args(["--features", self.features])
                .env("CARGO_TARGET_DIR", build_folder(cache))
                .env("CARGO_PROFILE_RELEASE_LTO", "off")
                .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
                .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
                .env("CARGO_PROFILE_RELEASE_PANIC", "unwind"),
        )
    }
}

/// Removes what the builds shared, gigabytes that no installed tool needs.
pub(crate) fn forget_build(cache: &Path) -> Result<(), Failure> {
    let folder = build_folder(cache);
    if !folder.is_dir() {
        return Ok(());
    }
    fs::remove_dir_all(&folder).map_err(|error| Failure::Step(format!("{}: {error}", folder.display())))
}

fn build_folder(cache: &Path) -> PathBuf {
    cache.join("build")
}
