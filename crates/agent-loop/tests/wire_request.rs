//! Requests: exact bodies as data, and whatever the history, a body that an endpoint accepts.
//!
//! Each case's body stands in `wire/request/NAME.json`, rewritten by `UPDATE=1`. That any history gives a legal body is
//! judged by `wire_request/legal.rs`, which knows the dialects and nothing of the encoder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

#[path = "wire_request/history.rs"]
mod history;
#[path = "wire_request/legal.rs"]
mod legal;

use std::path::Path;
use std::rc::Rc;

use agent_loop::settings::OfferTools;
use agent_loop::tool::WordingSet;
use agent_loop::wire::{Repair, repaired, request, tools_of, wire_json};
use agent_loop::{Block, Message, Settings, StopReason};
use proptest::prelude::*;
use serde_json::Value;

use history::{answer, bash, call, offered, result, results, settings, text, with_origin};

#[track_caller]
fn check(name: &str, settings: &Settings, messages: Vec<Message>, expected_repairs: &[Repair]) {
    let messages: Vec<Rc<Message>> = messages.into_iter().map(Rc::new).collect();
    let made = request(settings, &offered(), &messages);
    let body: Value = serde_json::from_slice(&made.body()).expect(name);
    legal::check(settings.profile.dialect, &body);
    assert_eq!(made.body().len(), made.body_len(), "{name}");
    assert_eq!(made.repairs, expected_repairs, "{name}");
    let (once, _) = repaired(settings, &messages);
    assert_eq!(repaired(settings, &once), (once, Vec::new()), "{name}, repaired again");

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire/request").join(format!("{name}.json"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, format!("{body:#}\n")).unwrap();
    }
    let expected: Value = serde_json::from_str(&std::fs::read_to_string(&path).expect(name)).expect(name);
    // As text, because the order of the fields counts.
    assert_eq!(format!("{body:#}"), format!("{expected:#}"), "{name}");
}

#[test]
fn lesson_two_is_a_plain_request() {
    let lesson = Settings {
        system: "You are a coding agent at {cwd}. Use bash to solve tasks. Act, don't explain.".to_owned(),
        max_tokens: Some(8000),
        stream: false,
        offer_tools: OfferTools::Pinned,
        pinned_tools: vec![bash("Run a shell command.")],
        wording: WordingSet::MessagesLesson,
        ..settings("anthropic")
    };
    let turn = vec![
        Message::person("请创建 hello.py，输出 Hello, Agent Harness；运行它并告诉我实际输出。"),
        answer(vec![text("好的。"), call(1, 0, "toolu_1", r#"{"command": "ls"}"#)]),
        results(vec![result(1, 0, "Error: Dangerous command blocked", true)]),
    ];
    check("lesson-2", &lesson, turn, &[]);
}

#[test]
fn lesson_four_sends_no_limit_and_a_row_for_each_result() {
    let lesson = Settings {
        model: "gpt-oss-20b-Q4_K_M.gguf".to_owned(),
        system: "你是一个命令行助手，工作在当前目录{cwd}。".to_owned(),
        max_tokens: None,
        stream: false,
        offer_tools: OfferTools::Pinned,
        pinned_tools: vec![bash("Execute a shell command and return the output.")],
        wording: WordingSet::ChatLesson,
        ..settings("llama-cpp")
    };
    let turn = vec![
        Message::person("hi"),
        answer(vec![call(1, 0, "a", r#"{"command":"ls"}"#), call(1, 1, "b", "{")]),
        results(vec![result(1, 0, "app.py", false), result(1, 1, "", true)]),
    ];
    check("lesson-4", &lesson, turn, &[]);
    let no_tools = Settings { offer_tools: OfferTools::Off, ..lesson };
    check("lesson-4-step-1", &no_tools, vec![Message::person("hi")], &[]);
}

#[test]
fn everything_that_may_be_sent_is_sent_where_it_is_set() {
    let full = |profile| Settings {
        system: "At {cwd}.".to_owned(),
        max_tokens: Some(7),
        stop_sequences: vec!["STOP".to_owned()],
        ..settings(profile)
    };
    check("anthropic-full", &full("anthropic"), vec![Message::person("hi")], &[]);
    check("openai-full", &full("openai"), vec![Message::person("hi")], &[]);
    check("anthropic-default-max-tokens", &settings("anthropic"), vec![Message::person("hi")], &[]);
}

#[test]
fn a01_a_call_without_result_is_told_to_be_interrupted() {
    let broken = || vec![Message::person("go"), answer(vec![call(1, 0, "t1", "{}")]), Message::person("hi")];
    let added = [Repair::ResultAdded { message: 1 }];
    check("a01-anthropic", &settings("anthropic"), broken(), &added);
    check("a01-openai", &settings("openai"), broken(), &added);
    let half = vec![
        Message::person("go"),
        answer(vec![call(1, 0, "t1", "{}"), call(1, 1, "t2", "{}")]),
        results(vec![result(1, 1, "two", false), text("and more words")]),
    ];
    check("h02-half-a-batch", &settings("anthropic"), half, &added);
}

#[test]
fn a02_a_result_without_call_is_left_out() {
    let cut = vec![results(vec![result(1, 0, "x", false)]), answer(vec![text("Done.")]), Message::person("more")];
    let repairs = [Repair::ResultDropped { message: 0 }, Repair::UserMessageAdded { message: 0 }];
    check("a02-anthropic", &settings("anthropic"), cut.clone(), &repairs);
    check("a02-openai", &settings("openai"), cut, &repairs);
}

#[test]
fn a03_a04_results_stand_in_one_message_in_order_before_words() {
    let split = vec![
        Message::person("go"),
        answer(vec![call(1, 0, "a", "{}"), call(1, 1, "b", "{}"), call(1, 2, "c", "{}")]),
        results(vec![text("also do X"), result(1, 2, "three", false)]),
        results(vec![result(1, 0, "one", false), result(1, 0, "one again", false)]),
        Message::person("still there?"),
        results(vec![result(1, 1, "two", true)]),
    ];
    let repairs = [Repair::ResultsMoved { message: 1 }, Repair::ResultDropped { message: 3 }];
    check("a03-anthropic", &settings("anthropic"), split.clone(), &repairs);
    check("a03-openai", &settings("openai"), split, &repairs);
}

#[test]
fn a06_what_is_empty_is_left_out_and_pairing_still_holds() {
    let empty = vec![
        Message::person("go"),
        answer(vec![text(""), call(1, 0, "a", "{}")]),
        answer(vec![text(" \n")]),
        results(vec![result(1, 0, "", false), text("")]),
        Message::person(""),
    ];
    let repairs = [Repair::MessageDropped { message: 2 }, Repair::MessageDropped { message: 4 }];
    check("a06-anthropic", &settings("anthropic"), empty.clone(), &repairs);
    check("a06-openai", &settings("openai"), empty, &repairs);
}

#[test]
fn a08_a09_a_request_ends_with_the_user_but_for_a_paused_turn() {
    let cut = || vec![Message::person("go"), answer(vec![text("Sure: ")])];
    check("a09-anthropic", &settings("anthropic"), cut(), &[Repair::UserMessageAdded { message: 2 }]);
    let paused = |profile| {
        let raw = serde_json::json!({ "type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {} });
        let blocks = vec![text("Sure: "), Block::Opaque { raw }, text("so\n")];
        vec![Message::person("go"), with_origin(answer(blocks), "anthropic", StopReason::PauseTurn, profile)]
    };
    check("a26-paused", &settings("anthropic"), paused("anthropic"), &[]);
    let elsewhere = [Repair::UserMessageAdded { message: 2 }];
    check("a26-paused-elsewhere", &settings("anthropic"), paused("custom-anthropic"), &elsewhere);
    let mut with_a_call = paused("anthropic");
    with_a_call[1].blocks.push(call(1, 0, "t1", "{}"));
    let answered = [Repair::ServerCallDropped { message: 1 }, Repair::ResultAdded { message: 1 }];
    check("a26-paused-with-a-call", &settings("anthropic"), with_a_call, &answered);
    check("nothing-at-all", &settings("openai"), vec![], &[Repair::UserMessageAdded { message: 0 }]);
}

#[test]
fn o58_a_providers_own_blocks_go_back_to_it_alone() {
    let thinking = |signature| Block::Thinking {
        text: "Hm".into(),
        raw: serde_json::json!({ "type": "thinking", "thinking": "Hm", "signature": signature }),
    };
    let Block::ToolUse(mut with_extra) = call(1, 0, "a", "{}") else { unreachable!() };
    with_extra.extra = Some(serde_json::json!({ "caller": { "type": "direct" } }));
    let history = |profile, tail: Block| {
        let asking = answer(vec![thinking("sig"), thinking(""), Block::ToolUse(with_extra.clone()), tail]);
        vec![
            Message::person("go"),
            with_origin(asking, "anthropic", StopReason::ToolUse, profile),
            results(vec![result(1, 0, "x", false)]),
        ]
    };
    check("a21-own-thinking", &settings("anthropic"), history("anthropic", thinking("last")), &[]);
    check("o58-thinking-elsewhere", &settings("custom-anthropic"), history("anthropic", text("y")), &[]);
    check("o58-thinking-to-openai", &settings("openai"), history("anthropic", text("y")), &[]);

    let reasoning = || {
        let Block::ToolUse(mut call) = call(1, 0, "functions.bash:0", "{}") else { unreachable!() };
        call.extra = Some(serde_json::json!({
            "extra_content": { "google": { "thought_signature": "c2ln" } }, "function": { "strict": true }
        }));
        let raw = serde_json::json!({ "reasoning_content": "Hm" });
        let more = serde_json::json!({ "extra_content": { "google": { "thought_signature": "dGV4dA" } } });
        let blocks =
            vec![Block::Thinking { text: "Hm".into(), raw }, Block::ToolUse(call), Block::Opaque { raw: more }];
        vec![
            Message::person("go"),
            with_origin(answer(blocks), "gemini", StopReason::ToolUse, "gemini"),
            results(vec![result(1, 0, "x", false)]),
            answer(vec![text("done")]),
            Message::person("more"),
        ]
    };
    check("o30-own-fields", &settings("gemini"), reasoning(), &[]);
    check("o27-deepseek-echo", &settings("deepseek"), reasoning(), &[]);
    check("o58-reasoning-to-anthropic", &settings("anthropic"), reasoning(), &[]);
    check("o34-empty-string", &settings("lm-studio"), reasoning(), &[]);
}

#[test]
fn a32_ids_and_names_are_legal_and_stand_once() {
    let Block::ToolUse(mut odd) = call(1, 1, "", "{}") else { unreachable!() };
    odd.name = "tool:run it".to_owned();
    let turn = |fact| answer(vec![call(fact, 0, "call_1|fc_2", "{}"), call(fact, 1, "x", "{}")]);
    let answers = |fact| results(vec![result(fact, 0, "one", false), result(fact, 1, "two", false)]);
    let history = vec![
        Message::person("go"),
        answer(vec![call(1, 0, &"long".repeat(20), "{}"), Block::ToolUse(odd)]),
        answers(1),
        turn(2),
        answers(2),
        turn(3),
        answers(3),
    ];
    check("a32-anthropic", &settings("anthropic"), history.clone(), &[]);
    check("a32-openai", &settings("openai"), history, &[]);
}

#[test]
fn o37_arguments_are_an_object_whatever_came() {
    let arguments = [
        r#"{"command": "git commit -m \"x}"#,
        "[]",
        "",
        "{\"command\":\"a\nb\"}",
        r#"{"command": "ls",  "n": 1e2}"#,
        r#"{"command": "\ud83d"}"#,
    ];
    let calls = arguments.iter().enumerate().map(|(n, arguments)| call(1, n, &format!("c{n}"), arguments)).collect();
    let answers = (0..arguments.len()).map(|n| result(1, n, "x", false)).collect();
    let history = vec![Message::person("go"), answer(calls), results(answers)];
    check("o37-anthropic", &settings("anthropic"), history.clone(), &[]);
    check("o37-openai", &settings("openai"), history, &[]);
}

#[test]
fn o47_mistral_gets_its_ids_and_its_order_of_roles() {
    let history = vec![
        Message::person("go"),
        answer(vec![call(1, 0, "call_1|fc_2", "{}"), call(1, 1, "abcDEF123", "{}")]),
        results(vec![result(1, 0, "one", false), result(1, 1, "two", false), text("and also this")]),
        Message::person("and that"),
        answer(vec![call(4, 0, "call_1|fc_2", "{}"), call(4, 1, "", "{}")]),
        results(vec![result(4, 0, "x", false), result(4, 1, "y", false)]),
        Message::person("more"),
        answer(vec![text("half")]),
        answer(vec![text("an answer")]),
        Message::person("so?"),
    ];
    let repairs = [
        Repair::AnswerAdded { message: 2 },
        Repair::MessagesJoined { message: 3 },
        Repair::AnswerAdded { message: 6 },
        Repair::UserMessageAdded { message: 8 },
    ];
    check("o47-mistral", &settings("mistral"), history, &repairs);
}

#[test]
fn a27_what_came_of_a_refused_answer_is_not_sent() {
    let refused = |dialect, profile| {
        vec![
            Message::person("go"),
            with_origin(answer(vec![text("I can")]), dialect, StopReason::Refusal, profile),
            Message::person("something else"),
        ]
    };
    let dropped = [Repair::MessageDropped { message: 1 }];
    check("a27-refused", &settings("anthropic"), refused("anthropic", "anthropic"), &dropped);
    check("a27-refused-elsewhere", &settings("openai"), refused("anthropic", "anthropic"), &dropped);
    // Here the refusal itself is what was said.
    check("o59-refused", &settings("openai"), refused("openai", "openai"), &[]);
}

#[test]
fn a_message_is_written_once_per_form() {
    let settings = settings("anthropic");
    let offered = offered();
    let mut messages: Vec<Rc<Message>> = vec![
        Rc::new(Message::person("go")),
        Rc::new(answer(vec![call(1, 0, "a", "{}")])),
        Rc::new(results(vec![result(1, 0, "x", false)])),
    ];
    let first = request(&settings, &offered, &messages);
    messages.push(Rc::new(answer(vec![text("Done. ")])));
    messages.push(Rc::new(Message::person("more")));
    let second = request(&settings, &offered, &messages);
    for (before, after) in first.pieces.iter().zip(&second.pieces) {
        assert!(Rc::ptr_eq(before, after), "{before}");
    }
    let piece = |place: usize| Some(second.pieces[place].to_string());
    for place in 0..messages.len() {
        assert_eq!(wire_json(&settings, &messages, place), piece(place));
    }
    assert_eq!(wire_json(&settings, &messages, 9), None);
    assert_eq!(first, request(&settings, &offered, &messages[..3]), "the same state gives the same request");
}

#[test]
fn a42_tool_names_are_unique() {
    let mut offered = offered();
    offered.tools.push(bash("Another."));
    let settings = settings("anthropic");
    let descriptions: Vec<_> =
        tools_of(&settings, &offered).into_iter().map(|tool| tool.description.as_str()).collect();
    assert_eq!(descriptions, ["Run a command."]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_history_gives_a_legal_body(messages in history::any_messages(), profile in history::any_profile()) {
        let settings = settings(profile);
        let messages: Vec<Rc<Message>> = messages.into_iter().map(Rc::new).collect();
        let made = request(&settings, &offered(), &messages);
        let body: Value = serde_json::from_slice(&made.body()).unwrap();
        legal::check(settings.profile.dialect, &body);
        prop_assert_eq!(made, request(&settings, &offered(), &messages));
        let (once, _) = repaired(&settings, &messages);
        let (twice, repairs) = repaired(&settings, &once);
        prop_assert_eq!(&once, &twice);
        prop_assert_eq!(repairs, vec![]);
        prop_assert!(once.iter().zip(&twice).all(|(before, after)| Rc::ptr_eq(before, after)));
    }

    #[test]
    fn o47_any_history_gives_roles_in_turn_where_that_is_wanted(messages in history::any_messages()) {
        let settings = settings("mistral");
        let messages: Vec<Rc<Message>> = messages.into_iter().map(Rc::new).collect();
        let body: Value = serde_json::from_slice(&request(&settings, &offered(), &messages).body()).unwrap();
        legal::check(settings.profile.dialect, &body);
        legal::check_strict(&body);
        let (once, _) = repaired(&settings, &messages);
        let (twice, repairs) = repaired(&settings, &once);
        prop_assert_eq!(&once, &twice);
        prop_assert_eq!(repairs, vec![]);
    }

    #[test]
    fn a_whole_history_needs_no_repair(turns in history::any_whole_messages(), profile in history::any_profile()) {
        let settings = settings(profile);
        let messages: Vec<Rc<Message>> = turns.into_iter().map(Rc::new).collect();
        let made = request(&settings, &offered(), &messages);
        prop_assert_eq!(&made.repairs, &[]);
        prop_assert_eq!(made.pieces.len(), messages.len());
        legal::check(settings.profile.dialect, &serde_json::from_slice(&made.body()).unwrap());
    }
}
