//! What the sessions of a trial tell. Pure.

use super::cards::TOOL;
use super::{Cause, Finding, Trial};
use crate::fact::{Fact, Ruling};
use crate::message::{Answer, Block, ToolCall};
use crate::session::Session;
use crate::state::{Rest, Step};
use crate::tool::{Layer, Outcome};
use crate::wire::{FailureKind, ModelFailure, holds_written_call};

/// Whether an answer came.
pub(super) fn answers(trial: &Trial<'_>, session: &Session, beginning: &[u8]) -> Finding {
    match rest(session) {
        Some(Rest::Failed(failure)) => failed(Cause::of(trial, &failure, beginning), failure.message.clone()),
        Some(Rest::Stopped) | None => Finding::Untried,
        Some(Rest::EmptyAnswer) => failed(Cause::EmptyAnswer, String::new()),
        Some(Rest::ContextWindowExceeded) => failed(Cause::ContextTooSmall, String::new()),
        Some(Rest::Refusal | Rest::ContentFilter) => failed(Cause::Declined, words(session, 0)),
        // Also an answer that was cut by its limit, or has a call in it, is one.
        Some(_) => Finding::Passed,
    }
}

/// Whether the tool was called as it was offered.
pub(super) fn calls_tools(trial: &Trial<'_>, session: &Session, beginning: &[u8]) -> Finding {
    let facts = session.facts();
    if facts.iter().any(|sealed| matches!(sealed.fact, Fact::ToolStarted { .. })) {
        return Finding::Passed;
    }
    if let Some(Rest::Failed(failure)) = rest(session) {
        return failed(of_refusal(trial, &failure, beginning, Cause::ToolsRefused), failure.message.clone());
    }
    let Some(answer) = answer(session, 0) else { return Finding::Untried };
    let said = words(session, 0);
    let refused = facts.iter().find_map(|sealed| match &sealed.fact {
        Fact::Ruled { call, ruling: Ruling::Refused(result) } => Some((*call, result.outcome.clone())),
        _ => None,
    });
    let calls: Vec<&ToolCall> = calls(&answer).collect();
    match (rest(session), refused, calls.first()) {
        (Some(Rest::Stopped), ..) => Finding::Untried,
        (_, Some((_, Outcome::Refused(Layer::Parse | Layer::Validate))), Some(call)) => {
            let cause = if call.name.trim() == TOOL { Cause::BadArguments } else { Cause::OtherTool };
            failed(cause, format!("{}({})", call.name, call.arguments))
        }
        (Some(Rest::MaxTokens | Rest::ContextWindowExceeded), ..) => failed(Cause::LimitTooLow, said),
        (Some(Rest::Refusal | Rest::ContentFilter), ..) => failed(Cause::Declined, said),
        (Some(Rest::CallInWords), ..) => failed(Cause::CallInWords, said),
        (Some(Rest::EmptyAnswer), ..) => failed(Cause::EmptyAnswer, said),
        _ => failed(Cause::NoCall, said),
    }
}

/// Whether the answer after the result says what stands in it.
pub(super) fn understands(trial: &Trial<'_>, session: &Session, word: &str, beginning: &[u8]) -> Finding {
    let said = words(session, 1);
    if said.to_lowercase().contains(word) {
        return Finding::Passed;
    }
    let Some(answer) = answer(session, 1) else {
        return match rest(session) {
            Some(Rest::Failed(failure)) => {
                failed(of_refusal(trial, &failure, beginning, Cause::ResultRefused), failure.message.clone())
            }
            _ => Finding::Untried,
        };
    };
    let cause = match rest(session) {
        _ if calls(&answer).next().is_some() || holds_written_call(&said) => Cause::CallsAgain,
        Some(Rest::MaxTokens | Rest::ContextWindowExceeded) => Cause::LimitTooLow,
        Some(Rest::Refusal | Rest::ContentFilter) => Cause::Declined,
        // Whether or not the loop would have asked once more.
        _ if said.trim().is_empty() => Cause::EmptyAnswer,
        _ => Cause::ResultIgnored,
    };
    failed(cause, said)
}

/// The cause of a failed call where one without tools (or without a result) has been answered just before: whatever is
/// refused is what is new in the request.
fn of_refusal(trial: &Trial<'_>, failure: &ModelFailure, beginning: &[u8], new: Cause) -> Cause {
    match failure.kind {
        FailureKind::InvalidRequest | FailureKind::NotFound | FailureKind::Server | FailureKind::Permission => new,
        _ => Cause::of(trial, failure, beginning),
    }
}

/// The longest that is quoted of an answer, in characters.
const QUOTED: usize = 300;

fn failed(cause: Cause, said: String) -> Finding {
    let said = said.trim();
    let cut = said.char_indices().nth(QUOTED).map_or(said.len(), |(at, _)| at);
    let more = if cut < said.len() { " …" } else { "" };
    Finding::Failed { cause, said: format!("{}{more}", said.get(..cut).unwrap_or_default()) }
}

fn rest(session: &Session) -> Option<Rest> {
    match session.state().outlook() {
        Step::Rest(rest) => Some(rest),
        _ => None,
    }
}

/// The answer of this number, from 0.
fn answer(session: &Session, number: usize) -> Option<Answer> {
    let facts = session.facts();
    let mut answers = facts.iter().filter_map(|sealed| match &sealed.fact {
        Fact::Answered { answer } => Some(answer),
        _ => None,
    });
    answers.nth(number).cloned()
}

fn calls(answer: &Answer) -> impl Iterator<Item = &ToolCall> {
    answer.blocks.iter().filter_map(|block| if let Block::ToolUse(call) = block { Some(call) } else { None })
}

/// The words of that answer.
fn words(session: &Session, number: usize) -> String {
    let blocks = answer(session, number).map(|answer| answer.blocks).unwrap_or_default();
    let texts = blocks.into_iter().filter_map(|block| if let Block::Text { text } = block { Some(text) } else { None });
    texts.collect::<Vec<_>>().join("\n")
}
