//! What runs without a question, what is refused, and who is asked: decided by the bridge, whatever a page says.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::fs::File;
use std::io::{Read, Write};
use std::process::Command;
use std::time::Duration;

use bridge_protocol::frames::{Decision, Reason, Refusal, Verdict};
use bridge_protocol::{Event, Outcome};
use harness::page::Page;
use harness::{Bridge, LONG, until};
use serde_json::json;

/// A bridge with these rules.
fn ruled(rules: &str) -> (Bridge, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("host-bridge.toml");
    std::fs::write(&file, format!("[policy]\n{rules}")).unwrap();
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let bridge = Bridge::with(|command| {
        command.arg("--config").arg(&file);
    });
    (bridge, folder)
}

const RULES: &str = "deny = [\"sudo\"]\nallow = [\"touch allowed *\"]\nread_only = true\n";

#[track_caller]
fn check_refused(outcome: &Outcome, expected: Refusal) {
    assert_eq!(outcome, &Outcome::CannotStart { why: expected });
}

/// Runs a command that no person was asked about.
async fn unasked(page: &mut Page, call: &str, command: &str) -> Outcome {
    page.client.run_unasked(call, "bash", json!({ "command": command }), Some(20_000)).unwrap();
    page.end(call).await.ended.outcome
}

async fn review(page: &mut Page, tool: &str, command: &str) -> Verdict {
    assert!(page.client.review("r", tool, json!({ "command": command })));
    match page.until(|event| matches!(event, Event::Reviewed { .. })).await {
        Event::Reviewed { verdict, .. } => verdict,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_review_says_what_the_rules_settle_and_runs_nothing() {
    let (bridge, _folder) = ruled(RULES);
    let page = &mut bridge.page().await;
    let rule = |rule: &str| Reason::Rule { rule: rule.to_owned() };
    let verdict = |decision, reason| Verdict { decision, reason };
    let allowed = verdict(Decision::Allow, rule("touch allowed *"));
    assert_eq!(review(page, "bash", "touch allowed x").await, allowed);
    assert_eq!(review(page, "bash", "ls").await, verdict(Decision::Allow, Reason::ReadOnly));
    assert_eq!(review(page, "bash", "ls; sudo x").await, verdict(Decision::Deny, rule("sudo")));
    assert_eq!(review(page, "bash", "ls; x").await, verdict(Decision::Ask, Reason::NotSimple));
    assert_eq!(review(page, "bash", "touch x").await, verdict(Decision::Ask, Reason::NoRule));
    assert_eq!(review(page, "fish", "ls").await, verdict(Decision::Ask, Reason::NoRule));
    assert!(!bridge.path("allowed").exists());
}

#[tokio::test]
async fn t36_without_a_question_only_what_the_rules_allow_runs() {
    let (bridge, _folder) = ruled(RULES);
    let page = &mut bridge.page().await;
    assert_eq!(unasked(page, "1", "touch allowed x").await, Outcome::Exited { code: 0 });
    assert!(bridge.path("allowed").exists());
    assert_eq!(unasked(page, "2", "ls").await, Outcome::Exited { code: 0 });
    for (call, command) in [
        "touch other",
        "touch allowed; touch other",
        "touch allowed $(touch other)",
        "A=1 touch allowed",
        "cat /etc/passwd",
    ]
    .iter()
    .enumerate()
    {
        check_refused(&unasked(page, &format!("no-{call}"), command).await, Refusal::NotAsked);
    }
    assert!(!bridge.path("other").exists());
    // The same id is free again for a call that a person allows.
    let (bridge, _folder) = ruled("");
    let page = &mut bridge.page().await;
    check_refused(&unasked(page, "1", "ls").await, Refusal::NotAsked);
    page.client = bridge_protocol::Client::new();
    let page = &mut bridge.page().await;
    assert_eq!(page.run("1", "ls").await.outcome(), &Outcome::Exited { code: 0 });
}

#[tokio::test]
async fn what_a_rule_denies_does_not_run_whoever_allowed_it() {
    let (bridge, _folder) = ruled("deny = [\"touch\"]\nallow = [\"touch *\"]\n");
    let page = &mut bridge.page().await;
    let denied = Refusal::Denied { rule: "touch".to_owned() };
    check_refused(page.run("1", "touch x").await.outcome(), denied.clone());
    check_refused(page.run("2", "true; /usr/bin/touch x").await.outcome(), denied.clone());
    check_refused(&unasked(page, "3", "touch x").await, denied);
    assert!(!bridge.path("x").exists());
    assert_eq!(page.run("4", "true").await.outcome(), &Outcome::Exited { code: 0 });
}

#[tokio::test]
async fn t34_a_command_cannot_give_itself_a_rule() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let write = "mkdir -p .config/loopglass loopglass; for f in .config/loopglass/host-bridge.toml \
                 loopglass/host-bridge.toml host-bridge.toml; do printf '[policy]\\nread_only = true\\n' > $f; done";
    assert_eq!(page.run("1", write).await.outcome(), &Outcome::Exited { code: 0 });
    check_refused(&unasked(page, "2", "ls").await, Refusal::NotAsked);
}

/// A bridge that asks on a terminal of ours.
fn on_a_terminal(rules: &str) -> (Bridge, File, tempfile::TempDir) {
    let terminal = nix::pty::openpty(None, None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("host-bridge.toml");
    std::fs::write(&file, format!("[policy]\n{rules}")).unwrap();
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let bridge = Bridge::with(|command: &mut Command| {
        command.arg("--config").arg(&file).args(["--confirm", "terminal"]);
        command.stdin(terminal.slave.try_clone().unwrap()).stderr(terminal.slave.try_clone().unwrap());
    });
    (bridge, File::from(terminal.master), folder)
}

/// Reads the terminal until this text has come.
fn read_until(terminal: &mut File, text: &str) -> String {
    let mut seen = String::new();
    let began = std::time::Instant::now();
    while !seen.contains(text) {
        assert!(began.elapsed() < LONG, "{seen}");
        let mut bytes = [0; 1024];
        let len = terminal.read(&mut bytes).unwrap();
        seen.push_str(&String::from_utf8_lossy(&bytes[..len]));
    }
    seen
}

#[tokio::test]
async fn t39_without_a_yes_at_the_terminal_nothing_is_spawned() {
    let (bridge, mut terminal, _folder) = on_a_terminal("allow = [\"touch allowed\"]\n");
    let page = &mut bridge.page().await;
    assert!(page.client.bridge().unwrap().asks_on_terminal);
    for (call, (answer, runs)) in
        [("n\n", false), ("\n", false), ("yes please\n", false), ("y\n", true), ("yes\n", true)].iter().enumerate()
    {
        let (call, file) = (format!("c{call}"), format!("f{call}"));
        page.start(&call, &format!("touch {file} \u{1b}[2K"), Some(20_000));
        page.flush().await;
        let asked = read_until(&mut terminal, "[y/N]");
        assert!(asked.contains(&format!("touch {file} \\u{{1b}}[2K")), "{asked}");
        assert!(!bridge.path(&file).exists());
        terminal.write_all(answer.as_bytes()).unwrap();
        let outcome = page.end(&call).await.ended.outcome;
        if *runs {
            assert_eq!(outcome, Outcome::Exited { code: 0 }, "{answer:?}");
        } else {
            check_refused(&outcome, Refusal::NotConfirmed);
        }
        assert_eq!(bridge.path(&file).exists(), *runs, "{answer:?}");
    }
    // What the person's own rules allow is not asked about.
    assert_eq!(page.run("allowed", "touch allowed").await.outcome(), &Outcome::Exited { code: 0 });
}

#[tokio::test]
async fn what_was_typed_before_the_question_is_no_answer() {
    let (bridge, mut terminal, _folder) = on_a_terminal("");
    let page = &mut bridge.page().await;
    terminal.write_all(b"y\ny\n").unwrap();
    page.start("1", "touch early", Some(20_000));
    page.flush().await;
    read_until(&mut terminal, "[y/N]");
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!bridge.path("early").exists());
    terminal.write_all(b"n\n").unwrap();
    check_refused(page.end("1").await.outcome(), Refusal::NotConfirmed);
}

#[tokio::test]
async fn a_yes_to_a_question_that_nobody_waits_for_starts_nothing() {
    let (bridge, mut terminal, _folder) = on_a_terminal("");
    let page = &mut bridge.page().await;
    page.start("1", "touch cancelled", Some(20_000));
    page.flush().await;
    read_until(&mut terminal, "[y/N]");
    page.client.cancel("1");
    check_refused(page.end("1").await.outcome(), Refusal::NotConfirmed);
    terminal.write_all(b"y\n").unwrap();
    // A page that is gone does not wait either.
    let mut other = bridge.page().await;
    other.start("2", "touch gone", Some(20_000));
    other.flush().await;
    read_until(&mut terminal, "[y/N]");
    drop(other);
    tokio::time::sleep(Duration::from_millis(200)).await;
    terminal.write_all(b"y\n").unwrap();
    // Asked again by a page that stays, and answered: by then the two before would have run.
    let page = &mut bridge.page().await;
    page.start("3", "touch stays", Some(20_000));
    page.flush().await;
    read_until(&mut terminal, "[y/N]");
    terminal.write_all(b"y\n").unwrap();
    assert_eq!(page.end("3").await.outcome(), &Outcome::Exited { code: 0 });
    until("the file is there", || bridge.path("stays").exists()).await;
    assert!(!bridge.path("cancelled").exists() && !bridge.path("gone").exists());
}

#[tokio::test]
async fn a_call_sent_twice_is_asked_about_once() {
    let (bridge, mut terminal, _folder) = on_a_terminal("");
    let mut page = bridge.page().await;
    page.start("1", "echo x >> once", Some(20_000));
    page.flush().await;
    read_until(&mut terminal, "[y/N]");
    let mut page = harness::page::reconnect(&bridge, page.cut()).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    terminal.write_all(b"y\n").unwrap();
    assert_eq!(page.end("1").await.outcome(), &Outcome::Exited { code: 0 });
    assert_eq!(harness::read(bridge.path("once")), "x\n");
}

#[test]
fn without_a_terminal_there_is_nobody_to_ask() {
    let output = Command::new(env!("CARGO_BIN_EXE_host-bridge"))
        .args(["--port", "0", "--no-open", "--confirm", "terminal", "--workspace", "/usr"])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("needs a terminal"));
}
