//! bubblewrap, for the tests of the sandbox.

use crate::process::{answer, program};
use crate::setup::apt;

/// Sees to it as well as it can; the tests that need it say that they are skipped without, so that nothing fails.
pub(crate) fn bubblewrap() {
    if answer(program("bwrap").arg("--version")).is_some() || !cfg!(target_os = "linux") {
        return;
    }
    if let Err(failure) = apt::install("the sandbox for commands", &["bubblewrap"]) {
        eprintln!("xtask: {failure}; going on without it");
    }
}
