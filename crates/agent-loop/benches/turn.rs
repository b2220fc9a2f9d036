//! The loop's own cost per turn: encode, decode and fold, apart from the copy of the body that a stateless API makes
//! us send. Fixture: a session of 500 turns with 1 MB of messages; the turn measured has a 10 kB answer with one call.
//!
//! Budget (docs/architecture.md): at most 1 ms at turn 500, and at most 3 times turn 10.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, missing_docs)]

use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

use agent_loop::host::Offered;
use agent_loop::settings::{Limits, OfferTools, RunTools};
use agent_loop::tool::{Blacklist, Outcome, OutputRule, WordingSet};
use agent_loop::wire::{Decoder, profiles};
use agent_loop::{CallKey, Dialect, Fact, Ruling, Session, Settings, ToolResult, ToolSpec};
use serde_json::json;

fn main() {
    println!("loop overhead per turn, best of three (median of 100 turns each)");
    println!("{:<18}{:>14}{:>14}{:>10}{:>16}", "dialect", "turn 10", "turn 500", "ratio", "body copy, 500");
    for dialect in [Dialect::Anthropic, Dialect::OpenAi] {
        let session = session(dialect, 500);
        let best = |turn: usize| (0..3).map(|_| measure(dialect, &session, turn)).min_by_key(|cost| cost.work).unwrap();
        let (early, late) = (best(10), best(500));
        let ratio = late.work.as_secs_f64() / early.work.as_secs_f64();
        let name = format!("{dialect:?}");
        println!("{name:<18}{:>14?}{:>14?}{ratio:>9.2}x{:>16?}", early.work, late.work, late.copy);
        let verdict = if late.work <= Duration::from_millis(1) && ratio <= 3.0 { "within" } else { "OVER" };
        println!("{:<18}budget: 1 ms and 3x: {verdict}", "");
    }
}

struct Cost {
    work: Duration,
    copy: Duration,
}

/// The median cost of one more turn after the first `turns` of the session.
fn measure(dialect: Dialect, session: &Session, turns: usize) -> Cost {
    let upto = session
        .facts()
        .iter()
        .enumerate()
        .filter(|(_, sealed)| matches!(sealed.fact, Fact::WroteBack))
        .nth(turns - 1)
        .map(|(n, _)| n + 1)
        .unwrap();
    let stream = answer_stream(dialect, 10_000);
    let mut costs: Vec<Cost> = (0..100)
        .map(|_| {
            let fork = session.fork(upto, 1);
            fork.record(1, Fact::Resumed);
            // A fork folds its messages anew and writes each once more; a session that goes on has done so before.
            black_box(fork.state().request());
            answered(&fork, dialect, &stream);
            let begin = Instant::now();
            let request = fork.state().request().unwrap();
            let prepared = begin.elapsed();
            let begin = Instant::now();
            black_box(request.body());
            let copy = begin.elapsed();
            let begin = Instant::now();
            answered(&fork, dialect, &stream);
            Cost { work: prepared + begin.elapsed(), copy }
        })
        .collect();
    costs.sort_by_key(|cost| cost.work);
    costs.swap_remove(50)
}

/// Decodes an answer from its bytes and records the whole turn.
fn answered(session: &Session, dialect: Dialect, stream: &[u8]) {
    session.record(1, Fact::Prepared { repairs: Vec::new() });
    session.record(1, Fact::Called { bytes: 1 });
    let mut decoder = Decoder::new(dialect, "text/event-stream");
    let mut deltas = Vec::new();
    for part in stream.chunks(1400) {
        decoder.feed(part, &mut deltas).unwrap();
        deltas.clear();
    }
    let fact = session.len();
    session.record(1, Fact::Answered { answer: decoder.finish().unwrap() });
    let call = CallKey { fact, index: 0 };
    session.record(1, Fact::Ruled { call, ruling: Ruling::Run });
    session.record(1, Fact::ToolStarted { call, run_id: "r".into(), host: "bench".into() });
    let result = ToolResult {
        call,
        content: "x".repeat(1000),
        is_error: false,
        outcome: Outcome::Exited(0),
        duration_ms: 1,
        output_bytes: 1000,
        left_out: None,
        original_content: None,
    };
    session.record(1, Fact::ToolEnded { result });
    session.record(1, Fact::WroteBack);
}

fn session(dialect: Dialect, turns: usize) -> Session {
    let profile = profiles().into_iter().find(|profile| profile.dialect == dialect).unwrap();
    let settings = Settings {
        profile,
        base_url: "http://127.0.0.1".into(),
        model: "m".into(),
        system: "You are a coding agent at {cwd}.".into(),
        max_tokens: Some(8000),
        stop_sequences: Vec::new(),
        stream: true,
        offer_tools: OfferTools::Host,
        pinned_tools: Vec::new(),
        run_tools: RunTools::Loop,
        limits: Limits { model_calls: 10_000, same_calls: 0, ..Limits::default() },
        price: None,
        output: OutputRule::default(),
        wording: WordingSet::Default,
        blacklist: Blacklist::Off,
    };
    let schema = json!({"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]});
    let bash = ToolSpec { name: "bash".into(), description: "Run a shell command.".into(), input_schema: schema };
    let session = Session::new(0);
    session.record(0, Fact::Configured { settings: Rc::new(settings) });
    let offered = Offered { host: "bench".into(), tools: vec![bash], cwd: "/w".into(), background: Vec::new() };
    session.record(0, Fact::Offered { offered: Rc::new(offered) });
    session.record(0, Fact::Said { text: "go".into() });
    let stream = answer_stream(dialect, 1000);
    for _ in 0..turns {
        black_box(session.state().request());
        answered(&session, dialect, &stream);
    }
    session
}

/// An answer of about `bytes` of words and one call, streamed in small deltas.
fn answer_stream(dialect: Dialect, bytes: usize) -> Vec<u8> {
    let words = "some words of an answer ".repeat(bytes / 24);
    let deltas: Vec<String> =
        words.as_bytes().chunks(40).map(|part| String::from_utf8_lossy(part).into_owned()).collect();
    let command = "{\"command\":\"ls -la\"}";
    let mut out = String::new();
    match dialect {
        Dialect::Anthropic => {
            let mut event =
                |name: &str, value: serde_json::Value| out.push_str(&format!("event: {name}\ndata: {value}\n\n"));
            let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [],
                "stop_reason": null, "usage": {"input_tokens": 10, "output_tokens": 1}});
            event("message_start", json!({"type": "message_start", "message": message}));
            let text = json!({"type": "text", "text": ""});
            event("content_block_start", json!({"type": "content_block_start", "index": 0, "content_block": text}));
            for delta in deltas {
                let delta = json!({"type": "text_delta", "text": delta});
                event("content_block_delta", json!({"type": "content_block_delta", "index": 0, "delta": delta}));
            }
            event("content_block_stop", json!({"type": "content_block_stop", "index": 0}));
            let call = json!({"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {}});
            event("content_block_start", json!({"type": "content_block_start", "index": 1, "content_block": call}));
            let delta = json!({"type": "input_json_delta", "partial_json": command});
            event("content_block_delta", json!({"type": "content_block_delta", "index": 1, "delta": delta}));
            event("content_block_stop", json!({"type": "content_block_stop", "index": 1}));
            let delta = json!({"stop_reason": "tool_use"});
            event("message_delta", json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 9}}));
            event("message_stop", json!({"type": "message_stop"}));
        }
        Dialect::OpenAi => {
            let mut chunk = |delta: serde_json::Value, why: serde_json::Value| {
                let choice = json!({"index": 0, "delta": delta, "finish_reason": why});
                out.push_str(&format!("data: {}\n\n", json!({"id": "c", "model": "m", "choices": [choice]})));
            };
            chunk(json!({"role": "assistant"}), json!(null));
            for delta in deltas {
                chunk(json!({"content": delta}), json!(null));
            }
            let function = json!({"name": "bash", "arguments": command});
            let call = json!({"index": 0, "id": "call_1", "type": "function", "function": function});
            chunk(json!({"tool_calls": [call]}), json!(null));
            chunk(json!({}), json!("tool_calls"));
            out.push_str("data: [DONE]\n\n");
        }
    }
    out.into_bytes()
}
