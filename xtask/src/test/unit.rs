//! The native tests, counted from what cargo's test programs report.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::failure::Failure;
use crate::linted::linted_cargo;
use crate::project::Project;
use crate::test::outcome::Outcome;

pub(crate) fn run(project: &Project) -> Outcome {
    let mut passed = 0;
    let mut failed = 0;
    let ended = linted_cargo(project)
        .args(["test", "--quiet", "--workspace", "--no-fail-fast"])
        .stdout(Stdio::piped())
        .spawn()
        .and_then(|mut child| {
            let output = child.stdout.take().into_iter().flat_map(|stdout| BufReader::new(stdout).lines());
            for line in output {
                let line = line?;
                eprintln!("{line}");
                if let Some(counts) = counts(&line) {
                    passed += counts.0;
                    failed += counts.1;
                }
            }
            child.wait()
        });
    let ended = match ended {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::Step(format!("`cargo test` ended with {status}"))),
        Err(error) => Err(Failure::Step(format!("`cargo test` could not be run: {error}"))),
    };
    Outcome::counted(passed, failed, ended)
}

/// Passed and failed, from the line that ends a test program's report.
fn counts(line: &str) -> Option<(usize, usize)> {
    let mut parts = line.strip_prefix("test result: ")?.split_once(". ")?.1.split("; ");
    let passed = parts.next()?.strip_suffix(" passed")?.parse().ok()?;
    let failed = parts.next()?.strip_suffix(" failed")?.parse().ok()?;
    Some((passed, failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_a_report() {
        let ok = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!(counts(ok), Some((12, 0)));
        let failed = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(counts(failed), Some((3, 2)));
        assert_eq!(counts("test counts ... ok"), None);
    }
}
