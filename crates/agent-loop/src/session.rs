//! A session: its facts, the state they fold to, and whoever watches.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::fact::{FORMAT, Fact, Sealed};
use crate::message::Block;
use crate::state::LoopState;

/// A session. Clones are the same session. No borrow outlives a method, none crosses an await.
#[derive(Clone)]
pub struct Session(Rc<RefCell<Inner>>);

struct Inner {
    facts: Vec<Rc<Sealed>>,
    state: Rc<LoopState>,
    watchers: Vec<Watcher>,
    /// Facts that the watchers have not been told of; somebody is telling them while there are any.
    untold: VecDeque<(usize, Rc<Sealed>)>,
    forked_from: Option<(Session, usize)>,
    /// The state after each further [`APART`] facts, so that any earlier one is near to one of these.
    landmarks: Vec<Rc<LoopState>>,
}

/// So many facts lie between two landmarks: a state is folded from the one before it, and shares its messages.
const APART: usize = 64;

/// Told of each fact after it was folded: its number and the fact. Facts come in their order, also those that a watcher
/// records itself: it is told of them after every watcher has been told of the one before.
pub type Watcher = Rc<dyn Fn(usize, &Rc<Sealed>)>;

/// Why a stored log cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// It was written by a later version, in this format.
    LaterFormat(u32),
}

impl Session {
    /// An empty session, begun now.
    pub fn new(at_ms: u64) -> Session {
        let session = Session::of(Vec::new());
        session.record(at_ms, Fact::Opened { format: FORMAT });
        session
    }

    /// Opens a stored log. Never acts: what was under way when the page went becomes one `Interrupted` fact (with the
    /// draft that was kept of it, sealed at `at_ms`), and the session rests until a person presses Run.
    pub fn open(facts: Vec<Sealed>, draft: Vec<Block>, at_ms: u64) -> Result<Session, OpenError> {
        let later = facts.iter().find_map(|sealed| match sealed.fact {
            Fact::Opened { format } if format > FORMAT => Some(format),
            _ => None,
        });
        if let Some(format) = later {
            return Err(OpenError::LaterFormat(format));
        }
        let session = Session::of(facts.into_iter().map(Rc::new).collect());
        if session.is_empty() {
            session.record(at_ms, Fact::Opened { format: FORMAT });
        }
        if !session.state().is_resting() {
            session.record(at_ms, Fact::Interrupted { draft });
        }
        Ok(session)
    }

    fn of(facts: Vec<Rc<Sealed>>) -> Session {
        let mut inner = Inner {
            facts: Vec::with_capacity(facts.len()),
            state: Rc::default(),
            watchers: Vec::new(),
            untold: VecDeque::new(),
            forked_from: None,
            landmarks: Vec::new(),
        };
        facts.into_iter().for_each(|sealed| inner.fold(sealed));
        Session(Rc::new(RefCell::new(inner)))
    }

    /// The state now.
    pub fn state(&self) -> Rc<LoopState> {
        Rc::clone(&self.0.borrow().state)
    }

    /// Appends a fact, folds it in, and tells the watchers.
    pub fn record(&self, at_ms: u64, fact: Fact) {
        let sealed = Rc::new(Sealed { at_ms, fact });
        {
            let mut inner = self.0.borrow_mut();
            inner.fold(Rc::clone(&sealed));
            let number = inner.facts.len() - 1;
            inner.untold.push_back((number, sealed));
            if inner.untold.len() > 1 {
                // A watcher records: whoever is telling it tells this one next.
                return;
            }
        }
        loop {
            let (next, watchers) = {
                let inner = self.0.borrow();
                (inner.untold.front().cloned(), inner.watchers.clone())
            };
            let Some((number, sealed)) = next else { return };
            watchers.iter().for_each(|watcher| watcher(number, &sealed));
            self.0.borrow_mut().untold.pop_front();
        }
    }

    /// How many facts there are.
    pub fn len(&self) -> usize {
        self.0.borrow().facts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The facts, shared.
    pub fn facts(&self) -> Vec<Rc<Sealed>> {
        self.0.borrow().facts.clone()
    }

    /// The fact of this number, from 0.
    pub fn fact(&self, number: usize) -> Option<Rc<Sealed>> {
        self.0.borrow().facts.get(number).cloned()
    }

    /// The state after the first `n` facts.
    pub fn at(&self, n: usize) -> Rc<LoopState> {
        let inner = self.0.borrow();
        if n >= inner.facts.len() {
            return Rc::clone(&inner.state);
        }
        inner.before(n)
    }

    /// After how many facts the entry of `messages` that now stands at this place had come.
    pub fn brought(&self, place: usize) -> usize {
        let inner = self.0.borrow();
        let wanted = place + inner.state.forgotten.len();
        let has_come = |n: usize| {
            let state = inner.before(n);
            state.forgotten.len() + state.messages.len() > wanted
        };
        let (mut none, mut some) = (0, inner.facts.len());
        while some - none > 1 {
            let middle = usize::midpoint(none, some);
            *(if has_come(middle) { &mut some } else { &mut none }) = middle;
        }
        some
    }

    /// A new session of the first `n` facts, which it shares. Like an opened one it rests: what was under way there is
    /// interrupted at `at_ms`.
    pub fn fork(&self, n: usize, at_ms: u64) -> Session {
        let state = self.at(n);
        let inner = self.0.borrow();
        let facts: Vec<Rc<Sealed>> = inner.facts.iter().take(n).cloned().collect();
        let shared = facts.len();
        let fork = Session(Rc::new(RefCell::new(Inner {
            facts,
            state,
            watchers: Vec::new(),
            untold: VecDeque::new(),
            forked_from: Some((self.clone(), shared)),
            landmarks: inner.landmarks.iter().take(shared / APART).cloned().collect(),
        })));
        drop(inner);
        if shared == 0 {
            fork.record(at_ms, Fact::Opened { format: FORMAT });
        }
        if !fork.state().is_resting() {
            fork.record(at_ms, Fact::Interrupted { draft: Vec::new() });
        }
        fork
    }

    /// The session this one was forked from, and after how many of its facts.
    pub fn forked_from(&self) -> Option<(Session, usize)> {
        self.0.borrow().forked_from.clone()
    }

    /// Tells `watcher` of every further fact.
    pub fn watch(&self, watcher: Watcher) {
        self.0.borrow_mut().watchers.push(watcher);
    }
}

impl Inner {
    /// One fact further.
    fn fold(&mut self, sealed: Rc<Sealed>) {
        Rc::make_mut(&mut self.state).apply(&sealed);
        self.facts.push(sealed);
        if self.facts.len().is_multiple_of(APART) {
            self.landmarks.push(Rc::clone(&self.state));
        }
    }

    /// The state after the first `n` facts, from the landmark before it.
    fn before(&self, n: usize) -> Rc<LoopState> {
        let landmark = (n / APART).checked_sub(1).and_then(|place| self.landmarks.get(place));
        let (from, mut state) = landmark.map_or((0, Rc::default()), |state| (n / APART * APART, Rc::clone(state)));
        let later = self.facts.get(from..n).unwrap_or_default();
        later.iter().for_each(|sealed| Rc::make_mut(&mut state).apply(sealed));
        let shared = landmark.map_or(0, |landmark| landmark.messages.len());
        Inner::share(&mut state, shared, self.landmarks.get(n / APART).unwrap_or(&self.state));
        state
    }

    /// Puts the messages of a later state into this one where they are the same, from this place on, so that a message is
    /// one value at every moment that has it: whoever shows moment after moment draws only what differs.
    fn share(state: &mut Rc<LoopState>, from: usize, later: &LoopState) {
        let Some(left_out) = later.forgotten.len().checked_sub(state.forgotten.len()) else { return };
        for place in from..state.messages.len() {
            let known = match place.checked_sub(left_out) {
                Some(place) => later.messages.get(place),
                None => later.forgotten.get(state.forgotten.len() + place),
            };
            let same = known.filter(|known| state.messages.get(place) == Some(*known)).map(Rc::clone);
            if let (Some(known), Some(message)) = (same, Rc::make_mut(state).messages.get_mut(place)) {
                *message = known;
            }
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session of {} facts", self.len())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::Session;
    use crate::fact::Fact;
    use crate::state::LoopState;

    fn said(text: &str) -> Fact {
        Fact::Said { text: text.into() }
    }

    #[test]
    fn a_watcher_may_record_and_everybody_is_told_in_order() {
        let session = Session::new(0);
        let told = Rc::new(RefCell::new(Vec::new()));
        for name in ["first", "second"] {
            let (told, session_of_watcher) = (Rc::clone(&told), session.clone());
            session.watch(Rc::new(move |number, sealed| {
                told.borrow_mut().push((name, number));
                if name == "first" && sealed.fact == said("go") {
                    session_of_watcher.record(2, said("and this"));
                    session_of_watcher.watch(Rc::new(|_, _| {}));
                }
            }));
        }
        session.record(1, said("go"));
        session.record(3, said("later"));
        let expected: Vec<(&str, usize)> = (1..4).flat_map(|number| [("first", number), ("second", number)]).collect();
        assert_eq!(*told.borrow(), expected);
    }

    #[test]
    fn the_state_at_any_fact_is_the_fold_of_those_before_it() {
        let session = Session::new(0);
        session.record(1, said("go"));
        for number in 0..300 {
            session.record(number, Fact::Stopped { draft: Vec::new() });
            session.record(number, said(&number.to_string()));
        }
        let facts = session.facts();
        let check = |session: &Session, n: usize| {
            assert_eq!(*session.at(n), LoopState::fold(facts.iter().take(n)), "{n}");
        };
        (0..=facts.len()).for_each(|n| check(&session, n));
        for n in [1, 63, 64, 65, 128, 600] {
            let fork = session.fork(n, 9);
            (0..=n).for_each(|at| check(&fork, at));
        }
        let opened = Session::open(facts.iter().map(|sealed| (**sealed).clone()).collect(), Vec::new(), 9).unwrap();
        [0, 64, 100, 602].into_iter().for_each(|n| check(&opened, n));
        for n in [128, 150, 601] {
            let (at, now) = (session.at(n), session.state());
            let pairs = at.messages.iter().zip(&now.messages);
            assert!(pairs.into_iter().all(|(one, other)| Rc::ptr_eq(one, other)), "messages are shared at {n}");
        }
    }

    #[test]
    fn each_entry_was_brought_by_a_fact() {
        let session = Session::new(0);
        for number in 0..80 {
            session.record(number, said("go"));
            session.record(number, Fact::Stopped { draft: Vec::new() });
        }
        let check = |place: usize, expected: usize| assert_eq!(session.brought(place), expected, "{place}");
        check(0, 2);
        check(1, 4);
        check(79, 160);
        check(80, 161);
        session.record(99, Fact::Edited { edit: crate::fact::Edit::Forget { messages: 2 } });
        check(0, 6);
        assert_eq!(Session::of(Vec::new()).brought(0), 0);
    }

    #[test]
    fn a_fork_shares_what_there_is() {
        let session = Session::new(0);
        session.record(1, said("go"));
        let check = |n: usize, shared: usize, len: usize| {
            let fork = session.fork(n, 5);
            let (parent, at) = fork.forked_from().unwrap();
            assert_eq!((at, fork.len(), parent.len()), (shared, len, 2), "{n}");
            assert!(matches!(fork.facts()[0].fact, Fact::Opened { .. }), "{n}");
            assert_eq!(fork.at(shared), session.at(shared), "{n}");
            let again = fork.fork(usize::MAX, 6);
            assert_eq!(again.at(len), fork.state(), "{n}");
        };
        check(0, 0, 1);
        check(1, 1, 1);
        check(2, 2, 2);
        check(99, 2, 2);
    }
}
