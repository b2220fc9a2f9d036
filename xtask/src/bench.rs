//! `cargo xtask bench`: every benchmark of the workspace and of the browser, with the tables they print.

use std::process::Stdio;

use serde_json::Value;

use crate::browser::program_with_browser;
use crate::failure::Failure;
use crate::process::{answer, program, succeed, timed};
use crate::project::Project;

/// Runs them all, one after another so that none disturbs another; a failing one does not hide the next.
pub(crate) fn bench(project: &Project) -> Result<(), Failure> {
    let mut failures = Vec::new();
    for package in packages_with_benches(project)? {
        let run = timed(&format!("benchmarks of {package}"), || {
            succeed(
                program("cargo")
                    .args(["bench", "--quiet", "--package", &package, "--benches"])
                    .current_dir(project.root())
                    .stdout(Stdio::inherit()),
            )
        });
        failures.extend(run.err());
    }
    if project.browser_tests().join("bench.mjs").is_file() {
        let run = program_with_browser(project, "node").and_then(|mut node| {
            timed("benchmarks of the page", || succeed(node.arg("bench.mjs").stdout(Stdio::inherit())))
        });
        failures.extend(run.err());
    }
    match failures.into_iter().next() {
        Some(first) => Err(first),
        None => Ok(()),
    }
}

fn packages_with_benches(project: &Project) -> Result<Vec<String>, Failure> {
    let mut metadata = program("cargo");
    metadata.args(["metadata", "--format-version=1", "--no-deps"]).current_dir(project.root());
    let metadata: Value = answer(&mut metadata)
        .and_then(|text| serde_json::from_str(&text).ok())
        .ok_or_else(|| Failure::Step("`cargo metadata` did not answer".to_string()))?;
    let list = |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let is_bench = |target: &Value| list(target, "kind").contains(&Value::from("bench"));
    Ok(list(&metadata, "packages")
        .iter()
        .filter(|package| list(package, "targets").iter().any(is_bench))
        .filter_map(|package| package.get("name")?.as_str().map(String::from))
        .collect())
}
