//! A Chromium for the browser tests: any that is installed, before one is fetched.
//!
//! Best is Chromium's headless shell, the one that Playwright takes by itself: the same engine without the windows, tabs
//! and pages of settings around it, which nobody sees here and which take half of a short test's time.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::process::{program, succeed, timed};
use crate::setup::{apt, node};

/// Debian's package of the headless shell, and its program.
const SHELL: &str = "chromium-headless-shell";
const WHOLE: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const ELSEWHERE: [&str; 2] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// Where Playwright keeps a browser, within a folder of its cache.
const PLAYWRIGHTS_SHELL: [&str; 2] =
    ["chrome-headless-shell-linux64/chrome-headless-shell", "chrome-linux/headless_shell"];
const PLAYWRIGHTS_WHOLE: [&str; 2] = ["chrome-linux64/chrome", "chrome-linux/chrome"];

/// The browser's program. `LOOPGLASS_CHROMIUM` names one that is somewhere else; `browser_tests` is the folder whose
/// Playwright may download its own when there is no other way.
pub(crate) fn chromium(browser_tests: &Path) -> Result<PathBuf, Failure> {
    if let Some(chosen) = std::env::var_os("LOOPGLASS_CHROMIUM") {
        return Ok(PathBuf::from(chosen));
    }
    if let Some(found) = shell() {
        return Ok(found);
    }
    if is_debian()
        && apt::install("a browser for the tests", &[SHELL]).is_ok()
        && let Some(found) = shell()
    {
        return Ok(found);
    }
    if let Some(found) = whole() {
        return Ok(found);
    }
    if apt::install("a browser for the tests", &["chromium"]).is_ok()
        && let Some(found) = whole()
    {
        return Ok(found);
    }
    node::node_packages(browser_tests)?;
    timed("set-up: fetching Playwright's Chromium", || {
        let mut install = program("npx");
        install.args(["playwright-core", "install", "--only-shell", "chromium"]).current_dir(browser_tests);
        succeed(&mut install)
    })
    .ok()
    .and_then(|()| shell())
    .ok_or_else(|| Failure::Missing("a browser for the tests is missing: install Chromium or Chrome".to_string()))
}

fn shell() -> Option<PathBuf> {
    on_path(&[SHELL]).or_else(|| playwrights_own(&PLAYWRIGHTS_SHELL))
}

fn whole() -> Option<PathBuf> {
    let elsewhere = || ELSEWHERE.map(PathBuf::from).into_iter().find(|program| program.is_file());
    on_path(&WHOLE).or_else(elsewhere).or_else(|| playwrights_own(&PLAYWRIGHTS_WHOLE))
}

/// Ubuntu has no such package.
fn is_debian() -> bool {
    fs::read_to_string("/etc/os-release").is_ok_and(|release| release.lines().any(|line| line == "ID=debian"))
}

fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let programs = std::env::split_paths(&path).flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    programs.into_iter().find(|program| is_browser(program))
}

/// Ubuntu's packages of that name are scripts that only point to a snap, which containers cannot run.
fn is_browser(program: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(program).and_then(|file| file.take(4096).read_to_end(&mut start));
    read.is_ok() && !String::from_utf8_lossy(&start).contains("snap install chromium")
}

/// The newest of those that Playwright keeps in the user's cache.
fn playwrights_own(programs: &[&str]) -> Option<PathBuf> {
    let cache = std::env::home_dir()?.join(".cache/ms-playwright");
    let mut found: Vec<PathBuf> = fs::read_dir(cache)
        .ok()?
        .flatten()
        .flat_map(|entry| programs.iter().map(move |program| entry.path().join(program)))
        .filter(|program| program.is_file())
        .collect();
    found.sort();
    found.pop()
}
