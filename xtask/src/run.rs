//! `cargo xtask run`: build what has changed, then become the bridge.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::bridge;
use crate::command::BridgeOptions;
use crate::failure::Failure;
use crate::playground;
use crate::project::Project;

pub(crate) fn run(project: &Project, options: &BridgeOptions) -> Result<(), Failure> {
    let bridge = bridge::build(project)?;
    let mut command = start(project, &bridge, options)?;
    // In our place, so that Ctrl-C and the exit code are the bridge's own, and its stdout, the link, is ours.
    let error = command.exec();
    Err(Failure::Step(format!("{} could not be started: {error}", bridge.display())))
}

/// The bridge's command line.
pub(crate) fn start(project: &Project, bridge: &Path, options: &BridgeOptions) -> Result<Command, Failure> {
    let workspace = match &options.workspace {
        Some(folder) => folder.clone(),
        None => {
            let folder = project.playground();
            playground::seed(&folder)
                .map_err(|error| Failure::Step(format!("{} could not be filled: {error}", folder.display())))?;
            folder
        }
    };
    let mut command = Command::new(bridge);
    command.arg("--workspace").arg(workspace).args(&options.passed_through);
    Ok(command)
}
