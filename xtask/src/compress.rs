//! The page's files, compressed once at build time: `NAME.br` and `NAME.gz` beside `NAME`, where smaller. The bridge
//! serves them as they are.

use crate::failure::Failure;
use crate::process::{program, succeed};
use crate::project::Project;

/// The endings of compressed variants, best first.
pub(crate) const VARIANTS: [&str; 2] = ["br", "gz"];

pub(crate) fn compress(project: &Project) -> Result<(), Failure> {
    succeed(program("node").arg(project.root().join("xtask/src/compress.mjs")).arg(project.dist()))
}
