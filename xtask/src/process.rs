//! Running other programs: their output goes to stderr, so that stdout stays ours.

use std::io;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// A program to run, with its stdout sent to our stderr.
pub(crate) fn program(name: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(name);
    command.stdout(Stdio::from(io::stderr()));
    command
}

/// Runs to the end; anything but success is a failure that names the command.
pub(crate) fn succeed(command: &mut Command) -> Result<(), Failure> {
    judge(command, Command::status)
}

/// As [`succeed`], but kills the program when `limit` has passed: for what may hang on a network that is not there.
pub(crate) fn succeed_within(command: &mut Command, limit: Duration) -> Result<(), Failure> {
    judge(command, |command| {
        let start = Instant::now();
        let mut child = command.spawn()?;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if start.elapsed() > limit {
                child.kill()?;
                child.wait()?;
                return Err(io::Error::new(io::ErrorKind::TimedOut, format!("no end after {}", seconds(limit))));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    })
}

/// What a program prints, trimmed; nothing if it is missing or fails. For questions such as `--version`.
pub(crate) fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// Says what begins and, when it ends, how long it took.
pub(crate) fn timed<T>(what: &str, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    eprintln!("xtask: {what} …");
    let start = Instant::now();
    let outcome = work();
    let word = if outcome.is_ok() { "done in" } else { "FAILED after" };
    eprintln!("xtask: {what}: {word} {}", seconds(start.elapsed()));
    outcome
}

/// A duration as people read it: `0.4 s`, `3 min 05 s`.
pub(crate) fn seconds(duration: Duration) -> String {
    match duration.as_secs() {
        0..60 => format!("{:.1} s", duration.as_secs_f64()),
        whole => format!("{} min {:02} s", whole / 60, whole % 60),
    }
}

fn judge(command: &mut Command, run: impl FnOnce(&mut Command) -> io::Result<ExitStatus>) -> Result<(), Failure> {
    let shown = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|part| part.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ");
    match run(command) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::Step(format!("`{shown}` ended with {status}"))),
        Err(error) => Err(Failure::Step(format!("`{shown}` could not be run: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hangs_is_ended() {
        let outcome = succeed_within(program("sleep").arg("1000"), Duration::from_millis(100));
        assert_eq!(outcome, Err(Failure::Step("`sleep 1000` could not be run: no end after 0.1 s".to_string())));
    }

    #[test]
    fn a_failure_names_the_command() {
        let outcome = succeed(program("sh").args(["-c", "exit 3"]));
        assert_eq!(outcome, Err(Failure::Step("`sh -c exit 3` ended with exit status: 3".to_string())));
    }

    #[test]
    fn durations_as_people_read_them() {
        assert_eq!(seconds(Duration::from_millis(420)), "0.4 s");
        assert_eq!(seconds(Duration::from_secs(185)), "3 min 05 s");
    }
}
