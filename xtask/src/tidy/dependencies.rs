//! Dependencies point one way, and the heart depends on nothing that acts.

use std::process::Command;

use serde_json::Value;

use crate::tidy::tree::{Text, root, texts};

/// From the inside out. A crate may use those of an earlier row; its tests, those of its own row as well.
const ROWS: [&[&str]; 2] = [&["agent-loop", "bridge-protocol", "practice-model"], &["loopglass", "host-bridge"]];

/// What the pure crates must do without: browser, runtime, clock, chance, network.
const ACTS: [&str; 14] = [
    "async-std",
    "chrono",
    "getrandom",
    "gloo-net",
    "gloo-timers",
    "js-sys",
    "leptos",
    "rand",
    "reqwest",
    "smol",
    "time",
    "tokio",
    "wasm-bindgen",
    "web-sys",
];

/// The same, of the standard library.
const STD_ACTS: [&str; 8] =
    ["std::env", "std::fs", "std::net", "std::process", "std::thread", "Instant::now", "SystemTime", "println!"];

/// One dependency as a manifest states it.
struct Dependency<'a> {
    of: &'a str,
    on: &'a str,
    only_tests: bool,
}

fn row(name: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&name))
}

fn wrong_way(dependencies: &[Dependency<'_>]) -> Vec<String> {
    dependencies
        .iter()
        .filter(|dependency| match (row(dependency.of), row(dependency.on)) {
            (Some(of), Some(on)) if dependency.only_tests => on > of,
            (Some(of), Some(on)) => on >= of,
            (Some(0), None) => !dependency.only_tests && ACTS.contains(&dependency.on),
            _ => false,
        })
        .map(|dependency| format!("{} -> {}", dependency.of, dependency.on))
        .collect()
}

/// Uses of the acting half of the standard library in the heart, outside its tests.
fn acting(texts: &[Text]) -> Vec<String> {
    texts
        .iter()
        .filter(|text| text.path.starts_with("crates/agent-loop/src/") && text.path.ends_with(".rs"))
        .flat_map(|text| {
            let code = text.text.split("#[cfg(test)]").next().unwrap_or_default();
            let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            code.flat_map(move |line| {
                STD_ACTS.iter().filter(move |act| line.contains(**act)).map(move |act| (text, act))
            })
        })
        .map(|(text, act)| format!("{}: {act}", text.path))
        .collect()
}

#[test]
fn dependencies_point_one_way() {
    let output = Command::new("cargo")
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let dependencies: Vec<Dependency<'_>> = packages
        .iter()
        .flat_map(|package| package["dependencies"].as_array().unwrap().iter().map(move |on| (package, on)))
        .map(|(package, on)| Dependency {
            of: package["name"].as_str().unwrap(),
            on: on["name"].as_str().unwrap(),
            only_tests: on["kind"] == "dev",
        })
        .collect();
    for name in ROWS.concat() {
        assert!(packages.iter().any(|package| package["name"] == name), "{name} is not in the workspace");
    }
    assert_eq!(wrong_way(&dependencies), Vec::<String>::new());
}

#[test]
fn the_heart_does_nothing_by_itself() {
    assert_eq!(acting(&texts()), Vec::<String>::new());
}

#[test]
fn what_points_the_wrong_way_is_found() {
    let edge = |of, on, only_tests| Dependency { of, on, only_tests };
    let edges = [
        edge("loopglass", "agent-loop", false),
        edge("agent-loop", "bridge-protocol", false),
        edge("agent-loop", "practice-model", true),
        edge("practice-model", "host-bridge", true),
        edge("bridge-protocol", "tokio", false),
        edge("host-bridge", "tokio", false),
    ];
    assert_eq!(
        wrong_way(&edges),
        ["agent-loop -> bridge-protocol", "practice-model -> host-bridge", "bridge-protocol -> tokio"]
    );
}

#[test]
fn acting_is_found() {
    let clock = "let now = Instant::now();\n";
    let files = [
        Text::new("crates/agent-loop/src/a.rs", clock),
        Text::new("crates/agent-loop/src/b.rs", "//! Never std::fs.\n#[cfg(test)]\nuse std::fs;\n"),
        Text::new("host-bridge/src/c.rs", clock),
    ];
    assert_eq!(acting(&files), ["crates/agent-loop/src/a.rs: Instant::now"]);
}
