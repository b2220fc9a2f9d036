//! How a model call can end: every stop reason, and every way to fail.

use agent_loop::settings::Limits;
use agent_loop::{Dialect, FailureKind, Rest};

use crate::script::{Reply, bash_ended, ended, text};
use crate::world::{BOTH, World, noted, settings};

#[track_caller]
fn check(dialect: Dialect, reply: Reply, rest: Rest, last: &str) {
    let world = World::new(dialect, [reply]);
    let session = world.session(settings(dialect));
    assert_eq!(world.run(&session), rest);
    assert_eq!(noted(&session.state()).last().map(String::as_str), Some(last));
    assert!(world.ran.borrow().is_empty(), "nothing runs");
}

#[test]
fn every_stop_reason_of_messages() {
    let check = |reply, rest, last| check(Dialect::Anthropic, reply, rest, last);
    check(ended("a", "end_turn"), Rest::EndTurn, "assistant: a");
    check(ended("a", "max_tokens"), Rest::MaxTokens, "assistant: a");
    check(ended("a", "stop_sequence"), Rest::StopSequence(None), "assistant: a");
    check(ended("a", "refusal"), Rest::Refusal, "assistant: a");
    check(ended("a", "model_context_window_exceeded"), Rest::ContextWindowExceeded, "assistant: a");
    check(ended("a", "tool_use"), Rest::EndTurn, "assistant: a");
    check(ended("a", "something_new"), Rest::Other("something_new".into()), "assistant: a");
    check(ended("", "end_turn"), Rest::EmptyAnswer, "user: go");
}

#[test]
fn every_finish_reason_of_chat_completions() {
    let check = |reply, rest, last| check(Dialect::OpenAi, reply, rest, last);
    check(ended("a", "stop"), Rest::EndTurn, "assistant: a");
    check(ended("a", "length"), Rest::MaxTokens, "assistant: a");
    check(ended("a", "content_filter"), Rest::ContentFilter, "assistant: a");
    check(ended("a", "tool_calls"), Rest::EndTurn, "assistant: a");
    check(ended("a", "something_new"), Rest::Other("something_new".into()), "assistant: a");
    check(ended("", "stop"), Rest::EmptyAnswer, "user: go");
}

#[test]
fn a_call_in_an_answer_that_was_cut_or_declined_never_runs() {
    for dialect in BOTH {
        check(dialect, bash_ended("rm -rf build-ca", "max_tokens"), Rest::MaxTokens, "user: go");
    }
    check(Dialect::Anthropic, bash_ended("a", "refusal"), Rest::Refusal, "user: go");
    check(
        Dialect::Anthropic,
        bash_ended("a", "model_context_window_exceeded"),
        Rest::ContextWindowExceeded,
        "user: go",
    );
    check(Dialect::OpenAi, bash_ended("a", "content_filter"), Rest::ContentFilter, "user: go");
}

#[test]
fn a_whole_call_runs_although_the_reason_says_the_turn_ended() {
    for (dialect, why) in [(Dialect::Anthropic, "end_turn"), (Dialect::OpenAi, "stop")] {
        let world = World::new(dialect, [bash_ended("a", why), text("done")]);
        let session = world.session(settings(dialect));
        assert_eq!(world.run(&session), Rest::EndTurn);
        assert_eq!(*world.ran.borrow(), ["a"]);
    }
}

#[test]
fn pause_turn_calls_again_and_counts_within_the_limit() {
    let world = World::new(Dialect::Anthropic, [ended("a", "pause_turn"), text("b")]);
    let session = world.session(settings(Dialect::Anthropic));
    assert_eq!(world.run(&session), Rest::EndTurn);
    assert_eq!(noted(&session.state()), ["user: go", "assistant: a", "assistant: b"]);

    let world = World::new(Dialect::Anthropic, vec![ended("a", "pause_turn"); 3]);
    let mut knobs = settings(Dialect::Anthropic);
    knobs.limits = Limits { model_calls: 3, ..Limits::default() };
    let session = world.session(knobs);
    assert_eq!(world.run(&session), Rest::TurnLimit(3));
}

/// The failure that stays after this many attempts, and the waits between them.
#[track_caller]
fn check_failure(reply: Reply, kind: FailureKind, attempts: usize) {
    for dialect in BOTH {
        let world = World::new(dialect, vec![reply.clone(); attempts]);
        let session = world.session(settings(dialect));
        let Rest::Failed(failure) = world.run(&session) else { panic!("{dialect:?}: it did not fail") };
        assert_eq!((failure.kind, world.sent.borrow().len()), (kind, attempts), "{dialect:?}");
        assert_eq!(noted(&session.state()), ["user: go"], "{dialect:?}: nothing of it stands in messages");

        world.replies.borrow_mut().push_back(text("done"));
        session.record(99, agent_loop::Fact::Resumed);
        assert_eq!(world.run(&session), Rest::EndTurn, "{dialect:?}: it can be retried");
    }
}

#[test]
fn failures_are_retried_only_where_that_may_help_and_nothing_was_shown() {
    check_failure(Reply::Refuses(401, "bad key"), FailureKind::Authentication, 1);
    check_failure(Reply::Refuses(400, "unknown field"), FailureKind::InvalidRequest, 1);
    check_failure(Reply::Refuses(404, "no such model"), FailureKind::NotFound, 1);
    check_failure(Reply::Refuses(429, "slow down"), FailureKind::RateLimit, 3);
    check_failure(Reply::Refuses(500, "oops"), FailureKind::Server, 3);
    check_failure(Reply::Refuses(529, "busy"), FailureKind::Overloaded, 3);
    check_failure(Reply::Unreachable, FailureKind::Unreachable, 3);
    check_failure(Reply::Breaks("half an ans"), FailureKind::Incomplete, 1);
    check_failure(Reply::Stalls("half an ans"), FailureKind::Stalled, 1);
}

#[test]
fn what_had_come_of_a_broken_answer_is_kept_for_the_eye() {
    for dialect in BOTH {
        let world = World::new(dialect, [Reply::Breaks("half an ans")]);
        let session = world.session(settings(dialect));
        world.run(&session);
        let draft = [agent_loop::Block::Text { text: "half an ans".into() }];
        assert_eq!(session.state().draft.as_slice(), draft);
    }
}

#[test]
fn o31_a_call_in_words_is_told_and_never_run() {
    let written = "I will look.\n<tool_call>{\"name\":\"bash\",\"arguments\":{\"command\":\"ls\"}}</tool_call>";
    let quoted = "Models write `<tool_call>` first.";
    for dialect in BOTH {
        for (words, rest) in [(written, Rest::CallInWords), (quoted, Rest::EndTurn)] {
            let world = World::new(dialect, [text(words)]);
            assert_eq!(world.run(&world.session(settings(dialect))), rest, "{dialect:?}: {words}");
            assert!(world.ran.borrow().is_empty());
        }
    }
}
