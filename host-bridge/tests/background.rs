//! Commands in the background: over real sockets, with real processes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use bridge_protocol::frames::{BackgroundCommand, Refusal, Standing};
use bridge_protocol::{Event, Outcome};
use harness::page::{Page, Ran, reconnect};
use harness::{Bridge, assert_gone, long_sleep, processes_with, read, until};
use serde_json::{Value, json};

/// Runs a tool to its end.
async fn call(page: &mut Page, call: &str, tool: &str, arguments: Value) -> Ran {
    page.client.run(call, tool, arguments, Some(20_000)).unwrap();
    page.end(call).await
}

async fn start(page: &mut Page, name: &str, command: &str) -> Ran {
    call(page, name, "bash", json!({"command": command, "background": true})).await
}

fn told(id: &str, standing: Standing) -> Outcome {
    Outcome::Background { id: id.to_owned(), standing }
}

fn ended(id: &str, end: Outcome) -> Outcome {
    told(id, Standing::Ended { end: Box::new(end) })
}

/// Reads until the output of both streams is this text; the last answer.
async fn read_until(page: &mut Page, id: &str, text: &str) -> Ran {
    let mut all = String::new();
    for number in 0.. {
        let name = format!("read-{id}-{}-{number}", text.trim());
        let ran = call(page, &name, "bash_read", json!({ "id": id })).await;
        all.push_str(&String::from_utf8_lossy(&ran.both));
        assert!(text.starts_with(&all), "{all}");
        if all == text {
            return ran;
        }
        harness::page::pause(20).await;
    }
    unreachable!("there is always another number")
}

/// Waits until the newest command in the background has ended; the list.
async fn list_at_rest(page: &mut Page, name: &str) -> String {
    for number in 0.. {
        let list = call(page, &format!("list-{name}-{number}"), "bash_list", json!({})).await.out();
        if !list.lines().next_back().unwrap_or_default().contains(" is running") {
            return list;
        }
        harness::page::pause(20).await;
    }
    unreachable!("there is always another number")
}

/// Waits until the page hears that the commands in the background are so.
async fn until_listed(page: &mut Page, is_so: impl Fn(&[BackgroundCommand]) -> bool) -> Vec<BackgroundCommand> {
    let event = page.until(|event| matches!(event, Event::Background(commands) if is_so(commands))).await;
    match event {
        Event::Background(commands) => commands,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn it_is_answered_at_once_and_read_and_killed_later() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let mark = long_sleep();
    let command = format!("echo one; read -r _ < go; echo two >&2; exec sleep {mark}");
    assert!(std::process::Command::new("mkfifo").arg(bridge.path("go")).status().unwrap().success());
    let started = start(page, "s/1", &command).await;
    assert_eq!((started.outcome(), started.both.len()), (&told("bg-1", Standing::Started), 0));

    let first = read_until(page, "bg-1", "one\n").await;
    assert_eq!((first.out().as_str(), first.outcome()), ("one\n", &told("bg-1", Standing::Running)));
    std::fs::write(bridge.path("go"), "\n").unwrap();
    // Only what is new, and each stream as itself.
    let second = read_until(page, "bg-1", "two\n").await;
    assert_eq!((second.out().as_str(), second.err().as_str()), ("", "two\n"));

    let list = call(page, "s/3", "bash_list", json!({})).await;
    assert_eq!(list.out(), format!("bg-1 is running, 8 bytes of output: {command}\n"));
    assert_eq!(list.outcome(), &Outcome::Listed);

    let killed = call(page, "s/4", "bash_kill", json!({"id": "bg-1"})).await;
    assert_eq!((killed.out(), killed.outcome()), (String::new(), &ended("bg-1", Outcome::Stopped)));
    assert_gone(&mark);
    let again = call(page, "s/5", "bash_kill", json!({"id": "bg-1"})).await;
    assert_eq!(again.outcome(), &ended("bg-1", Outcome::Stopped));
    let unknown = call(page, "s/6", "bash_read", json!({"id": "bg-2"})).await;
    let why = Refusal::UnknownId { id: "bg-2".to_owned() };
    assert_eq!(unknown.outcome(), &Outcome::CannotStart { why });
}

#[tokio::test]
async fn its_own_end_is_told_with_the_rest_of_its_output() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    start(page, "s/1", "echo out; exit 3").await;
    let list = list_at_rest(page, "a").await;
    assert_eq!(list, "bg-1 has ended with exit code 3, 4 bytes of output: echo out; exit 3\n");
    let ran = call(page, "s/2", "bash_read", json!({"id": "bg-1"})).await;
    assert_eq!((ran.out(), ran.outcome()), ("out\n".to_owned(), &ended("bg-1", Outcome::Exited { code: 3 })));

    // Of more than the ring holds, the newest is read, and the rest is counted.
    start(page, "s/4", "head -c 3000000 /dev/zero | tr '\\0' x").await;
    list_at_rest(page, "b").await;
    let ran = call(page, "s/5", "bash_read", json!({"id": "bg-2"})).await;
    let newest = ran.both.iter().filter(|byte| **byte == b'x').count() as u64;
    assert!(newest > 900_000, "{newest} bytes are read");
    assert!(ran.gaps > 0 || ran.out().starts_with(&format!("({} bytes before this", 3_000_000 - newest)));
    let whole = bridge.ask("GET /output/bg-2", &[("x-api-key", &bridge.token)]);
    assert_eq!((whole.status, whole.content().0.len()), (200, 3_000_000));
}

#[tokio::test]
async fn it_outlives_the_page_and_the_grace_and_is_listed_to_the_next_page() {
    let bridge = Bridge::with(|command| {
        command.args(["--grace", "0.1"]);
    });
    let mut page = bridge.page().await;
    let (kept, watched) = (long_sleep(), long_sleep());
    start(&mut page, "s/1", &format!("echo here; exec sleep {kept}")).await;
    page.start("s/2", &format!("exec sleep {watched}"), Some(60_000));
    page.until(|event| matches!(event, Event::Call { call, .. } if call == "s/2")).await;
    drop(page);
    // The grace is over when what was watched is gone.
    assert_gone(&watched);

    let mut page = bridge.page().await;
    let listed = until_listed(&mut page, |commands| commands.iter().any(|command| command.bytes > 0)).await;
    let command = format!("echo here; exec sleep {kept}");
    assert_eq!(listed, [BackgroundCommand { id: "bg-1".to_owned(), command, bytes: 5, end: None }]);
    assert!(!processes_with(&kept).is_empty());
    page.client.stop_background("bg-1");
    let stopped = until_listed(&mut page, |commands| commands.iter().all(|command| command.end.is_some())).await;
    assert_eq!(stopped[0].end, Some(Outcome::Stopped));
    assert_gone(&kept);
}

#[tokio::test]
async fn nothing_of_it_outlives_the_bridge() {
    for signal in ["TERM", "KILL"] {
        let mut bridge = Bridge::start();
        let mut page = bridge.page().await;
        let mark = long_sleep();
        let command = format!("setsid sleep {mark} & sleep {mark} & exec sleep {mark}");
        assert_eq!(start(&mut page, "s/1", &command).await.outcome(), &told("bg-1", Standing::Started));
        let sleeps = |line: &&String| line.split_once(' ').is_some_and(|(_, command)| command.starts_with("sleep "));
        until("all three run", || processes_with(&mark).iter().filter(sleeps).count() == 3).await;
        bridge.signal(signal);
        bridge.wait();
        assert_gone(&mark);
    }
}

#[tokio::test]
async fn a_lost_answer_starts_no_second_one() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    let arguments = json!({"command": "echo x >> ran; sleep 60", "background": true});
    page.client.run("s/1", "bash", arguments, None).unwrap();
    page.flush().await;
    let client = page.cut();
    let mut page = reconnect(&bridge, client).await;
    assert_eq!(page.end("s/1").await.outcome(), &told("bg-1", Standing::Started));
    until("it has run", || !read(bridge.path("ran")).is_empty()).await;
    assert_eq!(call(&mut page, "s/2", "bash_list", json!({})).await.out().lines().count(), 1);
    assert_eq!(read(bridge.path("ran")), "x\n");
}

#[tokio::test]
async fn they_are_bounded_and_keep_no_other_command_out() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let mark = long_sleep();
    for number in 0..8 {
        let started = start(page, &format!("s/{number}"), &format!("exec sleep {mark}")).await;
        assert_eq!(started.outcome(), &told(&format!("bg-{}", number + 1), Standing::Started));
    }
    let refused = start(page, "s/9", "true").await;
    assert_eq!(refused.outcome(), &Outcome::CannotStart { why: Refusal::TooManyRunning { limit: 8 } });
    assert_eq!(page.run("s/10", "echo still").await.out(), "still\n");
    call(page, "s/11", "bash_kill", json!({"id": "bg-3"})).await;
    assert_eq!(start(page, "s/12", "true").await.outcome(), &told("bg-9", Standing::Started));
    // Of those that have ended the newest stay on the list.
    for number in 0..30 {
        start(page, &format!("t/{number}"), "true").await;
        list_at_rest(page, &number.to_string()).await;
    }
    let list = list_at_rest(page, "last").await;
    assert_eq!((list.lines().count(), list.lines().filter(|line| line.contains("is running")).count()), (24, 7));
}

#[tokio::test]
async fn what_cannot_start_is_told_and_not_listed() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    std::fs::remove_dir_all(bridge.workspace.path()).unwrap();
    let refused = start(page, "s/1", "true").await;
    assert!(matches!(refused.outcome(), Outcome::CannotStart { why: Refusal::WorkspaceGone { .. } }), "{refused:?}");
    assert_eq!(call(page, "s/2", "bash_list", json!({})).await.out(), "");
}

#[tokio::test]
async fn it_needs_the_same_leave_and_is_written_down() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let arguments = json!({"command": "touch made", "background": true});
    page.client.run_unasked("s/1", "bash", arguments.clone(), None).unwrap();
    assert_eq!(page.end("s/1").await.outcome(), &Outcome::CannotStart { why: Refusal::NotAsked });
    page.client.run("s/2", "bash", arguments, None).unwrap();
    page.end("s/2").await;
    until("it has run", || bridge.path("made").exists()).await;
    // To look at what was allowed needs no question.
    page.client.run_unasked("s/3", "bash_list", json!({}), None).unwrap();
    assert_eq!(page.end("s/3").await.outcome(), &Outcome::Listed);

    let log = bridge.elsewhere.path().join("state/loopglass/audit.jsonl");
    let entries = || read(&log).lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    let ended = |id: &str| entries().into_iter().any(|entry| entry["event"] == "ended" && entry["call"] == id);
    until("the ends are written", || ["s/2", "bg-1", "s/3"].iter().all(|id| ended(id))).await;
    let decided: Vec<Value> = entries().into_iter().filter(|entry| entry["event"] == "decided").collect();
    let told = |entry: &Value| {
        (entry["call"].clone(), entry["command"].clone(), entry["background"].clone(), entry["runs"].clone())
    };
    let expected = [
        (json!("s/1"), json!("touch made"), json!(true), json!(false)),
        (json!("s/2"), json!("touch made"), json!(true), json!(true)),
        (json!("s/3"), json!("bash_list"), Value::Null, json!(true)),
    ];
    assert_eq!(decided.iter().map(told).collect::<Vec<_>>(), expected);
}
