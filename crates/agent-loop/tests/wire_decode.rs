//! The decoders against the wire as data: every body in `wire/anthropic` and `wire/openai` gives exactly what the file
//! `.expected.json` beside it says, fed whole, byte by byte, cut in two at every place, and in
//! many parts at random.
//!
//! A new body gets its expectation by `UPDATE=1 cargo test -p agent-loop --test wire_decode`; read it before it is kept.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agent_loop::wire::{Decoder, Delta};
use agent_loop::{Answer, Block, Dialect, ModelFailure};
use serde_json::{Value, json};

#[test]
fn anthropic() {
    check(Dialect::Anthropic, "anthropic");
}

#[test]
fn openai() {
    check(Dialect::OpenAi, "openai");
}

#[track_caller]
fn check(dialect: Dialect, folder: &str) {
    let bodies = bodies(folder);
    assert!(bodies.len() > 10, "no data in {folder}");
    for path in bodies {
        let name = path.file_name().unwrap().to_str().unwrap();
        let body = std::fs::read(&path).unwrap();
        let content_type = match path.extension().unwrap().to_str().unwrap() {
            "sse" => "text/event-stream; charset=utf-8",
            "json" => "application/json",
            _ => "text/html",
        };
        let whole = decode(dialect, content_type, [&body[..]]);
        let expected_path = path.with_extension("expected.json");
        let told = match &whole.0 {
            Ok(answer) => json!({ "answer": answer }),
            Err(failure) => json!({ "failure": failure }),
        };
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&expected_path, format!("{told:#}\n")).unwrap();
        }
        let expected = std::fs::read_to_string(&expected_path).expect(name);
        assert_eq!(told, serde_json::from_str::<Value>(&expected).expect(name), "{name}");

        // A field that nobody knows changes nothing, although it keeps an event from being read the quick way.
        // Chunks say how long they are.
        if whole.0.is_ok() && !name.contains("chunks") {
            let lines = body.split_inclusive(|byte| *byte == b'\n');
            let slow: Vec<u8> = lines
                .flat_map(|line| match line.strip_prefix(b"data: {\"") {
                    Some(rest) => [b"data: {\"x_unknown\":0,\"", rest].concat(),
                    None => line.to_vec(),
                })
                .collect();
            check_same(&whole, &decode(dialect, content_type, [&slow[..]]), &format!("{name}, the slow way"));
        }
        check_same(&whole, &decode(dialect, content_type, body.chunks(1)), &format!("{name}, byte by byte"));
        for seed in 0..20 {
            let cut_at_random = decode(dialect, content_type, parts(&body, seed));
            check_same(&whole, &cut_at_random, &format!("{name}, cut at random, {seed}"));
        }
        for cut in 0..=body.len() {
            let cut_in_two = decode(dialect, content_type, [&body[..cut], &body[cut..]]);
            check_same(&whole, &cut_in_two, &format!("{name}, cut at {cut}"));
        }
    }
}

/// The body in parts of 0 to 16 bytes, by a chance that is the same in every run (xorshift).
fn parts(body: &[u8], seed: u64) -> Vec<&[u8]> {
    let mut chance = seed * 2 + 0x9E37_79B9_7F4A_7C15;
    let mut rest = body;
    let mut parts = Vec::new();
    while !rest.is_empty() {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        let (part, more) = rest.split_at((chance % 17).min(rest.len() as u64) as usize);
        parts.push(part);
        rest = more;
    }
    parts
}

type Decoded = (Result<Answer, ModelFailure>, BTreeMap<usize, String>);

fn decode<'a>(dialect: Dialect, content_type: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> Decoded {
    let mut decoder = Decoder::new(dialect, content_type);
    let mut deltas = Vec::new();
    for part in parts {
        if let Err(failure) = decoder.feed(part, &mut deltas) {
            return (Err(failure), joined(&deltas));
        }
    }
    let draft = decoder.draft();
    for (place, text) in joined(&deltas) {
        // Blank arguments are an empty object.
        let is_blank_call = matches!(draft[place], Block::ToolUse(_)) && text.trim().is_empty();
        let text = if is_blank_call { "{}" } else { &text };
        assert_eq!(text, text_of(&draft[place]), "the deltas of a block are its text");
    }
    (decoder.finish(), joined(&deltas))
}

#[track_caller]
fn check_same(whole: &Decoded, cut: &Decoded, what: &str) {
    assert_eq!(whole.0, cut.0, "{what}");
    assert_eq!(whole.1, cut.1, "{what}");
}

fn joined(deltas: &[Delta]) -> BTreeMap<usize, String> {
    let mut texts = BTreeMap::<usize, String>::new();
    for delta in deltas {
        let (index, more) = match delta {
            Delta::Text { index, text } | Delta::Thinking { index, text } => (index, text.as_str()),
            Delta::Arguments { index, json } => (index, json.as_str()),
            Delta::ToolUse { index, .. } => (index, ""),
        };
        texts.entry(*index).or_default().push_str(more);
    }
    texts
}

fn text_of(block: &Block) -> &str {
    match block {
        Block::Text { text } | Block::Thinking { text, .. } => text,
        Block::ToolUse(call) => &call.arguments,
        Block::ToolResult(_) | Block::Opaque { .. } => panic!("no deltas come for {block:?}"),
    }
}

fn bodies(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire").join(folder);
    let is_body = |path: &PathBuf| !path.to_str().unwrap().ends_with(".expected.json");
    let mut bodies: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(is_body).collect();
    bodies.sort();
    bodies
}
