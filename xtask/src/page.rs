//! The page's release build: trunk's output in dist/, with its compressed variants.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::compress::compress;
use crate::failure::Failure;
use crate::fingerprint::Fingerprint;
use crate::process::{succeed, timed};
use crate::project::Project;
use crate::setup::PageTools;

/// What the page is made from, and by. Everything the crates hold counts, but for what only their tests and benches read.
const INPUTS: [&str; 12] = [
    ".cargo",
    "Cargo.toml",
    "Cargo.lock",
    "Trunk.toml",
    "src",
    "www",
    "crates",
    "xtask/src/compress.mjs",
    "xtask/src/minify.rs",
    "xtask/src/setup/mod.rs",
    "xtask/src/split.rs",
    "xtask/src/stylesheet.rs",
];
const NOT_INPUTS: [&str; 4] = ["tests", "benches", "fuzz", "target"];

/// Builds the page unless dist/ already holds exactly what these sources make.
pub(crate) fn build(project: &Project) -> Result<(), Failure> {
    let inputs = inputs(project)?;
    let remembered = fs::read_to_string(memory(project)).unwrap_or_default();
    if remembered == format!("{inputs} {}", outputs(project)?) {
        return Ok(());
    }
    let tools = PageTools::ready(project)?;
    timed("building the page", || {
        succeed(tools.trunk(project).args(["build", "--release"]))?;
        compress(project)
    })?;
    let outputs = outputs(project)?;
    remember(project, &format!("{inputs} {outputs}"))
}

/// Makes the next build a real one: dist/ is about to hold something else.
pub(crate) fn forget(project: &Project) -> Result<(), Failure> {
    remember(project, "")
}

fn inputs(project: &Project) -> Result<String, Failure> {
    let mut fingerprint = Fingerprint::default().fact(&PageTools::versions(project)?);
    for input in INPUTS {
        fingerprint =
            fingerprint.files(project.root(), &project.root().join(input), &NOT_INPUTS).map_err(unreadable)?;
    }
    Ok(fingerprint.finish())
}

fn outputs(project: &Project) -> Result<String, Failure> {
    let dist = project.dist();
    Ok(Fingerprint::default().files(&dist, &dist, &[]).map_err(unreadable)?.finish())
}

fn memory(project: &Project) -> PathBuf {
    project.memory().join("page")
}

fn remember(project: &Project, what: &str) -> Result<(), Failure> {
    fs::create_dir_all(project.memory()).and_then(|()| fs::write(memory(project), what)).map_err(unreadable)
}

fn unreadable(error: io::Error) -> Failure {
    Failure::Step(format!("the page's files: {error}"))
}
