//! Whole answers as they go over the wire: `wire/NAME.json` is a request's body, `wire/NAME.answer` what comes back, for
//! Messages (`messages-…`) and Chat Completions (`chat-…`). `UPDATE=1 cargo test -p practice-model` writes the answers anew.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

mod reading;

use practice_model::{Answer, Group, Service, answer, models, scenarios};
use reading::{BOTH, body_of, harness::Harness};
use serde_json::{Value, json};
use std::{fs, path::Path};

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire");
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let mut requests: Vec<_> = files.iter().filter(|path| path.extension().is_some_and(|ext| ext == "json")).collect();
    requests.sort();
    assert!(requests.len() > 30);
    for request in requests {
        check(request);
    }
}

#[track_caller]
fn check(request: &Path) {
    let name = request.file_stem().unwrap().to_str().unwrap();
    let service = match name.split_once('-').unwrap().0 {
        "messages" => Service::AnthropicMessages,
        "chat" => Service::ChatCompletions,
        other => panic!("{other}"),
    };
    let actual = written(&answer(service, &fs::read(request).unwrap()));
    let file = request.with_extension("answer");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &actual).unwrap();
    }
    assert_eq!(actual, fs::read_to_string(&file).unwrap(), "{name}");
}

fn written(answer: &Answer) -> String {
    let headers: String = answer.headers.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    let pauses: u32 = answer.chunks.iter().map(|chunk| chunk.pause_ms).sum();
    let body = String::from_utf8(body_of(answer)).unwrap();
    let (status, ending, chunks) = (answer.status, answer.ending, answer.chunks.len());
    format!("{status}\n{headers}\n{body}\n-- {ending:?} after {chunks} chunks and {pauses} ms\n")
}

/// A picker needs every scenario once, in whole groups, with words in both languages.
#[test]
fn scenarios_are_complete() {
    let mut seen = Vec::new();
    let mut groups = Vec::new();
    for scenario in scenarios() {
        assert!(scenario.id == "practice" || scenario.id.starts_with("practice/"));
        assert!(!seen.contains(&scenario.id), "{}", scenario.id);
        seen.push(scenario.id);
        if groups.last() != Some(&scenario.group) {
            groups.push(scenario.group);
        }
        for words in [scenario.title, scenario.prompt] {
            assert!(!words.en.is_empty() && words.en.is_ascii(), "{}", scenario.id);
            assert!(!words.zh.is_empty(), "{}", scenario.id);
        }
        assert!(!scenario.title.zh.is_ascii(), "{}", scenario.id);
    }
    assert_eq!(groups, [Group::Tasks, Group::BrokenCalls, Group::StopReasons, Group::Faults]);
}

#[test]
fn models_are_listed_in_each_shape() {
    let ids: Vec<Value> = scenarios().iter().map(|scenario| json!(scenario.id)).collect();
    for service in BOTH {
        let list: Value = serde_json::from_slice(&models(service)).unwrap();
        let listed: Vec<Value> = list["data"].as_array().unwrap().iter().map(|model| model["id"].clone()).collect();
        assert_eq!(listed, ids);
    }
}

/// An answer in Chinese arrives with borders inside characters, as on a network; none of its chunks is empty.
#[test]
fn borders_fall_inside_characters() {
    for service in BOTH {
        let mut harness = Harness::new(service, "practice", true);
        harness.user("你好");
        harness.request["messages"] = json!(harness.messages);
        let answer = answer(service, harness.request.to_string().as_bytes());
        let inside = answer.chunks.iter().filter(|chunk| std::str::from_utf8(&chunk.bytes).is_err()).count();
        assert!(inside >= 2, "{inside}");
        assert!(answer.chunks.iter().all(|chunk| !chunk.bytes.is_empty()));
        assert!(answer.chunks.iter().all(|chunk| chunk.pause_ms <= 400));
    }
}
