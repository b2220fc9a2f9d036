//! The four layers: each failure is fed back as the call's one result, and only the last starts a process.

use agent_loop::host::Offered;
use agent_loop::settings::{OfferTools, RunTools};
use agent_loop::tool::{Blacklist, Layer, Outcome, WordingSet};
use agent_loop::{Fact, Offer, Rest, Settings, Step, ToolSeam, ToolSpec};

use crate::script::{Reply, bash, call, text};
use crate::world::{BOTH, World, bash_tool, settings};

/// One call with this outcome, this content, and this many processes.
#[track_caller]
fn check(reply: Reply, set: impl Fn(&mut Settings, &World), outcome: Outcome, content: &str, ran: usize) {
    for dialect in BOTH {
        let world = World::new(dialect, [reply.clone(), text("done")]);
        let mut knobs = settings(dialect);
        set(&mut knobs, &world);
        let session = world.session(knobs);
        assert_eq!(world.run(&session), Rest::EndTurn);
        let state = session.state();
        let results: Vec<_> =
            state.messages[2].tool_results().map(|r| (r.outcome.clone(), r.content.clone())).collect();
        assert_eq!(results, [(outcome.clone(), content.to_owned())], "{dialect:?}");
        assert_eq!(world.ran.borrow().len(), ran, "{dialect:?}");
    }
}

#[test]
fn parse() {
    let hint = ". Send a JSON object, for example {\"command\": \"ls\"}.";
    let cut = "EOF while parsing an object at line 1 column 1";
    let content = format!("Error: invalid tool arguments - {cut}{hint}");
    check(call("bash", "{"), |_, _| {}, Outcome::Refused(Layer::Parse), &content, 0);
}

#[test]
fn the_chat_lesson_has_three_texts_and_starts_no_process() {
    let lesson = |knobs: &mut Settings, _: &World| knobs.wording = WordingSet::ChatLesson;
    let invalid = |reason: &str| format!("Error: invalid tool arguments - {reason}");
    let wrong = Outcome::Refused(Layer::Validate);
    let cut = invalid("EOF while parsing an object at line 1 column 1");
    check(call("bash", "{"), lesson, Outcome::Refused(Layer::Parse), &cut, 0);
    check(call("bash", "{}"), lesson, wrong.clone(), "Error: missing command.", 0);
    check(call("bash", "{\"command\": \"\"}"), lesson, wrong.clone(), "Error: missing command.", 0);
    let not_text = invalid("command must be string, not number");
    check(call("bash", "{\"command\": 3}"), lesson, wrong.clone(), &not_text, 0);
    check(call("bash", "[]"), lesson, wrong.clone(), &invalid("they must be an object, not array"), 0);
    check(call("bash", "null"), lesson, wrong.clone(), &invalid("they must be an object, not null"), 0);
    check(call("zsh", "{\"command\": \"ls\"}"), lesson, wrong, "Error: unknown tool zsh", 0);
}

#[test]
fn authorise() {
    let denied = "Error: Denied by the user; nothing was run.";
    let deny = |_: &mut Settings, world: &World| world.tool_seams.borrow_mut().push_back(ToolSeam::Deny);
    check(bash(&["ls"]), deny, Outcome::Denied, denied, 0);
    let policy = Outcome::Refused(Layer::Authorise);
    check(bash(&["forbidden"]), |_, _| {}, policy.clone(), "Error: Not allowed here: policy", 0);
    let five = |knobs: &mut Settings, _: &World| knobs.blacklist = Blacklist::Five;
    check(bash(&["ls > /dev/null"]), five, policy, "Error: Dangerous command blocked", 0);
    let never = |knobs: &mut Settings, _: &World| knobs.run_tools = RunTools::Never;
    check(bash(&["ls"]), never, Outcome::NotRun, "Error: Tools are shown but not run in this session.", 0);
}

#[test]
fn execute() {
    check(bash(&["false"]), |_, _| {}, Outcome::Exited(1), "(no output, exit code 1)", 1);
    check(bash(&["unstartable"]), |_, _| {}, Outcome::CannotStart, "Error: no shell", 1);
    let lost = "Error: The connection was lost while it ran (the host said nothing more); its outcome is unknown.";
    check(bash(&["silent"]), |_, _| {}, Outcome::Unknown, lost, 1);
}

#[test]
fn a_pinned_tool_that_the_host_does_not_have_is_refused() {
    let pinned = |knobs: &mut Settings, _: &World| {
        knobs.offer_tools = OfferTools::Pinned;
        knobs.pinned_tools = vec![bash_tool(), ToolSpec { name: "zsh".into(), ..bash_tool() }];
    };
    let listed = "Error: unknown tool zsh. The tools are: bash";
    check(call("zsh", "{\"command\": \"ls\"}"), pinned, Outcome::Refused(Layer::Validate), listed, 0);
    check(bash(&["true"]), pinned, Outcome::Exited(0), "(no output, exit code 0)", 1);
}

#[test]
fn a_call_that_nobody_follows_any_more_is_not_run_again() {
    for dialect in BOTH {
        let world = World::new(dialect, [bash(&["a"]), text("done")]);
        let session = world.session(settings(dialect));
        let endpoint = agent_loop::Endpoint::default();
        let env = world.env(&endpoint);
        while !matches!(session.state().next_step(), Step::RunTool(_)) {
            futures_executor::block_on(agent_loop::step(&session, &env));
        }
        let call = session.state().calls()[0].call.key;
        session.record(9, Fact::ToolStarted { call, run_id: "r".into(), host: "test".into() });
        assert_eq!(world.run(&session), Rest::EndTurn);
        let outcomes: Vec<_> = session.state().messages[2].tool_results().map(|r| r.outcome.clone()).collect();
        assert_eq!((outcomes, world.ran.borrow().len()), (vec![Outcome::Unknown], 0), "{dialect:?}");
    }
}

#[test]
fn a_host_that_moved_is_asked_about_again() {
    for dialect in BOTH {
        let world = World::new(dialect, [bash(&["a"]), text("done")]);
        let session = world.session(settings(dialect));
        let endpoint = agent_loop::Endpoint::default();
        let env = world.env(&endpoint);
        while !matches!(session.state().next_step(), Step::RunTool(_)) {
            futures_executor::block_on(agent_loop::step(&session, &env));
        }
        let Offer::Ready(offered) = world.offer.borrow().clone() else { panic!("ready by default") };
        *world.offer.borrow_mut() = Offer::Ready(Offered { cwd: "/elsewhere".into(), ..offered });
        assert_eq!(world.run(&session), Rest::EndTurn);
        assert_eq!((world.asked.borrow().len(), world.ran.borrow().len()), (2, 1), "{dialect:?}");
        assert_eq!(session.state().offered.cwd, "/elsewhere");
    }
}

#[test]
fn a_denied_call_does_not_keep_its_neighbours_from_running() {
    for dialect in BOTH {
        let world = World::new(dialect, [bash(&["a", "b", "c"]), text("done")]);
        world.tool_seams.borrow_mut().extend([ToolSeam::Run, ToolSeam::Deny, ToolSeam::Run]);
        let session = world.session(settings(dialect));
        world.run(&session);
        assert_eq!(*world.ran.borrow(), ["a", "c"]);
        let outcomes: Vec<_> = session.state().messages[2].tool_results().map(|r| r.outcome.clone()).collect();
        assert_eq!(outcomes, [Outcome::Exited(0), Outcome::Denied, Outcome::Exited(0)]);
    }
}

#[test]
fn without_a_host_the_call_waits_and_is_not_lost() {
    for dialect in BOTH {
        let world = World::new(dialect, [bash(&["a"]), text("done")]);
        let mut knobs = settings(dialect);
        (knobs.offer_tools, knobs.pinned_tools) = (OfferTools::Pinned, vec![bash_tool()]);
        let session = world.session(knobs);
        let ready = world.offer.replace(Offer::Gone("closed".into()));
        assert_eq!(world.run(&session), Rest::HostUnavailable("closed".into()));
        assert!(world.asked.borrow().is_empty(), "nobody is asked about a call that cannot run");
        *world.offer.borrow_mut() = ready;
        session.record(9, Fact::Resumed);
        assert_eq!(world.run(&session), Rest::EndTurn);
        assert_eq!(*world.ran.borrow(), ["a"]);
    }
}

#[test]
fn a_host_that_is_gone_rests_before_the_model_is_asked_for_what_nobody_could_run() {
    for dialect in BOTH {
        let world = World::new(dialect, [bash(&["a"]), text("done")]);
        let session = world.session(settings(dialect));
        let Offer::Ready(offered) = world.offer.replace(Offer::Gone("restarted".into())) else {
            panic!("ready by default")
        };
        session.record(3, Fact::Offered { offered: std::rc::Rc::new(offered.clone()) });
        assert_eq!(world.run(&session), Rest::HostUnavailable("restarted".into()));
        assert!(world.sent.borrow().is_empty());
        *world.offer.borrow_mut() = Offer::Ready(offered);
        session.record(9, Fact::Resumed);
        assert_eq!(world.run(&session), Rest::EndTurn);
    }
}
