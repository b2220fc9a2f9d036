//! What must hold for any bytes at all. The fuzz targets look for bytes that break it; `tests/fuzz_corpus.rs` replays the
//! corpora. Each property panics where it does not hold.

use std::rc::Rc;

use agent_loop::host::Offered;
use agent_loop::message::CallKey;
use agent_loop::settings::{Limits, OfferTools, Profile, RunTools};
use agent_loop::tool::{Codes, Collector, Cut, Join, Outcome, OutputRule, parse_arguments};
use agent_loop::wire::{Decoder, Frame, SseParser, profiles, read_json, repaired, request, with_exact_numbers};
use agent_loop::{
    Answer, Block, Dialect, Message, ModelFailure, Origin, Producer, Role, Settings, StopReason, Stream, ToolCall,
    ToolResult, Usage,
};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

#[path = "../tests/wire_request/legal.rs"]
#[allow(dead_code, reason = "what else is judged there is tried in the tests of requests")]
mod legal;

/// Inputs shorter than this are also taken byte by byte, whatever their first byte says. In a longer one that costs more
/// than all else and finds what it finds in a short one too; the corpora are replayed so at any length.
const SHORT: usize = 256;

/// So many drafts are made of one answer: each costs as much as the answer is long.
const DRAFTS: usize = 8;

/// The same frames, however the bytes are cut.
pub(crate) fn sse(data: &[u8]) {
    let Some((cut, bytes)) = data.split_first() else { return };
    let whole = frames(&[bytes]);
    for parts in cuttings(*cut, bytes) {
        assert_eq!(whole, frames(&parts), "in {} parts", parts.len());
    }
}

/// See [`decode`].
pub(crate) fn decode_anthropic(data: &[u8]) {
    decode(Dialect::Anthropic, data);
}

/// See [`decode`].
pub(crate) fn decode_openai(data: &[u8]) {
    decode(Dialect::OpenAi, data);
}

/// What is read as an object is one, and no beginning of an object is. JSON is written as it reads.
pub(crate) fn arguments(data: &[u8]) {
    let Some((at, bytes)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(value) = parse_arguments(text) {
        let again = parse_arguments(&value.to_string()).is_ok_and(|again| again == value);
        assert!(value.is_string() || again, "{text}");
    }
    // What is written reads as what is written.
    if let Ok(value) = read_json(bytes) {
        let written = with_exact_numbers(value.to_string());
        let again = read_json(written.as_bytes()).map(|value| with_exact_numbers(value.to_string()));
        assert_eq!(again.ok().as_deref(), Some(&*written), "{text}");
    }
    let strict: Option<Value> = serde_json::from_str(text).ok().filter(Value::is_object);
    let until = usize::from(*at) * text.len() / 256;
    if let (Some(whole), Some(begin)) = (strict, text.get(..until).filter(|begin| !begin.trim().is_empty())) {
        assert!(parse_arguments(begin).is_ok_and(|value| value == whole) || parse_arguments(begin).is_err(), "{begin}");
    }
}

/// What a model reads of output is the same, however it was cut on the way; it holds nothing a terminal would obey, no more
/// characters than it may, and every byte is counted. Also when most of it was left out.
pub(crate) fn terminal(data: &[u8]) {
    let [cap, size, bytes @ ..] = data else { return };
    let cap = usize::from(*cap);
    // What shows nothing fills the room, so that the kept tail begins somewhere in the bytes.
    let filler = b"\x1b[m".repeat((4 * cap + 16 * 1024) / 3);
    let rules =
        [(Cut::HeadAndTail, Join::Arrival), (Cut::HeadAndTail, Join::StdoutThenStderr), (Cut::Head, Join::Arrival)];
    for (cut, join) in rules {
        for filler in [&[], filler.as_slice()] {
            let read = |pieces: &mut dyn Iterator<Item = (Stream, &[u8])>| {
                let mut collector = Collector::new(OutputRule { cap, cut, join, codes: Codes::Stripped });
                collector.push(Stream::Stdout, filler);
                pieces.for_each(|(stream, piece)| collector.push(stream, piece));
                collector.push(Stream::Stdout, filler);
                assert_eq!(collector.total_bytes(), (bytes.len() + 2 * filler.len()) as u64);
                collector.text()
            };
            let whole = read(&mut std::iter::once((Stream::Stdout, bytes)));
            let single = read(&mut bytes.chunks(1).map(|byte| (Stream::Stdout, byte)));
            assert_eq!(whole, single, "byte by byte");
            let streams = [Stream::Stdout, Stream::Stderr].into_iter().cycle();
            let mixed = read(&mut streams.zip(bytes.chunks(usize::from(*size).max(1))));
            for text in [whole, mixed] {
                assert!(!text.chars().any(|it| it.is_control() && !matches!(it, '\n' | '\t')), "{text:?}");
                let marks = text.lines().filter(|line| line.starts_with('…')).map(|mark| mark.chars().count() + 2);
                let most = cap + marks.max().unwrap_or(0);
                assert!(text.chars().count() <= most || text.starts_with("(binary"), "{text:?}");
            }
        }
    }
}

/// Any history becomes a body that the services accept, and its repair changes nothing the second time.
pub(crate) fn outbound(data: &[u8]) {
    let Some((profile, rest)) = data.split_first() else { return };
    SETTINGS.with(|all| {
        let settings = &all[usize::from(*profile) % all.len()];
        check_request(settings, &history(rest, settings));
    });
}

/// The same answer, however the bytes are cut; and an answer can be sent on to either dialect.
fn decode(dialect: Dialect, data: &[u8]) {
    let Some((cut, bytes)) = data.split_first() else { return };
    let whole = decoded(dialect, &[bytes]);
    for parts in cuttings(*cut, bytes) {
        assert_eq!(whole, decoded(dialect, &parts), "in {} parts", parts.len());
    }
    let Ok(answer) = whole else { return };
    let mut message = Message::new(Role::Assistant, Producer::Model, answer.blocks);
    SETTINGS.with(|all| {
        for profile in ["anthropic", "openai"] {
            let settings = all.iter().find(|settings| settings.profile.id == profile).unwrap();
            let origin = origin(dialect, profile, answer.stop_reason.clone());
            message = Message { origin: Some(origin), ..message.clone() };
            check_request(settings, &[Rc::new(Message::person("Go.")), Rc::new(message.clone())]);
        }
    });
}

/// The bytes in pieces of the size that the first byte tells, and in two at the place that it tells; short ones also byte
/// by byte.
fn cuttings(cut: u8, bytes: &[u8]) -> Vec<Vec<&[u8]>> {
    let cut = usize::from(cut);
    let (head, tail) = bytes.split_at(cut * bytes.len() / 256);
    let mut all = vec![bytes.chunks(cut.max(1)).collect(), vec![head, tail]];
    if bytes.len() < SHORT {
        all.push(bytes.chunks(1).collect());
    }
    all
}

fn frames(parts: &[&[u8]]) -> Vec<(bool, Vec<u8>, Vec<u8>)> {
    let mut seen = Vec::new();
    let mut sink = |frame: Frame<'_>| {
        seen.push(match frame {
            Frame::Event { name, data } => (true, name.to_vec(), data.to_vec()),
            Frame::Stray(line) => (false, line.to_vec(), Vec::new()),
        });
        Ok(())
    };
    let mut parser = SseParser::default();
    for part in parts {
        parser.feed(part, &mut sink).unwrap();
    }
    parser.finish(&mut sink).unwrap();
    seen
}

fn decoded(dialect: Dialect, parts: &[&[u8]]) -> Result<Answer, ModelFailure> {
    let mut decoder = Decoder::new(dialect, "");
    let mut deltas = Vec::new();
    let between = parts.len().div_ceil(DRAFTS).max(1);
    for (place, part) in parts.iter().enumerate() {
        decoder.feed(part, &mut deltas)?;
        if place % between == 0 {
            decoder.draft();
        }
    }
    decoder.finish()
}

fn check_request(settings: &Settings, messages: &[Rc<Message>]) {
    let made = request(settings, &Offered::default(), messages);
    let _: IgnoredAny = serde_json::from_slice(&made.body()).unwrap();
    let body: Value = read_json(&made.body()).unwrap();
    legal::check(settings.profile.dialect, &body);
    let (once, _) = repaired(settings, messages);
    let (twice, repairs) = repaired(settings, &once);
    assert!(repairs.is_empty() && once == twice, "{repairs:?}");
}

thread_local! {
    /// Settings for each profile: made once, since the profiles are many and the runs are more.
    static SETTINGS: Vec<Settings> = profiles().into_iter().map(settings).collect();
}

fn settings(profile: Profile) -> Settings {
    Settings {
        profile,
        base_url: String::new(),
        model: "m".to_owned(),
        system: String::new(),
        max_tokens: None,
        stop_sequences: Vec::new(),
        stream: true,
        offer_tools: OfferTools::Off,
        pinned_tools: Vec::new(),
        run_tools: RunTools::Loop,
        price: None,
        limits: Limits::default(),
        output: Default::default(),
        wording: Default::default(),
        blacklist: Default::default(),
    }
}

/// A history from bytes: each opens a message or adds a block, and the next few say what is in it.
fn history(bytes: &[u8], settings: &Settings) -> Vec<Rc<Message>> {
    let mut messages: Vec<Message> = Vec::new();
    let mut rest = bytes.iter().copied();
    while let Some(what) = rest.next() {
        let mut next = || usize::from(rest.next().unwrap_or_default());
        let key = CallKey { fact: usize::from(what >> 6), index: usize::from(what >> 4 & 3) };
        let block = match what % 8 {
            0 => {
                messages.push(Message::new(Role::User, Producer::Person, Vec::new()));
                continue;
            }
            1 | 2 => {
                let mut message = Message::new(Role::Assistant, Producer::Model, Vec::new());
                let reason = if what & 8 == 0 { StopReason::EndTurn } else { StopReason::PauseTurn };
                let profile = if what & 16 == 0 { &settings.profile.id } else { "elsewhere" };
                message.origin = (what & 32 == 0).then(|| origin(settings.profile.dialect, profile, reason));
                messages.push(message);
                continue;
            }
            3 => Block::Text { text: words(next()).into() },
            4 => Block::ToolUse(ToolCall {
                key,
                id: words(next()),
                name: words(next()),
                arguments: ["", "{}", "{\"command\": \"ls", "[1]", "{\"a\":\"\\ud83d\"}"][next() % 5].to_owned(),
                extra: (what & 8 != 0).then(|| json!({ "extra_content": 1 })),
                original_arguments: None,
            }),
            5 => Block::ToolResult(ToolResult {
                call: key,
                content: words(next()),
                is_error: what & 8 != 0,
                outcome: Outcome::Unknown,
                duration_ms: 0,
                output_bytes: 0,
                original_content: None,
                left_out: None,
            }),
            6 => Block::Thinking {
                text: words(next()).into(),
                raw: json!({ "type": "thinking", "thinking": "Hm", "signature": words(next()) }),
            },
            _ => Block::Opaque { raw: json!({ "type": "mystery", "x": next() }) },
        };
        if let Some(message) = messages.last_mut() {
            message.blocks.push(block);
        }
    }
    messages.into_iter().map(Rc::new).collect()
}

fn words(kind: usize) -> String {
    match kind % 8 {
        0 => String::new(),
        1 => " \n".to_owned(),
        2 => "tail ".to_owned(),
        3 => "call_1|fc_2".to_owned(),
        4 => "x".repeat(kind),
        5 => "跑\u{0}\u{7f}".to_owned(),
        _ => format!("t{kind}"),
    }
}

fn origin(dialect: Dialect, profile: &str, stop_reason: StopReason) -> Origin {
    Origin {
        dialect,
        profile: profile.to_owned(),
        model: String::new(),
        id: String::new(),
        stop_reason,
        usage: Usage::default(),
        duration_ms: 0,
    }
}
