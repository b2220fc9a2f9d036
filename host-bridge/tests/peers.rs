//! Peers that are not ours: the services' own Python clients talk to the practice endpoints, and their request types
//! judge the bodies that the encoder is tested with, those of broken histories among them.
//!
//! The clients are installed once for this user. Where there is no Python, or no package index, the test says so and is
//! skipped.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use harness::Bridge;

/// The versions the types of which were read.
const CLIENTS: [&str; 2] = ["anthropic==2.14.0", "openai==3.57.0"];

/// Python with the clients, or why there is none.
fn python() -> Result<PathBuf, String> {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|cache| !cache.is_empty()).map(PathBuf::from);
    let cache = cache.or_else(|| Some(std::env::home_dir()?.join(".cache"))).ok_or("no home folder")?;
    let folder = cache.join("loopglass").join(format!("peers-{}", CLIENTS.join("-").replace("==", "-")));
    let python = folder.join("bin/python");
    if folder.join("ready").is_file() && python.is_file() {
        return Ok(python);
    }
    let run = |command: &mut Command, what: &str| {
        let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{what}: {error}"))?;
        let told = String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            Ok(())
        } else {
            Err(format!("{what}: {}", told.lines().last().unwrap_or_default()))
        }
    };
    let version = "import sys; sys.exit(sys.version_info < (3, 9) and 'it is older than 3.9')";
    run(Command::new("python3").args(["-c", version]), "python3")?;
    std::fs::create_dir_all(&cache).map_err(|error| format!("{}: {error}", cache.display()))?;
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder), "python3 -m venv")?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "15"];
    run(Command::new(&python).args(pip).args(CLIENTS), "pip install")?;
    std::fs::write(folder.join("ready"), "").map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(python)
}

#[test]
fn the_services_own_clients_take_what_we_send_and_what_we_answer() {
    let python = match python() {
        Ok(python) => python,
        // Not by print, which the test runner keeps to itself.
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "\nskipped: the services' own Python clients ({why})");
            return;
        }
    };
    let bridge = Bridge::start();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut bodies = Vec::new();
    for entry in std::fs::read_dir(folder.join("../crates/agent-loop/tests/wire/request")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        // The files do not say their dialect; these marks do.
        let body: serde_json::Value = serde_json::from_str(&text).unwrap();
        let is_openai = body["messages"].as_array().unwrap().iter().any(|message| {
            matches!(message["role"].as_str(), Some("tool" | "system")) || message.get("tool_calls").is_some()
        }) || body.get("max_tokens").is_none()
            || body.get("stream_options").is_some();
        bodies.push(format!("{}={}", if is_openai { "openai" } else { "anthropic" }, path.display()));
    }
    assert!(bodies.len() > 20, "the data has moved");
    let output = Command::new(python)
        .arg(folder.join("tests/peers/talk.py"))
        .args([format!("http://127.0.0.1:{}", bridge.port), bridge.token.clone()])
        .args(bodies)
        .stdin(Stdio::null())
        // A proxy of the environment would not reach this machine.
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    let held: Vec<&str> = told.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(held, ["loop", "loop", "refusals", "models", "bodies"]);
}
