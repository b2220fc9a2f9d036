//! What a command gives back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

mod harness;

use bridge_protocol::Outcome;
use harness::Bridge;
use harness::page::Page;

/// Runs a command; its outcome, standard output and standard error.
async fn check(page: &mut Page, command: &str, outcome: Outcome, stdout: &str, stderr: &str) {
    let ran = page.run(&format!("{:p}{}", command, command.len()), command).await;
    assert_eq!((ran.outcome(), ran.out().as_str(), ran.err().as_str()), (&outcome, stdout, stderr), "{command}");
}

const fn exited(code: i32) -> Outcome {
    Outcome::Exited { code }
}

#[tokio::test]
async fn both_streams_and_the_exit_code_come_back() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    check(page, "true", exited(0), "", "").await;
    check(page, "exit 7", exited(7), "", "").await;
    check(page, "echo out; echo err >&2", exited(0), "out\n", "err\n").await;
    check(page, "printf 'no newline'", exited(0), "no newline", "").await;
    check(page, "kill -9 $$", Outcome::Signalled { number: 9 }, "", "").await;
    check(page, "kill -TERM $$", Outcome::Signalled { number: 15 }, "", "").await;
    check(page, "(exit 3); echo $?", exited(0), "3\n", "").await;
    check(page, "echo 一二三", exited(0), "一二三\n", "").await;
    check(page, "-x", exited(127), "", "bash: line 1: -x: command not found\n").await;
}
