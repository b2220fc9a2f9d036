//! Node and its packages: for wasm-opt, compression and the browser tests.

use std::fs;
use std::path::Path;

use crate::failure::Failure;
use crate::fingerprint::Fingerprint;
use crate::process::{answer, program, succeed, timed};

const OLDEST: u32 = 20;

/// Checks that Node is here: no package manager's Node is recent enough everywhere, so we do not choose one.
pub(crate) fn node() -> Result<(), Failure> {
    let found = answer(program("node").arg("--version"));
    let major = found.as_deref().and_then(|version| version.strip_prefix('v')?.split('.').next()?.parse::<u32>().ok());
    if major.is_some_and(|major| major >= OLDEST) && answer(program("npm").arg("--version")).is_some() {
        return Ok(());
    }
    let found = found.unwrap_or_else(|| "none".to_string());
    Err(Failure::Missing(format!("Node {OLDEST} or newer with npm is needed (found: {found}): install it")))
}

/// Installs exactly what the lock file of `folder` names, if that is not what is there.
pub(crate) fn node_packages(folder: &Path) -> Result<(), Failure> {
    let lock = folder.join("package-lock.json");
    let wanted = Fingerprint::default()
        .files(folder, &lock, &[])
        .map_err(|error| Failure::Step(format!("{}: {error}", lock.display())))?
        .finish();
    let installed = folder.join("node_modules/.loopglass-installed");
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    timed("set-up: npm ci for the browser tests", || {
        succeed(program("npm").args(["ci", "--no-fund", "--no-audit", "--loglevel=error"]).current_dir(folder))?;
        fs::write(&installed, wanted).map_err(|error| Failure::Step(format!("{}: {error}", installed.display())))
    })
}
