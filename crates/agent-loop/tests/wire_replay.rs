//! What an endpoint sent and we do not know goes back to it byte for byte: from its stream, through the stored log, into
//! the next request.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

#[path = "wire_request/history.rs"]
#[allow(dead_code, reason = "it is shared with wire_request")]
mod history;

use std::path::Path;
use std::rc::Rc;

use agent_loop::wire::{Decoder, request};
use agent_loop::{Dialect, Message, StopReason};

use history::{answer, offered, result, results, settings, with_origin};

/// The answer in the file, sent back: its body has all of these in it.
#[track_caller]
fn check(dialect: Dialect, file: &str, profile: &str, expected: &[&str]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire").join(file);
    let mut decoder = Decoder::new(dialect, "text/event-stream");
    decoder.feed(&std::fs::read(path).unwrap(), &mut Vec::new()).unwrap();
    // As it is stored.
    let stored = serde_json::to_string(&decoder.finish().unwrap().blocks).unwrap();
    let answer = answer(serde_json::from_str(&stored).unwrap());
    let call = answer.tool_calls().next().unwrap().key;
    let messages = [
        Message::person("go"),
        with_origin(answer, profile, StopReason::ToolUse, profile),
        results(vec![result(call.fact, call.index, "x", false)]),
    ];
    let messages: Vec<Rc<Message>> = messages.into_iter().map(Rc::new).collect();
    let body = String::from_utf8(request(&settings(profile), &offered(), &messages).body()).unwrap();
    for expected in expected {
        assert!(body.contains(expected), "{expected} is not in {body}");
    }
    assert!(!body.contains("loopglass"), "{body}");
}

#[test]
fn a19_o28_what_is_not_known_goes_back_byte_for_byte() {
    check(
        Dialect::Anthropic,
        "anthropic/a19-numbers-as-written.sse",
        "anthropic",
        &[
            r#"{"type":"thinking","thinking":"Hm","signature":"sig/==","weight":0.10}"#,
            r#"{"type":"scored","score":1.20,"id":12345678901234567890123,"list":[1e3,-0,{"deep":3.141592653589793238462643383279}],"0.10":"0.10"}"#,
            r#""input":{"command":"ls","limit":18446744073709551616},"priority":2.0e0}"#,
        ],
    );
    check(
        Dialect::OpenAi,
        "openai/o28-numbers-as-written.sse",
        "openrouter",
        &[
            r#""reasoning_details":[{"type":"reasoning.encrypted","data":"c2ln","index":0,"score":1.10}]"#,
            r#""mood":{"n":12345678901234567890123}"#,
            r#""arguments":"{\"command\":\"ls\",\"limit\":0.10}"},"extra_content":{"google":{"thought_signature":"c2ln","weight":5E-1}}"#,
        ],
    );
}
