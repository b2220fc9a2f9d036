//! The project's own commands: `cargo xtask run | dev | test | build | bench | fuzz | screenshots`.
//!
//! Each command first sees to what it needs (`setup`: tools, targets, a browser), builds what has changed (`page`,
//! `bridge`) and then does its one thing. Nothing is built twice for the same inputs (`fingerprint`). What is told
//! goes to stderr; stdout carries results only: the link of `run`, the tables of `test`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program speaks by printing")]

mod bench;
mod bridge;
mod browser;
mod command;
mod compress;
mod dev;
mod empty_page;
mod failure;
mod fingerprint;
mod first_load;
mod fuzz;
mod linted;
mod minify;
mod page;
mod playground;
mod process;
mod project;
mod run;
mod screenshots;
mod setup;
mod split;
mod stylesheet;
mod test;
#[cfg(test)]
mod tidy;

use std::process::ExitCode;

use command::Command;
use failure::Failure;
use project::Project;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match command::parse(&arguments).and_then(perform) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            failure.exit_code()
        }
    }
}

fn perform(command: Command) -> Result<(), Failure> {
    let project = Project::find()?;
    match command {
        Command::Help => {
            print!("{}", command::USAGE);
            Ok(())
        }
        Command::Build => bridge::build(&project).map(drop),
        Command::Run(options) => run::run(&project, &options),
        Command::Dev(options) => dev::dev(&project, &options),
        Command::Test { only } => test::test(&project, only),
        Command::Bench => bench::bench(&project),
        Command::Fuzz(options) => fuzz::fuzz(&project, &options),
        Command::Split => split::split(&project),
        Command::Screenshots => screenshots::screenshots(&project),
    }
}
