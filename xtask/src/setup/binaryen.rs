//! wasm-opt, from npm's binaryen.
//!
//! Old ones break the output: up to 108 (Debian 12) they corrupt the table that wasm-bindgen exports, before 117 they
//! cannot read it at all. So one from PATH is used only if it is as new as the version trunk itself would take.

use std::path::{Path, PathBuf};

use super::npm_tool::NpmTool;
use crate::failure::Failure;
use crate::process::{answer, program};

pub(crate) const VERSION: &str = "132.0.0";
const OLDEST: u32 = 123;

/// The folder that holds `wasm-opt`.
pub(crate) fn ready(cache: &Path) -> Result<PathBuf, Failure> {
    let tool = NpmTool { package: "binaryen", program: "wasm-opt", version: VERSION };
    match tool.cached(cache).or_else(on_path) {
        Some(folder) => Ok(folder),
        None => tool.ready(cache),
    }
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
