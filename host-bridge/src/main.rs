//! The host bridge's program: a thin edge around the library.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use host_bridge::{args::Args, environment, serve, supervisor};

fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|first| first == supervisor::ARGUMENT) {
        return supervisor::main();
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        // Help and version are asked for; anything else is a mistake, told in one line.
        Err(error) if !error.use_stderr() => {
            let _ = write!(io::stdout(), "{error}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            let told = error.to_string();
            let first = told.lines().next().unwrap_or_default().trim_start_matches("error: ");
            return fail(&format!("{first} (--help says what there is)"));
        }
    };
    let secrets = match environment::shed_secrets(&args.variables()) {
        Ok(secrets) => secrets,
        Err(error) => return fail(&format!("cannot start anew without the secrets of the environment: {error}")),
    };
    match serve::run(args, secrets) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string()),
    }
}

fn fail(line: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "host-bridge: {line}");
    ExitCode::from(2)
}
