//! Into the sandbox: this program, executed to become bubblewrap, which then executes it again inside.
//!
//! It takes a step between, because the program may have no name in the sandbox, or another file may have it by now: so it
//! is handed in as a descriptor. The command's output is handed in beside it rather than as bubblewrap's own, so that
//! bubblewrap, which stays outside until the end, does not hold it open.

use std::convert::Infallible;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use nix::fcntl::{OFlag, open};
use nix::sys::stat::Mode;
use nix::unistd::dup;

use crate::supervisor;

/// The argument that makes this program go in. After it: bubblewrap, its arguments, `--`, and what to do inside.
pub const ARGUMENT: &str = "--enter-sandbox";

/// Goes in, and does not come back.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match enter(arguments) {
        Ok(never) => match never {},
        Err(error) => {
            let _ = writeln!(io::stderr(), "host-bridge: cannot become bubblewrap: {error}");
            ExitCode::FAILURE
        }
    }
}

fn enter(mut arguments: impl Iterator<Item = OsString>) -> io::Result<Infallible> {
    supervisor::close_inherited();
    let program = arguments.next().ok_or_else(|| io::Error::other("it is not named"))?;
    let told: Vec<OsString> = arguments.by_ref().take_while(|word| word != "--").collect();
    let inside: Vec<OsString> = arguments.collect();
    // Without O_CLOEXEC, all three: they are to be there inside.
    let itself = open("/proc/self/exe", OFlag::O_RDONLY, Mode::empty())?;
    let outputs = [dup(io::stdout())?, dup(io::stderr())?];
    let mut bubblewrap = Command::new(program);
    bubblewrap.args(told).arg("--").arg(path(itself.as_raw_fd())).args(&inside);
    // Whoever tries the sandbox wants to hear of bubblewrap itself.
    if inside.first().is_some_and(|purpose| purpose == supervisor::ARGUMENT) {
        let null = || File::options().write(true).open("/dev/null");
        bubblewrap.args(outputs.iter().map(|output| output.as_raw_fd().to_string())).stdout(null()?).stderr(null()?);
    }
    Err(bubblewrap.exec())
}

/// Inside, takes up the outputs that were handed in, if any were.
pub fn take_up(outputs: &[OsString]) -> io::Result<()> {
    let [out, err] = outputs else { return Ok(()) };
    let opened = |number: &OsString| -> io::Result<OwnedFd> {
        let number: RawFd =
            number.to_str().and_then(|it| it.parse().ok()).ok_or_else(|| io::Error::other("no number"))?;
        Ok(File::options().write(true).open(path(number))?.into())
    };
    nix::unistd::dup2_stdout(opened(out)?)?;
    nix::unistd::dup2_stderr(opened(err)?)?;
    Ok(())
}

fn path(descriptor: RawFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{descriptor}"))
}
