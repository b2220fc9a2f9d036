//! The messages as they are shown: the entries of the array, and where the calls and results stand in it.
//!
//! From one fact or one moment to the next most entries are the same, and they stay the same values: only what differs
//! is made anew.

use std::rc::Rc;

use agent_loop::wire::rows;
use agent_loop::{Block, CallKey, Dialect, LoopState, Message, Producer};

use super::timeline::{Edited, Note, Timeline};
use crate::app::DraftAnswer;

/// The messages as they are shown.
#[derive(Clone, Default)]
pub(crate) struct Shown {
    pub(super) rows: Vec<Rc<ShownRow>>,
    /// The row each call stands in, by call; calls rise with the log.
    calls: Vec<(CallKey, usize)>,
    /// The row each result stands in, by call.
    results: Vec<(CallKey, usize)>,
    /// What a person edited of the request since the last answer, beside messages.
    pub(super) edited: Option<Edited>,
    /// The answer that is streaming in, in the entry behind these.
    draft: Option<DraftAnswer>,
    /// What the entries are made for: another dialect has others.
    dialect: Option<Dialect>,
}

/// One entry of the array.
pub(super) struct ShownRow {
    /// Its index.
    pub(super) place: usize,
    /// The place of its message in `LoopState::messages`: a message of results is several entries in Chat Completions.
    pub(super) at: usize,
    pub(super) role: &'static str,
    pub(super) message: Rc<Message>,
    pub(super) blocks: std::ops::Range<usize>,
    /// The calls whose results stand in later entries of the same message.
    pub(super) passing: Vec<CallKey>,
    pub(super) note: Note,
    pub(super) arrival: Arrival,
    /// What it was while it streamed in, if that was seen: what is drawn of it stays.
    pub(super) drafted: Option<DraftAnswer>,
}

/// Whether an entry came while it was looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrival {
    Before,
    Now,
}

/// What a screen of 1 000 pixels shows of messages, in pixels. On a higher one the next frame brings the rest.
const SCREEN: i32 = 670;

/// About how high an entry is, in pixels: few are lower, and not by much.
fn height(row: &ShownRow) -> i32 {
    let blocks = row.message.blocks.get(row.blocks.clone()).unwrap_or_default();
    let is_card = |block: &&Block| matches!(block, Block::ToolUse(_) | Block::ToolResult(_));
    blocks.iter().filter(is_card).fold(96, |height, _| height + 64)
}

/// How the entries of another state differ from those that are shown.
pub(super) struct Changes {
    dialect: Dialect,
    /// So many entries stay.
    kept: usize,
    /// Those behind them.
    rows: Vec<Rc<ShownRow>>,
    draft: Option<DraftAnswer>,
    edited: Option<Edited>,
}

impl Changes {
    /// How many entries there are then.
    pub(super) fn len(&self) -> usize {
        self.kept + self.rows.len()
    }

    /// How many of the last of them fill a screen, if `shown` is what they change.
    pub(super) fn screenful(&self, shown: &Shown) -> usize {
        let kept = shown.rows.get(..self.kept).unwrap_or_default();
        let mut room = SCREEN;
        let is_seen = |row: &&Rc<ShownRow>| {
            let is_seen = room > 0;
            room -= height(row);
            is_seen
        };
        kept.iter().chain(&self.rows).rev().take_while(is_seen).count()
    }
}

impl Shown {
    /// What there is to change for this state. Entries from the index `seen` on have come while they were looked at, and
    /// `draft` is what is streaming in behind them.
    pub(super) fn changes(
        &self,
        state: &LoopState,
        dialect: Dialect,
        timeline: &Timeline,
        seen: usize,
        draft: Option<DraftAnswer>,
    ) -> Changes {
        let messages = &state.messages;
        let is_same = |row: &&Rc<ShownRow>| messages.get(row.at).is_some_and(|now| Rc::ptr_eq(now, &row.message));
        let kept = match self.dialect == Some(dialect) {
            true => self.rows.iter().take_while(is_same).count(),
            false => 0,
        };
        let from = kept.checked_sub(1).and_then(|last| self.rows.get(last)).map_or(0, |row| row.at + 1);
        let later = messages.get(from..).unwrap_or_default();
        let row = |(place, row): (usize, agent_loop::wire::Row)| {
            let message = later.get(row.message)?;
            let behind = message.blocks.get(row.blocks.end..).unwrap_or_default();
            let passing = behind.iter().filter_map(|block| match block {
                Block::ToolResult(result) => Some(result.call),
                _ => None,
            });
            let at = from + row.message;
            // The first answer behind the entries that were there with it is what it has become.
            let is_sealed = draft.is_none()
                && place == self.rows.len()
                && kept == place
                && message.producer == Producer::Model
                && message.origin.is_some();
            let mut note = timeline.note(state.forgotten.len() + at);
            // The turn is told behind the last entry of its message.
            note.turn = note.turn.filter(|_| row.blocks.end == message.blocks.len());
            Some(Rc::new(ShownRow {
                place,
                at,
                role: row.role,
                message: Rc::clone(message),
                passing: passing.collect(),
                blocks: row.blocks,
                note,
                arrival: if place >= seen { Arrival::Now } else { Arrival::Before },
                drafted: self.draft.filter(|_| is_sealed),
            }))
        };
        let rows = (kept..).zip(rows(later, dialect)).filter_map(row).collect();
        Changes { dialect, kept, rows, draft, edited: timeline.edited() }
    }

    /// Whether nothing changes.
    pub(super) fn is(&self, changes: &Changes) -> bool {
        changes.rows.is_empty()
            && changes.kept == self.rows.len()
            && changes.draft == self.draft
            && changes.edited == self.edited
    }

    /// Takes them in.
    pub(super) fn change(&mut self, changes: Changes) {
        let Changes { dialect, kept, rows, draft, edited } = changes;
        self.dialect = Some(dialect);
        self.edited = edited;
        self.draft = draft;
        self.rows.truncate(kept);
        for places in [&mut self.calls, &mut self.results] {
            // They rise, as the entries they stand in do.
            places.truncate(places.partition_point(|(_, place)| *place < kept));
        }
        for row in rows {
            for block in row.message.blocks.get(row.blocks.clone()).unwrap_or_default() {
                match block {
                    Block::ToolUse(call) => self.calls.push((call.key, row.place)),
                    Block::ToolResult(result) => self.results.push((result.call, row.place)),
                    Block::Text { .. } | Block::Thinking { .. } | Block::Opaque { .. } => {}
                }
            }
            self.rows.push(row);
        }
    }

    /// Whether there is no entry.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many entries there are, with the one that is streaming in.
    pub(super) fn entries(&self) -> usize {
        self.rows.len() + usize::from(self.draft.is_some())
    }

    /// The index of the answer that is streaming in, and the answer.
    pub(super) fn draft(&self) -> Option<(usize, DraftAnswer)> {
        self.draft.map(|draft| (self.rows.len(), draft))
    }

    /// The entry that an answer became which had this index while it streamed in.
    pub(super) fn sealed(&self, place: usize, draft: DraftAnswer) -> Option<Rc<ShownRow>> {
        self.rows.get(place).filter(|row| row.drafted == Some(draft)).cloned()
    }

    /// The index of the entry that holds a call's result.
    pub(super) fn result_place(&self, call: CallKey) -> Option<usize> {
        find(&self.results, call)
    }

    /// Whether a call's result stands in the message after it, so that a line can be drawn.
    pub(super) fn is_tied(&self, call: CallKey) -> bool {
        let message = |place: Option<usize>| Some(self.rows.get(place?)?.at);
        let call_in = message(self.call_place(call));
        call_in.is_some() && call_in.map(|at| at + 1) == message(self.result_place(call))
    }

    /// The index of the first entry that was added since the last request: the last answer, if there is one.
    pub(super) fn added_from(&self) -> usize {
        self.rows.iter().rposition(|row| row.message.origin.is_some()).unwrap_or(0)
    }

    /// The index of the entry that holds a call.
    pub(super) fn call_place(&self, call: CallKey) -> Option<usize> {
        find(&self.calls, call)
    }
}

fn find(places: &[(CallKey, usize)], call: CallKey) -> Option<usize> {
    let at = places.binary_search_by_key(&call, |(key, _)| *key).ok()?;
    places.get(at).map(|(_, place)| *place)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use agent_loop::{Dialect, Fact, Session};

    use super::{Shown, ShownRow};
    use crate::view::messages::timeline::Timeline;

    /// Shows a moment after others as if it were the first that is shown.
    #[track_caller]
    fn check(session: &Session, moments: &[usize]) {
        let mut timeline = Timeline::default();
        timeline.advance(session);
        let mut shown = Shown::default();
        for moment in moments {
            for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
                let state = session.at(*moment);
                let fresh = Shown::default().changes(&state, dialect, &timeline, usize::MAX, None);
                let changes = shown.changes(&state, dialect, &timeline, usize::MAX, None);
                let is_same = shown.is(&changes);
                let before = names(&shown.rows);
                shown.change(changes);
                assert_eq!(names(&shown.rows), names(&fresh.rows), "{moments:?} {moment}");
                assert!(!is_same || before == names(&shown.rows), "{moments:?} {moment}");
                assert!(shown.is(&shown.changes(&state, dialect, &timeline, usize::MAX, None)), "{moments:?} {moment}");
            }
        }
    }

    fn names(rows: &[Rc<ShownRow>]) -> Vec<(usize, usize, *const agent_loop::Message)> {
        rows.iter().map(|row| (row.place, row.at, Rc::as_ptr(&row.message))).collect()
    }

    #[test]
    fn each_moment_is_shown_alike_whatever_was_shown_before() {
        let session = Session::new(1);
        for at_ms in 0..100 {
            session.record(at_ms, Fact::Said { text: at_ms.to_string() });
            session.record(at_ms, Fact::Stopped { draft: Vec::new() });
        }
        let all = session.len();
        check(&session, &[all, all - 1, all - 2, 3, 1, 150, 150, all]);
        session.record(100, Fact::Edited { edit: agent_loop::Edit::Forget { messages: 2 } });
        session.record(101, Fact::Said { text: "on".to_owned() });
        check(&session, &[all + 2, all, all + 1, all + 2, 2]);
    }
}
