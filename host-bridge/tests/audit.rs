//! What is written down of a session, and what is not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::os::unix::fs::MetadataExt;
use std::process::Command;

use harness::upstream::Upstream;
use harness::{Bridge, read, until};
use serde_json::Value;

const KEY: &str = "sk-audited-0123456789";

fn entries(bridge: &Bridge) -> Vec<Value> {
    let text = read(bridge.elsewhere.path().join("state/loopglass/audit.jsonl"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The entry of this event, without when and where.
fn entry(bridge: &Bridge, event: &str) -> Value {
    let mut entry =
        entries(bridge).into_iter().find(|entry| entry["event"] == event).unwrap_or_else(|| panic!("{event}"));
    let fields = entry.as_object_mut().unwrap();
    fields.remove("at").unwrap();
    fields.remove("bridge").unwrap();
    entry
}

#[tokio::test]
async fn a_session_is_written_down_without_its_secrets() {
    let upstream = Upstream::answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    let mut bridge = Bridge::with(|command| {
        command.arg("--relay").arg(format!("here={}", upstream.url()));
        command.args(["--relay-key", "here=MY_KEY"]).env("MY_KEY", KEY);
    });
    let mut page = bridge.page().await;
    let command = format!("printf abc; exit 3 # {} {KEY} --token=hidden-one sk-looks-like-a-key-0001", bridge.token);
    page.run("s1/1", &command).await;
    assert_eq!(bridge.ask("GET /practice/openai/v1/models", &[("x-api-key", "attempted-value")]).status, 401);
    let host = format!("127.0.0.1:{}", bridge.port);
    let all = [("Host", host.as_str()), ("x-api-key", bridge.token.as_str()), ("Content-Type", "application/json")];
    bridge.ask_raw("POST /relay/here/v1/messages", &all, b"{}");
    drop(page);
    until("everything is written", || {
        let written = entries(&bridge);
        ["ended", "relayed", "disconnected"].iter().all(|event| written.iter().any(|entry| entry["event"] == *event))
    })
    .await;
    bridge.signal("TERM");
    assert_eq!(bridge.wait(), Some(0));

    let file = bridge.elsewhere.path().join("state/loopglass/audit.jsonl");
    assert_eq!(std::fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
    assert_eq!(std::fs::metadata(file.parent().unwrap()).unwrap().mode() & 0o777, 0o700);
    let text = read(&file);
    for secret in [bridge.token.as_str(), KEY, "attempted-value", "hidden-one", "sk-looks-like-a-key-0001"] {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
    let events: Vec<String> =
        entries(&bridge).iter().map(|entry| entry["event"].as_str().unwrap().to_owned()).collect();
    assert_eq!(events.first().map(String::as_str), Some("started"));
    assert_eq!(events.last().map(String::as_str), Some("stopped"));
    let at = entries(&bridge)[0]["at"].as_str().unwrap().to_owned();
    assert!(at.len() == 24 && at.starts_with("20") && at.ends_with('Z'), "{at}");
    assert_eq!(entry(&bridge, "connected"), serde_json::json!({ "event": "connected", "connection": 1 }));
    assert_eq!(entry(&bridge, "refused"), serde_json::json!({ "event": "refused", "why": "token" }));
    let decided = entry(&bridge, "decided");
    assert_eq!(decided["command"].as_str().unwrap().split('#').next(), Some("printf abc; exit 3 "));
    let rest = (&decided["call"], &decided["decision"], &decided["reason"], &decided["asked"], &decided["runs"]);
    assert_eq!(rest, (&"s1/1".into(), &"ask".into(), &"no_rule".into(), &"person".into(), &true.into()));
    let ended = entry(&bridge, "ended");
    assert_eq!((&ended["call"], &ended["bytes"]), (&"s1/1".into(), &3.into()));
    assert_eq!(ended["outcome"], serde_json::json!({ "kind": "exited", "code": 3 }));
    assert_eq!(
        entry(&bridge, "relayed"),
        serde_json::json!({
            "event": "relayed", "upstream": "here", "path": "v1/messages", "status": 200, "key": "bridge", "bytes": 5,
        })
    );
}

#[tokio::test]
async fn what_did_not_run_is_written_down_as_well() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    page.client.run_unasked("1", "bash", serde_json::json!({ "command": "ls; x" }), None).unwrap();
    page.end("1").await;
    let decided = entry(&bridge, "decided");
    assert_eq!((&decided["asked"], &decided["runs"]), (&"nobody".into(), &false.into()));
}

#[tokio::test]
async fn the_log_can_be_read() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    page.run("1", "echo '\u{1b}[2J\u{202e}'").await;
    until("the end is written", || entries(&bridge).iter().any(|entry| entry["event"] == "ended")).await;
    let log = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_host-bridge"))
            .arg("log")
            .args(arguments)
            .env("XDG_STATE_HOME", bridge.elsewhere.path().join("state"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let told = log(&[]);
    assert!(told.lines().next().unwrap().contains("Z started "), "{told}");
    assert!(told.contains("command=echo '\\u{1b}[2J\\u{202e}'"), "{told}");
    assert!(!told.contains(['\u{1b}', '\u{202e}']), "{told}");
    assert_eq!(log(&["-n", "1"]).lines().count(), 1);
    let json: Vec<Value> = log(&["--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json, entries(&bridge));
    assert!(log(&["--help"]).contains("oldest first"));
    assert_eq!(log(&["--folder", "/no/such/folder"]), "");
}

#[tokio::test]
async fn without_a_home_nothing_is_kept_and_all_works() {
    let bridge = Bridge::with(|command| {
        command.env_remove("HOME").env_remove("XDG_STATE_HOME").env_remove("XDG_CONFIG_HOME");
    });
    assert_eq!(bridge.page().await.run("1", "echo fine").await.out(), "fine\n");
}
