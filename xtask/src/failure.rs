//! Why a command ended without doing what it was asked.

use std::fmt;
use std::process::ExitCode;

/// Sorted by what the caller does about it.
#[derive(Debug, PartialEq)]
pub(crate) enum Failure {
    /// The command line makes no sense: read the usage.
    Usage(String),
    /// Something is not on this machine and could not be put there: install it.
    Missing(String),
    /// A step was tried and did not succeed: its own output, above, says why.
    Step(String),
    /// Tests failed: the table says which.
    Tests,
}

impl Failure {
    /// 2 for a command line that cannot be understood, 1 for everything else.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Failure::Usage(_) => ExitCode::from(2),
            Failure::Missing(_) | Failure::Step(_) | Failure::Tests => ExitCode::FAILURE,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(what) => write!(f, "{what}; `cargo xtask help` lists the commands"),
            Failure::Tests => f.write_str("tests failed"),
            Failure::Missing(what) | Failure::Step(what) => f.write_str(what),
        }
    }
}
