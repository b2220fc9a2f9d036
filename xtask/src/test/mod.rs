//! `cargo xtask test`: every check, each timed. One that fails hides no other that does not need it.

mod browser;
mod outcome;
mod part;
mod unit;

use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::process::seconds;
use crate::project::Project;

pub(crate) use part::Part;

use outcome::Outcome;

/// The lanes that go beside each other, and what is done in each, one after another: a linker, an optimiser and a test that
/// waits leave a core to the other lane. What clippy has compiled is what the tests are.
const LANES: [&[Part]; 2] = [&[Part::Fmt, Part::Clippy, Part::Unit], &[Part::Page, Part::Size, Part::Browser]];

/// A part that has been run, or could not be.
#[derive(Clone)]
struct Done {
    part: Part,
    outcome: Outcome,
    took: Duration,
}

/// Runs every part, or `only` and what it needs; ends with a table and the line `N passed, N failed`, which counts
/// tests: those of cargo and Playwright each as one, every other part as one.
pub(crate) fn test(project: &Project, only: Option<Part>) -> Result<(), Failure> {
    let start = Instant::now();
    let wanted = |part: &Part| only.is_none_or(|only| *part == only || only.needs(*part));
    // One after another: two of them at once would wait for, or trip over, each other's locks.
    for part in LANES.concat().into_iter().filter(wanted) {
        if let Err(failure) = part.set_up(project) {
            eprintln!("xtask: test: {}: {failure}", part.name());
        }
    }
    let set_up = start.elapsed();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for lane in LANES {
            let sender = sender.clone();
            scope.spawn(move || run(project, lane.iter().copied().filter(wanted), &sender));
        }
    });
    drop(sender);
    let done: Vec<Done> = receiver.into_iter().collect();
    let passed: usize = done.iter().map(|done| done.outcome.passed).sum();
    let failed: usize = done.iter().map(|done| done.outcome.failed).sum();
    println!("\n{:<10} {:>12}  outcome", "part", "time");
    println!("{:<10} {:>12}", "set-up", seconds(set_up));
    for Done { part, outcome, took } in &done {
        println!("{:<10} {:>12}  {outcome}", part.name(), seconds(*took));
    }
    println!("{:<10} {:>12}  some of it side by side", "all", seconds(start.elapsed()));
    println!("{passed} passed, {failed} failed");
    match failed {
        0 => Ok(()),
        _ => Err(Failure::Tests),
    }
}

/// Runs the parts of a lane in order, knowing what was done before.
fn run(project: &Project, lane: impl Iterator<Item = Part>, told: &Sender<Done>) {
    let mut done: Vec<Done> = Vec::new();
    for part in lane {
        let lacks = done.iter().find(|before| part.needs(before.part) && before.outcome.failed > 0);
        let start = Instant::now();
        let outcome = match lacks {
            Some(before) => Outcome::failed(format!("not run: needs {}", before.part.name())),
            None => {
                eprintln!("xtask: test: {} …", part.name());
                part.run(project)
            }
        };
        let took = start.elapsed();
        eprintln!("xtask: test: {}: {outcome}, {}", part.name(), seconds(took));
        let ended = Done { part, outcome, took };
        done.push(ended.clone());
        // The other end lives as long as the lane.
        let _ = told.send(ended);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_place_behind_what_it_needs() {
        let all = LANES.concat();
        assert!(Part::ALL.iter().all(|part| all.contains(part)), "{all:?}");
        for lane in LANES {
            for (at, part) in lane.iter().enumerate() {
                let before = lane.get(..at).unwrap();
                let mut needed = Part::ALL.into_iter().filter(|other| part.needs(*other));
                assert!(needed.all(|other| before.contains(&other)), "{part:?} has {before:?}");
            }
        }
    }
}
