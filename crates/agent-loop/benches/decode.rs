//! How fast an answer is read: a stream of 20 MB as services send it, whole and cut small; and one line of 20 MB, with the
//! memory it takes. Best of five, in processor time where Linux tells it, so that other work on the machine counts little.
//!
//! Budgets (docs/architecture.md): 200 MB/s; cut into pieces of 1 kB at most 1.5 times the cost of pieces of 1 MB; byte by
//! byte, 20 MB cost at most 1.5 times as much for each byte as 2 MB; a line of 20 MB takes at most 120 MB of memory, and one
//! beyond the cap of 32 MiB is refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

use std::fs;
use std::time::{Duration, Instant};

use agent_loop::Dialect;
use agent_loop::wire::{Decoder, FailureKind};
use serde_json::json;

const MEGABYTE: usize = 1_000_000;
const MEGABYTES: usize = 20;

fn main() {
    println!("reading a stream of {MEGABYTES} MB of words and arguments");
    for (dialect, stream) in [(Dialect::Anthropic, messages as fn(usize) -> Vec<u8>), (Dialect::OpenAi, chat)] {
        let (whole, tenth) = (stream(MEGABYTES * MEGABYTE), stream(MEGABYTES * MEGABYTE / 10));
        let by = |body: &[u8], cut: usize| best(|| read(dialect, body, cut)).as_secs_f64() / body.len() as f64;
        let (large, small) = (by(&whole, MEGABYTE), by(&whole, 1_000));
        let (single, single_of_tenth) = (by(&whole, 1), by(&tenth, 1));
        let speed = 1.0 / (large * 1e6);
        report(dialect, "MB/s, by 1 MB", speed, "at least 200", speed >= 200.0);
        report(dialect, "times that, by 1 kB", small / large, "at most 1.5", small <= 1.5 * large);
        let grown = single / single_of_tenth;
        report(dialect, "ns for each byte, byte by byte", single * 1e9, "none", true);
        report(dialect, "times 2 MB, byte by byte", grown, "at most 1.5", grown <= 1.5);
    }

    println!("\nreading one line of {MEGABYTES} MB, by 64 kB");
    for dialect in [Dialect::Anthropic, Dialect::OpenAi] {
        let line = line(dialect, MEGABYTES * MEGABYTE);
        let before = Memory::begin();
        let time = best(|| read(dialect, &line, 65_536));
        report(dialect, "MB/s", line.len() as f64 / 1e6 / time.as_secs_f64(), "none", true);
        if let Some(taken) = before.and_then(|before| before.peak()) {
            report(dialect, "MB of memory at its peak", taken, "at most 120", taken <= 120.0);
        }
        let too_long = self::line(dialect, 2 * MEGABYTES * MEGABYTE);
        let mut decoder = Decoder::new(dialect, "text/event-stream");
        let failure = too_long.chunks(65_536).find_map(|part| decoder.feed(part, &mut Vec::new()).err());
        let is_refused = failure.as_ref().is_some_and(|failure| failure.kind == FailureKind::TooLong);
        println!("{:<12}{}", "", failure.map_or_else(String::new, |failure| failure.message));
        report(dialect, "lines of 40 MB read", f64::from(u8::from(!is_refused)), "none", is_refused);
    }
}

fn report(dialect: Dialect, what: &str, value: f64, budget: &str, is_within: bool) {
    let name = format!("{dialect:?}");
    let verdict = if is_within { "within" } else { "OVER" };
    println!("{name:<12}{value:>10.2} {what:<34} budget: {budget}: {verdict}");
}

/// The least of five.
fn best<T>(work: impl Fn() -> T) -> Duration {
    let once = || {
        let (start, busy) = (Instant::now(), processor_time());
        std::hint::black_box(work());
        busy.zip(processor_time()).map_or_else(|| start.elapsed(), |(before, after)| after - before)
    };
    (0..5).map(|_| once()).min().unwrap()
}

/// What this thread has run so far.
fn processor_time() -> Option<Duration> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// The memory of this process before something, in MB.
struct Memory(f64);

impl Memory {
    /// From here on. `None`: nobody tells.
    fn begin() -> Option<Memory> {
        fs::write("/proc/self/clear_refs", "5").ok()?;
        Some(Memory(Memory::told("VmRSS:")?))
    }

    /// How much more it was at most.
    fn peak(&self) -> Option<f64> {
        Some(Memory::told("VmHWM:")? - self.0)
    }

    fn told(name: &str) -> Option<f64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let kibibytes: f64 =
            status.lines().find_map(|line| line.strip_prefix(name))?.trim().split(' ').next()?.parse().ok()?;
        Some(kibibytes * 1024.0 / 1e6)
    }
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

const WORDS: [&str; 6] = ["The", " quick brown", " fox", " 跳过了", ".\n", " \"lazy\" dog"];
const ARGUMENTS: [&str; 4] = ["{\"comm", "and\": \"ls", " -la /tmp", " && echo 好"];

/// So many bytes as Messages streams: a few words in each event until half of it, then a call.
fn messages(bytes: usize) -> Vec<u8> {
    let event = |name: &str, data: String| format!("event: {name}\ndata: {data}\n\n");
    let delta = |index: usize, kind: &str, field: &str, text: &str| {
        let data = format!(
            r#"{{"type":"content_block_delta","index":{index},"delta":{{"type":"{kind}","{field}":{}}}}}"#,
            json!(text)
        );
        event("content_block_delta", data)
    };
    let mut out = event(
        "message_start",
        r#"{"type":"message_start","message":{"id":"msg_01","type":"message","role":"assistant","model":"claude","content":[],"stop_reason":null,"usage":{"input_tokens":25,"output_tokens":1}}}"#.to_owned(),
    );
    out += &event(
        "content_block_start",
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#.to_owned(),
    );
    out += &event("ping", r#"{"type": "ping"}"#.to_owned());
    for text in WORDS.iter().cycle() {
        if out.len() > bytes / 2 {
            break;
        }
        out += &delta(0, "text_delta", "text", text);
    }
    out += &event("content_block_stop", r#"{"type":"content_block_stop","index":0}"#.to_owned());
    out += &event(
        "content_block_start",
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_01","name":"bash","input":{}}}"#.to_owned(),
    );
    for text in ARGUMENTS.iter().cycle() {
        if out.len() > bytes {
            break;
        }
        out += &delta(1, "input_json_delta", "partial_json", text);
    }
    out += &event("content_block_stop", r#"{"type":"content_block_stop","index":1}"#.to_owned());
    out += &event(
        "message_delta",
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":89}}"#.to_owned(),
    );
    out += &event("message_stop", r#"{"type":"message_stop"}"#.to_owned());
    out.into_bytes()
}

/// The same as Chat Completions streams it.
fn chat(bytes: usize) -> Vec<u8> {
    let chunk = |delta: &str, finish: &str| {
        format!(
            "data: {{\"id\":\"chatcmpl-123\",\"object\":\"chat.completion.chunk\",\"created\":1764547200,\"model\":\"gpt-oss-20b\",\"system_fingerprint\":\"fp_44709d6fcb\",\"choices\":[{{\"index\":0,\"delta\":{delta},\"logprobs\":null,\"finish_reason\":{finish}}}]}}\n\n"
        )
    };
    let mut out = chunk(r#"{"role":"assistant","content":""}"#, "null");
    for text in WORDS.iter().cycle() {
        if out.len() > bytes / 2 {
            break;
        }
        out += &chunk(&json!({ "content": text }).to_string(), "null");
    }
    let call =
        r#"{"tool_calls":[{"index":0,"id":"call_abc","type":"function","function":{"name":"bash","arguments":""}}]}"#;
    out += &chunk(call, "null");
    for text in ARGUMENTS.iter().cycle() {
        if out.len() > bytes {
            break;
        }
        let delta = json!({ "tool_calls": [{ "index": 0, "function": { "arguments": text } }] });
        out += &chunk(&delta.to_string(), "null");
    }
    out += &chunk("{}", "\"tool_calls\"");
    out += "data: [DONE]\n\n";
    out.into_bytes()
}

/// An answer whose words stand in one event of this size.
fn line(dialect: Dialect, bytes: usize) -> Vec<u8> {
    let words = "x".repeat(bytes);
    let (begin, end) = match dialect {
        Dialect::Anthropic => (
            "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n\
             data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"",
            "\"}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n\
             data: {\"type\":\"message_stop\"}\n\n",
        ),
        Dialect::OpenAi => (
            "data: {\"id\":\"c\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"",
            "\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        ),
    };
    [begin, &words, end].concat().into_bytes()
}
