//! A long session: opening its stored log, going back in it, and forking it. Fixture: 10,000 facts, 1,111 turns of nine
//! facts each with about a kilobyte of results, stored as a line of JSON per fact.
//!
//! Budget: opening at most 500 ms, going back and forking at most 50 ms each (docs/architecture.md).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, missing_docs)]

use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

use agent_loop::message::{Answer, StopReason, Usage};
use agent_loop::tool::Outcome;
use agent_loop::{Block, CallKey, Fact, Ruling, Sealed, Session, ToolCall, ToolResult};

const FACTS: usize = 10_000;

fn main() {
    let stored = stored();
    let bytes: usize = stored.iter().map(String::len).sum();
    println!("a session of {FACTS} facts, {} kB as JSON, best of three", bytes / 1000);
    let session = open(&stored);
    report("open", Duration::from_millis(500), || drop(black_box(open(&stored))));
    report("back by one", Duration::from_millis(50), || drop(black_box(session.at(FACTS - 1))));
    report("back to half", Duration::from_millis(50), || drop(black_box(session.at(FACTS / 2))));
    report("fork near the end", Duration::from_millis(50), || drop(black_box(session.fork(FACTS - 1, 0))));
    report("one more fact, the state before held", Duration::from_millis(1), || {
        let held = session.state();
        session.record(0, Fact::Said { text: "more".into() });
        black_box(held);
    });
}

fn report(what: &str, budget: Duration, work: impl Fn()) {
    let once = || {
        let begin = Instant::now();
        work();
        begin.elapsed()
    };
    let best = (0..3).map(|_| once()).min().unwrap();
    let verdict = if best <= budget { "within" } else { "OVER" };
    println!("{what:<38}{best:>12.2?}   budget {budget:?}: {verdict}");
}

fn open(stored: &[String]) -> Session {
    let facts: Vec<Sealed> = stored.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let session = Session::open(facts, Vec::new(), 0).unwrap();
    assert!(session.len() >= FACTS);
    session
}

/// The log as a store holds it: every turn asks, runs one command and goes on.
fn stored() -> Vec<String> {
    let session = Session::new(0);
    let golden = include_str!("../tests/logs/format-1.jsonl").lines().nth(1).unwrap();
    let configured: Sealed = serde_json::from_str(golden).unwrap();
    session.record(0, configured.fact);
    while session.len() < FACTS {
        session.record(1, Fact::Said { text: "go on".into() });
        session.record(1, Fact::Prepared { repairs: Vec::new() });
        session.record(1, Fact::Called { bytes: 1 });
        let call = CallKey { fact: session.len(), index: 0 };
        session.record(1, Fact::Answered { answer: answer(call) });
        session.record(1, Fact::Ruled { call, ruling: Ruling::Run });
        session.record(1, Fact::ToolStarted { call, run_id: "r".into(), host: "bench".into() });
        session.record(1, Fact::ToolEnded { result: result(call) });
        session.record(1, Fact::WroteBack);
        session.record(1, Fact::Stopped { draft: Vec::new() });
    }
    session.facts().iter().take(FACTS).map(|sealed: &Rc<Sealed>| serde_json::to_string(&**sealed).unwrap()).collect()
}

fn answer(key: CallKey) -> Answer {
    let call = ToolCall {
        key,
        id: format!("toolu_{}", key.fact),
        name: "bash".into(),
        arguments: "{\"command\":\"ls -la\"}".into(),
        extra: None,
        original_arguments: None,
    };
    Answer {
        blocks: vec![Block::Text { text: "I will look at the files. ".repeat(8).into() }, Block::ToolUse(call)],
        stop_reason: StopReason::ToolUse,
        stop_details: None,
        usage: Usage::default(),
        model: "m".into(),
        id: "msg_1".into(),
        duration_ms: 1,
        first_byte_ms: None,
    }
}

fn result(call: CallKey) -> ToolResult {
    ToolResult {
        call,
        content: "-rw-r--r-- 1 ada ada 4096 app.py\n".repeat(30),
        is_error: false,
        outcome: Outcome::Exited(0),
        duration_ms: 1,
        output_bytes: 1000,
        left_out: None,
        original_content: None,
    }
}
