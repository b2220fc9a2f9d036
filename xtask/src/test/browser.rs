//! The browser tests, counted from Playwright's own report.

use std::fs;

use serde_json::Value;

use crate::bridge;
use crate::browser::program_with_browser;
use crate::failure::Failure;
use crate::process::succeed;
use crate::project::Project;
use crate::test::outcome::Outcome;

pub(crate) fn run(project: &Project) -> Outcome {
    let report = project.memory().join("browser.json");
    // An old report must not speak for a run that left none.
    let _ = fs::remove_file(&report);
    let bridge = bridge::build_for_tests(project);
    let mut playwright = match bridge.and_then(|bridge| program_with_browser(project, "playwright", &bridge)) {
        Ok(playwright) => playwright,
        Err(failure) => return Outcome::failed(failure.to_string()),
    };
    playwright.args(["test", "--reporter=list,json"]).env("PLAYWRIGHT_JSON_OUTPUT_FILE", &report);
    let ended = succeed(&mut playwright);
    let read = fs::read_to_string(&report).ok().and_then(|report| counts(&report));
    match read {
        Some((passed, failed)) => Outcome::counted(passed, failed, ended),
        None => Outcome::failed(match ended {
            Ok(()) => Failure::Step("Playwright left no report".to_string()).to_string(),
            Err(failure) => failure.to_string(),
        }),
    }
}

/// Passed and failed. A test that passed only when tried again has failed once, which is once too often.
fn counts(report: &str) -> Option<(usize, usize)> {
    let report: Value = serde_json::from_str(report).ok()?;
    let stats = report.get("stats")?;
    let count = |name: &str| stats.get(name)?.as_u64().and_then(|count| usize::try_from(count).ok());
    Some((count("expected")?, count("unexpected")? + count("flaky")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_a_report() {
        let report = r#"{ "stats": { "expected": 5, "skipped": 1, "unexpected": 2, "flaky": 1 } }"#;
        assert_eq!(counts(report), Some((5, 3)));
        assert_eq!(counts("{}"), None);
    }
}
