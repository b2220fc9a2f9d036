//! What a part of the test found.

use std::fmt;

use crate::failure::Failure;

/// Counts of tests, and what else there is to say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) note: String,
}

impl Outcome {
    /// For a part that is one check.
    pub(crate) fn of(result: Result<(), Failure>) -> Outcome {
        match result {
            Ok(()) => Outcome { passed: 1, ..Outcome::default() },
            Err(failure) => Outcome::failed(failure.to_string()),
        }
    }

    pub(crate) fn failed(note: String) -> Outcome {
        Outcome { failed: 1, note, ..Outcome::default() }
    }

    /// Joins counted tests with how their runner ended: a runner that failed without a failed test (what did not
    /// compile, for one) is a failure too.
    pub(crate) fn counted(passed: usize, failed: usize, ended: Result<(), Failure>) -> Outcome {
        match ended {
            Ok(()) => Outcome { passed, failed, note: String::new() },
            Err(failure) => Outcome { passed, failed: failed.max(1), note: failure.to_string() },
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.failed == 0 { "ok" } else { "FAILED" };
        write!(f, "{word}, {} passed, {} failed", self.passed, self.failed)?;
        if self.note.is_empty() { Ok(()) } else { write!(f, " ({})", self.note) }
    }
}
