//! `cargo xtask screenshots`: the pictures of docs/screenshots, taken of the product at work.

use crate::bridge;
use crate::browser::program_with_browser;
use crate::failure::Failure;
use crate::process::{succeed, timed};
use crate::project::Project;

pub(crate) fn screenshots(project: &Project) -> Result<(), Failure> {
    let mut node = program_with_browser(project, "node", &bridge::build(project)?)?;
    timed("taking the pictures of docs/screenshots", || succeed(node.arg("screenshots.mjs")))
}
