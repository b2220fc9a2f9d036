//! The host bridge's program: a thin edge around the library.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use host_bridge::args::{Args, Instead};
use host_bridge::audit::{self, LogArgs};
use host_bridge::{environment, sandbox, serve, supervisor, wire};

fn main() -> ExitCode {
    let mut inner = std::env::args_os().skip(1);
    match inner.next().as_ref().and_then(|purpose| purpose.to_str()) {
        Some(supervisor::ARGUMENT) => return supervisor::main(inner),
        Some(sandbox::enter::ARGUMENT) => return sandbox::enter::main(inner),
        Some(sandbox::trial::ARGUMENT) => return sandbox::trial::main(inner),
        Some(_) | None => {}
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return misread(&error),
    };
    match args.instead {
        Some(Instead::Wire(what)) => return wire::run(&what).unwrap_or_else(|error| fail(&error.to_string())),
        Some(Instead::Log(what)) => return log(what),
        None => {}
    }
    let secrets = match environment::shed_secrets(&args.variables()) {
        Ok(secrets) => secrets,
        Err(error) => return fail(&format!("cannot start anew without the secrets of the environment: {error}")),
    };
    match serve::run(args, secrets) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string()),
    }
}

/// `host-bridge log`.
fn log(args: LogArgs) -> ExitCode {
    match audit::print(args, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads only the beginning has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => fail(&format!("cannot read the audit log: {error}")),
    }
}

/// Help and version are asked for; anything else is a mistake, told in one line.
fn misread(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = write!(io::stdout(), "{error}");
        return ExitCode::SUCCESS;
    }
    let told = error.to_string();
    // What is missing, and what would be possible, stands in lines of its own before the first empty one.
    let mistake: Vec<&str> = told.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let mistake = mistake.join(" ");
    fail(&format!("{} (--help says what there is)", mistake.trim_start_matches("error: ")))
}

fn fail(line: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "host-bridge: {line}");
    ExitCode::from(2)
}
