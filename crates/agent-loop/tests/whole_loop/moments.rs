//! Facts at odd moments: whatever comes when, a turn is counted right, no call is lost or run twice, and what is asked
//! about is what is sent.

use std::rc::Rc;

use agent_loop::host::Offered;
use agent_loop::message::{Answer, StopReason, Usage};
use agent_loop::settings::RunTools;
use agent_loop::tool::Outcome;
use agent_loop::{
    Block, CallKey, Dialect, Edit, Fact, Rest, Ruling, Session, Settings, Step, ToolCall, ToolResult, TransitionReason,
};

use crate::world::{bash_tool, noted, settings};

const GO: [Fact; 2] = [Fact::Prepared { repairs: Vec::new() }, Fact::Called { bytes: 1 }];

fn session(set: impl FnOnce(&mut Settings)) -> Session {
    let mut knobs = settings(Dialect::Anthropic);
    set(&mut knobs);
    let session = Session::new(0);
    record(&session, [Fact::Configured { settings: Rc::new(knobs) }, said("go")]);
    session
}

fn record(session: &Session, facts: impl IntoIterator<Item = Fact>) {
    facts.into_iter().for_each(|fact| session.record(1, fact));
}

fn said(text: &str) -> Fact {
    Fact::Said { text: text.into() }
}

fn key(fact: usize, index: usize) -> CallKey {
    CallKey { fact, index }
}

fn call(key: CallKey, command: &str) -> ToolCall {
    let arguments = serde_json::json!({ "command": command }).to_string();
    ToolCall { key, id: format!("id-{command}"), name: "bash".into(), arguments, extra: None, original_arguments: None }
}

fn answered(blocks: Vec<Block>, stop_reason: StopReason) -> Fact {
    let answer = Answer {
        blocks,
        stop_reason,
        stop_details: None,
        usage: Usage::default(),
        model: "m".into(),
        id: "a".into(),
        duration_ms: 1,
        first_byte_ms: None,
    };
    Fact::Answered { answer }
}

/// The model asks for these commands; the keys of its calls.
fn asks(session: &Session, commands: &[&str]) -> Vec<CallKey> {
    record(session, GO);
    let fact = session.len();
    let blocks = commands.iter().map(|command| Block::ToolUse(call(key(0, 0), command))).collect();
    record(session, [answered(blocks, StopReason::ToolUse)]);
    (0..commands.len()).map(|index| key(fact, index)).collect()
}

fn started(call: CallKey) -> [Fact; 2] {
    [Fact::Ruled { call, ruling: Ruling::Run }, Fact::ToolStarted { call, run_id: "r".into(), host: "h".into() }]
}

fn ended(call: CallKey) -> Fact {
    let result = ToolResult {
        call,
        content: "ran".into(),
        is_error: false,
        outcome: Outcome::Exited(0),
        duration_ms: 1,
        output_bytes: 1,
        left_out: None,
        original_content: None,
    };
    Fact::ToolEnded { result }
}

/// What comes next, in a word.
fn next(session: &Session) -> String {
    match session.state().next_step() {
        Step::Prepare => "prepare".into(),
        Step::CallModel(_) => "call the model".into(),
        Step::Settle(call) => format!("settle {}", call.arguments),
        Step::RunTool(call) => format!("run {}", call.arguments),
        Step::WriteBack => "write back".into(),
        Step::Wait(_) => "wait".into(),
        Step::Rest(rest) => format!("{rest:?}"),
    }
}

#[track_caller]
fn check(session: &Session, expected: &str, turn_count: u32, reason: Option<TransitionReason>) {
    let state = session.state();
    let found = (next(session), state.turn_count, state.transition_reason);
    assert_eq!(found, (expected.to_owned(), turn_count, reason));
    assert_eq!(state.is_resting(), matches!(state.next_step(), Step::Rest(_)), "resting means that nothing is next");
}

/// So many answers in a row that pause.
fn pauses(session: &Session, count: usize) {
    for _ in 0..count {
        record(session, GO);
        record(session, [answered(vec![Block::Text { text: "a".into() }], StopReason::PauseTurn)]);
    }
}

const ASKED_AGAIN: Option<TransitionReason> = Some(TransitionReason::ToolResult);

#[test]
fn no_way_round_the_limit() {
    let of_one = || session(|knobs| knobs.limits.model_calls = 1);

    let stopped = of_one();
    asks(&stopped, &["a"]);
    record(&stopped, [Fact::Stopped { draft: Vec::new() }]);
    check(&stopped, "Stopped", 2, None);
    record(&stopped, [Fact::Resumed]);
    check(&stopped, "TurnLimit(1)", 2, None);
    record(&stopped, [Fact::Extended { model_calls: 1 }, Fact::Resumed]);
    check(&stopped, "prepare", 2, ASKED_AGAIN);

    let once = session(|knobs| {
        knobs.limits.model_calls = 1;
        knobs.run_tools = RunTools::OneTurn;
    });
    let calls = asks(&once, &["a"]);
    record(&once, started(calls[0]).into_iter().chain([ended(calls[0]), Fact::WroteBack]));
    check(&once, "RunsOnce", 2, None);
    record(&once, [Fact::Resumed]);
    check(&once, "TurnLimit(1)", 2, None);

    let none_at_all = session(|knobs| knobs.limits.model_calls = 0);
    check(&none_at_all, "TurnLimit(0)", 1, None);
    record(&none_at_all, [said("again")]);
    check(&none_at_all, "TurnLimit(0)", 1, None);

    let lowered = session(|_| {});
    let calls = asks(&lowered, &["a"]);
    record(&lowered, started(calls[0]).into_iter().chain([ended(calls[0]), Fact::WroteBack]));
    check(&lowered, "prepare", 2, ASKED_AGAIN);
    let mut knobs = settings(Dialect::Anthropic);
    knobs.limits.model_calls = 1;
    record(&lowered, [Fact::Configured { settings: Rc::new(knobs) }]);
    check(&lowered, "TurnLimit(1)", 2, None);

    let paused = of_one();
    pauses(&paused, 9);
    check(&paused, "prepare", 1, Some(TransitionReason::PauseTurn));
    pauses(&paused, 1);
    check(&paused, "PauseLimit(10)", 1, None);
    record(&paused, [Fact::Resumed]);
    check(&paused, "prepare", 1, Some(TransitionReason::PauseTurn));
}

#[test]
fn what_waits_in_line_is_delivered_wherever_the_turn_ends() {
    let expected = |session: &Session| {
        check(session, "prepare", 1, None);
        assert_eq!(noted(&session.state()).last().map(String::as_str), Some("user: more"));
    };
    let paused = session(|_| {});
    record(&paused, [said("more")]);
    pauses(&paused, 10);
    expected(&paused);

    let withdrawn = session(|_| {});
    let calls = asks(&withdrawn, &["a"]);
    record(&withdrawn, [said("one"), said("two"), Fact::Withdrawn { place: 0 }, Fact::Withdrawn { place: 7 }]);
    record(&withdrawn, started(calls[0]).into_iter().chain([ended(calls[0]), Fact::WroteBack]));
    assert_eq!(noted(&withdrawn.state()).last().map(String::as_str), Some("user: two"));
    record(&withdrawn, [Fact::Withdrawn { place: 0 }]);
    assert_eq!(noted(&withdrawn.state()).last().map(String::as_str), Some("user: two"), "what was delivered stays");

    let emptied = session(|_| {});
    asks(&emptied, &["a"]);
    let edit = Edit::Message { message: 1, blocks: vec![Block::Text { text: "nothing to run".into() }] };
    record(&emptied, [said("more"), Fact::Edited { edit: edit.clone() }]);
    expected(&emptied);

    let resting = session(|_| {});
    asks(&resting, &["a"]);
    record(&resting, [said("more"), Fact::Interrupted { draft: Vec::new() }, Fact::Edited { edit }]);
    check(&resting, "Interrupted", 1, None);
    record(&resting, [Fact::Resumed]);
    expected(&resting);

    let not_configured = Session::new(0);
    record(&not_configured, [said("one"), said("more")]);
    check(&not_configured, "NotConfigured", 1, None);
    record(&not_configured, [Fact::Configured { settings: Rc::new(settings(Dialect::OpenAi)) }]);
    expected(&not_configured);
}

#[test]
fn a_run_taken_up_within_a_turn_goes_on_for_the_reason_the_turn_began() {
    let session = session(|_| {});
    let first = asks(&session, &["a"]);
    record(&session, started(first[0]).into_iter().chain([ended(first[0]), Fact::WroteBack]));
    asks(&session, &["b"]);
    record(&session, [Fact::Interrupted { draft: Vec::new() }]);
    check(&session, "Interrupted", 2, None);
    record(&session, [Fact::Resumed]);
    check(&session, r#"settle {"command":"b"}"#, 2, ASKED_AGAIN);
}

#[test]
fn what_was_allowed_before_an_interruption_is_asked_about_again() {
    let session = session(|_| {});
    let calls = asks(&session, &["a"]);
    record(&session, [Fact::Ruled { call: calls[0], ruling: Ruling::Run }]);
    let branch = session.fork(usize::MAX, 2);
    check(&branch, "Interrupted", 1, None);
    record(&branch, [Fact::Resumed]);
    check(&branch, r#"settle {"command":"a"}"#, 1, None);
}

#[test]
fn an_answer_comes_from_the_endpoint_that_was_called() {
    let session = session(|_| {});
    record(&session, GO);
    record(&session, [Fact::Configured { settings: Rc::new(settings(Dialect::OpenAi)) }]);
    record(&session, [answered(vec![Block::Text { text: "a".into() }], StopReason::EndTurn)]);
    assert_eq!(session.state().messages[1].origin.as_ref().unwrap().dialect, Dialect::Anthropic);
}

#[test]
fn what_was_asked_about_is_what_is_sent() {
    let offered =
        Offered { host: "h".into(), tools: vec![bash_tool()], cwd: "/elsewhere".into(), background: Vec::new() };
    let change = |fact: Fact| {
        let session = session(|_| {});
        record(&session, [Fact::Prepared { repairs: Vec::new() }]);
        check(&session, "call the model", 1, None);
        record(&session, [fact]);
        check(&session, "prepare", 1, None);
    };
    change(Fact::Offered { offered: Rc::new(offered.clone()) });
    change(Fact::Configured { settings: Rc::new(settings(Dialect::OpenAi)) });
    change(Fact::Edited { edit: Edit::Message { message: 0, blocks: Vec::new() } });

    // A call was allowed on this host, in this directory.
    let session = session(|_| {});
    let calls = asks(&session, &["a"]);
    record(&session, [Fact::Ruled { call: calls[0], ruling: Ruling::Run }]);
    check(&session, r#"run {"command":"a"}"#, 1, None);
    record(&session, [Fact::Offered { offered: Rc::new(offered) }]);
    check(&session, r#"settle {"command":"a"}"#, 1, None);
}

#[test]
fn edited_calls_are_each_answered_once() {
    let begun = || {
        let session = session(|_| {});
        let calls = asks(&session, &["a", "b"]);
        record(&session, started(calls[0]));
        (session, calls)
    };
    let edited = |session: &Session, calls: Vec<ToolCall>| {
        let blocks = calls.into_iter().map(Block::ToolUse).collect();
        record(session, [Fact::Edited { edit: Edit::Message { message: 1, blocks } }]);
    };

    // A copied call is one more call.
    let (copied, calls) = begun();
    let number = copied.len();
    edited(&copied, vec![call(calls[0], "a"), call(calls[0], "a"), call(key(99, 0), "c")]);
    let keys: Vec<CallKey> = copied.state().calls().iter().map(|state| state.call.key).collect();
    assert_eq!(keys, [calls[0], key(number, 0), key(number, 1)]);
    record(&copied, [ended(calls[0])]);
    check(&copied, r#"settle {"command":"a"}"#, 1, None);
    record(&copied, [ended(keys[1])]);
    check(&copied, r#"settle {"command":"c"}"#, 1, None);
    record(&copied, [ended(keys[2])]);
    check(&copied, "write back", 1, None);

    // What runs already cannot be changed any more; what is only allowed is settled again.
    let (changed, calls) = begun();
    record(&changed, [Fact::Ruled { call: calls[1], ruling: Ruling::Run }]);
    edited(&changed, vec![call(calls[0], "x"), call(calls[1], "y")]);
    check(&changed, r#"run {"command":"x"}"#, 1, None);
    record(&changed, [ended(calls[0])]);
    check(&changed, r#"settle {"command":"y"}"#, 1, None);
}

#[test]
fn an_answer_that_says_nothing_is_empty() {
    let ends = |blocks: Vec<Block>, expected: Rest| {
        let session = session(|_| {});
        record(&session, GO);
        record(&session, [answered(blocks, StopReason::EndTurn)]);
        check(&session, &format!("{expected:?}"), 1, None);
    };
    let thinking = || Block::Thinking { text: "hm".into(), raw: serde_json::json!({"type": "thinking"}) };
    ends(vec![], Rest::EmptyAnswer);
    ends(vec![Block::Text { text: " \n".into() }], Rest::EmptyAnswer);
    ends(vec![thinking()], Rest::EmptyAnswer);
    ends(vec![thinking(), Block::Text { text: "a".into() }], Rest::EndTurn);
    ends(vec![Block::Opaque { raw: serde_json::json!({"type": "server_tool_use"}) }], Rest::EndTurn);
}
