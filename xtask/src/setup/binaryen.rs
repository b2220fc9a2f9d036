//! wasm-opt, from npm's binaryen.
//!
//! Old ones break the output: up to 108 (Debian 12) they corrupt the table that wasm-bindgen exports, before 117 they
//! cannot read it at all. So one from PATH is used only if it is as new as the version trunk itself would take.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::process::{answer, program, succeed, timed};

pub(crate) const VERSION: &str = "132.0.0";
const OLDEST: u32 = 123;

/// The folder that holds `wasm-opt`.
pub(crate) fn ready(cache: &Path) -> Result<PathBuf, Failure> {
    let root = cache.join(format!("binaryen-{VERSION}"));
    let cached = root.join("node_modules/.bin");
    if cached.join("wasm-opt").is_file() {
        return Ok(cached);
    }
    if let Some(folder) = on_path() {
        return Ok(folder);
    }
    timed(&format!("set-up: fetching binaryen {VERSION} from npm"), || {
        std::fs::create_dir_all(&root).map_err(|error| Failure::Step(format!("{}: {error}", root.display())))?;
        succeed(
            program("npm")
                .args(["install", "--no-fund", "--no-audit", "--loglevel=error", "--prefix"])
                .arg(&root)
                .arg(format!("binaryen@{VERSION}")),
        )
    })?;
    Ok(cached)
}

fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folder = std::env::split_paths(&path).find(|folder| folder.join("wasm-opt").is_file())?;
    let version = answer(program(folder.join("wasm-opt")).arg("--version"))?;
    (version_number(&version)? >= OLDEST).then_some(folder)
}

/// `wasm-opt version 132 (version_132)` is 132.
fn version_number(answer: &str) -> Option<u32> {
    answer.strip_prefix("wasm-opt version ")?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_numbers() {
        assert_eq!(version_number("wasm-opt version 132 (version_132)"), Some(132));
        assert_eq!(version_number("wasm-opt version 108"), Some(108));
        assert_eq!(version_number("unknown"), None);
    }
}
