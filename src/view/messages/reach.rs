//! What a stop reached, as the log has it.

use std::rc::Rc;

use agent_loop::{Fact, Outcome, Sealed};

use crate::run::you::NAME;
use crate::words::Reach;

/// What was under way when the person stopped last.
pub(crate) fn reach(facts: &[Rc<Sealed>]) -> Reach {
    let at = facts.iter().rposition(|sealed| matches!(sealed.fact, Fact::Stopped { .. }));
    let before = at.and_then(|at| facts.get(at.checked_sub(1)?));
    match before.map(|sealed| &sealed.fact) {
        Some(Fact::Called { .. }) => Reach::Model,
        Some(Fact::ToolEnded { result }) if result.outcome == Outcome::Stopped && !is_by_hand(facts) => Reach::Tool,
        _ => Reach::Nothing,
    }
}

/// Whether the last tool that was started is a person.
fn is_by_hand(facts: &[Rc<Sealed>]) -> bool {
    let hosts = facts.iter().rev().filter_map(|sealed| match &sealed.fact {
        Fact::ToolStarted { host, .. } => Some(host),
        _ => None,
    });
    hosts.take(1).any(|host| host == NAME)
}

#[cfg(test)]
mod tests {
    use agent_loop::tool::WordingSet;
    use agent_loop::{CallKey, Fact, Outcome, Session};

    use super::reach;
    use crate::words::Reach;

    #[track_caller]
    fn check(facts: Vec<Fact>, expected: Reach) {
        let session = Session::new(0);
        facts.into_iter().for_each(|fact| session.record(0, fact));
        assert_eq!(reach(&session.facts()), expected);
    }

    #[test]
    fn what_stood_before_the_last_stop() {
        let said = || Fact::Said { text: "a".to_owned() };
        let stopped = || Fact::Stopped { draft: Vec::new() };
        let ended = |outcome| {
            let key = CallKey { fact: 1, index: 0 };
            Fact::ToolEnded { result: WordingSet::Default.closing_result(key, outcome) }
        };
        check(vec![said()], Reach::Nothing);
        check(vec![said(), stopped()], Reach::Nothing);
        check(vec![Fact::Called { bytes: 1 }, stopped()], Reach::Model);
        check(vec![Fact::Called { bytes: 1 }, stopped(), said(), stopped()], Reach::Nothing);
        check(vec![ended(Outcome::Stopped), stopped()], Reach::Tool);
        check(vec![ended(Outcome::Exited(0)), stopped()], Reach::Nothing);
        let started =
            Fact::ToolStarted { call: CallKey { fact: 1, index: 0 }, run_id: String::new(), host: "you".to_owned() };
        check(vec![started, ended(Outcome::Stopped), stopped()], Reach::Nothing);
    }
}
