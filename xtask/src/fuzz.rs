//! `cargo xtask fuzz`: the fuzz targets of the crates, for as many runs as wanted.
//!
//! LLVM's libFuzzer comes with the crate `libfuzzer-sys`, and the compiler's coverage pass is there in every release of
//! Rust, so neither nightly nor cargo-fuzz is needed; only a C++ compiler. What is left out that way is the address
//! sanitizer, which safe code has little use for. cargo-fuzz runs the same targets, where it is installed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::FuzzOptions;
use crate::failure::Failure;
use crate::process::{answer, program, succeed, timed};
use crate::project::Project;

/// A target in the `fuzz` folder of its crate.
struct Target {
    member: &'static str,
    name: &'static str,
    /// The crate's folders whose files it begins with beside its own corpus.
    seeds: &'static [&'static str],
    /// The longest input, in bytes. What is longer costs runs and holds nothing that a short one could not.
    longest: u32,
}

/// Room for a stream with every kind of block.
const A_STREAM: u32 = 1024;

/// Room for a history of some dozens of blocks.
const A_HISTORY: u32 = 256;

#[rustfmt::skip]
const TARGETS: [Target; 8] = [
    Target { member: "agent-loop", name: "sse", seeds: &["tests/wire/anthropic", "tests/wire/openai"], longest: A_STREAM },
    Target { member: "agent-loop", name: "decode_anthropic", seeds: &["tests/wire/anthropic"], longest: A_STREAM },
    Target { member: "agent-loop", name: "decode_openai", seeds: &["tests/wire/openai"], longest: A_STREAM },
    Target { member: "agent-loop", name: "arguments", seeds: &[], longest: A_STREAM },
    Target { member: "agent-loop", name: "outbound", seeds: &[], longest: A_HISTORY },
    Target { member: "agent-loop", name: "terminal", seeds: &[], longest: A_STREAM },
    Target { member: "bridge-protocol", name: "frames", seeds: &["tests/frames"], longest: A_STREAM },
    Target { member: "bridge-protocol", name: "client", seeds: &[], longest: A_STREAM },
];

/// What cargo-fuzz passes to the compiler, without the sanitizer, and without the tracing of every comparison, which takes
/// half of the time or more: the words that comparing would find stand in `words.dict`.
const FLAGS: &str = "--cfg fuzzing -Ccodegen-units=1 -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table";

/// Builds and runs them. Inputs that broke a property are left in `target/fuzz/artifacts`.
pub(crate) fn fuzz(project: &Project, options: &FuzzOptions) -> Result<(), Failure> {
    let wanted: Vec<_> = TARGETS
        .into_iter()
        .filter(|target| options.target.as_ref().is_none_or(|wanted| wanted == target.name))
        .collect();
    if wanted.is_empty() {
        let names = TARGETS.map(|target| target.name).join(", ");
        return Err(Failure::Usage(format!("there is no such target to fuzz; there are {names}")));
    }
    let host = answer(program("rustc").arg("-vV"))
        .and_then(|told| told.lines().find_map(|line| line.strip_prefix("host: ").map(String::from)))
        .ok_or_else(|| Failure::Step("`rustc -vV` did not answer".to_string()))?;
    let compilers =
        [std::env::var("CXX").unwrap_or_default(), "c++".to_string(), "g++".to_string(), "clang++".to_string()];
    if !compilers.iter().any(|name| !name.is_empty() && answer(program(name).arg("--version")).is_some()) {
        return Err(Failure::Step("fuzzing needs a C++ compiler, for libFuzzer: install g++ or clang".to_string()));
    }

    let built = project.target().join("fuzz");
    let crates: BTreeSet<&str> = wanted.iter().map(|target| target.member).collect();
    for member in crates {
        timed(&format!("building the fuzz targets of {member}"), || {
            let mut cargo = program("cargo");
            // With a target named, the flags are not meant for build scripts.
            cargo.args(["build", "--quiet", "--release", "--target", &host, "--target-dir"]).arg(&built);
            succeed(cargo.env("RUSTFLAGS", FLAGS).current_dir(project.root().join("crates").join(member).join("fuzz")))
        })?;
    }
    for Target { member, name, seeds, longest } in wanted {
        let member = project.root().join("crates").join(member);
        let found = made(&built.join("corpus").join(name))?;
        let artifacts = made(&built.join("artifacts").join(name))?;
        let mut target = program(built.join(&host).join("release").join(name));
        target.args([format!("-runs={}", options.runs), format!("-max_len={longest}"), "-verbosity=0".to_string()]);
        target.arg("-print_final_stats=1").arg(format!("-artifact_prefix={}/", artifacts.display()));
        target.arg(format!("-dict={}", member.join("fuzz/words.dict").display()));
        target.arg(found).arg(member.join("fuzz/corpus").join(name)).args(seeds.iter().map(|seed| member.join(seed)));
        timed(&format!("fuzzing {name}, {} runs", options.runs), || succeed(&mut target))?;
    }
    Ok(())
}

fn made(folder: &Path) -> Result<PathBuf, Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Step(format!("cannot make the folder {}: {error}", folder.display())))?;
    Ok(folder.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_its_program_and_its_corpus() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
        for Target { member, name, seeds, .. } in TARGETS {
            let fuzz = crates.join(member).join("fuzz");
            let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
            let of_it = TARGETS.iter().filter(|of| of.member == member).count();
            assert_eq!(manifest.matches("[[bin]]").count(), of_it, "{member}");
            assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
            assert!(fuzz.join(format!("fuzz_targets/{name}.rs")).is_file(), "{name}");
            assert!(fuzz.join("corpus").join(name).is_dir(), "{name}");
            assert!(fuzz.join("words.dict").is_file(), "{member}");
            assert!(seeds.iter().all(|seed| fuzz.join("..").join(seed).is_dir()), "{name}");
        }
    }
}
