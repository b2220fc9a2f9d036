//! Connections that break, and pages that do not listen.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use bridge_protocol::frames::{Loss, PROTO, Refusal, ToBridge, ToPage};
use bridge_protocol::{CallEvent, Client, Event, Outcome};
use futures_util::SinkExt;
use harness::cuts::{Random, cut};
use harness::page::{Page, open, pause, reconnect};
use harness::{Bridge, assert_gone, long_sleep, processes_with, until};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

const DONE: Outcome = Outcome::Exited { code: 0 };

#[tokio::test]
async fn w1_a_call_whose_answer_was_lost_runs_once_and_is_told_once() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    page.start("1", "echo x >> ran; seq 1000; sleep 0.2; seq 1000 2000", None);
    page.flush().await;
    // The connection breaks before anything is heard, then again in the middle.
    until("it runs", || bridge.path("ran").exists()).await;
    let page = reconnect(&bridge, page.cut()).await;
    let mut page = reconnect(&bridge, page.cut()).await;
    let ran = page.end("1").await;
    let expected: String = (1..=1000).chain(1000..=2000).map(|number| format!("{number}\n")).collect();
    assert_eq!((ran.outcome(), ran.starts, ran.gaps, ran.out()), (&DONE, 1, 0, expected));
    assert_eq!(harness::read(bridge.path("ran")), "x\n");
}

#[tokio::test]
async fn w2_a_cut_in_the_middle_of_output_loses_and_repeats_nothing() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    // Slow enough to be cut many times, little enough to stay in the ring.
    page.start("1", "for i in $(seq 300); do echo line $i of the output; sleep 0.003; done", None);
    let mut told = Vec::new();
    let mut ended = None;
    while ended.is_none() {
        for _ in 0..25 {
            if let Event::Call { event, .. } = page.event().await {
                match event {
                    CallEvent::Output { bytes, .. } => told.extend(bytes),
                    CallEvent::Ended(end) => {
                        ended = Some(end);
                        break;
                    }
                    CallEvent::Started { .. } => {}
                    CallEvent::Gap { bytes } => panic!("a gap of {bytes}"),
                }
            }
        }
        if ended.is_none() {
            page = reconnect(&bridge, page.cut()).await;
        }
    }
    let expected: String = (1..=300).map(|number| format!("line {number} of the output\n")).collect();
    assert_eq!(String::from_utf8(told).unwrap(), expected);
    assert_eq!(ended.unwrap().outcome, DONE);
}

#[tokio::test]
async fn w1_w2_connections_cut_at_any_moment_run_nothing_twice_and_lose_nothing_silently() {
    // `cargo bench -p host-bridge --bench endurance` does it a thousand times, from other seeds.
    let came = cut(&Bridge::start(), Random(7464), 100).await;
    assert!(came.calls > 10, "{came:?}");
}

#[tokio::test]
async fn w7_a_page_that_is_silent_is_let_go() {
    let bridge = Bridge::with(|command| {
        command.args(["--grace", "0", "--ping", "0.3"]);
    });
    let mut page = bridge.page().await;
    let sleep = long_sleep();
    page.start("1", &format!("sleep {sleep}"), None);
    page.flush().await;
    until("it runs", || !processes_with(&sleep).is_empty()).await;
    // The connection stays open, but nobody reads the pings any more, as when a laptop has gone.
    assert_gone(&sleep);
    drop(page);
}

#[tokio::test]
async fn w7_a_page_that_answers_stays_also_when_the_machine_has_slept() {
    let bridge = Bridge::with(|command| {
        command.args(["--ping", "1"]);
    });
    let mut page = bridge.page().await;
    // A harness's page ends with its socket.
    assert_eq!(page.run("1", "sleep 4; echo on").await.out(), "on\n");
    // For the bridge no time passes at all while it is stopped, but its clock goes on.
    bridge.signal("STOP");
    pause(4000).await;
    bridge.signal("CONT");
    assert_eq!(page.run("2", "sleep 1.5; echo still").await.out(), "still\n");
}

#[tokio::test]
async fn w12_nothing_is_compressed() {
    let bridge = Bridge::start();
    let protocols = format!("loopglass.v1, loopglass.auth.{}", bridge.token);
    let origin = format!("http://127.0.0.1:{}", bridge.port);
    let mut request = harness::page::upgrade(bridge.port, &protocols, &origin);
    request.headers_mut().insert("sec-websocket-extensions", "permessage-deflate".parse().unwrap());
    let (_socket, response) = tokio_tungstenite::connect_async(request).await.unwrap();
    assert_eq!(response.headers().get("sec-websocket-extensions"), None);
}

#[tokio::test]
async fn w1_an_id_means_one_command_for_ever() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    let first = page.run("1", "echo x >> ran; echo out").await;
    assert_eq!(first.out(), "out\n");
    // The same again, by a page that remembers nothing: the stored result.
    let mut page = bridge.page().await;
    let again = page.run("1", "echo x >> ran; echo out").await;
    assert_eq!((again.ended, again.stdout), (first.ended, first.stdout));
    // Something else under the same id: nothing.
    for (tool, arguments) in [("bash", json!({"command": "echo y >> ran"})), ("sh", json!({"command": "x"}))] {
        let mut page = bridge.page().await;
        page.client.run("1", tool, arguments, None).unwrap();
        assert_eq!(page.end("1").await.outcome(), &Outcome::CannotStart { why: Refusal::IdConflict });
    }
    assert_eq!(harness::read(bridge.path("ran")), "x\n");
    // Both at once run once.
    let run = |call: &str| ToBridge::Run {
        call: call.to_owned(),
        tool: "bash".to_owned(),
        arguments: json!({"command": "echo z >> twice"}),
        timeout_ms: None,
    };
    let mut page = bridge.page().await;
    for _ in 0..5 {
        page.send(&run("2")).await;
    }
    page.run("after", "true").await;
    until("it ran", || bridge.path("twice").exists()).await;
    pause(100).await;
    assert_eq!(harness::read(bridge.path("twice")), "z\n");
}

#[tokio::test]
async fn call_ids_that_are_none_are_refused() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    for call in ["", "a\nb", "a\0", &"x".repeat(256)] {
        page.client.run(call, "bash", json!({"command": "echo x >> ran"}), None).unwrap();
        let ran = page.end(call).await;
        assert!(matches!(ran.outcome(), Outcome::CannotStart { why: Refusal::BadArguments { .. } }), "{call:?}");
    }
    assert!(!bridge.path("ran").exists());
    assert_eq!(page.run(&"é".repeat(127), "echo ok").await.out(), "ok\n");
}

#[tokio::test]
async fn w3_without_a_page_a_command_lives_for_the_grace() {
    let bridge = Bridge::with(|command| {
        command.args(["--grace", "0.5"]);
    });
    let sleep = long_sleep();
    // A page that comes back in time finds its call.
    let mut page = bridge.page().await;
    page.start("1", &format!("echo up; sleep {sleep}"), None);
    page.until_output("up").await;
    let page = reconnect(&bridge, page.cut()).await;
    pause(1000).await;
    assert!(!processes_with(&sleep).is_empty(), "it was ended although a page was there");
    // One that does not come back in time hears what happened.
    let client = page.cut();
    assert_gone(&sleep);
    let mut page = reconnect(&bridge, client).await;
    let ran = page.end("1").await;
    assert_eq!(ran.outcome(), &Outcome::Lost { why: Loss::Abandoned { after_ms: 500 } });
}

#[tokio::test]
async fn w15_a_page_that_is_loaded_anew_takes_its_call_up_again() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    page.start("1", "echo one; until [ -e gate ]; do sleep 0.01; done; echo two", None);
    page.until_output("one").await;
    drop(page);
    let mut page = bridge.page().await;
    page.client.resume("1", 0).unwrap();
    std::fs::write(bridge.path("gate"), "").unwrap();
    let ran = page.end("1").await;
    assert_eq!((ran.out().as_str(), ran.starts, ran.outcome()), ("one\ntwo\n", 1, &DONE));
    page.client.resume("never run", 0).unwrap();
    assert_eq!(page.end("never run").await.outcome(), &Outcome::Lost { why: Loss::Forgotten });
}

#[tokio::test]
async fn w16_a_new_bridge_knows_nothing_of_an_old_one_s_calls() {
    let old = Bridge::start();
    let mut page = old.page().await;
    let sleep = long_sleep();
    page.start("1", &format!("echo x >> {}; echo up; sleep {sleep}", old.path("ran").display()), None);
    page.until_output("up").await;
    let client = page.cut();
    let kept = old.workspace.path().to_owned();
    old.signal("KILL");
    let new = Bridge::start();
    let mut page = reconnect(&new, client).await;
    let ran = page.end("1").await;
    assert_eq!((ran.outcome(), ran.starts), (&Outcome::Lost { why: Loss::NewBridge }, 0));
    assert_eq!(page.run("2", "echo on").await.out(), "on\n");
    assert_eq!(harness::read(kept.join("ran")), "x\n");
    assert_gone(&sleep);
}

#[tokio::test]
async fn w4_the_newest_page_wins() {
    let bridge = Bridge::start();
    let mut old = bridge.page().await;
    old.start("1", "echo one; until [ -e gate ]; do sleep 0.01; done; echo two", None);
    old.until_output("one").await;
    let mut new = bridge.page().await;
    assert_eq!(old.close_code().await, 4001);
    new.client.resume("1", 4).unwrap();
    std::fs::write(bridge.path("gate"), "").unwrap();
    assert_eq!(new.end("1").await.out(), "two\n");
}

#[tokio::test]
async fn w8_w9_a_page_that_does_not_read_stops_nothing_but_itself() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    let mark = format!("flood{}", std::process::id());
    page.start("1", &format!("yes {mark}"), None);
    page.flush().await;
    until("it runs", || !processes_with(&format!("yes {mark}")).is_empty()).await;
    let before = memory(&bridge);
    pause(1000).await;
    // Nothing has been read so far. The order is obeyed all the same, and memory stays.
    page.client.cancel("1");
    page.flush().await;
    assert_gone(&format!("yes {mark}"));
    let grown = memory(&bridge).saturating_sub(before);
    assert!(grown < 32 * 1024, "memory grew by {grown} kB");
    let ran = page.end("1").await;
    assert_eq!(ran.outcome(), &Outcome::Stopped);
    assert!(ran.gaps > 0 && ran.gaps == ran.ended.dropped, "{:?}", ran.ended);
}

#[tokio::test]
async fn p16_a_flood_does_not_hold_up_another_call() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    page.start("flood", "yes", None);
    page.until_output("y").await;
    assert_eq!(page.run("echo", "echo through").await.out(), "through\n");
    page.client.cancel("flood");
    assert_eq!(page.end("flood").await.outcome(), &Outcome::Stopped);
    // Nor does it outrun its time.
    page.start("timed", "yes", Some(500));
    assert_eq!(page.end("timed").await.outcome(), &Outcome::TimedOut { after_ms: 500 });
}

#[tokio::test]
async fn p16_p17_of_too_much_output_head_and_tail_and_the_number_are_told() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    let before = memory(&bridge);
    page.start("1", "printf head; head -c 200000000 /dev/zero | tr '\\0' a; printf tail", None);
    page.flush().await;
    // Not reading for a while loses something for certain.
    until("it ends", || processes_with("head -c 200000000").is_empty()).await;
    let ran = page.end("1").await;
    assert_eq!(ran.outcome(), &DONE);
    assert!(ran.stdout.starts_with(b"heada") && ran.stdout.ends_with(b"atail"));
    assert_eq!(ran.stdout.len() as u64 + ran.ended.dropped, 200_000_008);
    let grown = memory(&bridge).saturating_sub(before);
    assert!(grown < 32 * 1024, "memory grew by {grown} kB");
}

#[tokio::test]
async fn w11_a_frame_that_makes_no_sense_is_answered_and_the_connection_stays() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    for (text, call) in [
        ("", None),
        ("{", None),
        ("[]", None),
        (r#"{"type":"jump","call":"c"}"#, Some("c")),
        (r#"{"type":"run","call":"c"}"#, Some("c")),
        (r#"{"type":"credit","call":"c","bytes":"many"}"#, Some("c")),
    ] {
        page.send_text(text).await;
        let Some(Ok(Message::Text(answer))) = page.message().await else { panic!("no answer to {text}") };
        let Ok(ToPage::Error { call: told, .. }) = ToPage::parse(&answer) else { panic!("{text}: {answer}") };
        assert_eq!(told.as_deref(), call, "{text}");
    }
    page.socket.send(Message::Binary(vec![1, 2, 3].into())).await.unwrap();
    let Some(Ok(Message::Text(answer))) = page.message().await else { panic!("no answer") };
    assert!(answer.contains("error"), "{answer}");
    for frame in [
        ToBridge::Attach { call: "none".to_owned(), after_seq: 0 },
        ToBridge::Cancel { call: "none".to_owned() },
        ToBridge::Credit { call: "none".to_owned(), bytes: 1 },
    ] {
        page.send(&frame).await;
        let refused = ToPage::Refused { call: "none".to_owned(), why: Refusal::UnknownCall };
        let Some(Ok(Message::Text(answer))) = page.message().await else { panic!("no answer to {frame:?}") };
        assert_eq!(ToPage::parse(&answer), Ok(refused));
    }
    assert_eq!(page.run("1", "echo still").await.out(), "still\n");
}

#[tokio::test]
async fn w14_the_first_frame_is_hello_of_the_same_version() {
    let bridge = Bridge::start();
    let mut page = Page { socket: open(bridge.port, &bridge.token).await.unwrap(), client: Client::new() };
    let Some(Ok(Message::Text(hello))) = page.message().await else { panic!("no hello") };
    let Ok(ToPage::Hello(hello)) = ToPage::parse(&hello) else { panic!("{hello}") };
    assert_eq!((hello.proto, hello.tools[0].name.as_str()), (PROTO, "bash"));
    assert_eq!(std::path::Path::new(&hello.cwd), bridge.workspace.path().canonicalize().unwrap());
    page.send_text(r#"{"type":"run","call":"1","tool":"bash","arguments":{"command":"echo x >> ran"}}"#).await;
    let Some(Ok(Message::Text(answer))) = page.message().await else { panic!("no answer") };
    assert!(answer.contains("hello"), "{answer}");
    page.send(&ToBridge::Hello { proto: PROTO + 1 }).await;
    assert_eq!(page.close_code().await, 4002);
    assert!(!bridge.path("ran").exists());
}

#[tokio::test]
async fn w10_frames_have_a_largest_size_in_both_directions() {
    const OUTPUT: usize = 32 * 1024;
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    page.start("1", "head -c 1000000 /dev/zero", None);
    page.flush().await;
    // As far as the window goes, since nothing is given back.
    let (mut bytes, mut largest) = (0, 0);
    while bytes < 256 * 1024 {
        if let Some(Ok(Message::Binary(frame))) = page.message().await {
            let head = 11 + "1".len();
            bytes += frame.len() - head;
            largest = largest.max(frame.len() - head);
        }
    }
    assert_eq!((bytes, largest), (256 * 1024, OUTPUT));
    let mut page = bridge.page().await;
    page.send_text(&"x".repeat(1 << 20)).await;
    let Some(Ok(Message::Text(answer))) = page.message().await else { panic!("no answer") };
    assert!(matches!(ToPage::parse(&answer), Ok(ToPage::Error { .. })), "{answer}");
    page.send_text(&"x".repeat((1 << 20) + 1)).await;
    assert_eq!(page.close_code().await, 1009);
    // A message in many small frames is no smaller.
    let mut page = bridge.page().await;
    for piece in 0..17 {
        let code = OpCode::Data(if piece == 0 { Data::Text } else { Data::Continue });
        let frame = Frame::message(vec![b'x'; 64 * 1024], code, false);
        if page.socket.send(Message::Frame(frame)).await.is_err() {
            break;
        }
    }
    assert_eq!(page.close_code().await, 1009);
}

#[tokio::test]
async fn case34_too_big_a_message_ends_its_connection_only() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    page.start("1", "echo up; until [ -e gate ]; do sleep 0.01; done", None);
    page.until_output("up").await;
    // The bridge stops reading in the middle of it, so that not all of it can be sent.
    let huge = Message::Text("x".repeat(20_000_000).into());
    let _ = tokio::time::timeout(std::time::Duration::from_millis(300), page.socket.send(huge)).await;
    assert_eq!(page.close_code().await, 1009);
    let mut page = reconnect(&bridge, page.cut()).await;
    std::fs::write(bridge.path("gate"), "").unwrap();
    assert_eq!(page.end("1").await.outcome(), &DONE);
}

/// The bridge's resident memory, in kB.
fn memory(bridge: &Bridge) -> u64 {
    let status = harness::read(format!("/proc/{}/status", bridge.pid()));
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn the_whole_output_can_be_had() {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    let ask = |call: &str| bridge.ask(&format!("GET /output/{call}"), &[("x-api-key", &bridge.token)]);
    page.run("small/1", "echo out; sleep 0.05; echo err >&2").await;
    let small = ask("small%2F1");
    assert_eq!((small.status, small.header("x-output-bytes")), (200, Some("8")));
    assert_eq!(small.content(), (b"out\nerr\n".to_vec(), true));
    // Far more than the ring holds.
    let ran = page.run("big", "seq 1000000").await;
    let expected: String = (1..=1_000_000).map(|number| format!("{number}\n")).collect();
    let big = ask("big");
    assert_eq!(big.header("x-output-bytes"), Some(expected.len().to_string().as_str()));
    assert!(big.content() == (expected.into_bytes(), true), "the output is another one");
    assert_eq!(ran.outcome(), &DONE);
    assert_eq!(ask("none").status, 404);
}
