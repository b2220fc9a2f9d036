//! Everything native, compiled and looked through by clippy in one go.
//!
//! `cargo clippy` compiles every dependency once more, only to know its types: two minutes of two cores. clippy's compiler
//! makes the same code as rustc does, so our own crates are compiled by it for the tests as well.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::failure::Failure;
use crate::process::{answer, program};
use crate::project::Project;

/// clippy's compiler. The tests are compiled without it where it is missing.
const COMPILER: &str = "clippy-driver";

/// cargo, with clippy's compiler for our own crates where it is installed.
pub(crate) fn linted_cargo(project: &Project) -> Command {
    let mut cargo = program("cargo");
    cargo.current_dir(project.root());
    if is_installed() {
        cargo.env("RUSTC_WORKSPACE_WRAPPER", COMPILER);
    }
    cargo
}

fn is_installed() -> bool {
    answer(program(COMPILER).arg("--version")).is_some()
}

/// Compiles every target, as the tests need it and as it is without them. A warning is a failure, and so is it if clippy has
/// not looked.
pub(crate) fn lint(project: &Project) -> Result<(), Failure> {
    if !is_installed() {
        return Err(Failure::Missing(format!("`{COMPILER}` is missing: run `rustup component add clippy`")));
    }
    // What was compiled before tells its warnings again.
    let mut cargo = linted_cargo(project);
    cargo.args(["build", "--quiet", "--workspace", "--all-targets", "--message-format=json"]);
    let could_not = |error| Failure::Step(format!("`cargo build` could not be run: {error}"));
    let mut child = cargo.stdout(Stdio::piped()).spawn().map_err(could_not)?;
    let mut found = 0;
    for line in child.stdout.take().into_iter().flat_map(|stdout| BufReader::new(stdout).lines()) {
        if let Some(finding) = finding(&line.map_err(could_not)?) {
            eprintln!("{finding}");
            found += 1;
        }
    }
    match child.wait().map_err(could_not)? {
        status if !status.success() => Err(Failure::Step(format!("`cargo build` ended with {status}"))),
        _ if found > 0 => Err(Failure::Step(format!("{found} warnings"))),
        _ => Ok(()),
    }
}

/// What the compiler found, as it writes it, from a line of cargo's report.
fn finding(line: &str) -> Option<String> {
    let report: Value = serde_json::from_str(line).ok()?;
    let message = report.get("message").filter(|_| report.get("reason") == Some(&"compiler-message".into()))?;
    message.get("rendered")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::finding;

    #[test]
    fn what_the_compiler_found_is_told() {
        let check = |line: &str, expected: Option<&str>| assert_eq!(finding(line).as_deref(), expected, "{line}");
        check(
            r#"{"reason":"compiler-message","message":{"level":"warning","rendered":"warning: x"}}"#,
            Some("warning: x"),
        );
        check(r#"{"reason":"compiler-artifact","fresh":true}"#, None);
        check(r#"{"reason":"build-finished","success":true}"#, None);
        check("running 1 test", None);
    }
}
