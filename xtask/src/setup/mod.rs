//! What the commands need from the machine, put there if it is missing: the ordinary way first, the fallbacks after.
//!
//! Tools go to a per-user cache keyed by version (`cache`), never into the checkout, so that a fresh clone finds them.
//! What is there already is neither asked for nor announced.

mod apt;
mod binaryen;
mod bubblewrap;
mod cache;
mod cargo_component;
mod cargo_tool;
mod chromium;
mod cjk_font;
mod node;
mod npm_tool;
mod wasm_target;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::process::program;
use crate::project::Project;

pub(crate) use bubblewrap::bubblewrap;
pub(crate) use cargo_component::cargo_component;
pub(crate) use chromium::chromium;
pub(crate) use cjk_font::cjk_font;
pub(crate) use node::{node, node_packages};

use cargo_tool::CargoTool;
use npm_tool::NpmTool;
use wasm_target::WasmTarget;

const TRUNK_VERSION: &str = "0.21.14";
/// It reads what `wasm_split_helpers` of Cargo.lock has written into the wasm; the two come from one repository.
const WASM_SPLIT_VERSION: &str = "0.2.4";
/// Makes scripts and styles small.
const ESBUILD_VERSION: &str = "0.28.2";

/// What builds the page: trunk, with everything that it and `split` look for on its PATH.
pub(crate) struct PageTools {
    trunk: PathBuf,
    path: OsString,
    wasm_target: WasmTarget,
}

impl PageTools {
    /// The versions that decide what comes out, for the page's fingerprint; known without looking at the machine.
    pub(crate) fn versions(project: &Project) -> Result<String, Failure> {
        let bindgen = wasm_bindgen_version(project)?;
        let binaryen = binaryen::VERSION;
        Ok(format!(
            "trunk {TRUNK_VERSION}, wasm-bindgen {bindgen}, wasm-split {WASM_SPLIT_VERSION}, \
             binaryen {binaryen}, esbuild {ESBUILD_VERSION}"
        ))
    }

    /// Finds the tools, installing what is missing.
    pub(crate) fn ready(project: &Project) -> Result<PageTools, Failure> {
        node()?;
        let wasm_target = WasmTarget::ready()?;
        let cache = cache::folder()?;
        let tool = |package, program, version, features| CargoTool { package, program, version, features };
        let trunk = tool("trunk", "trunk", TRUNK_VERSION.to_string(), "").ready(&cache)?;
        let bindgen = tool("wasm-bindgen-cli", "wasm-bindgen", wasm_bindgen_version(project)?, "");
        let split = tool("wasm_split_cli_support", "wasm-split-cli", WASM_SPLIT_VERSION.to_string(), "build-binary");
        let esbuild = NpmTool { package: "esbuild", program: "esbuild", version: ESBUILD_VERSION };
        let mut folders = vec![bindgen.ready(&cache)?, split.ready(&cache)?, binaryen::ready(&cache)?];
        folders.push(esbuild.ready(&cache)?);
        cargo_tool::forget_build(&cache)?;
        folders.extend(wasm_target.toolchain().map(Path::to_path_buf));
        // For the hook in Trunk.toml.
        folders.extend(std::env::current_exe().ok().and_then(|xtask| xtask.parent().map(Path::to_path_buf)));
        folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let path = std::env::join_paths(folders).map_err(|error| Failure::Step(format!("PATH: {error}")))?;
        Ok(PageTools { trunk: trunk.join("trunk"), path, wasm_target })
    }

    /// A tool of the page's build.
    pub(crate) fn program(&self, name: &str) -> Command {
        let mut command = program(name);
        command.env("PATH", &self.path);
        command
    }

    /// cargo as trunk calls it, for what trunk does not build.
    pub(crate) fn cargo(&self, project: &Project) -> Command {
        let mut command = self.program("cargo");
        command.current_dir(project.root());
        self.wasm_target.prepare(&mut command);
        command
    }

    /// trunk, to be run in the project's root.
    pub(crate) fn trunk(&self, project: &Project) -> Command {
        let mut command = program(&self.trunk);
        command.current_dir(project.root()).env("PATH", &self.path).env("TRUNK_SKIP_VERSION_CHECK", "true");
        // Any value but `true` and `false`, such as the customary 1, is an error to trunk 0.21.
        command.env_remove("NO_COLOR");
        // A panic names its place in the sources: who builds the page shall neither be in it nor change its size.
        if let Some(sources) = crate_sources().filter(|path| !path.contains(char::is_whitespace)) {
            // It is joined with the flags of `.cargo/config.toml`, and parted at blanks.
            let remap = format!("--remap-path-prefix={sources}= --remap-path-prefix={sources}{CRATES_IO}=");
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", remap);
        }
        // What went wrong in a build is in the compiler's words; trunk's own stack would bury them.
        command.env_remove("RUST_BACKTRACE");
        self.wasm_target.prepare(&mut command);
        command
    }
}

/// The folder that cargo keeps those of crates.io in.
const CRATES_IO: &str = "index.crates.io-1949cf8c6b5b557f/";

/// Where cargo keeps the sources of the crates.
fn crate_sources() -> Option<String> {
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = cargo.or_else(|| Some(std::env::home_dir()?.join(".cargo")))?;
    Some(cargo.join("registry/src/").to_str()?.to_owned())
}

/// wasm-bindgen's command-line tool must be exactly as old as the library in Cargo.lock.
fn wasm_bindgen_version(project: &Project) -> Result<String, Failure> {
    let lock = std::fs::read_to_string(project.root().join("Cargo.lock"))
        .map_err(|error| Failure::Step(format!("Cargo.lock: {error}")))?;
    let mut lines = lock.lines().skip_while(|line| *line != "name = \"wasm-bindgen\"");
    lines
        .nth(1)
        .and_then(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
        .map(String::from)
        .ok_or_else(|| Failure::Step("Cargo.lock names no wasm-bindgen".to_string()))
}
