//! A bridge that ends when nobody needs it, and not before.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::io::{BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use bridge_protocol::Outcome;
use harness::upstream::{self, Upstream};
use harness::{Bridge, assert_gone, long_sleep, read};

fn idling(seconds: &str) -> Bridge {
    Bridge::with(|command| {
        command.args(["--idle-exit", seconds]);
    })
}

#[test]
fn nobody_was_ever_there() {
    let mut bridge = idling("0.2");
    assert_eq!(bridge.wait(), Some(0));
    assert!(read(&bridge.log).contains("--idle-exit"));
}

#[tokio::test]
async fn it_stays_for_a_page_and_for_a_command_without_one() {
    let mut bridge = idling("0.3");
    let mut page = bridge.page().await;
    tokio::time::sleep(Duration::from_millis(900)).await;
    assert_eq!(page.run("1", "echo still here").await.out(), "still here\n");
    page.start("2", "sleep 1; echo done > done", Some(20_000));
    page.until(|event| {
        matches!(event, bridge_protocol::Event::Call { event: bridge_protocol::CallEvent::Started { .. }, .. })
    })
    .await;
    drop(page);
    assert_eq!(bridge.wait(), Some(0));
    assert_eq!(read(bridge.path("done")), "done\n");
}

#[tokio::test]
async fn it_stays_for_an_answer_that_is_relayed() {
    let upstream = Upstream::with(|stream, _| {
        upstream::read(&mut BufReader::new(stream.try_clone().unwrap()));
        std::thread::sleep(Duration::from_millis(900));
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate").unwrap();
    });
    let mut bridge = Bridge::with(|command| {
        command.args(["--idle-exit", "0.3", "--relay"]).arg(format!("here={}", upstream.url()));
    });
    let host = format!("127.0.0.1:{}", bridge.port);
    let headers = [("Host", host.as_str()), ("x-api-key", bridge.token.as_str()), ("Content-Type", "application/json")];
    let response = bridge.ask_raw("POST /relay/here/v1/messages", &headers, b"{}");
    assert_eq!((response.status, response.content()), (200, (b"late".to_vec(), true)));
    assert_eq!(bridge.wait(), Some(0));
}

#[tokio::test]
async fn w18_its_end_waits_for_nobody() {
    let upstream = Upstream::with(|stream, _| {
        upstream::read(&mut BufReader::new(stream.try_clone().unwrap()));
        stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").unwrap();
        upstream::is_let_go(stream);
    });
    let mut bridge = Bridge::with(|command| {
        command.arg("--relay").arg(format!("here={}", upstream.url()));
    });
    let mut stream = TcpStream::connect(("127.0.0.1", bridge.port)).unwrap();
    let request = format!(
        "POST /relay/here/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nx-api-key: {}\r\n\
         Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}",
        bridge.port, bridge.token
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut page = bridge.page().await;
    let sleep = long_sleep();
    page.start("1", &format!("trap '' TERM; echo up; sleep {sleep}"), None);
    page.until_output("up").await;
    bridge.signal("TERM");
    let ran = page.end("1").await;
    assert!(matches!(ran.outcome(), Outcome::Lost { .. }), "{:?}", ran.outcome());
    assert_eq!(page.close_code().await, 1001);
    assert_eq!(bridge.wait(), Some(0));
    assert_gone(&sleep);
}
