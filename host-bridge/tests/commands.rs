//! What a command gives back, and what it finds around itself.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::process::Command;

use bridge_protocol::frames::{Refusal, Status, ToPage};
use bridge_protocol::{CallEvent, Event, Outcome};
use harness::Bridge;
use harness::page::Page;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

/// Runs a command; its outcome, standard output and standard error.
async fn check(page: &mut Page, command: &str, outcome: Outcome, stdout: &str, stderr: &str) {
    let ran = page.run(&command.replace(char::is_control, " "), command).await;
    assert_eq!((ran.outcome(), ran.out().as_str(), ran.err().as_str()), (&outcome, stdout, stderr), "{command}");
}

const fn exited(code: i32) -> Outcome {
    Outcome::Exited { code }
}

#[tokio::test]
async fn p22_both_streams_and_the_exit_code_or_the_signal_come_back() {
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
    check(page, "echo 'a b' \"c'd\" $'e\\tf'", exited(0), "a b c'd e\tf\n", "").await;
    check(page, "cat <<'X'\n$HOME `x`\nX", exited(0), "$HOME `x`\n", "").await;
    check(page, "nosuchprogram", exited(127), "", "bash: line 1: nosuchprogram: command not found\n").await;
    check(page, "echo 'half", exited(2), "", UNCLOSED).await;
}

const UNCLOSED: &str = "bash: -c: line 1: unexpected EOF while looking for matching `''\n";

#[tokio::test]
async fn p18_p20_p21_bytes_that_are_no_text_pass_unchanged() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let ran = page.run("1", r"printf 'a\xff\xfe\x00b\n'; printf '\xe6\xb1'; sleep 0.05; printf '\x89\n'").await;
    assert_eq!(ran.stdout, b"a\xff\xfe\0b\n\xe6\xb1\x89\n");
    let ran = page.run("2", "head -c 5000 /bin/sh").await;
    assert_eq!(ran.stdout, std::fs::read("/bin/sh").unwrap()[..5000]);
    check(page, "echo after", exited(0), "after\n", "").await;
}

#[tokio::test]
async fn output_comes_while_the_command_runs_and_in_its_order() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let gate = bridge.path("gate");
    page.start("1", "echo one; until [ -e gate ]; do sleep 0.01; done; echo two >&2; sleep 0.05; echo three", None);
    page.until_output("one").await;
    std::fs::write(gate, "").unwrap();
    let ran = page.end("1").await;
    assert_eq!(String::from_utf8(ran.both).unwrap(), "two\nthree\n");
    // Python holds nothing back either.
    if Command::new("python3").arg("--version").output().is_ok() {
        page.start("2", "python3 -c 'import time; print(1); time.sleep(1000)'", Some(1500));
        let ran = page.end("2").await;
        assert_eq!((ran.out().as_str(), ran.outcome()), ("1\n", &Outcome::TimedOut { after_ms: 1500 }));
    }
}

#[tokio::test]
async fn p23_every_command_starts_in_the_workspace_and_nothing_lasts() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let here = bridge.workspace.path().canonicalize().unwrap().to_str().unwrap().to_owned();
    check(page, "cd /tmp && pwd", exited(0), "/tmp\n", "").await;
    check(page, "pwd", exited(0), &format!("{here}\n"), "").await;
    check(page, "export A=1; B=2; f() { :; }; set -e; shopt -s nullglob", exited(0), "", "").await;
    check(page, "echo \"[$A$B]\"; type f >/dev/null 2>&1 || echo none; echo $-", exited(0), "[]\nnone\nhBc\n", "")
        .await;
    std::fs::create_dir(bridge.path("sub")).unwrap();
    check(page, "cd sub && rm -rf ../sub", exited(0), "", "").await;
    let ran = page.run("the directory is told", "pwd").await;
    assert_eq!((ran.out(), ran.ended.cwd), (format!("{here}\n"), here));
}

#[tokio::test]
async fn p24_a_workspace_that_is_gone_is_told() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let here = bridge.workspace.path().canonicalize().unwrap();
    std::fs::remove_dir_all(&here).unwrap();
    let gone = Refusal::WorkspaceGone { path: here.to_str().unwrap().to_owned() };
    let ran = page.run("1", "pwd").await;
    assert_eq!(ran.outcome(), &Outcome::CannotStart { why: gone });
    std::fs::create_dir(&here).unwrap();
    check(page, "echo again", exited(0), "again\n", "").await;
}

#[tokio::test]
async fn p11_p12_p13_nobody_is_waited_for() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    check(page, "cat", exited(0), "", "").await;
    check(page, "read x", exited(1), "", "").await;
    check(page, "cat & wait", exited(0), "", "").await;
    let tty = page.run("tty", "tty; true </dev/tty").await;
    assert_eq!(tty.out(), "not a tty\n");
    assert!(tty.err().contains("/dev/tty"), "{}", tty.err());
    for command in [
        "python3 -c 'input()'",
        "python3 -c 'import getpass; getpass.getpass()'",
        "vi x",
        "nano x",
        "top",
        "sudo -k true",
        "ssh -p 1 127.0.0.1",
        "gpg --symmetric /etc/hostname",
        "grep x",
        "man bash",
        "less /etc/passwd",
    ] {
        let ran = page.run(command, &format!("{command} >/dev/null 2>&1; echo done")).await;
        assert_eq!((ran.out().as_str(), ran.outcome()), ("done\n", &exited(0)), "{command}");
    }
}

#[tokio::test]
async fn p13_p15_git_asks_nobody() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let set_up = "git init -q . && git config user.email a@example.org && git config user.name A \
                  && for i in $(seq 40); do git commit -q --allow-empty -m \"commit $i\" -m \"$(seq 30)\"; done";
    check(page, set_up, exited(0), "", "").await;
    let log = page.run("log", "git log | wc -l").await;
    assert_eq!(log.outcome(), &exited(0));
    let head = page.run("head", "git rev-parse HEAD").await.out();
    for command in ["git rebase -i HEAD~2", "echo x > x; git add x; git commit", "git commit --amend"] {
        let ran = page.run(command, command).await;
        assert_eq!(ran.outcome(), &exited(1), "{command}: {}", ran.err());
        assert!(ran.err().contains("There is no editor in this shell"), "{command}: {}", ran.err());
    }
    // What would ask for a name and a password says that it cannot.
    let asked = page.run("login", "printf 'protocol=https\\nhost=example.org\\n\\n' | git credential fill").await;
    assert_eq!(asked.outcome(), &exited(128), "{}", asked.err());
    assert!(asked.err().contains("could not read Username"), "{}", asked.err());
    let after = page.run("head again", "git rev-parse HEAD").await.out();
    assert_eq!(after, head);
}

#[tokio::test]
async fn p25_no_setting_of_the_person_s_shell_changes_a_command() {
    let rc = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(rc.path(), "echo hostile; shopt -s nullglob; alias ls='echo hostile'; set -u\n").unwrap();
    let home = tempfile::tempdir().unwrap();
    for name in [".bashrc", ".bash_profile", ".profile", ".inputrc"] {
        std::fs::copy(rc.path(), home.path().join(name)).unwrap();
    }
    let bridge = Bridge::with(|command| {
        for name in ["BASH_ENV", "ENV"] {
            command.env(name, rc.path());
        }
        command
            .env("HOME", home.path())
            .env("SHELLOPTS", "nounset:errexit:xtrace")
            .env("BASHOPTS", "nullglob")
            .env("PS4", "hostile ")
            .env("PROMPT_COMMAND", "echo hostile")
            .env("BASH_FUNC_ls%%", "() { echo hostile; }")
            .env("CDPATH", "/")
            .env("GLOBIGNORE", "*")
            .env("IFS", "e");
    });
    std::fs::write(bridge.path("file"), "").unwrap();
    let page = &mut bridge.page().await;
    check(page, "false; echo $- [$unset] none*; ls; cd . && type -t ls", exited(0), "hBc [] none*\nfile\nfile\n", "")
        .await;
}

#[tokio::test]
async fn a_command_finds_an_ordinary_process_around_itself() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    check(page, "grep SigBlk /proc/self/status", exited(0), "SigBlk:\t0000000000000000\n", "").await;
    // Its own session, of which the supervisor is the leader, and its own group.
    check(page, "[ $(ps -o pgid= $$) = $$ ] && [ $(ps -o sid= $$) = $PPID ] && echo own", exited(0), "own\n", "").await;
    check(page, "ls /proc/$$/fd; true", exited(0), "0\n1\n2\n", "").await;
    check(page, "readlink /proc/$$/fd/0", exited(0), "/dev/null\n", "").await;
    check(page, "yes | head -1; echo ${PIPESTATUS[0]}", exited(0), "y\n141\n", "").await;
    // A signal for the supervisor does not end it.
    check(page, "kill -TERM $PPID; kill -INT $PPID; kill -HUP $PPID; sleep 0.1; echo still", exited(0), "still\n", "")
        .await;
}

#[tokio::test]
async fn w6_the_shell_s_end_is_told_before_the_end_of_the_output() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    page.start("1", "{ sleep 0.05; echo late; } & exit 4", None);
    page.flush().await;
    let mut told = Vec::new();
    while !told.last().is_some_and(|it: &String| it.starts_with("closed")) {
        told.push(match page.message().await.unwrap().unwrap() {
            Message::Text(text) => match ToPage::parse(&text).unwrap() {
                ToPage::Started { .. } => "started".to_owned(),
                ToPage::Exited { status, .. } => format!("exited {:?}", status == Status::Code(4)),
                ToPage::Closed { bytes, .. } => format!("closed {bytes}"),
                other => panic!("{other:?}"),
            },
            _ => "output".to_owned(),
        });
    }
    assert_eq!(told, ["started", "exited true", "output", "closed 5"]);
}

#[tokio::test]
async fn what_is_no_command_starts_nothing() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let detail = |detail: &str| Refusal::BadArguments { detail: detail.to_owned() };
    let cases: Vec<(&str, Value, Option<u64>, Refusal)> = vec![
        ("sh", json!({"command": "echo x >> ran"}), None, Refusal::UnknownTool),
        ("bash", json!({}), None, detail("`command` is missing")),
        ("bash", json!({"command": 3}), None, detail("`command` is not a string")),
        ("bash", json!("echo x >> ran"), None, detail("the arguments are not an object")),
        (
            "bash",
            json!({"command": "echo x >> ran\0"}),
            None,
            detail("`command` holds a NUL character, which no command can"),
        ),
        ("bash", json!({"command": "echo x >> ran"}), Some(0), detail("timeout_ms must be 1 to 3600000")),
        ("bash", json!({"command": "echo x >> ran"}), Some(u64::MAX), detail("timeout_ms must be 1 to 3600000")),
    ];
    for (index, (tool, arguments, timeout, why)) in cases.into_iter().enumerate() {
        let call = index.to_string();
        page.client.run(&call, tool, arguments.clone(), timeout).unwrap();
        let ran = page.end(&call).await;
        assert_eq!((ran.outcome(), ran.starts), (&Outcome::CannotStart { why }, 0), "{tool} {arguments}");
    }
    assert!(!bridge.path("ran").exists());
    // The longest command there can be does run.
    let long = format!("echo {}", "x".repeat(131_071 - 5));
    assert_eq!(page.run("long", &long).await.stdout.len(), 131_071 - 5 + 1);
}

#[tokio::test]
async fn calls_run_side_by_side_up_to_a_number() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    for index in 0..17 {
        page.start(&index.to_string(), "until [ -e gate ]; do sleep 0.02; done; echo $$", None);
    }
    let refused = page.end("16").await;
    assert_eq!(refused.outcome(), &Outcome::CannotStart { why: Refusal::TooManyRunning { limit: 16 } });
    std::fs::write(bridge.path("gate"), "").unwrap();
    let mut ended = 0;
    while ended < 16 {
        if let Event::Call { event: CallEvent::Ended(end), .. } = page.event().await {
            assert_eq!(end.outcome, exited(0));
            ended += 1;
        }
    }
}
