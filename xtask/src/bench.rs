//! `cargo xtask bench`: every benchmark of the workspace and of the browser, with the tables they print.

use std::process::Stdio;

use serde_json::Value;

use crate::bridge;
use crate::browser::program_with_browser;
use crate::empty_page;
use crate::failure::Failure;
use crate::process::{answer, program, succeed, timed};
use crate::project::Project;

/// Runs them all, one after another so that none disturbs another; a failing one does not hide the next.
pub(crate) fn bench(project: &Project) -> Result<(), Failure> {
    let mut failures = Vec::new();
    for bench in benches(project)? {
        let mut cargo = program("cargo");
        cargo.args(["bench", "--quiet", "--package", &bench.package, "--bench", &bench.name]);
        cargo.current_dir(project.root()).stdout(Stdio::inherit());
        let what = format!("benchmark {} of {}", bench.name, bench.package);
        failures.extend(timed(&what, || succeed(&mut cargo)).err());
    }
    if project.browser_tests().join("bench.mjs").is_file() {
        let node = bridge::build(project).and_then(|bridge| program_with_browser(project, "node", &bridge));
        let run = node.and_then(|mut node| {
            node.arg("bench.mjs").env("LOOPGLASS_EMPTY", empty_page::build(project)?);
            timed("benchmarks of the page", || succeed(node.stdout(Stdio::inherit())))
        });
        failures.extend(run.err());
    }
    match failures.into_iter().next() {
        Some(first) => Err(first),
        None => Ok(()),
    }
}

/// A `[[bench]]` of a package.
#[derive(Debug, PartialEq)]
struct Bench {
    package: String,
    name: String,
}

fn benches(project: &Project) -> Result<Vec<Bench>, Failure> {
    let mut metadata = program("cargo");
    metadata.args(["metadata", "--format-version=1", "--no-deps"]).current_dir(project.root());
    answer(&mut metadata)
        .and_then(|text| serde_json::from_str(&text).ok())
        .map(|metadata| benches_of(&metadata))
        .ok_or_else(|| Failure::Step("`cargo metadata` did not answer".to_string()))
}

fn benches_of(metadata: &Value) -> Vec<Bench> {
    let list = |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let name = |value: &Value| value.get("name").and_then(Value::as_str).map(String::from);
    list(metadata, "packages")
        .iter()
        .flat_map(|package| list(package, "targets").into_iter().map(move |target| (package, target)))
        .filter(|(_, target)| list(target, "kind").contains(&Value::from("bench")))
        .filter_map(|(package, target)| Some(Bench { package: name(package)?, name: name(&target)? }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benches_are_found_by_kind() {
        let metadata = serde_json::json!({ "packages": [
            { "name": "agent-loop", "targets": [
                { "name": "agent_loop", "kind": ["lib"] },
                { "name": "turns", "kind": ["bench"] },
            ] },
            { "name": "xtask", "targets": [{ "name": "xtask", "kind": ["bin"] }] },
        ] });
        assert_eq!(benches_of(&metadata), [Bench { package: "agent-loop".to_string(), name: "turns".to_string() }]);
    }
}
