//! The bridge, built with the page inside.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::linted::linted_cargo;
use crate::page;
use crate::process::{program, succeed, timed};
use crate::project::Project;

/// Builds page and bridge; the program's path.
pub(crate) fn build(project: &Project) -> Result<PathBuf, Failure> {
    page::build(project)?;
    timed("building host-bridge", || compile(project, &["--release"]))?;
    Ok(project.target().join("release/host-bridge"))
}

/// Builds the bridge for looking at a changing page, which it will read from the disk.
pub(crate) fn build_for_dev(project: &Project) -> Result<PathBuf, Failure> {
    timed("building host-bridge, unoptimised", || compile(project, &[]))?;
    Ok(project.target().join("debug/host-bridge"))
}

/// Builds page and bridge for the browser tests. The bridge is the one its own tests have, unoptimised and with the page
/// read from the disk: it is there already when those have run, where the optimised one takes two cores for two minutes.
pub(crate) fn build_for_tests(project: &Project) -> Result<PathBuf, Failure> {
    page::build(project)?;
    // Asked for as the bridge's tests are: `cargo build` chooses other features of the dependencies and compiles them anew.
    let mut cargo = linted_cargo(project);
    cargo.args(["test", "--quiet", "--workspace", "--no-run", "--test", "cli"]);
    timed("building host-bridge, unoptimised", || succeed(&mut cargo))?;
    Ok(project.target().join("debug/host-bridge"))
}

fn compile(project: &Project, profile: &[&str]) -> Result<(), Failure> {
    succeed(
        program("cargo")
            .args(["build", "--quiet", "--package", "host-bridge"])
            .args(profile)
            .current_dir(project.root()),
    )
}
