//! What the programs of tests/browser are given: a browser, the bridge, and a place for what they leave.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::process::program;
use crate::project::Project;
use crate::setup;

/// Prepares to run `name`, a program of the test packages or `node`, in tests/browser, with this `bridge`. It finds in its
/// environment
/// - `LOOPGLASS_CHROMIUM`: the browser's program,
/// - `LOOPGLASS_BRIDGE`: the bridge, which has the built page,
/// - `LOOPGLASS_DIST`: the built page, for serving it without a bridge,
/// - `LOOPGLASS_RESULTS`: the folder for traces, logs and pictures of what failed.
pub(crate) fn program_with_browser(project: &Project, name: &str, bridge: &Path) -> Result<Command, Failure> {
    let folder = project.browser_tests();
    let chromium = set_up_browser(project)?;
    let installed = folder.join("node_modules/.bin").join(name);
    let mut command = program(if installed.exists() { installed.as_path() } else { Path::new(name) });
    command
        .current_dir(&folder)
        .env("LOOPGLASS_CHROMIUM", chromium)
        .env("LOOPGLASS_BRIDGE", bridge)
        .env("LOOPGLASS_DIST", project.dist())
        .env("LOOPGLASS_RESULTS", project.root().join("test-results"));
    Ok(command)
}

/// Sees to node, the packages of tests/browser, and a browser with letters for Chinese; the browser's program.
pub(crate) fn set_up_browser(project: &Project) -> Result<PathBuf, Failure> {
    let folder = project.browser_tests();
    setup::node()?;
    setup::node_packages(&folder)?;
    let chromium = setup::chromium(&folder)?;
    setup::cjk_font();
    Ok(chromium)
}
