//! Logs as they were once written, as data: each must open for ever and mean what it meant.

use std::collections::BTreeSet;

use agent_loop::{Edit, Fact, Rest, Ruling, Sealed, Session, Step};

use crate::world::noted;

const FORMAT_1: &str = include_str!("../logs/format-1.jsonl");

/// The kind of a fact. A new kind does not compile here until it is named, and then the log must hold one.
fn kind(fact: &Fact) -> &'static str {
    match fact {
        Fact::Opened { .. } => "opened",
        Fact::Configured { .. } => "configured",
        Fact::Said { .. } => "said",
        Fact::Withdrawn { .. } => "withdrawn",
        Fact::Resumed => "resumed",
        Fact::Extended { .. } => "extended",
        Fact::Raised { .. } => "raised",
        Fact::Offered { .. } => "offered",
        Fact::Prepared { .. } => "prepared",
        Fact::Called { .. } => "called",
        Fact::Answered { .. } => "answered",
        Fact::CallFailed { retry_in_ms: None, .. } => "failed",
        Fact::CallFailed { .. } => "failed, to be retried",
        Fact::Learnt { .. } => "learnt",
        Fact::Nudged => "nudged",
        Fact::Waited => "waited",
        Fact::Ruled { ruling: Ruling::Run, .. } => "ruled: run",
        Fact::Ruled { ruling: Ruling::Refused(_), .. } => "ruled: refused",
        Fact::HostUnavailable { .. } => "host unavailable",
        Fact::ToolStarted { .. } => "tool started",
        Fact::TakenUp { .. } => "taken up",
        Fact::ToolEnded { .. } => "tool ended",
        Fact::WroteBack => "wrote back",
        Fact::Edited { edit: Edit::Message { .. } } => "edited: message",
        Fact::Edited { edit: Edit::Arguments { .. } } => "edited: arguments",
        Fact::Edited { edit: Edit::Result { .. } } => "edited: result",
        Fact::Edited { edit: Edit::Settings { .. } } => "edited: settings",
        Fact::Edited { edit: Edit::Forget { .. } } => "edited: forget",
        Fact::Stopped { .. } => "stopped",
        Fact::Interrupted { .. } => "interrupted",
    }
}

/// How many kinds [`kind`] knows.
const KINDS: usize = 30;

#[test]
fn a_log_of_format_1_opens_and_means_what_it_meant() {
    let facts: Vec<Sealed> = FORMAT_1.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let kinds: BTreeSet<&str> = facts.iter().map(|sealed| kind(&sealed.fact)).collect();
    assert_eq!(kinds.len(), KINDS, "the log holds every kind: {kinds:?}");

    let written: Vec<String> = facts.iter().map(|sealed| serde_json::to_string(sealed).unwrap()).collect();
    assert_eq!(written, FORMAT_1.lines().collect::<Vec<_>>(), "it is still written the same");

    for sealed in &facts {
        let fact = serde_json::to_value(&sealed.fact).unwrap();
        let name = fact.as_str().or_else(|| fact.as_object()?.keys().next().map(String::as_str));
        assert_eq!(name, Some(sealed.fact.name()));
    }

    let count = facts.len();
    let session = Session::open(facts, Vec::new(), 0).unwrap();
    assert_eq!(session.len(), count, "it rests, so that opening it adds nothing");
    let state = session.state();
    assert_eq!(state.next_step(), Step::Rest(Rest::StopSequence(Some("END".into()))));
    assert_eq!((state.turn_count, state.model_calls, state.model_call_limit()), (2, 2, 55));
    let expected = [
        "user: list the python files.",
        "assistant: (thinks look first.) + i will look. + bash {\"command\":\"ls\"} + bash {\"command\":\"sudo ls\"} + \
         bash {\"command\":\"sleep 1000\"} + {\"type\":\"server_tool_use\",\"id\":\"srv_1\",\"name\":\"web_search\",\"input\":{}}",
        "user: [app.py\nutils.py] + [error: denied by the user; nothing was run.] + \
         [error: interrupted while it ran; its outcome is unknown and it may have had effects.]",
        "assistant: there are app.py and utils.py.",
    ];
    assert_eq!(noted(&state), expected);
}
