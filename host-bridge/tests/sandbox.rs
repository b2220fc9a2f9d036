//! What a command in a sandbox can do and what it cannot, tried by real commands; and what is told of it.
//!
//! Where this machine allows no sandbox, the tests that need one say so and pass.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bridge_protocol::Outcome;
use bridge_protocol::frames::{NoSandbox, Refusal, Sandbox};
use harness::page::{Page, Ran};
use harness::{Bridge, ESCAPES, assert_gone, long_sleep, processes_with, read};
use tempfile::TempDir;

/// A home that a sandbox does not hide as it does `/tmp`.
fn home() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Runs a command to its end; its exit code and standard output.
async fn run(page: &mut Page, command: &str) -> (Option<i32>, String) {
    let call = format!("{:?}", std::time::Instant::now());
    let ran = page.run(&call, command).await;
    match ran.outcome() {
        Outcome::Exited { code } => (Some(*code), ran.out()),
        _ => (None, ran.out()),
    }
}

/// The command fails.
async fn check_denied(page: &mut Page, command: &str) {
    let (code, out) = run(page, command).await;
    assert!(code.is_some_and(|code| code != 0), "{command}: {code:?} {out}");
}

#[tokio::test]
async fn t37_a_sandbox_that_is_on_is_told_everywhere() {
    let Some(bridge) = Bridge::sandboxed(|_| {}) else { return };
    let page = bridge.page().await;
    let hello = page.client.bridge().unwrap();
    assert_eq!(hello.sandbox, Some(Sandbox::On { network: false }));
    assert!(hello.tools[0].description.contains("no network"), "{:?}", hello.tools);
    let log = read(bridge.elsewhere.path().join("state/loopglass/audit.jsonl"));
    assert!(log.contains(r#""sandbox":{"state":"on","network":false}"#), "{log}");
    assert!(read(&bridge.log).contains("sandbox on: commands write only in the workspace"), "{}", read(&bridge.log));
}

#[tokio::test]
async fn the_workspace_can_be_written_and_so_can_a_tmp_that_is_nobody_else_s() {
    let Some(bridge) = Bridge::sandboxed(|_| {}) else { return };
    let page = &mut bridge.page().await;
    let workspace = bridge.workspace.path().canonicalize().unwrap();
    let name = format!("/tmp/of-a-command-{}", std::process::id());
    let command =
        format!("pwd; mkdir sub && echo one > sub/a && mv sub new && cat new/a; echo two > {name}; mktemp -u");
    let ran = page.run("1", &command).await;
    let out = ran.out();
    assert!(out.starts_with(&format!("{}\none\n/tmp/", workspace.display())), "{out}{}", ran.err());
    assert_eq!(Path::new(&ran.ended.cwd), workspace);
    assert_eq!(read(bridge.path("new/a")), "one\n");
    // What a command leaves there the next one finds, and nobody else.
    assert_eq!(run(page, &format!("cat {name}")).await, (Some(0), "two\n".to_owned()));
    assert!(!Path::new(&name).exists());
}

#[tokio::test]
async fn its_tmp_goes_with_the_bridge_whatever_is_going_on() {
    let busy = "while :; do mkdir -p /tmp/$$/a && echo x > /tmp/$$/a/$RANDOM; done";
    for round in 0..5 {
        let Some(mut bridge) = Bridge::sandboxed(|_| {}) else { return };
        let page = &mut bridge.page().await;
        let elsewhere = bridge.elsewhere.path().to_owned();
        let folders = || {
            let names = std::fs::read_dir(&elsewhere).unwrap().flatten().map(|entry| entry.file_name());
            names.filter(|name| name.to_str().unwrap().starts_with("loopglass-tmp-")).count()
        };
        assert_eq!(folders(), 1);
        for number in 0..6 {
            page.start(&format!("busy {number}"), busy, None);
        }
        // Some have just ended, so that supervisors for the next ones are being started.
        for number in 0..round {
            page.run(&format!("over {number}"), "mkdir /tmp/$RANDOM").await;
        }
        bridge.signal("TERM");
        assert_eq!((bridge.wait(), folders()), (Some(0), 0), "round {round}");
    }
}

#[tokio::test]
async fn t34_nothing_else_can_be_written() {
    let home = home();
    std::fs::write(home.path().join(".bashrc"), "mine\n").unwrap();
    let Some(bridge) = Bridge::sandboxed(|command| {
        command.env("HOME", home.path());
    }) else {
        return;
    };
    let page = &mut bridge.page().await;
    assert_eq!(run(page, "cat ~/.bashrc").await, (Some(0), "mine\n".to_owned()));
    for command in [
        "echo x >> ~/.bashrc",
        "echo x > ~/new",
        "mkdir -p ~/.config/loopglass",
        "rm ~/.bashrc",
        "chmod 777 ~/.bashrc",
        "touch /usr/new",
        "touch /run/new",
        // No way around by the kernel, also for root.
        "test -w /proc/sys/kernel/core_pattern",
        "mount -o remount,rw /",
        "mount -t tmpfs none /usr",
        "umount /run",
        "unshare -Urm mount -o remount,bind,rw /",
        "mknod dev b 8 0",
    ] {
        check_denied(page, command).await;
    }
    assert_eq!(read(home.path().join(".bashrc")), "mine\n");
    assert!(!home.path().join("new").exists());
    // It sees itself alone, and not the bridge.
    check_denied(page, &format!("kill -0 {}", bridge.pid())).await;
    let (_, seen) = run(page, "cat /proc/[0-9]*/comm").await;
    assert!(seen.lines().all(|name| ["bash", "cat", "host-bridge-one"].contains(&name)), "{seen}");
    // And cannot speak in the name of the one that watches it.
    check_denied(page, "ls -l /proc/1/fd").await;
}

#[tokio::test]
async fn secrets_are_not_there() {
    let home = home();
    let files = [".ssh/id", ".aws/credentials", ".config/gh/hosts.yml", ".docker/config.json", ".mozilla/firefox/key"];
    let own = [".config/loopglass/host-bridge.toml", ".local/state/loopglass/audit.jsonl"];
    for name in files.iter().chain(&own) {
        let path = home.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "# hidden\n").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
    }
    std::fs::write(home.path().join(".netrc"), "hidden").unwrap();
    // A link is no way around, and neither is the place it leads to.
    std::fs::create_dir(home.path().join("moved")).unwrap();
    std::fs::write(home.path().join("moved/key"), "hidden").unwrap();
    std::os::unix::fs::symlink(home.path().join("moved"), home.path().join(".kube")).unwrap();
    let elsewhere = home.path().join("mine.toml");
    std::fs::write(&elsewhere, "# hidden\n").unwrap();
    let Some(bridge) = Bridge::sandboxed(|command| {
        command.env("HOME", home.path()).env_remove("XDG_CONFIG_HOME").env_remove("XDG_STATE_HOME");
        command.arg("--config").arg(&elsewhere);
    }) else {
        return;
    };
    let page = &mut bridge.page().await;
    let search =
        "grep -rls hidden ~; ls -A ~/.ssh ~/.config/loopglass ~/.local/state/loopglass | grep -v : ; cat ~/.netrc";
    assert_eq!(run(page, search).await.1.trim(), "");
    check_denied(page, "touch ~/.ssh/authorized_keys").await;
    // One that comes into being while the bridge runs is not there for the next command either.
    std::fs::write(home.path().join(".git-credentials"), "hidden").unwrap();
    std::fs::write(home.path().join("new"), "hidden").unwrap();
    std::fs::rename(home.path().join("new"), home.path().join(".netrc")).unwrap();
    assert_eq!(run(page, search).await.1.trim(), "");
}

#[tokio::test]
async fn a_home_as_the_workspace_keeps_its_secrets() {
    let home = home();
    std::fs::create_dir(home.path().join(".ssh")).unwrap();
    std::fs::write(home.path().join(".ssh/id"), "hidden").unwrap();
    let Some(bridge) = Bridge::sandboxed(|command| {
        command.env("HOME", home.path()).env_remove("XDG_CONFIG_HOME").arg("--workspace").arg(home.path());
    }) else {
        return;
    };
    let page = &mut bridge.page().await;
    assert_eq!(run(page, "touch made; cat .ssh/id; ls -A .ssh .config/loopglass").await.1.matches("id").count(), 0);
    assert!(home.path().join("made").exists());
    check_denied(page, "mkdir -p .config/loopglass && echo '[policy]' > .config/loopglass/host-bridge.toml").await;
    assert_eq!(read(home.path().join(".ssh/id")), "hidden");
}

#[tokio::test]
async fn t32_there_is_no_network_unless_it_is_allowed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let connect = format!("exec 3<>/dev/tcp/127.0.0.1/{}", listener.local_addr().unwrap().port());
    let Some(bridge) = Bridge::sandboxed(|_| {}) else { return };
    let page = &mut bridge.page().await;
    check_denied(page, &connect).await;
    check_denied(page, &format!("exec 3<>/dev/tcp/127.0.0.1/{}", bridge.port)).await;
    assert!(listener.accept().is_err());
    // A port of its own is its own.
    let open = Bridge::sandboxed(|command| {
        command.arg("--sandbox-network");
    });
    let Some(open) = open else { return };
    let page = &mut open.page().await;
    assert_eq!(page.client.bridge().unwrap().sandbox, Some(Sandbox::On { network: true }));
    assert_eq!(run(page, &connect).await.0, Some(0));
    assert!(listener.accept().is_ok());
    check_denied(page, "touch /usr/new").await;
}

#[track_caller]
fn check_end(ran: &Ran, outcome: &Outcome, command: &str) {
    assert_eq!(ran.outcome(), outcome, "{command}");
    assert_eq!(ran.out(), "before\n", "{command}");
}

#[tokio::test]
async fn p3_p5_p8_a_tree_in_a_sandbox_ends_as_any_other() {
    let Some(mut bridge) = Bridge::sandboxed(|_| {}) else { return };
    let page = &mut bridge.page().await;
    for (index, escape) in ESCAPES.iter().enumerate() {
        let sleep = long_sleep();
        let command = format!("echo before; {}", escape.replace("SLEEP", &sleep));
        page.start(&format!("timeout {index}"), &command, Some(300));
        check_end(&page.end(&format!("timeout {index}")).await, &Outcome::TimedOut { after_ms: 300 }, &command);
        assert_eq!(processes_with(&sleep), Vec::<String>::new(), "{command}");
        page.start(&format!("cancel {index}"), &command, None);
        page.until_output("before").await;
        page.client.cancel(&format!("cancel {index}"));
        assert_eq!(page.end(&format!("cancel {index}")).await.outcome(), &Outcome::Stopped, "{command}");
        assert_eq!(processes_with(&sleep), Vec::<String>::new(), "{command}");
    }
    // What a command cannot do here is end the one that watches it.
    let sleep = long_sleep();
    let ran = page.run("left", &format!("kill -9 $PPID 1; setsid sleep {sleep} & echo before; exit 3")).await;
    check_end(&ran, &Outcome::Exited { code: 3 }, "left");
    assert!(ran.ended.leftovers.iter().any(|left| left.command.contains(&sleep)), "{:?}", ran.ended);
    for (command, outcome) in [
        ("echo before; kill -9 $$", Outcome::Signalled { number: 9 }),
        ("echo before; kill -TERM $$", Outcome::Signalled { number: 15 }),
        ("echo before; (kill -9 $BASHPID); exit", Outcome::Exited { code: 137 }),
    ] {
        check_end(&page.run(command, command).await, &outcome, command);
    }
    // A bridge that is killed leaves nothing.
    let sleep = long_sleep();
    page.start("last", &format!("echo up; setsid sleep {sleep} & sleep {sleep}"), None);
    page.until_output("up").await;
    bridge.signal("KILL");
    bridge.wait();
    assert_gone(&sleep);
    assert_gone(&format!("--bind {0} {0}", bridge.workspace.path().display()));
}

#[tokio::test]
async fn p24_another_workspace_of_the_same_name_is_the_workspace() {
    let folder = home();
    let workspace = folder.path().join("play");
    std::fs::create_dir(&workspace).unwrap();
    let Some(bridge) = Bridge::sandboxed(|command| {
        command.arg("--workspace").arg(&workspace);
    }) else {
        return;
    };
    let page = &mut bridge.page().await;
    assert_eq!(run(page, "echo one > a").await.0, Some(0));
    std::fs::rename(&workspace, folder.path().join("old")).unwrap();
    let path = workspace.canonicalize().unwrap_or(workspace.clone()).to_str().unwrap().to_owned();
    let gone = page.run("gone", "true").await;
    assert_eq!(gone.outcome(), &Outcome::CannotStart { why: Refusal::WorkspaceGone { path } });
    std::fs::create_dir(&workspace).unwrap();
    assert_eq!(run(page, "ls; echo two > b").await, (Some(0), String::new()));
    assert_eq!(read(workspace.join("b")), "two\n");
}

/// Starts without a page; the exit code and what was said.
fn start(path: &Path, when: &str) -> (Option<i32>, String) {
    let workspace = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_host-bridge"))
        .args(["--port", "0", "--no-open", "--idle-exit", "0.1", "--sandbox", when, "--workspace"])
        .arg(workspace.path())
        .env("PATH", path)
        .env("XDG_STATE_HOME", workspace.path())
        .env("XDG_CONFIG_HOME", workspace.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// A folder with a program in the place of bubblewrap.
fn pretender(script: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let program: PathBuf = folder.path().join("bwrap");
    std::fs::write(&program, format!("#!/bin/bash\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    folder
}

#[track_caller]
fn check_off(path: &Path, says: &str) {
    let (code, told) = start(path, "require");
    assert_eq!((code, told.lines().count()), (Some(2), 1), "{told}");
    assert!(told.contains("--sandbox require") && told.contains(says), "{told}");
    let (code, told) = start(path, "auto");
    assert_eq!(code, Some(0), "{told}");
    let line = told.lines().find(|line| line.contains("sandbox")).unwrap();
    assert!(line.contains("sandbox off: ") && line.contains(says) && line.contains("all of your rights"), "{told}");
}

#[test]
fn t37_a_sandbox_that_does_not_hold_is_none() {
    check_off(Path::new("/nonexistent"), "apt install bubblewrap");
    check_off(
        pretender("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1").path(),
        "setting up uid map",
    );
    check_off(pretender("exit 0").path(), "bubblewrap ended with exit status: 0");
    // These say that all is well, and hold nothing in.
    let all = "while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"";
    check_off(pretender(all).path(), "a file outside of the workspace could be written");
    let lies = format!("({all}) >/dev/null; echo '{{\"written\":[],\"connected\":false}}'");
    check_off(pretender(&lies).path(), "a file outside of the workspace could be written");
    let (code, told) = start(Path::new("/nonexistent"), "off");
    assert!(code == Some(0) && told.contains("sandbox off: --sandbox off"), "{told}");
}

#[tokio::test]
async fn t37_a_program_of_the_workspace_is_not_taken_for_bubblewrap() {
    let workspace = pretender("exit 0");
    let bridge = Bridge::with(|command| {
        command.args(["--sandbox", "auto", "--workspace"]).arg(workspace.path()).env("PATH", workspace.path());
    });
    let page = bridge.page().await;
    assert_eq!(page.client.bridge().unwrap().sandbox, Some(Sandbox::Off { why: NoSandbox::NoBubblewrap }));
}
