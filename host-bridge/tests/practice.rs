//! The practice model as a service on the network.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::io::Read;
use std::net::TcpStream;
use std::time::Duration;

use harness::Bridge;
use harness::http::Response;
use serde_json::{Value, json};

const ANTHROPIC: &str = "/practice/anthropic/v1/messages";
const OPENAI: &str = "/practice/openai/v1/chat/completions";

fn request(model: &str, stream: bool) -> Value {
    json!({"model": model, "max_tokens": 500, "stream": stream, "messages": [{"role": "user", "content": "hello"}]})
}

fn post(bridge: &Bridge, path: &str, body: &Value) -> Response {
    let host = format!("127.0.0.1:{}", bridge.port);
    let headers = [("Host", host.as_str()), ("x-api-key", &bridge.token), ("Content-Type", "application/json")];
    bridge.ask_raw(&format!("POST {path}"), &headers, body.to_string().as_bytes())
}

#[test]
fn both_services_answer_whole_and_streamed() {
    let bridge = Bridge::start();
    for (path, service) in
        [(ANTHROPIC, practice_model::Service::AnthropicMessages), (OPENAI, practice_model::Service::ChatCompletions)]
    {
        for stream in [false, true] {
            let body = request("practice", stream);
            let expected = practice_model::answer(service, body.to_string().as_bytes());
            let bytes: Vec<u8> = expected.chunks.into_iter().flat_map(|chunk| chunk.bytes).collect();
            let response = post(&bridge, path, &body);
            assert_eq!(response.status, 200, "{path}");
            assert_eq!(response.content(), (bytes, true), "{path}");
            let media = if stream { "text/event-stream" } else { "application/json" };
            assert!(response.header("content-type").unwrap().starts_with(media), "{path}");
        }
        let models = bridge.ask(
            &format!("GET {}", path.replace("messages", "models").replace("chat/completions", "models")),
            &[("Authorization", &format!("Bearer {}", bridge.token))],
        );
        assert_eq!((models.status, models.body), (200, practice_model::models(service)), "{path}");
    }
}

#[test]
fn faults_are_real() {
    let bridge = Bridge::start();
    let fault = |name: &str| post(&bridge, ANTHROPIC, &request(&format!("practice/fault-{name}"), true));
    assert_eq!(fault("401").status, 401);
    assert_eq!(fault("429").status, 429);
    assert_eq!(fault("500").status, 500);
    let cut = fault("cut");
    let (bytes, is_whole) = cut.content();
    assert!(cut.status == 200 && !bytes.is_empty() && !is_whole, "{}", cut.text());
}

#[test]
fn a_stall_ends_when_the_caller_gives_up() {
    let bridge = Bridge::start();
    let body = request("practice/fault-stall", true).to_string();
    let head = format!(
        "POST {ANTHROPIC} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nx-api-key: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        bridge.port,
        bridge.token,
        body.len()
    );
    let open = || std::fs::read_dir(format!("/proc/{}/fd", bridge.pid())).unwrap().count();
    let before = open();
    let mut stream = TcpStream::connect(("127.0.0.1", bridge.port)).unwrap();
    std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(1500))).unwrap();
    let mut heard = Vec::new();
    let error = stream.read_to_end(&mut heard).unwrap_err();
    assert!(matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut), "{error}");
    assert!(heard.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&heard));
    drop(stream);
    let began = std::time::Instant::now();
    while open() > before {
        assert!(began.elapsed() < harness::LONG, "the connection stays open");
        std::thread::sleep(Duration::from_millis(10));
    }
}
