//! Walks through the scenarios, as transcripts in `lessons/`: a file's `model`, `host`, `tools` and `user` lines are what
//! goes in, every other line is what came out. Each must come out alike of both services, streamed and whole.
//! `UPDATE=1 cargo test -p practice-model` writes them anew.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

mod reading;

use reading::{BOTH, Call, harness::Harness};
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::Path};

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lessons");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 20);
    for file in files {
        check(&file);
    }
}

#[track_caller]
fn check(file: &Path) {
    let expected = fs::read_to_string(file).unwrap();
    for service in BOTH {
        for streamed in [true, false] {
            let actual = walk(service, streamed, &expected);
            if std::env::var_os("UPDATE").is_some() {
                fs::write(file, &actual).unwrap();
            } else {
                assert_eq!(actual, expected, "{} {service:?} streamed: {streamed}", file.display());
            }
        }
    }
}

fn walk(service: practice_model::Service, streamed: bool, script: &str) -> String {
    let mut transcript = String::new();
    let mut harness = None;
    let mut host = Host::default();
    for line in script.lines() {
        let Some((key, value)) = line.split_once(' ') else { continue };
        match key {
            "model" => harness = Some(Harness::new(service, value, streamed)),
            "tools" if value == "none" => harness = harness.map(Harness::without_tools),
            "tools" if value == "one-at-a-time" => harness = harness.map(Harness::one_call_at_a_time),
            "host" => host.become_(value),
            "user" => {
                let harness = harness.as_mut().unwrap();
                harness.user(&value.replace('⏎', "\n"));
                transcript.push_str(&format!("{line}\n"));
                let mut results = Vec::new();
                let answers = harness.run(8, |call| {
                    let result = host.run(call);
                    results.push(result.clone());
                    result
                });
                let mut results = results.iter();
                for said in &answers {
                    let told: Vec<String> = said.text.lines().map(|line| format!("  | {line}\n")).collect();
                    transcript.push_str(&told.concat());
                    for call in &said.calls {
                        transcript.push_str(&format!("  call {} {}\n", call.name, call.arguments));
                    }
                    for result in results.by_ref().take(said.calls.len()) {
                        transcript.push_str(&format!("  result {result:?}\n"));
                    }
                    let stop = match said.stop.as_str() {
                        "tool_calls" => "tool_use",
                        "stop" => "end_turn",
                        same => same,
                    };
                    transcript.push_str(&format!("  stop {stop}\n"));
                }
                continue;
            }
            _ => continue,
        }
        transcript.push_str(&format!("{line}\n"));
    }
    transcript
}

/// A shell that knows the commands that scripts ask for.
#[derive(Default)]
struct Host {
    files: BTreeMap<String, String>,
    denies: bool,
    tells_exit_code: bool,
    no_python: bool,
}

impl Host {
    fn become_(&mut self, what: &str) {
        match what {
            "denies" => self.denies = true,
            "allows" => self.denies = false,
            "tells-exit-code" => self.tells_exit_code = true,
            "has-no-python" => self.no_python = true,
            file => {
                let (name, content) = file.split_once(' ').unwrap_or((file, ""));
                self.files.insert(name.to_owned(), content.replace('⏎', "\n"));
            }
        }
    }

    /// The result as a harness words it: what lesson 4 feeds back, or what was printed.
    fn run(&mut self, call: &Call) -> String {
        if call.name != "bash" {
            return format!("Error: unknown tool {}", call.name);
        }
        let arguments: Value = match serde_json::from_str(&call.arguments) {
            Ok(arguments) => arguments,
            Err(_) => return "Error: invalid tool arguments - not JSON".to_owned(),
        };
        let command = match arguments["command"].as_str() {
            Some(command) if !command.is_empty() => command,
            _ => return "Error: missing command.".to_owned(),
        };
        if self.denies {
            return "Error: Denied by the user; nothing was run.".to_owned();
        }
        let (code, output) = self.shell(command);
        match (self.tells_exit_code, output.is_empty()) {
            (false, true) => "(no output)".to_owned(),
            (false, false) => output,
            (true, true) => format!("(no output, exit code {code})"),
            (true, false) => format!("{output}\n(exit code {code})"),
        }
    }

    fn shell(&mut self, command: &str) -> (u8, String) {
        if let Some(written) = command.strip_prefix("cat > hello.py <<'EOF'\n") {
            self.files.insert("hello.py".to_owned(), written.strip_suffix("\nEOF").unwrap().to_owned());
            return (0, String::new());
        }
        if let Some(rest) = command.strip_prefix("find . -maxdepth 1 -type f -name '*") {
            let suffix = rest.strip_suffix("' | sort").unwrap();
            let found = self.files.keys().filter(|name| name.ends_with(suffix));
            return (0, found.map(|name| format!("./{name}")).collect::<Vec<_>>().join("\n"));
        }
        if let Some(text) = command.strip_prefix("echo ") {
            return (0, text.trim_matches('"').to_owned());
        }
        if let Some(name) = command.strip_prefix("wc -l -- ") {
            let name = name.trim_matches('\'');
            return (0, format!("{} {name}", self.files[name].lines().count()));
        }
        match command {
            "python3 hello.py" if self.no_python => (127, "bash: line 1: python3: command not found".to_owned()),
            "python3 hello.py" => match self.files.get("hello.py").map(String::as_str) {
                None => (2, "python3: can't open file 'hello.py': [Errno 2] No such file or directory".to_owned()),
                Some(program) => match program.strip_prefix("print(\"").and_then(|rest| rest.strip_suffix("\")")) {
                    Some(printed) => (0, printed.to_owned()),
                    None => (
                        1,
                        "Traceback (most recent call last):\n  File \"hello.py\", line 1, in <module>\nNameError: name \
                         'greeting' is not defined"
                            .to_owned(),
                    ),
                },
            },
            "ls -1p" | "ls" => (0, self.files.keys().cloned().collect::<Vec<_>>().join("\n")),
            "pwd" => (0, "/home/ada/playground".to_owned()),
            "du -sk ." => (0, "4\t.".to_owned()),
            "true" => (0, String::new()),
            "false" => (1, String::new()),
            other => (127, format!("bash: line 1: {other}: command not found")),
        }
    }
}
