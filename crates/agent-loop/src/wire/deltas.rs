//! What was understood of an answer, gathered for the eye.

use crate::wire::Delta;

/// The deltas of one call of `feed`. What grows one block is one delta, so that a chunk costs a view what it brings
/// and not how it was cut into events.
#[derive(Debug)]
pub(crate) struct Deltas<'a> {
    all: &'a mut Vec<Delta>,
    /// Where those of this call begin.
    from: usize,
}

impl<'a> Deltas<'a> {
    /// What is appended from now on.
    pub(crate) fn new(all: &'a mut Vec<Delta>) -> Deltas<'a> {
        let from = all.len();
        Deltas { all, from }
    }

    /// A block begins, or its name became known.
    pub(crate) fn tool_use(&mut self, index: usize, id: &str, name: &str) {
        self.all.push(Delta::ToolUse { index, id: id.to_owned(), name: name.to_owned() });
    }

    /// Words.
    pub(crate) fn text(&mut self, index: usize, more: &str) {
        match self.all.get_mut(self.from..).and_then(<[Delta]>::last_mut) {
            Some(Delta::Text { index: same, text }) if *same == index => text.push_str(more),
            _ => self.all.push(Delta::Text { index, text: more.to_owned() }),
        }
    }

    /// Reasoning.
    pub(crate) fn thinking(&mut self, index: usize, more: &str) {
        match self.all.get_mut(self.from..).and_then(<[Delta]>::last_mut) {
            Some(Delta::Thinking { index: same, text }) if *same == index => text.push_str(more),
            _ => self.all.push(Delta::Thinking { index, text: more.to_owned() }),
        }
    }

    /// A fragment of a call's arguments.
    pub(crate) fn arguments(&mut self, index: usize, more: &str) {
        match self.all.get_mut(self.from..).and_then(<[Delta]>::last_mut) {
            Some(Delta::Arguments { index: same, json }) if *same == index => json.push_str(more),
            _ => self.all.push(Delta::Arguments { index, json: more.to_owned() }),
        }
    }
}
