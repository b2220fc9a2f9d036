//! A page that is loaded anew amid a command takes the command up again, where its host still knows it, and starts nothing.

use agent_loop::ledger::{Ledger, Took};
use agent_loop::settings::RunTools;
use agent_loop::state::CallStatus;
use agent_loop::{
    CallKey, Edit, Ended, Fact, Outcome, Rest, Sealed, Session, Settings, Status, Step, Stream, ToolEvent,
};
use proptest::prelude::*;

use crate::properties::any_log;
use crate::script::{bash, text};
use crate::world::{BOTH, World, forgotten, noted, settings};

/// What the host would tell of `ran COMMAND`, to its end.
fn whole(command: &str) -> Vec<ToolEvent> {
    let output = ToolEvent::Output { stream: Stream::Stdout, bytes: format!("ran {command}\n").into_bytes() };
    let ended = Ended { status: Status::Exited(0), duration_ms: 20, leftovers: Vec::new() };
    vec![ToolEvent::Started, output, ToolEvent::Ended(ended)]
}

/// The facts of a run up to the start of the command that is left; the whole conversation it would have become.
fn cut(knobs: &Settings, commands: &[&str], left: usize) -> (Vec<Sealed>, Vec<String>) {
    let world = World::new(knobs.profile.dialect, [bash(commands), text("done")]);
    let session = world.session(knobs.clone());
    world.run(&session);
    let facts = session.facts();
    let starts = facts.iter().enumerate().filter(|(_, it)| matches!(it.fact, Fact::ToolStarted { .. }));
    let at = starts.map(|(number, _)| number).nth(left).unwrap();
    (facts.iter().take(at + 1).map(|sealed| (**sealed).clone()).collect(), noted(&session.state()))
}

fn open(facts: &[Sealed]) -> Session {
    Session::open(facts.to_vec(), Vec::new(), 50_000).unwrap()
}

fn key(session: &Session, index: usize) -> CallKey {
    session.state().calls()[index].call.key
}

#[test]
fn the_session_ends_as_if_there_had_been_no_reload_and_only_when_a_person_goes_on() {
    for dialect in BOTH {
        for left in 0..3 {
            let commands = ["a", "b", "c"];
            let (facts, expected) = cut(&settings(dialect), &commands, left);
            let session = open(&facts);
            let before = session.state().messages.len();
            let world = World::new(dialect, [text("done")]);
            world.kept.replace(Some(whole(commands[left])));
            world.take_up(&session);
            // The last one's result brings all of them into messages; before that, the next call waits to be allowed.
            let is_last = left == 2;
            assert_eq!(session.state().messages.len(), before + usize::from(is_last), "{dialect:?} {left}");
            let next = session.state().next_step();
            assert!(matches!((&next, is_last), (Step::Prepare, true) | (Step::Settle(_), false)), "{next:?}");
            let did = (world.sent.borrow().len(), world.ran.borrow().len(), world.asked.borrow().len());
            assert_eq!(did, (0, 0, 0), "{dialect:?} {left}");
            assert_eq!(world.run(&session), Rest::EndTurn);
            assert_eq!(noted(&session.state()), expected, "{dialect:?} {left}");
            assert_eq!(*world.ran.borrow(), commands[left + 1..]);
        }
    }
}

#[test]
fn it_stands_where_it_stood_and_the_ledger_goes_on() {
    let (facts, _) = cut(&settings(BOTH[0]), &["a"], 0);
    let before = Session::open(facts[..facts.len() - 1].to_vec(), Vec::new(), 0).unwrap();
    assert_eq!(before.state().left_run(), None);
    let session = open(&facts);
    let (call, left) = {
        let state = session.state();
        let (call, left) = state.left_run().unwrap();
        (call.key, left.clone())
    };
    assert_eq!((left.host.as_str(), session.state().is_resting()), ("test", true));
    session.record(50_001, Fact::TakenUp { call });
    let mut uncut = agent_loop::LoopState::default();
    facts.iter().for_each(|sealed| uncut.apply(sealed));
    let state = session.state();
    assert_eq!((state.calls(), state.next_step()), (uncut.calls(), uncut.next_step()));
    assert_eq!((state.transition_reason, state.left_run()), (uncut.transition_reason, None));
    // Said meanwhile, it waits for the results, as ever.
    session.record(50_002, Fact::Said { text: "more".into() });
    assert_eq!(session.state().queued, ["more"]);
    let result = agent_loop::tool::WordingSet::Default.closing_result(call, Outcome::Exited(0));
    session.record(60_000, Fact::ToolEnded { result });
    let ledger = Ledger::of(&session.facts());
    let took = ledger.entries().last().unwrap().took;
    assert!(matches!(took, Took::Ms(ms) if ms > 50_000), "{took:?}");
    // A second reload lets go of it again.
    let (facts, _) = cut(&settings(BOTH[0]), &["a"], 0);
    let session = open(&facts);
    session.record(50_001, Fact::TakenUp { call: key(&session, 0) });
    let facts: Vec<Sealed> = session.facts().iter().map(|sealed| (**sealed).clone()).collect();
    let again = open(&facts);
    assert!(again.state().is_resting());
    assert_eq!(again.state().left_run().unwrap().1, &left);
}

/// What stays unknown, and is not taken up.
#[track_caller]
fn check_unknown(session: &Session, kept: Option<Vec<ToolEvent>>) {
    let world = World::new(BOTH[0], [text("done")]);
    world.kept.replace(kept);
    let before = session.state();
    world.take_up(session);
    assert_eq!(session.state(), before);
}

#[test]
fn what_no_host_knows_any_more_stays_unknown() {
    let (facts, _) = cut(&settings(BOTH[0]), &["a"], 0);
    check_unknown(&open(&facts), None);
    check_unknown(&open(&facts), Some(forgotten()));
    // A person has written what the model shall read instead.
    let session = open(&facts);
    session.record(50_001, Fact::Edited { edit: Edit::Result { call: key(&session, 0), content: "mine".into() } });
    check_unknown(&session, Some(whole("a")));
    // Or has gone on without it.
    let session = open(&facts);
    session.record(50_001, Fact::Said { text: "more".into() });
    check_unknown(&session, Some(whole("a")));
    // It is unknown in the words of ever, and no second process is started for it.
    let session = open(&facts);
    session.record(50_001, Fact::Resumed);
    let world = World::new(BOTH[0], [text("done")]);
    assert_eq!(world.run(&session), Rest::EndTurn);
    assert!(noted(&session.state())[2].contains("its outcome is unknown"), "{:?}", noted(&session.state()));
    assert!(world.ran.borrow().is_empty());
}

#[test]
fn one_that_is_lost_after_all_has_a_result_that_says_so() {
    let (facts, _) = cut(&settings(BOTH[0]), &["a"], 0);
    let session = open(&facts);
    let world = World::new(BOTH[0], []);
    world.kept.replace(Some([ToolEvent::Started].into_iter().chain(forgotten()).collect()));
    world.take_up(&session);
    assert!(noted(&session.state())[2].contains("the connection was lost while it ran"));
}

#[test]
fn stop_reaches_it() {
    for dialect in BOTH {
        let (facts, _) = cut(&settings(dialect), &["a", "b"], 0);
        let session = open(&facts);
        let world = World::new(dialect, []);
        let so_far = ToolEvent::Output { stream: Stream::Stdout, bytes: b"so far".to_vec() };
        world.kept.replace(Some(vec![ToolEvent::Started, so_far]));
        world.stop_at_moment.set(Some(2));
        world.take_up(&session);
        assert_eq!(session.state().next_step(), Step::Rest(Rest::Stopped));
        let results = noted(&session.state())[2].clone();
        assert!(results.contains("stopped by the user") && results.contains("so far"), "{results}");
        assert!(results.contains("not run"), "{results}");
    }
}

#[test]
fn a_session_that_runs_one_call_rests_after_it() {
    let knobs = Settings { run_tools: RunTools::Once, ..settings(BOTH[0]) };
    let (facts, _) = cut(&knobs, &["a", "b"], 0);
    let session = open(&facts);
    let world = World::new(BOTH[0], []);
    world.kept.replace(Some(whole("a")));
    world.take_up(&session);
    assert_eq!(session.state().next_step(), Step::Rest(Rest::RunsOnce));
}

proptest! {
    /// Whatever stands in a log and whatever the host tells: nothing is started, asked or sent, and opening again rests.
    #[test]
    fn whatever_the_log_taking_up_starts_nothing(log in any_log(BOTH[1]), tells in 0..4_usize) {
        let session = Session::open(log, Vec::new(), 1_000).unwrap();
        let was_left = session.state().left_run().is_some();
        let world = World::new(BOTH[1], []);
        world.kept.replace([None, Some(forgotten()), Some(whole("a")), Some(vec![ToolEvent::Started])][tells].clone());
        if tells == 3 {
            world.stop_at_moment.set(Some(3));
        }
        let before = session.len();
        world.take_up(&session);
        prop_assert_eq!(session.len() > before, was_left && tells > 1);
        prop_assert!(world.sent.borrow().is_empty() && world.ran.borrow().is_empty() && world.asked.borrow().is_empty());
        let is_running = |status: &CallStatus| matches!(status, CallStatus::Running { .. });
        prop_assert!(!session.state().calls().iter().any(|state| is_running(&state.status)));
        let facts: Vec<Sealed> = session.facts().iter().map(|sealed| (**sealed).clone()).collect();
        prop_assert!(Session::open(facts, Vec::new(), 2_000).unwrap().state().is_resting());
    }
}
