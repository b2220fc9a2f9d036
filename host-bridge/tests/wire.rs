//! `host-bridge wire` as a person runs it: over the wire's own data files, and over what is no such thing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

#[path = "wire/encode.rs"]
mod encode;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use agent_loop::wire::read_json;
use serde_json::{Value, json};

fn run(arguments: &[&str], stdin: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_host-bridge"))
        .arg("wire")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = stdin.to_vec();
    // The program may have seen enough before the end.
    let writer = std::thread::spawn(move || drop(pipe.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Runs `decode --json` and gives the exit code and the one object on stdout.
#[track_caller]
fn decoded(arguments: &[&str], stdin: &[u8]) -> (i32, Value) {
    let output = run(&[&["decode", "--json"], arguments].concat(), stdin);
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!((told.lines().count(), output.stderr.len()), (1, 0), "{arguments:?}: {told}");
    (output.status.code().unwrap(), read_json(told.as_bytes()).unwrap())
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/agent-loop/tests/wire")
}

#[test]
fn every_anthropic_capture_is_told_as_its_file_says() {
    check_captures("anthropic");
}

#[test]
fn every_openai_capture_is_told_as_its_file_says() {
    check_captures("openai");
}

/// The captures of one dialect, in one piece and byte by byte.
fn check_captures(dialect: &str) {
    let is_capture = |path: &PathBuf| !path.to_str().unwrap().ends_with(".expected.json");
    let folder = std::fs::read_dir(data().join(dialect)).unwrap();
    let mut captures: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).filter(is_capture).collect();
    captures.sort();
    assert!(captures.len() > 40, "{}", captures.len());
    for capture in captures {
        let name = capture.to_str().unwrap();
        let expected = std::fs::read(capture.with_extension("expected.json")).unwrap();
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        let (code, told) = decoded(&["--dialect", dialect, name], b"");
        assert_eq!(decoded(&["--dialect", dialect, "--chunk", "1", name], b""), (code, told.clone()), "{name}");
        let keys: Vec<&String> = told.as_object().unwrap().keys().take(6).collect();
        assert_eq!(keys, ["role", "content", "stop_reason", "usage", "warnings", "error"], "{name}");
        match &expected["failure"] {
            Value::Null => check_complete(name, code, &told, &expected["answer"]),
            failure => {
                assert_eq!((code, &told["error"]["kind"]), (3, &failure["kind"]), "{name}");
                assert!(told["stop_reason"].is_null() && !told["error"]["message"].as_str().unwrap().is_empty());
                let calls = told["content"].as_array().unwrap().iter().filter(|block| block["type"] == "tool_use");
                for call in calls {
                    assert!(call.get("input").is_none() && call["input_error"].is_string(), "{name}: {call}");
                }
            }
        }
    }
}

/// An answer, against what the data file holds in the loop's own shape.
#[track_caller]
fn check_complete(name: &str, code: i32, told: &Value, answer: &Value) {
    assert_eq!((code, &told["error"]), (0, &Value::Null), "{name}");
    assert_eq!(told["usage"], answer["usage"], "{name}");
    let reason = match &answer["stop_reason"] {
        Value::String(reason) if reason == "context_window_exceeded" => "model_context_window_exceeded".into(),
        Value::String(reason) => reason.clone().into(),
        other if other.get("stop_sequence").is_some() => "stop_sequence".into(),
        other => match other["other"].as_str().unwrap() {
            "" => Value::Null,
            name => name.into(),
        },
    };
    assert_eq!(told["stop_reason"], reason, "{name}");
    let blocks = answer["blocks"].as_array().unwrap();
    let content = told["content"].as_array().unwrap();
    assert_eq!(blocks.len(), content.len(), "{name}");
    for (block, told) in blocks.iter().zip(content) {
        if let Some(text) = block.pointer("/text/text") {
            assert_eq!(told, &json!({ "type": "text", "text": text }), "{name}");
        }
        if let Some(text) = block.pointer("/thinking/text").filter(|_| told["type"] == "thinking") {
            assert_eq!(&told["thinking"], text, "{name}");
        }
        if let Some(call) = block.get("tool_use") {
            assert_eq!((&told["type"], &told["name"]), (&json!("tool_use"), &call["name"]), "{name}");
            assert!(!told["id"].as_str().unwrap().is_empty(), "{name}");
            assert_ne!(told.get("input").is_some(), told.get("input_error").is_some(), "{name}: {told}");
            if let Ok(plain) = read_json(call["arguments"].as_str().unwrap().as_bytes())
                && let Some(input) = told.get("input").filter(|_| plain.is_object())
            {
                assert_eq!(input, &plain, "{name}");
            }
        }
    }
}

#[test]
fn both_dialects_give_the_same_blocks() {
    let anthropic = br#"{"type":"message","role":"assistant","id":"m","model":"x","content":[{"type":"text","text":"hi"},
        {"type":"tool_use","id":"t","name":"bash","input":{"command":"ls"}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":5}}"#;
    let openai = br#"{"id":"c","model":"x","choices":[{"index":0,"message":{"role":"assistant","content":"hi","tool_calls":[
        {"id":"t","type":"function","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]},"finish_reason":"tool_calls"}],
        "usage":{"prompt_tokens":3,"completion_tokens":5}}"#;
    let expected = json!({
        "role": "assistant",
        "content": [
            { "type": "text", "text": "hi" },
            { "type": "tool_use", "id": "t", "name": "bash", "input": { "command": "ls" } },
        ],
        "stop_reason": "tool_use",
        "usage": { "input_tokens": 3, "output_tokens": 5, "cache_read_tokens": null, "cache_write_tokens": null },
        "warnings": [],
        "error": null,
    });
    assert_eq!(decoded(&["--dialect", "anthropic", "-"], anthropic), (0, expected.clone()));
    assert_eq!(decoded(&["--dialect", "openai", "--chunk", "7", "-"], openai), (0, expected));
}

#[test]
fn a_call_has_input_only_where_it_may_be_used() {
    /// What becomes of a call's arguments: `Ok` holds the input and the number of warnings.
    #[track_caller]
    fn check(arguments: &str, finish: &str, expected: Result<(Value, usize), &str>) {
        let body = json!({ "choices": [{ "finish_reason": finish, "message": {
            "tool_calls": [{ "id": "t", "type": "function", "function": { "name": "bash", "arguments": arguments } }],
        } }] });
        let (code, told) = decoded(&["--dialect", "openai", "-"], body.to_string().as_bytes());
        let call = &told["content"][0];
        let warnings = told["warnings"].as_array().unwrap().len();
        match expected {
            Ok(expected) => assert_eq!((call["input"].clone(), warnings), expected, "{told}"),
            Err(why) => {
                assert!(call["input_error"].as_str().unwrap().contains(why) && warnings > 0, "{told}");
                assert_eq!((call.get("input"), &call["arguments"]), (None, &json!(arguments)), "{told}");
            }
        }
        assert_eq!(code, 0);
    }
    check(r#"{"command":"ls"}"#, "tool_calls", Ok((json!({ "command": "ls" }), 0)));
    check("```json\n{\"command\":\"ls\"}\n```", "tool_calls", Ok((json!({ "command": "ls" }), 1)));
    check("{\"command\":\"a\nb\"}", "tool_calls", Ok((json!({ "command": "a\nb" }), 1)));
    check(r#"{"command":"rm -rf /tmp/build-ca"#, "tool_calls", Err("no JSON"));
    check("[1]", "tool_calls", Err("no JSON object"));
    check(r#"{"command":"ls"}"#, "length", Ok((json!({ "command": "ls" }), 1)));
    check("{}", "length", Err("max_tokens"));
}

#[test]
fn what_is_no_answer_is_told_and_never_shown_as_one() {
    #[track_caller]
    fn check(bytes: &[u8], kind: &str) {
        for dialect in ["anthropic", "openai"] {
            let (code, told) = decoded(&["--dialect", dialect, "-"], bytes);
            assert_eq!((code, &told["error"]["kind"], &told["content"]), (3, &json!(kind), &json!([])), "{dialect}");
        }
    }
    check(b"", "incomplete");
    check(b"\n\n \n", "incomplete");
    check(b": keep-alive\n\n", "incomplete");
    check(b"null", "not_this_dialect");
    check(b"{}", "not_this_dialect");
    check(b"<html><title>502 Bad Gateway</title></html>", "not_this_dialect");
    check(&(0..=255).cycle().take(100_000).collect::<Vec<u8>>(), "not_this_dialect");
    let utf16: Vec<u8> =
        "\u{feff}data: {\"type\":\"message_stop\"}\n\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    check(&utf16, "not_this_dialect");
    check(br#"{"error":{"message":"quota","type":"insufficient_quota"}}"#, "permission");
    check(&[b"{\"a\":".repeat(1_000_000), b"1".to_vec()].concat(), "not_this_dialect");
}

#[test]
fn of_a_turn_that_was_cut_everything_that_came_is_told() {
    let start = json!({ "type": "message_start", "message": { "id": "m", "usage": { "input_tokens": 3, "output_tokens": 1 } } });
    let block = json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "Hi" } });
    let call = json!({ "type": "content_block_start", "index": 1, "content_block": { "type": "tool_use", "id": "t", "name": "bash", "input": { "command": "ls" } } });
    let events = [start, block, call];
    let expected = json!({
        "role": "assistant",
        "content": [
            { "type": "text", "text": "Hi" },
            {
                "type": "tool_use", "id": "t", "name": "bash",
                "input_error": "the answer was cut or failed, so the call may be unfinished",
                "arguments": "{\"command\":\"ls\"}",
            },
        ],
        "stop_reason": null,
        "usage": { "input_tokens": 3, "output_tokens": 1, "cache_read_tokens": null, "cache_write_tokens": null },
        "warnings": ["Call t cannot run: the answer was cut or failed, so the call may be unfinished"],
        "error": { "kind": "incomplete", "message": "the answer ended before its end was told" },
    });
    let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    assert_eq!(decoded(&["--dialect", "anthropic", "-"], stream.as_bytes()), (3, expected.clone()));
    // Also what is only read when all of it has come.
    let mut lines: String = events.iter().map(|event| format!("{event}\n")).collect();
    lines.push_str("{\"type\":\"message_de");
    let (code, told) = decoded(&["--dialect", "anthropic", "-"], lines.as_bytes());
    assert_eq!((code, &told["content"], &told["usage"]), (3, &expected["content"], &expected["usage"]));
}

#[test]
fn one_line_of_twenty_megabytes_is_decoded_or_refused_in_words() {
    let words = "x".repeat(20_000_000);
    let body = json!({ "content": [{ "type": "text", "text": words }], "stop_reason": "end_turn" }).to_string();
    let (code, told) = decoded(&["--dialect", "anthropic", "-"], body.as_bytes());
    assert_eq!((code, &told["content"][0]["text"]), (0, &json!(words)));
    let event = format!("data: {}\n\n", json!({ "choices": [{ "delta": { "content": words } }] }));
    let end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let (code, told) = decoded(&["--dialect", "openai", "-"], format!("{event}{end}").as_bytes());
    let is_whole = code == 0 && told["content"][0]["text"] == json!(words);
    let is_refused = code == 3 && told["error"]["message"].as_str().unwrap_or_default().contains("bytes");
    assert!(is_whole || is_refused, "{code} {}", told["error"]);
}

#[test]
fn words_for_a_terminal_hold_no_controls() {
    let body = json!({ "content": [{ "type": "text", "text": "red \u{1b}[31m\u{9b}2J\u{202e}" }], "stop_reason": "end_turn",
        "usage": { "input_tokens": 1, "output_tokens": 2 } });
    let output = run(&["decode", "--dialect", "anthropic", "-"], body.to_string().as_bytes());
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(told, "red \u{241b}[31m\u{fffd}2J\u{fffd}\n\ncomplete: end_turn; tokens: 1 in, 2 out\n");
}

#[test]
fn a_mistake_is_told_in_one_line() {
    #[track_caller]
    fn check(arguments: &[&str], stdin: &str, says: &[&str]) {
        let output = run(arguments, stdin.as_bytes());
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}: {told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        for part in says {
            assert!(told.contains(part), "{part} is missing in {told}");
        }
    }
    check(&[], "", &["decode", "encode"]);
    check(&["unpack"], "", &["unpack"]);
    check(&["decode"], "", &["--dialect", "FILE"]);
    check(&["decode", "-"], "", &["--dialect"]);
    check(&["decode", "--dialect", "openai"], "", &["FILE"]);
    check(&["decode", "--dialect", "gemini", "-"], "", &["gemini", "anthropic, openai"]);
    check(&["decode", "--dialect", "openai", "--chunk", "0", "-"], "", &["--chunk"]);
    check(&["decode", "--dialect", "openai", "--chunk", "many", "-"], "", &["many"]);
    check(&["decode", "--dialect", "openai", "no-such-file"], "", &["no-such-file"]);
    check(&["decode", "--dialect", "openai", "/"], "", &["cannot read /"]);
    check(&["encode", "--dialect", "openai", "no-such-file"], "", &["no-such-file"]);
    check(&["encode", "--dialect", "openai", "--provider", "nobody", "-"], "[]", &["nobody", "deepseek"]);
    check(&["encode", "--dialect", "openai", "--provider", "anthropic", "-"], "[]", &["anthropic", "dialect"]);
    for (messages, says) in [
        ("", "no JSON"),
        ("[{", "no JSON"),
        ("\u{0}\u{1}", "no JSON"),
        ("3", "a list"),
        ("{}", "messages"),
        (r#"{"messages": 1}"#, "messages"),
        ("[1]", "message 1 has no role"),
        (r#"[{"role": "critic"}]"#, "message 1"),
        (r#"[{"role": "user", "content": 3}]"#, "message 1"),
    ] {
        check(&["encode", "--dialect", "openai", "-"], messages, &["not messages", says]);
    }
}
