//! The command line, read into a value.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::test::Part;

pub(crate) const USAGE: &str = "\
The project's own commands.

  cargo xtask run [--workspace DIR] [--port N] [--no-open] [flags of host-bridge]
                        build what has changed and start Loopglass; prints its link
                        (without --workspace it works in target/playground)
  cargo xtask dev [the same flags]
                        the same, built fast, and built again when a source changes
  cargo xtask test [--only NAME]
                        every check: fmt, clippy and unit, beside them page, size and browser;
                        --only runs one of them and what it needs
  cargo xtask build     leave target/release/host-bridge with the page inside
  cargo xtask bench     run the benchmarks and print their tables
  cargo xtask fuzz [--target NAME] [--runs N]
                        feed the wire's parsers, repair and encoder bytes made up on the way; all targets,
                        10 million runs each, unless told otherwise
  cargo xtask screenshots
                        take the pictures of docs/screenshots
  cargo xtask split     for trunk, which calls it at the end of a build: split the page's wasm into its parts

What is missing is installed first: tools into the user's cache, and, as root on Debian or Ubuntu, system packages.
";

/// What was asked for.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    Help,
    Build,
    Run(BridgeOptions),
    Dev(BridgeOptions),
    Test { only: Option<Part> },
    Bench,
    Fuzz(FuzzOptions),
    Screenshots,
    Split,
}

/// How long to fuzz what.
#[derive(Debug, PartialEq)]
pub(crate) struct FuzzOptions {
    /// One target; all of them if absent.
    pub(crate) target: Option<String>,
    /// Executions of each target.
    pub(crate) runs: u64,
}

/// How to start the bridge.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct BridgeOptions {
    /// The folder to work in, relative to where the command was given; the playground if absent.
    pub(crate) workspace: Option<PathBuf>,
    /// Everything else, for host-bridge to judge.
    pub(crate) passed_through: Vec<String>,
}

pub(crate) fn parse(arguments: &[String]) -> Result<Command, Failure> {
    let Some((name, rest)) = arguments.split_first() else { return Ok(Command::Help) };
    match (name.as_str(), rest) {
        ("help" | "-h" | "--help", _) => Ok(Command::Help),
        ("run", rest) => bridge_options(rest).map(Command::Run),
        ("dev", rest) => bridge_options(rest).map(Command::Dev),
        ("test", []) => Ok(Command::Test { only: None }),
        ("test", [only, name]) if only == "--only" => match Part::named(name) {
            Some(part) => Ok(Command::Test { only: Some(part) }),
            None => Err(Failure::Usage(format!("there is no part `{name}` of the test"))),
        },
        ("build", []) => Ok(Command::Build),
        ("bench", []) => Ok(Command::Bench),
        ("fuzz", rest) => fuzz_options(rest).map(Command::Fuzz),
        ("screenshots", []) => Ok(Command::Screenshots),
        ("split", []) => Ok(Command::Split),
        ("test" | "build" | "bench" | "screenshots" | "split", rest) => {
            Err(Failure::Usage(format!("`{name}` does not take `{}`", rest.join(" "))))
        }
        _ => Err(Failure::Usage(format!("there is no command `{name}`"))),
    }
}

fn fuzz_options(arguments: &[String]) -> Result<FuzzOptions, Failure> {
    let mut options = FuzzOptions { target: None, runs: 10_000_000 };
    for option in arguments.chunks(2) {
        match option {
            [name, target] if name == "--target" => options.target = Some(target.clone()),
            [name, runs] if name == "--runs" => {
                let wrong = |_| Failure::Usage(format!("`--runs {runs}` is no number of runs"));
                options.runs = runs.parse().map_err(wrong)?;
            }
            _ => return Err(Failure::Usage(format!("`fuzz` does not take `{}`", option.join(" ")))),
        }
    }
    Ok(options)
}

fn bridge_options(arguments: &[String]) -> Result<BridgeOptions, Failure> {
    let mut options = BridgeOptions::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--workspace" {
            let folder = rest.next().ok_or_else(|| Failure::Usage("--workspace needs a folder".to_string()))?;
            options.workspace = Some(PathBuf::from(folder));
        } else if let Some(folder) = argument.strip_prefix("--workspace=") {
            options.workspace = Some(PathBuf::from(folder));
        } else {
            options.passed_through.push(argument.clone());
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Result<Command, Failure>) {
        let arguments: Vec<String> = line.split_whitespace().map(String::from).collect();
        assert_eq!(parse(&arguments), expected);
    }

    #[test]
    fn commands() {
        check("", Ok(Command::Help));
        check("test", Ok(Command::Test { only: None }));
        check("test --only size", Ok(Command::Test { only: Some(Part::Size) }));
        check("test --only all", Err(Failure::Usage("there is no part `all` of the test".to_string())));
        check("build --fast", Err(Failure::Usage("`build` does not take `--fast`".to_string())));
        check("fuzz", Ok(Command::Fuzz(FuzzOptions { target: None, runs: 10_000_000 })));
        check(
            "fuzz --runs 7 --target sse",
            Ok(Command::Fuzz(FuzzOptions { target: Some("sse".to_string()), runs: 7 })),
        );
        check("fuzz --runs many", Err(Failure::Usage("`--runs many` is no number of runs".to_string())));
        check("fuzz sse", Err(Failure::Usage("`fuzz` does not take `sse`".to_string())));
        check("deploy", Err(Failure::Usage("there is no command `deploy`".to_string())));
    }

    #[test]
    fn what_run_does_not_know_is_the_bridges() {
        check(
            "run --port 0 --workspace here --no-open --grace 5",
            Ok(Command::Run(BridgeOptions {
                workspace: Some(PathBuf::from("here")),
                passed_through: ["--port", "0", "--no-open", "--grace", "5"].map(String::from).to_vec(),
            })),
        );
        check(
            "dev --workspace=here",
            Ok(Command::Dev(BridgeOptions { workspace: Some(PathBuf::from("here")), passed_through: Vec::new() })),
        );
        check("run --workspace", Err(Failure::Usage("--workspace needs a folder".to_string())));
    }
}
