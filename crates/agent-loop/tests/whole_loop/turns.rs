//! Turns: how messages grow, how turns are counted, and what the limit means.

use agent_loop::settings::{Limits, RunTools};
use agent_loop::{Fact, Rest, Settings, TransitionReason};

use crate::script::{Reply, bash, call, text};
use crate::world::{BOTH, World, noted, settings};

#[track_caller]
fn check(replies: &[Reply], set: impl Fn(&mut Settings), rest: Rest, turn_count: u32, messages: &[&str]) {
    for dialect in BOTH {
        let world = World::new(dialect, replies.to_vec());
        let mut knobs = settings(dialect);
        set(&mut knobs);
        let session = world.session(knobs);
        let found = world.run(&session);
        let state = session.state();
        let reason = state.transition_reason;
        assert_eq!(
            (found, state.turn_count, reason, noted(&state)),
            (rest.clone(), turn_count, None, owned(messages)),
            "{dialect:?}"
        );
        assert!(world.replies.borrow().is_empty(), "{dialect:?}: the model was called less often than scripted");
    }
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn an_answer_without_calls_is_one_turn() {
    check(&[text("hello")], |_| {}, Rest::EndTurn, 1, &["user: go", "assistant: hello"]);
}

#[test]
fn a_call_is_run_and_its_result_goes_back() {
    check(
        &[bash(&["ls"]), text("done")],
        |_| {},
        Rest::EndTurn,
        2,
        &["user: go", "assistant: bash {\"command\":\"ls\"}", "user: [ran ls\n(exit code 0)]", "assistant: done"],
    );
}

#[test]
fn several_calls_in_one_answer_run_in_order_and_go_back_together() {
    check(
        &[bash(&["a", "b", "c"]), text("done")],
        |_| {},
        Rest::EndTurn,
        2,
        &[
            "user: go",
            "assistant: bash {\"command\":\"a\"} + bash {\"command\":\"b\"} + bash {\"command\":\"c\"}",
            "user: [ran a\n(exit code 0)] + [ran b\n(exit code 0)] + [ran c\n(exit code 0)]",
            "assistant: done",
        ],
    );
}

#[test]
fn the_limit_counts_model_calls_and_the_last_ones_tools_still_run() {
    let limit = |knobs: &mut Settings| knobs.limits = Limits { model_calls: 2, ..Limits::default() };
    check(
        &[bash(&["a"]), bash(&["b"])],
        limit,
        Rest::TurnLimit(2),
        3,
        &[
            "user: go",
            "assistant: bash {\"command\":\"a\"}",
            "user: [ran a\n(exit code 0)]",
            "assistant: bash {\"command\":\"b\"}",
            "user: [ran b\n(exit code 0)]",
        ],
    );
}

#[test]
fn the_limit_can_be_extended() {
    for dialect in BOTH {
        let world = World::new(dialect, [bash(&["a"]), text("done")]);
        let mut knobs = settings(dialect);
        knobs.limits.model_calls = 1;
        let session = world.session(knobs);
        assert_eq!(world.run(&session), Rest::TurnLimit(1));
        session.record(9, Fact::Resumed);
        assert_eq!(world.run(&session), Rest::TurnLimit(1), "resuming alone allows nothing");
        session.record(9, Fact::Extended { model_calls: 1 });
        session.record(9, Fact::Resumed);
        let resumed = session.state();
        assert_eq!((resumed.turn_count, resumed.transition_reason), (2, Some(TransitionReason::ToolResult)));
        assert_eq!(world.run(&session), Rest::EndTurn);
    }
}

#[test]
fn a_new_user_message_counts_from_one_again_and_keeps_messages() {
    for dialect in BOTH {
        let world = World::new(dialect, [bash(&["a"]), text("one"), text("two")]);
        let session = world.session(settings(dialect));
        world.run(&session);
        session.record(9, Fact::Said { text: "again".into() });
        let begun = session.state();
        assert_eq!((begun.turn_count, begun.transition_reason, begun.model_calls), (1, None, 0));
        assert_eq!(world.run(&session), Rest::EndTurn);
        assert_eq!(session.state().messages.len(), 6);
    }
}

#[test]
fn while_it_goes_on_the_reason_is_tool_result() {
    let world = World::new(BOTH[0], [bash(&["a"]), text("done")]);
    let session = world.session(settings(BOTH[0]));
    let endpoint = agent_loop::Endpoint::default();
    let env = world.env(&endpoint);
    assert!(futures_executor::block_on(agent_loop::run_one_turn(&session, &env)));
    assert_eq!(
        (session.state().turn_count, session.state().transition_reason),
        (2, Some(TransitionReason::ToolResult))
    );
    assert!(!futures_executor::block_on(agent_loop::run_one_turn(&session, &env)));
    assert_eq!((session.state().turn_count, session.state().transition_reason), (2, None));
}

#[test]
fn the_knob_once_runs_one_call_and_tells_the_model_nothing() {
    check(
        &[bash(&["a", "b"])],
        |knobs| knobs.run_tools = RunTools::Once,
        Rest::RunsOnce,
        1,
        &["user: go", "assistant: bash {\"command\":\"a\"} + bash {\"command\":\"b\"}"],
    );
}

#[test]
fn the_knob_one_turn_writes_back_and_stops() {
    check(
        &[bash(&["a"])],
        |knobs| knobs.run_tools = RunTools::OneTurn,
        Rest::RunsOnce,
        2,
        &["user: go", "assistant: bash {\"command\":\"a\"}", "user: [ran a\n(exit code 0)]"],
    );
}

#[test]
fn what_is_said_while_tools_run_is_delivered_after_the_results() {
    for dialect in BOTH {
        let world = World::new(dialect, [bash(&["a"]), text("done")]);
        let session = world.session(settings(dialect));
        let endpoint = agent_loop::Endpoint::default();
        let env = world.env(&endpoint);
        for _ in 0..3 {
            futures_executor::block_on(agent_loop::step(&session, &env));
        }
        session.record(9, Fact::Said { text: "also this".into() });
        assert_eq!(session.state().queued, ["also this"]);
        world.run(&session);
        let expected = [
            "user: go",
            "assistant: bash {\"command\":\"a\"}",
            "user: [ran a\n(exit code 0)]",
            "user: also this",
            "assistant: done",
        ];
        assert_eq!(noted(&session.state()), owned(&expected));
    }
}

#[test]
fn one_result_per_call_under_its_own_id_even_when_the_model_repeats_an_id() {
    let world = World::new(BOTH[1], [call("bash", "{\"command\":\"a\"}"), text("done")]);
    let session = world.session(settings(BOTH[1]));
    world.run(&session);
    let state = session.state();
    let calls: Vec<_> = state.messages[1].tool_calls().map(|call| call.key).collect();
    let results: Vec<_> = state.messages[2].tool_results().map(|result| result.call).collect();
    assert_eq!(calls, results);
}
