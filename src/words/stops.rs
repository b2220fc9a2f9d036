//! Why a run stopped short of its end, and how it goes on: the words of budgets, repeated calls and a full context window.

use agent_loop::{Hint, Rest};

/// The words around a rest that a person can extend.
#[derive(Debug)]
pub struct Stops {
    /// Asks how much more of what is spent, by the rest; `None` where there is nothing to count.
    pub how_much: fn(&Rest) -> Option<&'static str>,
    /// The button that goes on with so much more.
    pub go_on_with: &'static str,
    /// The button that goes on past a row of the same call.
    pub go_on_anyway: &'static str,
    /// The same call so often in a row, while it still goes on.
    pub same_call: fn(u32) -> String,
    /// What about an answer is not right although it is whole.
    pub hint: fn(Hint) -> String,
    /// Leaves out the oldest exchanges; how many entries that are.
    pub forget: fn(usize) -> String,
    /// Makes long results shorter; how many.
    pub shorten: fn(usize) -> String,
    /// Begins a new session with a summary.
    pub summarise: &'static str,
    /// What each offer keeps.
    pub kept: &'static str,
    /// How full the context window is.
    pub context: fn(u64, u64) -> String,
    /// The summary's first line, for the model.
    pub summary_head: &'static str,
    /// What a person asked, and what was answered last.
    pub summary_asked: &'static str,
    pub summary_answered: &'static str,
    /// Entries that are no longer sent.
    pub forgotten: fn(usize) -> String,
}
