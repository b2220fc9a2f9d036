//! Stop at each seam, while a model answers, while a tool runs, and between two calls: nothing is left half done.

use agent_loop::tool::Outcome;
use agent_loop::{Fact, ModelSeam, Rest, ResultSeam, ToolSeam};

use crate::script::{Reply, bash, text};
use crate::world::{BOTH, World, noted, settings};

const NOT_RUN: &str = "[error: not run: the user stopped or went on before its turn came.]";

/// After the stop these messages stand, and after Run it ends as if it had not been stopped.
#[track_caller]
fn check(replies: &[Reply], prepare: impl Fn(&World), ran: &[&str], messages: &[&str]) {
    for dialect in BOTH {
        let world = World::new(dialect, replies.to_vec());
        prepare(&world);
        let session = world.session(settings(dialect));
        assert_eq!(world.run(&session), Rest::Stopped, "{dialect:?}");
        let state = session.state();
        assert_eq!(
            (noted(&state), state.transition_reason),
            (messages.iter().map(|s| (*s).to_owned()).collect(), None)
        );
        assert_eq!(*world.ran.borrow(), ran);

        *world.stop.borrow_mut() = agent_loop::Stop::new();
        *world.stop_at.borrow_mut() = None;
        world.replies.borrow_mut().push_back(text("done"));
        session.record(99, Fact::Resumed);
        let wrote_back = messages.iter().any(|line| line.contains('['));
        assert_eq!(session.state().turn_count, if wrote_back { 2 } else { 1 }, "results written back begin a turn");
        assert_eq!(world.run(&session), Rest::EndTurn, "{dialect:?}");
    }
}

#[test]
fn before_the_model() {
    check(&[], |world| world.model_seams.borrow_mut().push_back(ModelSeam::Stop), &[], &["user: go"]);
    check(&[], |world| world.stop.borrow().press(), &[], &["user: go"]);
}

#[test]
fn before_a_tool() {
    let messages = ["user: go", "assistant: bash {\"command\":\"a\"}", &format!("user: {NOT_RUN}")];
    check(&[bash(&["a"])], |world| world.tool_seams.borrow_mut().push_back(ToolSeam::Stop), &[], &messages);
}

#[test]
fn after_a_tool() {
    let messages = ["user: go", "assistant: bash {\"command\":\"a\"}", "user: [ran a\n(exit code 0)]"];
    check(&[bash(&["a"])], |world| world.result_seams.borrow_mut().push_back(ResultSeam::Stop), &["a"], &messages);
}

#[test]
fn between_two_calls() {
    let calls = "assistant: bash {\"command\":\"a\"} + bash {\"command\":\"b\"}";
    let messages = ["user: go", calls, &format!("user: [ran a\n(exit code 0)] + {NOT_RUN}")];
    let stop_after_first = |world: &World| world.result_seams.borrow_mut().push_back(ResultSeam::Stop);
    check(&[bash(&["a", "b"])], stop_after_first, &["a"], &messages);
    let stop_before_second = |world: &World| world.tool_seams.borrow_mut().extend([ToolSeam::Run, ToolSeam::Stop]);
    check(&[bash(&["a", "b"])], stop_before_second, &["a"], &messages);
}

#[test]
fn while_a_tool_runs() {
    let stopped = "error: stopped by the user after 0.0s; it may have had effects.\nso far";
    let calls = "assistant: bash {\"command\":\"sleep\"} + bash {\"command\":\"b\"}";
    let messages = ["user: go", calls, &format!("user: [{stopped}] + {NOT_RUN}")];
    check(&[bash(&["sleep", "b"])], |world| *world.stop_at.borrow_mut() = Some("sleep"), &["sleep"], &messages);
}

#[test]
fn a_host_that_does_not_confirm_the_stop_is_not_waited_for_for_ever() {
    for dialect in BOTH {
        let world = World::new(dialect, [bash(&["deaf"])]);
        *world.stop_at.borrow_mut() = Some("deaf");
        let session = world.session(settings(dialect));
        assert_eq!(world.run(&session), Rest::Stopped);
        let outcomes: Vec<_> = session.state().messages[2].tool_results().map(|r| r.outcome.clone()).collect();
        assert_eq!(outcomes, [Outcome::Unknown]);
    }
}

/// Wherever stop is pressed, it rests; each call has one result; no command runs twice; and Run takes it up to the end.
#[test]
fn at_every_moment() {
    for dialect in BOTH {
        let mut moments = 0;
        loop {
            let world =
                World::new(dialect, [Reply::Refuses(529, "busy"), bash(&["a", "b"]), bash(&["c"]), text("done")]);
            world.stop_at_moment.set(Some(moments));
            let session = world.session(settings(dialect));
            let rest = world.run(&session);
            assert!(
                session.state().is_resting() && [Rest::Stopped, Rest::EndTurn].contains(&rest),
                "{moments}: {rest:?}"
            );
            let was_pressed = world.stop.borrow().is_pressed();

            *world.stop.borrow_mut() = agent_loop::Stop::new();
            world.replies.borrow_mut().extend([text("done"), text("done")]);
            session.record(99, Fact::Resumed);
            assert_eq!(world.run(&session), Rest::EndTurn, "{dialect:?} {moments}");
            let mut ran = world.ran.borrow().clone();
            ran.sort();
            ran.dedup();
            assert_eq!(ran.len(), world.ran.borrow().len(), "{dialect:?} {moments}: no command runs twice");
            for pair in session.state().messages.windows(2) {
                let calls: Vec<_> = pair[0].tool_calls().map(|call| call.key).collect();
                let results: Vec<_> = pair[1].tool_results().map(|result| result.call).collect();
                assert_eq!(calls, results, "{dialect:?} {moments}");
            }
            if !was_pressed {
                break;
            }
            moments += 1;
        }
        assert!(moments > 100, "{moments} moments were tried");
    }
}
