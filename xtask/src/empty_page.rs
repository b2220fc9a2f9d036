//! An empty page of the framework, built as the page is: what the start of the page is measured against.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::process::{succeed, timed};
use crate::project::Project;
use crate::setup::PageTools;
use crate::split::shrink;

const INDEX: &str = r#"<!doctype html><meta charset="utf-8"><title>Empty</title><script type="module" src="start.js"></script><body></body>
"#;
const START: &str = "import init from \"./page.js\";\nawait init();\n";

/// Builds it; the folder it lies in.
pub(crate) fn build(project: &Project) -> Result<PathBuf, Failure> {
    let tools = PageTools::ready(project)?;
    let folder = project.target().join("empty-page");
    timed("building an empty page", || {
        let mut cargo = tools.cargo(project);
        cargo.args(["build", "--quiet", "--target", "wasm32-unknown-unknown", "--profile", "page"]);
        succeed(cargo.args(["--example", "empty-page", "--features", "empty-page"]))?;
        let built = project.target().join("wasm32-unknown-unknown/page/examples/empty-page.wasm");
        // There is nothing to split; it takes out the relocations, without which the rest can be made small.
        let work = project.memory().join("empty-page");
        fs::create_dir_all(&work).map_err(unwritable)?;
        let mut split = tools.program("wasm-split-cli");
        succeed(split.args(["--target", "web", "--out-name", "page"]).args([&built, &work]))?;
        let mut bindgen = tools.program("wasm-bindgen");
        bindgen.args(["--target", "web", "--no-typescript", "--out-name", "page", "--out-dir"]);
        succeed(bindgen.args([&folder, &work.join("page.wasm")]))?;
        shrink(&tools, &folder.join("page_bg.wasm"))?;
        for (name, text) in [("index.html", INDEX), ("start.js", START)] {
            fs::write(folder.join(name), text).map_err(unwritable)?;
        }
        Ok(())
    })?;
    Ok(folder)
}

fn unwritable(error: io::Error) -> Failure {
    Failure::Step(format!("the empty page: {error}"))
}
