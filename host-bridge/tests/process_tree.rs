//! Nothing of a command is left: whatever it forked, ignored or ran away from.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::time::Instant;

use bridge_protocol::frames::Loss;
use bridge_protocol::{CallEvent, Event, Outcome};
use harness::page::{Ran, pause, reconnect};
use harness::{Bridge, ESCAPES, assert_gone, children_of, long_sleep, processes_with};

#[track_caller]
fn check_end(ran: &Ran, outcome: &Outcome, command: &str) {
    assert_eq!(ran.outcome(), outcome, "{command}");
    assert!(ran.ended.leftovers.iter().all(|left| !left.survived), "{command}: {:?}", ran.ended);
}

#[tokio::test]
async fn p2_p3_p4_p5_a_timeout_ends_the_whole_tree_and_keeps_what_was_read() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    for (index, escape) in ESCAPES.iter().enumerate() {
        let sleep = long_sleep();
        let command = format!("echo before; {}", escape.replace("SLEEP", &sleep));
        let call = index.to_string();
        page.start(&call, &command, Some(300));
        let ran = page.end(&call).await;
        check_end(&ran, &Outcome::TimedOut { after_ms: 300 }, &command);
        assert_eq!(ran.out(), "before\n", "{command}");
        // The end is told when the tree is gone, not before.
        assert_eq!(processes_with(&sleep), Vec::<String>::new(), "{command}");
    }
}

#[tokio::test]
async fn p5_a_cancel_ends_the_whole_tree() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    for (index, escape) in ESCAPES.iter().enumerate() {
        let sleep = long_sleep();
        let command = format!("echo before; {}", escape.replace("SLEEP", &sleep));
        let call = index.to_string();
        page.start(&call, &command, None);
        page.until_output("before").await;
        page.client.cancel(&call);
        let ran = page.end(&call).await;
        check_end(&ran, &Outcome::Stopped, &command);
        assert_eq!(processes_with(&sleep), Vec::<String>::new(), "{command}");
    }
}

#[tokio::test]
async fn p3_a_flock_of_busy_processes_ends() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let mark = format!("busy{}", std::process::id());
    page.start("1", &format!("for n in 1 2 3 4; do yes {mark} >/dev/null & done; wait"), Some(300));
    check_end(&page.end("1").await, &Outcome::TimedOut { after_ms: 300 }, "yes");
    assert_eq!(processes_with(&format!("yes {mark}")), Vec::<String>::new());
}

#[tokio::test]
async fn p1_p26_a_background_process_makes_no_call_hang_and_is_told() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let cases = [
        "echo hi; sleep SLEEP &",
        "echo hi; (setsid sleep SLEEP &)",
        "echo hi; nohup sleep SLEEP >/dev/null 2>&1 &",
        "echo hi; (trap '' TERM; sleep SLEEP; sleep SLEEP) &",
        "echo hi; sleep SLEEP >/dev/null 2>&1 & disown",
    ];
    for (index, case) in cases.iter().enumerate() {
        let sleep = long_sleep();
        let command = case.replace("SLEEP", &sleep);
        let ran = page.run(&index.to_string(), &command).await;
        assert_eq!((ran.outcome(), ran.out().as_str()), (&Outcome::Exited { code: 0 }, "hi\n"), "{command}");
        assert!(ran.ended.leftovers.iter().any(|left| left.command.contains("sleep")), "{command}: {:?}", ran.ended);
        assert!(ran.ended.leftovers.iter().all(|left| !left.survived), "{command}: {:?}", ran.ended);
        assert_eq!(processes_with(&sleep), Vec::<String>::new(), "{command}");
        // Far below the sleep, and below the timeout.
        assert!(ran.ended.duration_ms < 10_000, "{command} took {} ms", ran.ended.duration_ms);
    }
    // One that never stops talking is not waited for either.
    let ran = page.run("talks", "while :; do echo x; sleep 0.02; done & echo hi").await;
    assert_eq!(ran.outcome(), &Outcome::Exited { code: 0 });
    assert!(ran.ended.duration_ms < 10_000);
}

/// A background process that is there for certain before `up` is said, and one that only a signal brings about.
const NAMED: &str = "trap 'setsid sh -c \"trap : TERM; sleep LATE; sleep LATE\" &' TERM; \
    sleep SLEEP & until grep -q sleep /proc/$!/comm; do sleep 0.01; done; echo up; while :; do wait; done";

/// However a call is ended, who had to be ended with it is told by name.
#[tokio::test]
async fn p3_p26_who_had_to_be_ended_is_named_however_the_call_ends() {
    let bridge = Bridge::with(|command| {
        command.args(["--grace", "0.1"]);
    });
    let mut page = bridge.page().await;
    for how in ["timeout", "cancel", "no page", "no supervisor"] {
        let (sleep, late) = (long_sleep(), long_sleep());
        let command = NAMED.replace("SLEEP", &sleep).replace("LATE", &late);
        page.start(how, &command, Some(if how == "timeout" { 3000 } else { 60_000 }));
        page.until_output("up").await;
        match how {
            "timeout" => {}
            "cancel" => page.client.cancel(how),
            "no page" => {
                let client = page.cut();
                assert_gone(&sleep);
                page = reconnect(&bridge, client).await;
            }
            _ => {
                let supervisor = children_of(bridge.pid()).into_iter().find(|stat| {
                    let pid = stat.split(' ').next().unwrap().parse().unwrap();
                    children_of(pid).iter().any(|child| child.contains("(bash)"))
                });
                let pid = supervisor.unwrap().split(' ').next().unwrap().to_owned();
                assert!(std::process::Command::new("kill").args(["-9", &pid]).status().unwrap().success());
            }
        }
        let ran = page.end(how).await;
        let names: Vec<&str> = ran.ended.leftovers.iter().map(|left| left.command.as_str()).collect();
        assert!(names.contains(&format!("sleep {sleep}").as_str()), "{how}: {names:?}");
        assert!(ran.ended.leftovers.iter().all(|left| !left.survived), "{how}: {:?}", ran.ended);
        // One began when everybody was asked to end; after a SIGKILL nobody is asked.
        assert!(names.len() > usize::from(how != "no supervisor"), "{how}: {names:?}");
        assert_gone(&late);
    }
    // Of a great many, some.
    let many = "for i in $(seq 150); do sleep 1000 & done; echo up; wait";
    page.start("many", many, None);
    page.until_output("up").await;
    page.client.cancel("many");
    let ran = page.end("many").await;
    assert_eq!((ran.outcome(), ran.ended.leftovers.len()), (&Outcome::Stopped, 100));
}

#[tokio::test]
async fn what_is_cancelled_after_the_shell_s_end_still_ended_by_itself() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let after = "{ while kill -0 $$ 2>/dev/null; do sleep 0.01; done; while :; do echo x; sleep 0.02; done; }";
    page.start("1", &format!("{after} & exit 5"), None);
    page.until_output("x").await;
    page.client.cancel("1");
    page.client.cancel("1");
    assert_eq!(page.end("1").await.outcome(), &Outcome::Exited { code: 5 });
}

#[tokio::test]
async fn p8_a_bridge_that_is_killed_leaves_nothing() {
    let mut bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let sleeps: Vec<String> = ESCAPES.iter().map(|_| long_sleep()).collect();
    for (index, (escape, sleep)) in ESCAPES.iter().zip(&sleeps).enumerate() {
        page.start(&index.to_string(), &format!("echo up{index}.; {}", escape.replace("SLEEP", sleep)), None);
        page.until_output(&format!("up{index}.")).await;
    }
    let supervisors = children_of(bridge.pid());
    assert!(supervisors.len() >= ESCAPES.len(), "{supervisors:?}");
    bridge.signal("KILL");
    bridge.wait();
    for sleep in &sleeps {
        assert_gone(sleep);
    }
    for supervisor in supervisors {
        let pid = supervisor.split(' ').next().unwrap().to_owned();
        harness::until("the supervisors end", || !harness::read(format!("/proc/{pid}/cmdline")).contains("supervise"))
            .await;
    }
}

#[tokio::test]
async fn w18_a_bridge_that_is_told_to_end_takes_everything_along() {
    for signal in ["INT", "TERM", "HUP"] {
        let mut bridge = Bridge::start();
        let mut page = bridge.page().await;
        let sleep = long_sleep();
        page.start("1", &format!("trap '' TERM; echo up; setsid sleep {sleep} & sleep {sleep}"), None);
        page.until_output("up").await;
        let began = Instant::now();
        bridge.signal(signal);
        let ran = page.end("1").await;
        assert_eq!(ran.outcome(), &Outcome::Lost { why: Loss::BridgeEnded }, "{signal}");
        assert_eq!(page.close_code().await, 1001, "{signal}");
        assert_eq!(bridge.wait(), Some(0), "{signal}");
        assert!(began.elapsed().as_secs() < 5, "{signal}: {:?}", began.elapsed());
        assert_gone(&sleep);
    }
}

#[tokio::test]
async fn a_command_that_kills_its_supervisor_is_lost_and_leaves_nothing() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let sleep = long_sleep();
    let ran = page.run("1", &format!("setsid sleep {sleep} & sleep {sleep} & kill -9 $PPID; sleep {sleep}")).await;
    assert_eq!(ran.outcome(), &Outcome::Lost { why: Loss::SupervisorDied });
    assert_eq!(processes_with(&sleep), Vec::<String>::new());
    assert_eq!(page.run("2", "echo on").await.out(), "on\n");
}

#[tokio::test]
async fn a_command_that_keeps_stopping_its_supervisor_is_ended_all_the_same() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let (sleep, other) = (long_sleep(), long_sleep());
    let command = |sleep: &str| {
        format!("trap '' TERM; (trap '' TERM; exec setsid sleep {sleep}) & echo up; while :; do kill -STOP $PPID; done")
    };
    page.start("1", &command(&sleep), Some(1000));
    page.until_output("up").await;
    assert_eq!(page.end("1").await.outcome(), &Outcome::TimedOut { after_ms: 1000 });
    assert_eq!(processes_with(&sleep), Vec::<String>::new());
    page.start("2", &command(&other), None);
    page.until_output("up").await;
    page.client.cancel("2");
    let ran = page.end("2").await;
    assert_eq!(ran.outcome(), &Outcome::Stopped);
    assert!(ran.ended.leftovers.iter().any(|left| left.command.contains(&other)), "{:?}", ran.ended);
    assert_eq!(processes_with(&other), Vec::<String>::new());
    assert_eq!(page.run("3", "echo on").await.out(), "on\n");
}

#[tokio::test]
async fn a_waiting_supervisor_may_be_stopped() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    page.run("0", "true").await;
    harness::until("two wait", || children_of(bridge.pid()).len() == 2).await;
    for stat in children_of(bridge.pid()) {
        let pid = stat.split(' ').next().unwrap();
        assert!(std::process::Command::new("kill").args(["-STOP", pid]).status().unwrap().success());
    }
    assert_eq!(page.run("1", "echo on").await.out(), "on\n");
    assert_eq!(page.run("2", "echo on").await.out(), "on\n");
}

#[tokio::test]
async fn a_waiting_supervisor_may_be_killed() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    page.run("0", "true").await;
    // One more may just be starting, to wait in the place of the one that was taken.
    harness::until("they are dead", || {
        let children = children_of(bridge.pid());
        let alive: Vec<&String> = children.iter().filter(|stat| !stat.contains(") Z ")).collect();
        for stat in &alive {
            let pid = stat.split(' ').next().unwrap();
            std::process::Command::new("kill").args(["-9", pid]).status().unwrap();
        }
        alive.is_empty() && children.len() >= 2
    })
    .await;
    assert_eq!(page.run("1", "echo on").await.out(), "on\n");
}

#[tokio::test]
async fn p8_a_command_outlives_the_thread_that_started_it() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    // Longer than a runtime keeps an idle thread.
    assert_eq!(page.run("1", "sleep 11; echo ok").await.out(), "ok\n");
}

#[tokio::test]
async fn p7_p9_p10_many_commands_leave_no_process_and_no_descriptor() {
    // Far fewer than there are commands: with one left open by each, there would soon be none.
    let bridge = Bridge::with_open_files(128);
    let page = &mut bridge.page().await;
    for index in 0..10 {
        page.run(&format!("warm {index}"), "true").await;
    }
    // Only root may count them from outside.
    let open = || std::fs::read_dir(format!("/proc/{}/fd", bridge.pid())).map(Iterator::count).ok();
    let children = || children_of(bridge.pid()).len();
    // At rest, two supervisors wait.
    harness::until("two supervisors wait", || children() == 2).await;
    pause(300).await;
    let at_rest = (children(), open());
    for round in 0..250 {
        for index in 0..8 {
            page.start(&format!("{round} {index}"), "true & true", None);
        }
        for _ in 0..8 {
            let ended = page.until(|event| matches!(event, Event::Call { event: CallEvent::Ended(_), .. })).await;
            let Event::Call { event: CallEvent::Ended(ended), .. } = ended else { unreachable!() };
            assert_eq!(ended.outcome, Outcome::Exited { code: 0 });
        }
    }
    harness::until("all is as before", || (children(), open()) == at_rest).await;
    // What is too old to be remembered is not run again either.
    let page = &mut bridge.page().await;
    page.start("0 0", "true & true", None);
    assert_eq!(page.end("0 0").await.outcome(), &Outcome::Lost { why: Loss::Forgotten });
    page.start("249 7", "true & true", None);
    assert_eq!(page.end("249 7").await.outcome(), &Outcome::Exited { code: 0 });
}
