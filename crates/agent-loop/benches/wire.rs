//! How fast the wire is: reading a recorded stream, whole and cut small, and writing a long history, cold and warm.
//!
//! `cargo bench -p agent-loop --bench wire`. Budgets: reading at least 200 MB/s and linear however it is cut.
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
use agent_loop::wire::{Decoder, profiles, request};
use agent_loop::{
    Block, Dialect, Message, Origin, Outcome, Producer, Role, Settings, StopReason, ToolCall, ToolResult, ToolSpec,
    Usage,
};
use serde_json::json;

fn main() {
    println!("reading a stream of {} events of words and arguments; best of three", EVENTS);
    println!(
        "{:<12} {:>8} {:>12} {:>12} {:>12} {:>14}",
        "dialect", "MB", "whole MB/s", "1 kB MB/s", "7 B MB/s", "double/single"
    );
    for (dialect, name, body) in [
        (Dialect::Anthropic, "anthropic", anthropic_stream(EVENTS)),
        (Dialect::OpenAi, "openai", openai_stream(EVENTS)),
    ] {
        let double = match dialect {
            Dialect::Anthropic => anthropic_stream(2 * EVENTS),
            Dialect::OpenAi => openai_stream(2 * EVENTS),
        };
        let megabytes = body.len() as f64 / 1e6;
        let speed = |cut: usize| megabytes / best(|| read(dialect, &body, cut)).as_secs_f64();
        let ratio = best(|| read(dialect, &double, 7)).as_secs_f64() / best(|| read(dialect, &body, 7)).as_secs_f64();
        println!(
            "{name:<12} {megabytes:>8.1} {:>12.0} {:>12.0} {:>12.0} {ratio:>14.2}",
            speed(usize::MAX),
            speed(1000),
            speed(7),
        );
    }

    println!("\nwriting a request of 1,000 messages; best of three");
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

const EVENTS: usize = 40_000;

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

fn best<T>(mut work: impl FnMut() -> T) -> Duration {
    (0..3).map(|_| timed(&mut work)).min().unwrap()
}

fn read(dialect: Dialect, body: &[u8], cut: usize) -> usize {
    let mut decoder = Decoder::new(dialect, "text/event-stream");
    let mut deltas = Vec::new();
    let mut seen = 0;
    for part in body.chunks(cut) {
        decoder.feed(part, &mut deltas).unwrap();
        seen += deltas.len();
        deltas.clear();
    }
    decoder.finish().unwrap().blocks.len() + seen
}

/// As the service streams: a few words in each event, and a call at the end.
fn anthropic_stream(events: usize) -> Vec<u8> {
    let mut out = String::from(
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_01\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude\",\"content\":[],\"stop_reason\":null,\"usage\":{\"input_tokens\":25,\"output_tokens\":1}}}\n\n\
         event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n\
         event: ping\ndata: {\"type\": \"ping\"}\n\n",
    );
    for n in 0..events {
        let (index, kind, field, text) = match n * 2 / events {
            0 => (0, "text_delta", "text", WORDS[n % WORDS.len()]),
            _ => (1, "input_json_delta", "partial_json", ARGUMENTS[n % ARGUMENTS.len()]),
        };
        if n == events.div_ceil(2) {
            out.push_str("event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"toolu_01\",\"name\":\"bash\",\"input\":{}}}\n\n");
        }
        out.push_str(&format!(
            "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":{index},\"delta\":{{\"type\":\"{kind}\",\"{field}\":{}}}}}\n\n",
            json!(text)
        ));
    }
    out.push_str("event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":1}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":89}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
    out.into_bytes()
}

fn openai_stream(events: usize) -> Vec<u8> {
    let chunk = |delta: &str, finish: &str| {
        format!(
            "data: {{\"id\":\"chatcmpl-123\",\"object\":\"chat.completion.chunk\",\"created\":1764547200,\"model\":\"gpt-oss-20b\",\"system_fingerprint\":\"fp_44709d6fcb\",\"choices\":[{{\"index\":0,\"delta\":{delta},\"logprobs\":null,\"finish_reason\":{finish}}}]}}\n\n"
        )
    };
    let mut out = chunk("{\"role\":\"assistant\",\"content\":\"\"}", "null");
    for n in 0..events {
        if n == events.div_ceil(2) {
            out.push_str(&chunk("{\"tool_calls\":[{\"index\":0,\"id\":\"call_abc\",\"type\":\"function\",\"function\":{\"name\":\"bash\",\"arguments\":\"\"}}]}", "null"));
        }
        let delta = match n * 2 / events {
            0 => json!({ "content": WORDS[n % WORDS.len()] }),
            _ => json!({ "tool_calls": [{ "index": 0, "function": { "arguments": ARGUMENTS[n % ARGUMENTS.len()] } }] }),
        };
        out.push_str(&chunk(&delta.to_string(), "null"));
    }
    out.push_str(&chunk("{}", "\"tool_calls\""));
    out.push_str("data: [DONE]\n\n");
    out.into_bytes()
}

const WORDS: [&str; 6] = ["The", " quick brown", " fox", " 跳过了", ".\n", " \"lazy\" dog"];
const ARGUMENTS: [&str; 4] = ["{\"comm", "and\": \"ls", " -la /tmp", " && echo 好"];

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
        let text = Block::Text { text: "Some words.\n".repeat(20) };
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
