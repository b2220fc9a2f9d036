//! What the log tells about each message beside its content: when it came, from which model call, which turn it opened.
//!
//! The state holds only where the session stands now, so the log is folded once more, fact by fact, and what each fact
//! added is noted. Of a branch, what it shares with the session before it is known already.

use std::rc::Rc;

use agent_loop::host::Offered;
use agent_loop::{Edit, Fact, LoopState, Rest, Sealed, Session, Settings, Step, TransitionReason};

use crate::run::request_edit::{Knob, changes};

/// What is known of one message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Note {
    /// When it was sealed, milliseconds since 1970.
    pub(crate) at_ms: u64,
    /// For an answer: the number of the `Called` fact it came from.
    pub(crate) called: Option<usize>,
    /// The turn that begins with it.
    pub(crate) turn: Option<Turn>,
    /// For a person's words: why the session rested before them. `None` for the first.
    pub(crate) rested: Option<Rest>,
    /// For an answer: what a person edited of its request beside messages.
    pub(crate) edited: Option<Edited>,
}

/// The settings before and after a person edited them at a stop.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edited {
    before: Rc<Settings>,
    after: Rc<Settings>,
    offered: Rc<Offered>,
}

impl Edited {
    /// What was changed, and how it was before.
    pub(crate) fn changes(&self) -> Vec<(Knob, String)> {
        changes(&self.before, &self.after, &self.offered)
    }
}

/// A turn as it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn {
    /// `turn_count`.
    pub(crate) count: u32,
    /// `transition_reason`.
    pub(crate) reason: Option<TransitionReason>,
}

/// The log so far, and a note for each message.
#[derive(Default)]
pub(crate) struct Timeline {
    state: LoopState,
    notes: Vec<Note>,
    called: Option<usize>,
    last: Option<Rc<Sealed>>,
    edited: Option<Edited>,
    /// The facts that brought an answer: their numbers, and how many notes there were with it.
    answers: Vec<(usize, usize, Rc<Sealed>)>,
}

/// What a log that was read is to the one that was read before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Log {
    /// The same, with what is new.
    On,
    /// One that begins as that did.
    Branch,
    /// Another.
    Other,
}

impl Timeline {
    /// Takes in what is new, or the whole of another log.
    pub(crate) fn advance(&mut self, session: &Session) -> Log {
        let is_known =
            |number: usize, known: &Rc<Sealed>| session.fact(number).is_some_and(|fact| Rc::ptr_eq(&fact, known));
        let log = match &self.last {
            Some(last) if is_known(self.state.facts - 1, last) => Log::On,
            // Facts are shared by branches alone, and all before one that is shared are.
            _ => match self.answers.partition_point(|(number, _, answer)| is_known(*number, answer)) {
                0 => Log::Other,
                shared => {
                    self.answers.truncate(shared);
                    Log::Branch
                }
            },
        };
        match (log, self.answers.last()) {
            (Log::On, _) => {}
            (Log::Branch, Some((number, notes, answer))) => {
                self.state = (*session.at(number + 1)).clone();
                self.notes.truncate(*notes);
                self.last = Some(Rc::clone(answer));
                (self.called, self.edited) = (None, None);
            }
            (Log::Branch | Log::Other, _) => *self = Timeline::default(),
        }
        while let Some(fact) = session.fact(self.state.facts) {
            self.take(&fact);
            self.last = Some(fact);
        }
        // The session's own has the same messages, and there is no need to keep each twice.
        self.state = (*session.state()).clone();
        log
    }

    /// What is known of the message at this place of all that there ever were, those that are no longer sent included.
    pub(crate) fn note(&self, message: usize) -> Note {
        self.notes.get(message).cloned().unwrap_or(Note {
            at_ms: 0,
            called: None,
            turn: None,
            rested: None,
            edited: None,
        })
    }

    /// What was edited since the last answer.
    pub(crate) fn edited(&self) -> Option<Edited> {
        self.edited.clone()
    }

    fn take(&mut self, sealed: &Rc<Sealed>) {
        let rested = match &sealed.fact {
            Fact::Said { .. } if self.state.is_resting() && !self.state.messages.is_empty() => {
                match self.state.outlook() {
                    Step::Rest(rest) => Some(rest),
                    _ => None,
                }
            }
            _ => None,
        };
        match &sealed.fact {
            Fact::Called { .. } => self.called = Some(self.state.facts),
            Fact::Edited { edit: Edit::Settings { settings } } => {
                // Edited twice, it is told with what it was at first.
                let before = self.edited.take().map(|edited| edited.before).or_else(|| self.state.settings.clone());
                let (after, offered) = (Rc::clone(settings), Rc::clone(&self.state.offered));
                self.edited = before.map(|before| Edited { before, after, offered });
            }
            _ => {}
        }
        self.state.apply(sealed);
        let turn = Turn { count: self.state.turn_count, reason: self.state.transition_reason };
        let added = self.state.messages.get(self.notes.len() - self.state.forgotten.len()..).unwrap_or_default();
        for message in added {
            let is_answer = message.origin.is_some();
            let opens = match &sealed.fact {
                Fact::WroteBack | Fact::Nudged => true,
                Fact::Said { .. } => message.producer == agent_loop::Producer::Person,
                _ => false,
            };
            self.notes.push(Note {
                at_ms: sealed.at_ms,
                called: self.called.filter(|_| is_answer),
                turn: opens.then_some(turn),
                edited: if is_answer { self.edited.take() } else { None },
                rested: rested.clone().filter(|_| message.producer == agent_loop::Producer::Person),
            });
            if is_answer {
                self.answers.push((self.state.facts - 1, self.notes.len(), Rc::clone(sealed)));
            }
        }
        self.notes.truncate(self.state.forgotten.len() + self.state.messages.len());
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use agent_loop::message::Answer;
    use agent_loop::{Fact, Rest, Session};

    use super::{Log, Note, Timeline, Turn};
    use crate::run::settings::{Place, starting};

    fn said(text: &str) -> Fact {
        Fact::Said { text: text.to_owned() }
    }

    #[test]
    fn what_is_left_out_keeps_its_note() {
        let session = Session::new(1);
        for (at_ms, words) in [(5, "a"), (6, "b")] {
            session.record(at_ms, said(words));
            session.record(at_ms, Fact::Stopped { draft: Vec::new() });
        }
        session.record(7, Fact::Edited { edit: agent_loop::Edit::Forget { messages: 1 } });
        session.record(8, said("c"));
        let mut timeline = Timeline::default();
        timeline.advance(&session);
        assert_eq!([0, 1, 2].map(|message| timeline.note(message).at_ms), [5, 6, 8]);
    }

    #[test]
    fn each_message_is_noted_once_and_another_log_is_read_anew() {
        let session = Session::new(1);
        let mut timeline = Timeline::default();
        assert_eq!(timeline.advance(&session), Log::Other, "the first log is a new one");
        session.record(5, said("a"));
        assert_eq!(timeline.advance(&session), Log::On);
        session.record(6, Fact::Stopped { draft: Vec::new() });
        session.record(7, said("b"));
        assert_eq!(timeline.advance(&session), Log::On);
        let turn = Some(Turn { count: 1, reason: None });
        let expected = [
            Note { at_ms: 5, called: None, turn, rested: None, edited: None },
            Note { at_ms: 7, called: None, turn, rested: Some(Rest::Stopped), edited: None },
        ];
        assert_eq!([timeline.note(0), timeline.note(1)], expected);

        let other = Session::new(1);
        assert_eq!(timeline.advance(&other), Log::Other);
        assert_eq!(timeline.note(0).at_ms, 0);
    }

    #[test]
    fn of_a_branch_only_what_is_its_own_is_read_and_the_notes_are_those_of_its_log() {
        let answer = Answer {
            blocks: vec![agent_loop::Block::Text { text: "done".into() }],
            stop_reason: agent_loop::StopReason::EndTurn,
            stop_details: None,
            usage: agent_loop::Usage::default(),
            model: String::new(),
            id: String::new(),
            duration_ms: 1,
            first_byte_ms: None,
        };
        let place = Place { origin: String::new(), bridge: false, guest: false };
        let session = Session::new(1);
        session.record(1, Fact::Configured { settings: Rc::new(starting(&place)) });
        for at_ms in [10, 20, 30, 40] {
            session.record(at_ms, said("go"));
            session.record(at_ms, Fact::Prepared { repairs: Vec::new() });
            session.record(at_ms, Fact::Called { bytes: 1 });
            session.record(at_ms + 1, Fact::Answered { answer: answer.clone() });
        }
        let mut timeline = Timeline::default();
        timeline.advance(&session);
        let check = |timeline: &mut Timeline, session: &Session, expected: Log| {
            assert_eq!(timeline.advance(session), expected);
            let mut fresh = Timeline::default();
            fresh.advance(session);
            assert_eq!(timeline.notes, fresh.notes);
            assert_eq!(timeline.answers, fresh.answers);
            assert_eq!(timeline.state, fresh.state);
        };
        for n in [session.len() - 1, 13, 6, 3] {
            let fork = session.fork(n, 50);
            check(&mut timeline, &fork, if n < 6 { Log::Other } else { Log::Branch });
            fork.record(60, said("on"));
            check(&mut timeline, &fork, Log::On);
            check(&mut timeline, &session, if n < 6 { Log::Other } else { Log::Branch });
        }
    }
}
