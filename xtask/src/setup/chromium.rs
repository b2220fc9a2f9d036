//! A Chromium for the browser tests: any that is installed, before one is fetched.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::process::{program, succeed, timed};
use crate::setup::{apt, node};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const ELSEWHERE: [&str; 2] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// The browser's program. `LOOPGLASS_CHROMIUM` names one that is somewhere else; `browser_tests` is the folder whose
/// Playwright may download its own when there is no other way.
pub(crate) fn chromium(browser_tests: &Path) -> Result<PathBuf, Failure> {
    if let Some(chosen) = std::env::var_os("LOOPGLASS_CHROMIUM") {
        return Ok(PathBuf::from(chosen));
    }
    if let Some(found) = installed().or_else(playwrights_own) {
        return Ok(found);
    }
    if apt::install("a browser for the tests", &["chromium"]).is_ok()
        && let Some(found) = installed()
    {
        return Ok(found);
    }
    node::node_packages(browser_tests)?;
    timed("set-up: fetching Playwright's Chromium", || {
        succeed(program("npx").args(["playwright-core", "install", "chromium"]).current_dir(browser_tests))
    })
    .ok()
    .and_then(|()| playwrights_own())
    .ok_or_else(|| Failure::Missing("a browser for the tests is missing: install Chromium or Chrome".to_string()))
}

fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    on_path.chain(ELSEWHERE.map(PathBuf::from)).find(|program| is_browser(program))
}

/// Ubuntu's packages of that name are scripts that only point to a snap, which containers cannot run.
fn is_browser(program: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(program).and_then(|file| file.take(4096).read_to_end(&mut start));
    read.is_ok() && !String::from_utf8_lossy(&start).contains("snap install chromium")
}

/// The newest of those that Playwright keeps in the user's cache.
fn playwrights_own() -> Option<PathBuf> {
    let cache = std::env::home_dir()?.join(".cache/ms-playwright");
    let mut found: Vec<PathBuf> = std::fs::read_dir(cache)
        .ok()?
        .flatten()
        .flat_map(|entry| ["chrome-linux/chrome", "chrome-linux64/chrome"].map(|program| entry.path().join(program)))
        .filter(|program| program.is_file())
        .collect();
    found.sort();
    found.pop()
}
