//! How a model call can end: every stop reason, and every way to fail.

use std::rc::Rc;

use agent_loop::settings::{Limits, RunTools};
use agent_loop::tool::WordingSet;
use agent_loop::{Answer, Block, Dialect, Fact, FailureKind, Hint, Rest, Session, Settings, StopReason, Usage};

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
    check(ended("a", "something_new"), Rest::Other("something_new".into()), "assistant: a");
}

#[test]
fn every_finish_reason_of_chat_completions() {
    let check = |reply, rest, last| check(Dialect::OpenAi, reply, rest, last);
    check(ended("a", "stop"), Rest::EndTurn, "assistant: a");
    check(ended("a", "length"), Rest::MaxTokens, "assistant: a");
    check(ended("a", "content_filter"), Rest::ContentFilter, "assistant: a");
    check(ended("a", "something_new"), Rest::Other("something_new".into()), "assistant: a");
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
fn h22_pause_turn_calls_again_within_a_bound_of_its_own() {
    let world = World::new(Dialect::Anthropic, [ended("a", "pause_turn"), text("b")]);
    let mut knobs = settings(Dialect::Anthropic);
    knobs.limits = Limits { model_calls: 1, ..Limits::default() };
    let session = world.session(knobs);
    assert_eq!(world.run(&session), Rest::EndTurn);
    let state = session.state();
    assert_eq!(noted(&state), ["user: go", "assistant: a", "assistant: b"]);
    assert_eq!((state.model_calls, state.pauses), (1, 0));

    let pauses = vec![ended("a", "pause_turn"); 10];
    let world = World::new(Dialect::Anthropic, [pauses.clone(), pauses, vec![text("b")]].concat());
    let session = world.session(settings(Dialect::Anthropic));
    for _ in 0..2 {
        assert_eq!(world.run(&session), Rest::PauseLimit(10));
        session.record(99, agent_loop::Fact::Resumed);
    }
    assert_eq!(world.run(&session), Rest::EndTurn);
    assert_eq!(world.sent.borrow().len(), 21);
}

/// An answer without words or calls, or one that ended for calls and has none: what comes next, in the default words and
/// in a lesson.
#[test]
fn a05_o12_an_answer_that_lacks_something_is_asked_to_go_on_once() {
    for dialect in BOTH {
        let no_call = if dialect == Dialect::Anthropic { "tool_use" } else { "tool_calls" };
        let run = |replies: Vec<Reply>, set: &dyn Fn(&mut Settings)| {
            let world = World::new(dialect, replies);
            let mut knobs = settings(dialect);
            set(&mut knobs);
            let session = world.session(knobs);
            let rest = world.run(&session);
            (rest, noted(&session.state()).join(", "), world.sent.borrow().len())
        };
        let check = |replies: &[Reply], rest: Rest, told: &str| {
            let expected = (rest, told.to_owned(), replies.len());
            assert_eq!(run(replies.to_vec(), &|_| {}), expected, "{dialect:?}");
        };
        let (empty, lost) = (ended("", "end_turn"), ended("a", no_call));
        check(&[empty.clone(), text("b")], Rest::EndTurn, "user: go, user: please continue., assistant: b");
        check(&[empty.clone(), empty.clone()], Rest::EmptyAnswer, "user: go, user: please continue.");
        check(
            &[lost.clone(), text("b")],
            Rest::EndTurn,
            "user: go, assistant: a, user: please continue., assistant: b",
        );
        check(
            &[lost.clone(), lost.clone()],
            Rest::EndTurn,
            "user: go, assistant: a, user: please continue., assistant: a",
        );
        check(&[empty.clone(), lost.clone()], Rest::EndTurn, "user: go, user: please continue., assistant: a");

        let lesson = |knobs: &mut Settings| knobs.wording = WordingSet::MessagesLesson;
        let once = |knobs: &mut Settings| knobs.run_tools = RunTools::OneTurn;
        for set in [&lesson as &dyn Fn(&mut Settings), &once] {
            assert_eq!(run(vec![empty.clone()], set), (Rest::EmptyAnswer, "user: go".to_owned(), 1), "{dialect:?}");
            assert_eq!(run(vec![lost.clone()], set), (Rest::EndTurn, "user: go, assistant: a".to_owned(), 1));
        }

        // A person may let it go on, and a new message counts anew.
        let world = World::new(dialect, [empty.clone(), empty.clone(), text("b"), empty, text("c")]);
        let session = world.session(settings(dialect));
        assert_eq!(world.run(&session), Rest::EmptyAnswer);
        session.record(99, agent_loop::Fact::Resumed);
        assert_eq!(world.run(&session), Rest::EndTurn);
        session.record(99, agent_loop::Fact::Said { text: "and?".into() });
        assert_eq!(world.run(&session), Rest::EndTurn);
        assert_eq!(noted(&session.state()).last().unwrap(), "assistant: c");
    }
}

/// What is told of an answer that is whole and yet not right.
#[test]
fn o32_o50_what_an_endpoint_kept_back_is_seen_by_its_counts() {
    // The hint of the last of these answers, each with its words, and the tokens that were counted before it and in it.
    let hint = |asked: usize, answers: &[(&str, u64, u64)]| {
        let session = Session::new(0);
        session.record(0, Fact::Configured { settings: Rc::new(settings(Dialect::OpenAi)) });
        for (words, input, output) in answers {
            session.record(1, Fact::Said { text: "x".repeat(asked) });
            session.record(1, Fact::Prepared { repairs: Vec::new() });
            session.record(1, Fact::Called { bytes: 1 });
            let usage = Usage { input_tokens: Some(*input), output_tokens: Some(*output), ..Usage::default() };
            let blocks = vec![Block::Text { text: (*words).into() }];
            let answer = Answer {
                blocks,
                stop_reason: StopReason::EndTurn,
                stop_details: None,
                usage,
                model: String::new(),
                id: String::new(),
                duration_ms: 0,
                first_byte_ms: None,
            };
            session.record(1, Fact::Answered { answer });
        }
        session.state().hint
    };
    assert_eq!(hint(20_000, &[("a", 5_000, 1), ("b", 10_000, 1)]), None);
    assert_eq!(hint(20_000, &[("a", 5_000, 1), ("b", 4_000, 1)]), Some(Hint::InputCut(4_000)), "it falls");
    assert_eq!(hint(20_000, &[("a", 4_095, 1)]), Some(Hint::InputCut(4_095)), "it stands at a wall");
    assert_eq!(hint(20_000, &[("a", 3_500, 1)]), None, "a text of long words");
    assert_eq!(hint(40_000, &[("a", 3_500, 1)]), Some(Hint::InputCut(3_500)), "no text has words so long");
    assert_eq!(hint(16_000, &[("a", 4_096, 1)]), None, "a wall by chance");
    assert_eq!(hint(40_000, &[("a", 1, 1)]), None, "a server that does not count");
    assert_eq!(hint(10, &[("I will look.", 9, 300)]), Some(Hint::WordsMissing(300)));
    assert_eq!(hint(10, &[("I will look.", 9, 30)]), None);
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
