//! `cargo xtask dev`: the page as it changes. Built without optimising for size, built again when a source changes, and
//! read from dist/ by an unoptimised bridge, so that reloading the tab is all there is to do.

use crate::bridge;
use crate::command::BridgeOptions;
use crate::failure::Failure;
use crate::page;
use crate::process::{succeed, timed};
use crate::project::Project;
use crate::run;
use crate::setup::PageTools;

pub(crate) fn dev(project: &Project, options: &BridgeOptions) -> Result<(), Failure> {
    let tools = PageTools::ready(project)?;
    page::forget(project)?;
    timed("building the page, unoptimised", || succeed(tools.trunk(project).arg("build")))?;
    let bridge = bridge::build_for_dev(project)?;
    let mut watcher = tools
        .trunk(project)
        .arg("watch")
        .spawn()
        .map_err(|error| Failure::Step(format!("trunk watch could not be started: {error}")))?;
    let ended = run::start(project, &bridge, options)?.arg("--page").arg(project.dist()).status();
    let stopped = watcher.kill().and_then(|()| watcher.wait());
    match (ended, stopped) {
        (Ok(status), Ok(_)) if status.success() => Ok(()),
        (Ok(status), Ok(_)) => Err(Failure::Step(format!("the bridge ended with {status}"))),
        (Err(error), _) => Err(Failure::Step(format!("{} could not be started: {error}", bridge.display()))),
        (_, Err(error)) => Err(Failure::Step(format!("trunk watch could not be ended: {error}"))),
    }
}
