//! A Rust that can compile for `wasm32-unknown-unknown`.
//!
//! The ordinary way is `rustup target add`. Where rustup cannot download, Debian's own compiler for the web can build
//! the standard library from source (bookworm-security: rustc-web and rust-web-src): only the page's build gets it, and
//! the user's rustup stays as it is.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::failure::Failure;
use crate::process::{answer, program, succeed_within, timed};
use crate::setup::apt;

const TARGET: &str = "wasm32-unknown-unknown";
const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];
const DEBIAN_TOOLCHAIN: &str = "/usr/bin";
/// The workspace's `rust-version`; Debian's ordinary rustc is older.
const OLDEST_MINOR: u32 = 88;
const DEBIAN_LINKER: &str = "wasm-ld-19";

/// Ample for the download of one target (about 30 MB), and an end for one that hangs.
const RUSTUP_LIMIT: Duration = Duration::from_secs(180);

#[derive(Debug, PartialEq)]
pub(crate) enum WasmTarget {
    /// The usual Rust has the target's standard library.
    Installed,
    /// Debian's compiler, which builds it from source.
    DebianFromSource,
}

impl WasmTarget {
    /// Finds one, installing what is missing. What has once been installed is found before rustup is asked again, so
    /// that a machine whose rustup cannot download waits for it once.
    pub(crate) fn ready() -> Result<WasmTarget, Failure> {
        if installed() {
            return Ok(WasmTarget::Installed);
        }
        if debian_is_complete() {
            return Ok(WasmTarget::DebianFromSource);
        }
        if answer(program("rustup").arg("--version")).is_some() {
            let added = timed(&format!("set-up: rustup target add {TARGET}"), || {
                succeed_within(program("rustup").args(["target", "add", TARGET]), RUSTUP_LIMIT)
            });
            if added.is_ok() && installed() {
                return Ok(WasmTarget::Installed);
            }
        }
        apt::install(&format!("the Rust target {TARGET} (usually `rustup target add {TARGET}`)"), &DEBIAN_PACKAGES)?;
        if debian_is_complete() {
            return Ok(WasmTarget::DebianFromSource);
        }
        Err(Failure::Missing(format!("no Rust here compiles for {TARGET}: run `rustup target add {TARGET}`")))
    }

    /// The folder that must come first on the PATH of the page's build.
    pub(crate) fn toolchain(&self) -> Option<&Path> {
        match self {
            WasmTarget::Installed => None,
            WasmTarget::DebianFromSource => Some(Path::new(DEBIAN_TOOLCHAIN)),
        }
    }

    /// Tells the page's build, and nothing else, how to compile.
    pub(crate) fn prepare(&self, command: &mut Command) {
        if *self == WasmTarget::DebianFromSource {
            command
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", DEBIAN_LINKER)
                // These come from the cargo that started us and would lead Debian's compiler to another one's parts.
                .env_remove("LD_LIBRARY_PATH")
                .env_remove("RUSTUP_TOOLCHAIN")
                .env_remove("CARGO")
                .env_remove("RUSTC");
        }
    }
}

fn installed() -> bool {
    answer(program("rustc").args(["--print", "target-libdir", "--target", TARGET]))
        .is_some_and(|folder| PathBuf::from(folder).is_dir())
}

fn debian_is_complete() -> bool {
    let toolchain = Path::new(DEBIAN_TOOLCHAIN);
    let has_sources = Path::new("/usr/lib/rustlib/src/rust/library/std/Cargo.toml").is_file();
    has_sources
        && ["cargo", DEBIAN_LINKER].iter().all(|name| toolchain.join(name).is_file())
        && answer(program(toolchain.join("rustc")).arg("--version").env_remove("LD_LIBRARY_PATH"))
            .and_then(|version| minor_version(&version))
            .is_some_and(|minor| minor >= OLDEST_MINOR)
}

/// `rustc 1.96.0 (ac68faa20 2026-05-25)` is 96.
fn minor_version(answer: &str) -> Option<u32> {
    answer.strip_prefix("rustc 1.")?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minor_versions() {
        assert_eq!(minor_version("rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)"), Some(96));
        assert_eq!(minor_version("rustc 1.63.0"), Some(63));
        assert_eq!(minor_version("rustc 2.0.0"), None);
    }
}
