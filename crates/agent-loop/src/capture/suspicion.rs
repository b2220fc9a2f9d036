//! What about a turn is not as it should be, as kinds; in English for a terminal, in the page's languages there.

use std::fmt;

use super::stop_names::name;
use crate::message::{Answer, Block, StopReason};
use crate::wire::{holds_written_call, missing_words};

/// Something odd about a turn. Stop reasons are told by the names that Messages gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suspicion {
    /// It ended for this reason, so its calls are not run.
    CallsBarred(String),
    /// It ended for this reason although it calls tools; they are run.
    EndedWithCalls(String),
    /// It ended to call a tool, by this name of the reason, and calls none.
    CallsNothing(String),
    /// A call stands in its words.
    CallInWords,
    /// So many tokens were written, and hardly any of them came.
    WordsMissing(u64),
    /// Why it ended was not told.
    NoReason,
    /// It ended for a reason that is not known.
    UnknownReason(String),
    /// Nothing stands in it.
    Empty,
    /// A call had no id; what it is called here.
    NoId(String),
    /// A call had the id of another one; what it is called here.
    IdTwice(String),
    /// The call of this id names no tool.
    NoName(String),
    /// The arguments of the call of this id were mended.
    Mended(String),
    /// The call of this id cannot run.
    CannotRun(String, InputFault),
}

/// Why the arguments of a call cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputFault {
    /// The answer was cut or failed.
    Unfinished,
    /// The answer ended for this reason before they came.
    EndedBefore(String),
    /// They are JSON, but no object.
    NoObject,
    /// They are no JSON, and why.
    NoJson(String),
}

/// What a complete answer is suspected of.
pub(super) fn of_answer(answer: &Answer) -> Vec<Suspicion> {
    let mut all = Vec::new();
    let reason = || name(&answer.stop_reason).to_owned();
    let calls = answer.blocks.iter().filter(|block| matches!(block, Block::ToolUse(_))).count();
    let texts: Vec<&str> = answer
        .blocks
        .iter()
        .filter_map(|block| if let Block::Text { text } = block { Some(&**text) } else { None })
        .collect();
    if calls > 0 && answer.stop_reason.bars_calls() {
        all.push(Suspicion::CallsBarred(reason()));
    }
    if calls > 0 && matches!(answer.stop_reason, StopReason::EndTurn) {
        all.push(Suspicion::EndedWithCalls(reason()));
    }
    if calls == 0 && matches!(answer.stop_reason, StopReason::ToolUse) {
        all.push(Suspicion::CallsNothing(reason()));
    }
    if calls == 0 && holds_written_call(&texts.join("\n")) {
        all.push(Suspicion::CallInWords);
    }
    all.extend(missing_words(answer).map(Suspicion::WordsMissing));
    if let StopReason::Other(name) = &answer.stop_reason {
        all.push(if name.is_empty() { Suspicion::NoReason } else { Suspicion::UnknownReason(name.clone()) });
    }
    let is_blank = |block: &Block| matches!(block, Block::Text { text } if text.trim().is_empty());
    if answer.blocks.iter().all(is_blank) && answer.stop_reason == StopReason::EndTurn {
        all.push(Suspicion::Empty);
    }
    all
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Suspicion::CallsBarred(reason) => write!(f, "The answer ended by {reason}: its calls are not run."),
            Suspicion::EndedWithCalls(reason) => {
                write!(f, "The endpoint told {reason} although the answer calls tools; they are run.")
            }
            Suspicion::CallsNothing(reason) => write!(f, "The endpoint told {reason}, but the answer calls no tool."),
            Suspicion::CallInWords => f.write_str(
                "A tool call stands in the text: the server did not read it as one (chat template, --jinja, tool \
                 parser). It is never run.",
            ),
            Suspicion::WordsMissing(tokens) => write!(
                f,
                "The model wrote {tokens} tokens, and hardly any of them are in the answer: the server may have kept \
                 back a tool call that was not closed (chat template, tool parser).",
            ),
            Suspicion::NoReason => f.write_str("The endpoint told that the answer ended, and not why."),
            Suspicion::UnknownReason(reason) => {
                write!(f, "The endpoint told a stop reason that is not known: {reason}.")
            }
            Suspicion::Empty => f.write_str("The answer is empty."),
            Suspicion::NoId(id) => write!(f, "A call has no id; it is called {id} here."),
            Suspicion::IdTwice(id) => write!(f, "A call has the id of another call; it is called {id} here."),
            Suspicion::NoName(id) => write!(f, "Call {id} names no tool."),
            Suspicion::Mended(id) => write!(f, "The arguments of call {id} were not plain JSON and were mended."),
            Suspicion::CannotRun(id, why) => write!(f, "Call {id} cannot run: {why}"),
        }
    }
}

impl fmt::Display for InputFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputFault::Unfinished => f.write_str("the answer was cut or failed, so the call may be unfinished"),
            InputFault::EndedBefore(reason) => write!(f, "the answer ended by {reason} before its arguments came"),
            InputFault::NoObject => f.write_str("the arguments are no JSON object"),
            InputFault::NoJson(why) => write!(f, "the arguments are no JSON: {why}"),
        }
    }
}
