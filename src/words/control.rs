//! The words of what lets a person take the loop in hand: breakpoints, edits, time and branches.

use agent_loop::Fact;

use crate::run::breakpoints::Moment;

/// Breakpoints and edits.
#[derive(Debug)]
pub struct Control {
    pub breakpoints_hint: &'static str,
    pub moment: fn(Moment) -> &'static str,
    pub never: &'static str,
    pub always: &'static str,
    pub first: &'static str,
    pub in_turn: &'static str,
    pub pattern: &'static str,
    /// What a turn's number or a pattern is asked for as, by the moment.
    pub turn_of: fn(Moment) -> String,
    pub pattern_of: fn(Moment) -> String,
    /// Where a breakpoint holds the run.
    pub held: fn(Moment) -> String,
    pub edit_message: &'static str,
    pub editing: fn(usize) -> String,
    pub edit_arguments: fn(&str) -> String,
    pub edit_result: fn(&str) -> String,
    pub text: &'static str,
    pub arguments: &'static str,
    pub result: &'static str,
    pub save: &'static str,
    pub save_and_run: &'static str,
    pub save_and_run_hint: &'static str,
    pub cancel: &'static str,
    pub queue: &'static str,
    pub take_back: &'static str,
}

/// Time and branches.
#[derive(Debug)]
pub struct TimeWords {
    pub slider: &'static str,
    pub at: fn(usize, usize, &Fact) -> String,
    pub looking_back: fn(usize, usize) -> String,
    pub files_untouched: &'static str,
    pub fork_here: &'static str,
    pub back_to_now: &'static str,
    pub earlier: &'static str,
    pub later: &'static str,
    pub forked: fn(&str, usize) -> String,
    /// The same, where the session it was made from has been deleted.
    pub orphaned: fn(usize) -> String,
    /// A branch that has just been made between two seams.
    pub branched: &'static str,
    pub branched_next: &'static str,
    pub rename: &'static str,
    pub name: &'static str,
    pub keep_name: &'static str,
    pub compare: &'static str,
    pub comparison: &'static str,
    pub close_comparison: &'static str,
    pub shared: fn(usize) -> String,
    pub this_branch: &'static str,
    pub nothing_more: &'static str,
}
