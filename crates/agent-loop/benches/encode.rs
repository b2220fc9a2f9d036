//! How fast a request is written: a long history, cold and warm, beside the copy of its body.
//!
//! `cargo bench -p agent-loop --bench encode`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    missing_docs
)]

use std::rc::Rc;
use std::time::{Duration, Instant};

use agent_loop::host::Offered;
use agent_loop::message::CallKey;
use agent_loop::settings::{Limits, OfferTools, RunTools};
use agent_loop::wire::{profiles, request};
use agent_loop::{
    Block, Dialect, Message, Origin, Outcome, Producer, Role, Settings, StopReason, ToolCall, ToolResult, ToolSpec,
    Usage,
};
use serde_json::json;

fn main() {
    println!("writing a request of 1,000 messages; best of three");
    println!("{:<12} {:>8} {:>10} {:>10} {:>10}", "dialect", "MB", "cold ms", "warm ms", "copy ms");
    for (profile, name) in [("anthropic", "anthropic"), ("openai", "openai")] {
        let settings = settings(profile);
        let offered = offered();
        let history = || history(1000, profile, settings.profile.dialect);
        let cold = (0..3)
            .map(|_| {
                let fresh = history();
                timed(|| request(&settings, &offered, &fresh))
            })
            .min()
            .unwrap();
        let messages = history();
        let made = request(&settings, &offered, &messages);
        assert!(made.repairs.is_empty(), "the history is whole");
        let warm = best(|| request(&settings, &offered, &messages));
        let copy = best(|| made.body());
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let megabytes = made.body_len() as f64 / 1e6;
        println!("{name:<12} {megabytes:>8.2} {:>10.2} {:>10.3} {:>10.3}", ms(cold), ms(warm), ms(copy));
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

fn best<T>(mut work: impl FnMut() -> T) -> Duration {
    (0..3).map(|_| timed(&mut work)).min().unwrap()
}

fn settings(profile: &str) -> Settings {
    Settings {
        profile: profiles().into_iter().find(|known| known.id == profile).unwrap(),
        base_url: "https://example.org".to_owned(),
        model: "m".to_owned(),
        system: "You are a coding agent at {cwd}.".to_owned(),
        max_tokens: Some(8000),
        stop_sequences: Vec::new(),
        stream: true,
        offer_tools: OfferTools::Host,
        pinned_tools: Vec::new(),
        run_tools: RunTools::Loop,
        limits: Limits::default(),
        price: None,
        output: Default::default(),
        wording: Default::default(),
        blacklist: Default::default(),
    }
}

fn offered() -> Offered {
    let bash = ToolSpec {
        name: "bash".to_owned(),
        description: "Run a shell command.".to_owned(),
        input_schema: json!({ "type": "object", "properties": { "command": { "type": "string" } }, "required": ["command"] }),
    };
    Offered { host: "host-bridge".to_owned(), tools: vec![bash], cwd: "/home/me".to_owned(), background: Vec::new() }
}

/// A question, and then calls and results in turn; about 1 kB each.
fn history(messages: usize, profile: &str, dialect: Dialect) -> Vec<Rc<Message>> {
    let mut history = vec![Rc::new(Message::person("Go on."))];
    while history.len() < messages {
        let fact = history.len();
        let key = CallKey { fact, index: 0 };
        let call = ToolCall {
            key,
            id: format!("toolu_{fact:08}"),
            name: "bash".to_owned(),
            arguments: json!({ "command": "echo \"line\"\n".repeat(50) }).to_string(),
            extra: None,
            original_arguments: None,
        };
        let text = Block::Text { text: "Some words.\n".repeat(20).into() };
        let mut asking = Message::new(Role::Assistant, Producer::Model, vec![text, Block::ToolUse(call)]);
        asking.origin = Some(Origin {
            dialect,
            profile: profile.to_owned(),
            model: "m".to_owned(),
            id: "msg".to_owned(),
            stop_reason: StopReason::ToolUse,
            usage: Usage::default(),
            duration_ms: 1,
        });
        let result = ToolResult {
            call: key,
            content: "output \"quoted\" 好\n".repeat(50),
            is_error: false,
            outcome: Outcome::Exited(0),
            duration_ms: 1,
            output_bytes: 1000,
            left_out: None,
            original_content: None,
        };
        history.push(Rc::new(asking));
        history.push(Rc::new(Message::new(Role::User, Producer::Host, vec![Block::ToolResult(result)])));
    }
    history
}
