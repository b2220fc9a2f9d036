//! Properties of the log: any list of facts can be folded, sent, stored, opened and continued.

use std::rc::Rc;

use agent_loop::host::Offered;
use agent_loop::message::{Answer, StopReason, Usage};
use agent_loop::settings::Budget;
use agent_loop::tool::{Layer, Outcome};
use agent_loop::wire;
use agent_loop::{
    Block, CallKey, Dialect, Edit, Fact, FailureKind, LoopState, ModelFailure, Rest, Sealed, Session, Step, ToolCall,
    ToolResult,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::script::{bash, call, text};
use crate::world::{BOTH, World, bash_tool, noted, settings};

fn key() -> impl Strategy<Value = CallKey> {
    (0..24_usize, 0..3_usize).prop_map(|(fact, index)| CallKey { fact, index })
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), Just("  ".to_owned()), "[a-z]{1,6}", Just("中文 \u{1F600}".to_owned())]
}

fn any_call() -> impl Strategy<Value = ToolCall> {
    let id =
        prop_oneof![Just(String::new()), Just("same".to_owned()), Just("call|weird.1".to_owned()), "call_[a-z]{4}"];
    let arguments = prop_oneof![
        Just("{\"command\":\"ls\"}".to_owned()),
        Just("{".to_owned()),
        Just(String::new()),
        Just("[]".to_owned())
    ];
    (key(), id, arguments).prop_map(|(key, id, arguments)| ToolCall {
        key,
        id,
        name: "bash".into(),
        arguments,
        extra: None,
        original_arguments: None,
    })
}

fn any_result() -> impl Strategy<Value = ToolResult> {
    let outcome = prop_oneof![Just(Outcome::Exited(0)), Just(Outcome::Denied), Just(Outcome::Refused(Layer::Parse))];
    (key(), words(), outcome, any::<bool>()).prop_map(|(call, content, outcome, is_error)| ToolResult {
        call,
        content,
        is_error,
        outcome,
        duration_ms: 1,
        output_bytes: 1,
        left_out: None,
        original_content: None,
    })
}

fn any_block() -> impl Strategy<Value = Block> {
    prop_oneof![
        words().prop_map(|text| Block::Text { text: text.into() }),
        any_call().prop_map(Block::ToolUse),
        any_result().prop_map(Block::ToolResult),
        words()
            .prop_map(|text| Block::Thinking { raw: json!({"type": "thinking", "thinking": text}), text: text.into() }),
    ]
}

fn any_answer() -> impl Strategy<Value = Answer> {
    let reason = prop_oneof![
        4 => Just(StopReason::ToolUse),
        2 => Just(StopReason::EndTurn),
        1 => Just(StopReason::MaxTokens),
        1 => Just(StopReason::PauseTurn),
        1 => Just(StopReason::Refusal),
        1 => Just(StopReason::Other("odd".into())),
    ];
    (prop::collection::vec(any_block(), 0..4), reason).prop_map(|(blocks, stop_reason)| Answer {
        blocks,
        stop_reason,
        stop_details: None,
        usage: Usage::default(),
        model: "m".into(),
        id: "a".into(),
        duration_ms: 1,
        first_byte_ms: None,
    })
}

fn any_fact(dialect: Dialect) -> impl Strategy<Value = Fact> {
    let failure = ModelFailure::new(FailureKind::Server, "oops");
    let knobs = prop_oneof![Just(50), Just(0), Just(1), Just(2)].prop_map(move |model_calls| {
        let mut knobs = settings(dialect);
        knobs.limits.model_calls = model_calls;
        knobs.limits.same_calls = model_calls;
        knobs.limits.budget = Budget { tokens: None, time_ms: Some(u64::from(model_calls)), money: None };
        knobs.limits.context_window = Some(u64::from(model_calls));
        Rc::new(knobs)
    });
    let offered = words().prop_map(|cwd| {
        Rc::new(Offered { host: "test".into(), tools: vec![bash_tool()], cwd, background: Vec::new() })
    });
    let edited = (0..6_usize, prop::collection::vec(any_block(), 0..3))
        .prop_map(|(message, blocks)| Fact::Edited { edit: Edit::Message { message, blocks } });
    prop_oneof![
        1 => knobs.prop_map(|settings| Fact::Configured { settings }),
        1 => offered.prop_map(|offered| Fact::Offered { offered }),
        2 => words().prop_map(|text| Fact::Said { text }),
        1 => (0..2_usize).prop_map(|place| Fact::Withdrawn { place }),
        2 => Just(Fact::Resumed),
        1 => Just(Fact::Extended { model_calls: 2 }),
        1 => Just(Fact::Raised { by: Budget { tokens: Some(5), time_ms: Some(5), money: None } }),
        1 => (0..6_usize).prop_map(|messages| Fact::Edited { edit: Edit::Forget { messages } }),
        6 => Just(Fact::Prepared { repairs: Vec::new() }),
        6 => Just(Fact::Called { bytes: 1 }),
        6 => any_answer().prop_map(|answer| Fact::Answered { answer }),
        1 => Just(Fact::CallFailed { failure: failure.clone(), draft: Vec::new(), retry_in_ms: None }),
        1 => Just(Fact::CallFailed { failure, draft: Vec::new(), retry_in_ms: Some(5) }),
        1 => Just(Fact::Waited),
        4 => key().prop_map(|call| Fact::Ruled { call, ruling: agent_loop::Ruling::Run }),
        2 => any_result().prop_map(|result| Fact::Ruled { call: result.call, ruling: agent_loop::Ruling::Refused(result) }),
        3 => key().prop_map(|call| Fact::ToolStarted { call, run_id: "r".into(), host: "test".into() }),
        1 => key().prop_map(|call| Fact::TakenUp { call }),
        4 => any_result().prop_map(|result| Fact::ToolEnded { result }),
        4 => Just(Fact::WroteBack),
        1 => edited,
        1 => (key(), words()).prop_map(|(call, arguments)| Fact::Edited { edit: Edit::Arguments { call, arguments } }),
        1 => (key(), words()).prop_map(|(call, content)| Fact::Edited { edit: Edit::Result { call, content } }),
        1 => Just(Fact::Stopped { draft: Vec::new() }),
        1 => Just(Fact::Interrupted { draft: Vec::new() }),
        1 => Just(Fact::HostUnavailable { why: "gone".into() }),
    ]
}

pub fn any_log(dialect: Dialect) -> impl Strategy<Value = Vec<Sealed>> {
    prop::collection::vec(any_fact(dialect), 0..40).prop_map(move |facts| {
        let first = [Fact::Configured { settings: Rc::new(settings(dialect)) }, Fact::Said { text: "go".into() }];
        let facts = first.into_iter().chain(facts).enumerate();
        facts.map(|(at, fact)| Sealed { at_ms: at as u64, fact }).collect()
    })
}

/// Why the messages of a Messages body are not legal, if they are not.
fn fault_of_messages(messages: &[Value]) -> Option<String> {
    let blocks = |message: &Value| match &message["content"] {
        Value::Array(blocks) => blocks.clone(),
        Value::String(text) => vec![json!({"type": "text", "text": text})],
        _ => Vec::new(),
    };
    let of_type = |blocks: &[Value], kind: &str, id: &str| -> Vec<String> {
        blocks.iter().filter(|b| b["type"] == kind).map(|b| b[id].as_str().unwrap_or_default().to_owned()).collect()
    };
    if messages.first().is_none_or(|first| first["role"] != "user") {
        return Some("the first message is not the user's".into());
    }
    for (n, message) in messages.iter().enumerate() {
        let here = blocks(message);
        if here.is_empty()
            || here.iter().any(|b| b["type"] == "text" && b["text"].as_str().is_none_or(|t| t.trim().is_empty()))
        {
            return Some(format!("message {n} is or holds an empty text: {message}"));
        }
        let asked = of_type(&here, "tool_use", "id");
        let answered =
            messages.get(n + 1).map(|next| of_type(&blocks(next), "tool_result", "tool_use_id")).unwrap_or_default();
        if asked != answered {
            return Some(format!("message {n} asks {asked:?}, the next answers {answered:?}"));
        }
        let unique: std::collections::HashSet<_> = asked.iter().collect();
        if unique.len() != asked.len()
            || asked
                .iter()
                .any(|id| id.is_empty() || !id.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)))
        {
            return Some(format!("message {n} has bad ids {asked:?}"));
        }
        if n == 0 && !of_type(&here, "tool_result", "tool_use_id").is_empty() {
            return Some("the first message answers nothing".into());
        }
        let first_other = here.iter().position(|b| b["type"] != "tool_result").unwrap_or(here.len());
        if here[first_other..].iter().any(|b| b["type"] == "tool_result") {
            return Some(format!("message {n} has a result after something else"));
        }
        if here.iter().any(|b| b["type"] == "tool_use" && !b["input"].is_object()) {
            return Some(format!("message {n} has an input that is no object"));
        }
    }
    None
}

/// The same for Chat Completions.
fn fault_of_chat(messages: &[Value]) -> Option<String> {
    let mut open: Vec<String> = Vec::new();
    for (n, message) in messages.iter().enumerate() {
        if message["role"] == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            if open.first().map(String::as_str) != Some(id) {
                return Some(format!("message {n} answers {id}, open are {open:?}"));
            }
            open.remove(0);
            if message["content"].as_str().is_none_or(str::is_empty) {
                return Some(format!("message {n} is an empty result"));
            }
            continue;
        }
        if !open.is_empty() {
            return Some(format!("before message {n} these are unanswered: {open:?}"));
        }
        if message["role"] == "user" && message["content"].as_str().is_none_or(|t| t.trim().is_empty()) {
            return Some(format!("message {n} is an empty user message"));
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
            if !serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object()) {
                return Some(format!("message {n} has arguments {arguments:?}"));
            }
            open.push(call["id"].as_str().unwrap_or_default().to_owned());
        }
        if open.iter().any(String::is_empty)
            || open.iter().collect::<std::collections::HashSet<_>>().len() != open.len()
        {
            return Some(format!("message {n} has bad ids {open:?}"));
        }
    }
    (!open.is_empty()).then(|| format!("unanswered at the end: {open:?}"))
}

fn messages_sent(state: &LoopState) -> Vec<Value> {
    let body: Value = serde_json::from_slice(&state.request().unwrap().body()).unwrap();
    body["messages"].as_array().unwrap().clone()
}

proptest! {
    #[test]
    fn whatever_the_facts_the_messages_that_would_be_sent_are_legal(log in any_log(Dialect::Anthropic)) {
        let facts: Vec<Rc<Sealed>> = log.into_iter().map(Rc::new).collect();
        for n in 2..=facts.len() {
            let state = LoopState::fold(&facts[..n]);
            if matches!(state.next_step(), Step::Prepare | Step::CallModel(_)) {
                prop_assert_eq!(fault_of_messages(&messages_sent(&state)), None);
            }
        }
    }

    #[test]
    fn whatever_the_facts_the_chat_messages_that_would_be_sent_are_legal(log in any_log(Dialect::OpenAi)) {
        let facts: Vec<Rc<Sealed>> = log.into_iter().map(Rc::new).collect();
        for n in 2..=facts.len() {
            let state = LoopState::fold(&facts[..n]);
            if matches!(state.next_step(), Step::Prepare | Step::CallModel(_)) {
                prop_assert_eq!(fault_of_chat(&messages_sent(&state)), None);
            }
        }
    }

    /// What the page shows of a dialect is the request, and every entry has its index.
    #[test]
    fn a_sheet_is_the_request_in_either_dialect(log in any_log(Dialect::Anthropic)) {
        let state = LoopState::fold(&log.into_iter().map(Rc::new).collect::<Vec<_>>());
        for dialect in BOTH {
            let settings = wire::in_dialect(state.settings.as_ref().unwrap(), dialect);
            let sheet = wire::sheet(&settings, &state.offered, &state.messages);
            prop_assert_eq!(sheet.entries.len(), state.messages.len());
            let rows: Vec<&wire::SheetRow> = sheet.entries.iter().flatten().collect();
            let pieces: Vec<&str> = rows.iter().map(|row| &*row.json).collect();
            let body = format!("{}{}{}", sheet.head, pieces.join(","), sheet.tail);
            prop_assert_eq!(body.as_bytes(), wire::request(&settings, &state.offered, &state.messages).body());
            let value: Value = serde_json::from_str(&body).unwrap();
            let length = rows.last().map_or(0, |row| row.index + row.entries);
            prop_assert_eq!(value["messages"].as_array().unwrap().len(), length);
            prop_assert!(rows.windows(2).all(|two| two[0].index + two[0].entries == two[1].index));
        }
    }

    #[test]
    fn a_log_survives_being_stored(log in any_log(Dialect::Anthropic)) {
        let stored: Vec<String> = log.iter().map(|sealed| serde_json::to_string(sealed).unwrap()).collect();
        let read: Vec<Sealed> = stored.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        prop_assert_eq!(&read, &log);
        let fold = |facts: Vec<Sealed>| LoopState::fold(&facts.into_iter().map(Rc::new).collect::<Vec<_>>());
        prop_assert_eq!(fold(read), fold(log));
    }

    #[test]
    fn opening_never_acts_and_leaves_nothing_under_way(log in any_log(Dialect::OpenAi)) {
        let session = Session::open(log, Vec::new(), 1_000).unwrap();
        prop_assert!(session.state().is_resting());
        prop_assert!(matches!(session.state().next_step(), Step::Rest(_)));
        let world = World::new(Dialect::OpenAi, []);
        world.run(&session);
        prop_assert!(world.sent.borrow().is_empty() && world.ran.borrow().is_empty());
    }

    /// Whatever stands in a log, a person can go on: every call is settled, run or closed once, and it comes to an end.
    #[test]
    fn any_log_can_be_taken_up_and_comes_to_an_end(log in any_log(Dialect::Anthropic)) {
        let session = Session::open(log, Vec::new(), 1_000).unwrap();
        session.record(1_001, Fact::Resumed);
        let world = World::new(Dialect::Anthropic, vec![text("done"); 10]);
        for fact in [Fact::Resumed, Fact::Said { text: "more".into() }] {
            let before = session.len();
            session.record(1_002, fact);
            let endpoint = agent_loop::Endpoint::default();
            let env = world.env(&endpoint);
            while !matches!(futures_executor::block_on(agent_loop::step(&session, &env)), Step::Rest(_)) {
                prop_assert!(session.len() < before + 60, "it goes on and on: {:?}", session.state().next_step());
            }
        }
        prop_assert!(session.state().is_resting());
    }

    #[test]
    fn resting_means_that_nothing_is_next_and_the_limit_holds(log in any_log(Dialect::Anthropic)) {
        let mut state = LoopState::default();
        for sealed in log {
            state.apply(&sealed);
            let next = state.next_step();
            prop_assert_eq!(state.is_resting(), matches!(next, Step::Rest(_)));
            prop_assert!(!state.is_resting() || state.transition_reason.is_none());
            prop_assert!(next != Step::Prepare || state.model_calls < state.model_call_limit());
        }
    }

    #[test]
    fn a_prefix_and_a_fork_fold_alike(log in any_log(Dialect::Anthropic), at in 0..40_usize) {
        let session = Session::open(log, Vec::new(), 1_000).unwrap();
        let at = at.min(session.len());
        let prefix = session.at(at);
        let fork = session.fork(at, 2_000);
        prop_assert_eq!(&fork.at(at), &prefix);
        prop_assert!(fork.state().is_resting());
    }
}

/// A run cut off after every single fact, stored, opened again and continued ends with the same conversation, except
/// that a command which was running then is told as unknown.
#[test]
fn reloading_after_every_fact_gives_the_same_session() {
    for dialect in BOTH {
        let script = || [bash(&["a", "b"]), call("bash", "{"), bash(&["false"]), text("done")];
        let world = World::new(dialect, script());
        let session = world.session(settings(dialect));
        assert_eq!(world.run(&session), Rest::EndTurn);
        let whole = noted(&session.state());
        let facts: Vec<Sealed> = session.facts().iter().map(|sealed| (**sealed).clone()).collect();
        for n in 3..=facts.len() {
            let stored: Vec<String> = facts[..n].iter().map(|sealed| serde_json::to_string(sealed).unwrap()).collect();
            let read = stored.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
            let reopened = Session::open(read, Vec::new(), 50_000).unwrap();
            let was_running = matches!(facts[n - 1].fact, Fact::ToolStarted { .. });
            let answered = facts[..n].iter().filter(|sealed| matches!(sealed.fact, Fact::Answered { .. })).count();
            let world = World::new(dialect, script().into_iter().skip(answered));
            reopened.record(50_001, Fact::Resumed);
            assert_eq!(world.run(&reopened), Rest::EndTurn, "{dialect:?} after fact {n}");
            if was_running {
                let unknown =
                    noted(&reopened.state()).iter().filter(|line| line.contains("outcome is unknown")).count();
                assert_eq!(unknown, 1, "{dialect:?} after fact {n}");
            } else {
                assert_eq!(noted(&reopened.state()), whole, "{dialect:?} after fact {n}");
            }
        }
    }
}

#[test]
fn a_log_of_a_later_format_is_refused() {
    let later = Sealed { at_ms: 0, fact: Fact::Opened { format: agent_loop::fact::FORMAT + 1 } };
    assert!(Session::open(vec![later], Vec::new(), 1).is_err());
}

#[test]
fn the_offered_tools_are_what_the_request_is_made_from() {
    let world = World::new(Dialect::Anthropic, [text("done")]);
    let session = world.session(settings(Dialect::Anthropic));
    world.run(&session);
    let body: Value = serde_json::from_slice(&world.sent.borrow()[0].body).unwrap();
    assert_eq!(body["tools"][0]["input_schema"], bash_tool().input_schema);
    assert_eq!(body["system"], "You are at /w.");
}
