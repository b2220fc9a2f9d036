//! What must hold for any bytes that come over the socket. The fuzz targets look for bytes that break it;
//! `tests/fuzz_corpus.rs` replays the corpora. Each property panics where it does not hold.

use bridge_protocol::frames::{Hello, Limits, Output, PROTO, Stream, ToBridge, ToPage};
use bridge_protocol::{CallEvent, Client, Event};
use serde_json::{Value, json};

const CALL: &str = "c";

/// What is read as a frame is written as one, and read as the same again.
pub(crate) fn frames(data: &[u8]) {
    if let Some(output) = Output::parse(data) {
        assert_eq!(output.to_bytes(), data);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    // The last digit of a long fraction may differ.
    let is_exact = serde_json::from_str(text).is_ok_and(|value: Value| !has_fraction(&value));
    if let Ok(frame) = ToPage::parse(text) {
        let again = ToPage::parse(&frame.to_text());
        assert!(again.is_ok() && (!is_exact || again == Ok(frame)), "{again:?}");
    }
    if let Ok(frame) = ToBridge::parse(text) {
        let again = ToBridge::parse(&frame.to_text());
        assert!(again.is_ok() && (!is_exact || again == Ok(frame)), "{again:?}");
    }
}

fn has_fraction(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(values) => values.iter().any(has_fraction),
        Value::Object(fields) => fields.values().any(has_fraction),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

/// Whatever a bridge sends, and however often the connection breaks: a page hears of each byte of its call at most once
/// and in order, of its start at most once, and of exactly one end, after which it hears no more of it.
pub(crate) fn client(data: &[u8]) {
    let mut client = Client::new();
    client.run(CALL, "bash", json!({ "command": "work" }), None).unwrap();
    let (mut told, mut bytes) = (Told::default(), data.iter().copied());
    while let Some(what) = bytes.next() {
        let mut next = || bytes.next().unwrap_or_default();
        match what % 8 {
            0 => client.opened(),
            1 => client.closed(),
            2 => client.text(&ToPage::Hello(hello(next() % 3)).to_text()),
            3 => client.cancel(CALL),
            4 => {
                let (seq, len) = (u64::from(next()), u64::from(next()));
                // Near the last number there is as well.
                let seq = if what & 16 == 0 { seq } else { u64::MAX - seq };
                let written: Vec<u8> = (0..len).map(|more| byte_at(seq.saturating_add(more))).collect();
                let stream = if what & 8 == 0 { Stream::Stdout } else { Stream::Stderr };
                client.binary(&Output { call: CALL, seq, stream, bytes: &written }.to_bytes());
            }
            5 => {
                let (from, to) = (u64::from(next()), u64::from(next()));
                client.text(&ToPage::Gap { call: CALL.to_owned(), from, to }.to_text());
            }
            6 => client.text(&text(next(), next())),
            _ => {
                let len = usize::from(next());
                let raw: Vec<u8> = bytes.by_ref().take(len).collect();
                client.text(&String::from_utf8_lossy(&raw));
                // As output of another call: what it holds is nobody's here.
                client.binary(&[&[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, b'o'], raw.as_slice()].concat());
            }
        }
        while client.next_frame().is_some() {}
        told.hear(&mut client);
    }
    client.give_up();
    told.hear(&mut client);
    assert_eq!(told.ends, 1);
}

/// What the byte at this place of the call's output is.
fn byte_at(place: u64) -> u8 {
    (place % 251) as u8
}

/// What has been told of the call.
#[derive(Default)]
struct Told {
    place: u64,
    starts: u32,
    ends: u32,
}

impl Told {
    fn hear(&mut self, client: &mut Client) {
        while let Some(event) = client.next_event() {
            let Event::Call { call, event } = event else { continue };
            assert_eq!(call, CALL, "nobody asked for it");
            assert_eq!(self.ends, 0, "{event:?} after the end");
            match event {
                CallEvent::Started { .. } => self.starts += 1,
                CallEvent::Output { bytes, .. } => {
                    for byte in bytes {
                        assert_eq!(byte, byte_at(self.place), "at {}", self.place);
                        self.place = self.place.saturating_add(1);
                    }
                }
                CallEvent::Gap { bytes } => self.place += bytes,
                CallEvent::Ended(_) => self.ends += 1,
            }
            assert!(self.starts < 2, "started twice");
        }
    }
}

/// A control frame about the call.
fn text(kind: u8, number: u8) -> String {
    let frame = match kind % 5 {
        0 => json!({ "type": "started", "call": CALL, "pid": number }),
        1 => json!({ "type": "exited", "call": CALL, "status": { "code": number } }),
        2 => json!({
            "type": "closed", "call": CALL, "outcome": { "kind": "exited", "code": 0 }, "duration_ms": 1, "cwd": "/",
            "bytes": number,
        }),
        3 => json!({ "type": "refused", "call": CALL, "why": "unknown_call" }),
        _ => json!({ "type": "error", "call": CALL, "message": "no" }),
    };
    frame.to_string()
}

fn hello(bridge: u8) -> Hello {
    Hello {
        proto: if bridge == 2 { PROTO + 1 } else { PROTO },
        bridge: format!("b{bridge}"),
        version: String::new(),
        os: String::new(),
        cwd: String::new(),
        tools: Vec::new(),
        background: Vec::new(),
        limits: Limits { timeout_ms: 1, max_timeout_ms: 1, grace_ms: 1, window: 64, ring: 64, command: 1, running: 1 },
        relay: Vec::new(),
        asks_on_terminal: false,
        sandbox: None,
    }
}
