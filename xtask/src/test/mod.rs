//! `cargo xtask test`: every check, cheapest first, each timed. One that fails hides no other that does not need it.

mod browser;
mod outcome;
mod part;
mod unit;

use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::process::seconds;
use crate::project::Project;

pub(crate) use part::Part;

use outcome::Outcome;

/// Runs every part, or `only` and what it needs; ends with a table and the line `N passed, N failed`, which counts
/// tests: those of cargo and Playwright each as one, every other part as one.
pub(crate) fn test(project: &Project, only: Option<Part>) -> Result<(), Failure> {
    let wanted = Part::ALL.into_iter().filter(|part| only.is_none_or(|only| *part == only || only.needs(*part)));
    let mut done: Vec<(Part, Outcome, Duration)> = Vec::new();
    for part in wanted {
        let lacks = done.iter().find(|(before, outcome, _)| part.needs(*before) && outcome.failed > 0);
        let start = Instant::now();
        let outcome = match lacks {
            Some((before, ..)) => Outcome::failed(format!("not run: needs {}", before.name())),
            None => {
                eprintln!("xtask: test: {} …", part.name());
                part.run(project)
            }
        };
        eprintln!("xtask: test: {}: {outcome}, {}", part.name(), seconds(start.elapsed()));
        done.push((part, outcome, start.elapsed()));
    }
    let passed: usize = done.iter().map(|(_, outcome, _)| outcome.passed).sum();
    let failed: usize = done.iter().map(|(_, outcome, _)| outcome.failed).sum();
    println!("\n{:<10} {:>12}  outcome", "part", "time");
    for (part, outcome, took) in &done {
        println!("{:<10} {:>12}  {outcome}", part.name(), seconds(*took));
    }
    println!("{passed} passed, {failed} failed");
    match failed {
        0 => Ok(()),
        _ => Err(Failure::Tests),
    }
}
