//! clippy and rustfmt, which a minimal Rust comes without.

use std::time::Duration;

use crate::failure::Failure;
use crate::process::{answer, program, succeed_within, timed};

/// Ample for a download of some megabytes, and an end for one that hangs.
const RUSTUP_LIMIT: Duration = Duration::from_secs(180);

/// Sees to it that `cargo <subcommand>` works, which rustup's component `name` brings.
pub(crate) fn cargo_component(subcommand: &str, name: &str) -> Result<(), Failure> {
    let works = || answer(program("cargo").args([subcommand, "--version"])).is_some();
    if works() {
        return Ok(());
    }
    let added = timed(&format!("set-up: rustup component add {name}"), || {
        succeed_within(program("rustup").args(["component", "add", name]), RUSTUP_LIMIT)
    });
    match added {
        Ok(()) if works() => Ok(()),
        _ => Err(Failure::Missing(format!("`cargo {subcommand}` is missing: run `rustup component add {name}`"))),
    }
}
