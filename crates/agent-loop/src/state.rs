//! The state of a session: a fold over its facts, and the one decision point, [`LoopState::next_step`].

mod calls;
mod context;
mod edit;
mod fold;
mod spent;
mod step;

use std::cell::OnceCell;
use std::rc::Rc;

use crate::fact::Fact;
use crate::host::Offered;
use crate::message::{Block, Message, StopReason, ToolCall, ToolResult};
use crate::settings::{Budget, RunTools, Settings};
use crate::tool::{Outcome, WordingSet};
use crate::wire::{ModelFailure, Quirk, Request};

pub use calls::{CallState, CallStatus, LeftRun};
pub use context::{Context, shorter_results, whole_exchanges};
pub use spent::Spent;
pub use step::{SOURCE, Stage, Step, Wait};

/// Everything the loop knows. Cheap to clone: messages are shared.
#[derive(Debug, Clone, Default)]
pub struct LoopState {
    /// The knobs; `None` until they have been set.
    pub settings: Option<Rc<Settings>>,
    /// What the host announced last.
    pub offered: Rc<Offered>,
    /// The conversation. The system message is not in it.
    pub messages: Vec<Rc<Message>>,
    /// Which turn this is, from 1 for each user message; 0 before the first.
    pub turn_count: u32,
    /// Why the loop goes on; `None` where it does not, and at the start of a user message.
    pub transition_reason: Option<TransitionReason>,
    /// Model calls made for this user message, but for those that paused.
    pub model_calls: u32,
    /// Answers in a row that paused for a tool of the service itself.
    pub pauses: u32,
    /// Whether this user message has had its one word to go on.
    pub nudged: bool,
    /// Model calls that a person allowed beyond the limit, for this user message.
    pub extra_model_calls: u32,
    /// What this user message has cost, and what it may.
    pub spent: Spent,
    /// Entries that are no longer sent, oldest first.
    pub forgotten: Vec<Rc<Message>>,
    /// Failed attempts of the model call under way.
    pub failed_attempts: u32,
    /// What of these taught something about the endpoint: they take nothing from the retries.
    pub lessons: u32,
    /// What was learnt about endpoints, by base URL, in order.
    pub learnt: Rc<Vec<(String, Quirk)>>,
    /// What was said while a run was under way, in order.
    pub queued: Vec<String>,
    /// What of an unfinished answer had come: for the eye, never sent.
    pub draft: Rc<Vec<Block>>,
    /// What about the last answer is worth a word to the person.
    pub hint: Option<Hint>,
    /// The failure of the last model call, until one succeeds.
    pub failure: Option<Rc<ModelFailure>>,
    /// Facts folded so far.
    pub facts: usize,
    phase: Phase,
    rest: Option<Rest>,
    /// When the last fact was sealed.
    sealed_ms: u64,
    /// Whether a person let it go on although the window is nearly full.
    fills_on: bool,
    /// So many messages had so many tokens when an endpoint counted them last, and none was changed since.
    counted: Option<(usize, u64)>,
    request: OnceCell<Rc<Request>>,
}

/// Why the loop goes round again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransitionReason {
    /// Results were written back. The lessons' `tool_result`.
    ToolResult,
    /// A server-side tool asked to go on (`pause_turn`).
    PauseTurn,
    /// The answer was empty, or lacked the call it spoke of, and the model was told to go on.
    Nudge,
}

/// What a person should know of an answer that is whole and yet not right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// The endpoint counted only so many tokens of input, although it was sent more.
    InputCut(u64),
    /// The model wrote so many tokens that nothing of is in the answer.
    WordsMissing(u64),
}

/// Where in the turn the session stands. Private: the outside asks [`LoopState::next_step`].
#[derive(Debug, Clone, Default, PartialEq)]
enum Phase {
    /// Nothing under way.
    #[default]
    Idle,
    /// A request is due.
    Ready,
    /// The request is made.
    Prepared,
    /// The request is out, made with these knobs.
    Calling(Option<Rc<Settings>>),
    /// The next attempt waits.
    Waiting(Wait),
    /// The last message asks for these.
    Calls(Rc<Vec<CallState>>),
}

/// Nothing to do, and why.
#[derive(Debug, Clone, PartialEq)]
pub enum Rest {
    /// Nobody has said anything yet.
    Fresh,
    /// The model stopped asking.
    EndTurn,
    /// The answer reached `max_tokens`.
    MaxTokens,
    /// A stop sequence ended the answer; the one that matched, where it is told.
    StopSequence(Option<String>),
    /// The model, or its service, declined.
    Refusal,
    /// The service's filter cut the answer.
    ContentFilter,
    /// The context window is full.
    ContextWindowExceeded,
    /// The answer was empty.
    EmptyAnswer,
    /// The model stopped asking, but a call stands in its words: the server did not read it as one.
    CallInWords,
    /// The answer ended for a reason we do not know, with no call.
    Other(String),
    /// As many model calls as this user message may take.
    TurnLimit(u32),
    /// So many answers in a row paused for a tool of the service itself.
    PauseLimit(u32),
    /// This user message has taken the tokens it may take.
    TokenBudget(u64),
    /// Model and tools have worked for this user message as long as they may, in milliseconds.
    TimeBudget(u64),
    /// This user message has cost what it may, in millionths of a unit.
    MoneyBudget(u64),
    /// The model asked for the same call so often in a row.
    SameCall(u32),
    /// The model's context window is nearly full.
    ContextNearlyFull(Context),
    /// The knob says: one call, or one turn, and no further.
    RunsOnce,
    /// A person stopped it.
    Stopped,
    /// The model call failed.
    Failed(Rc<ModelFailure>),
    /// The page was closed while something was under way.
    Interrupted,
    /// The host is not there.
    HostUnavailable(String),
    /// The endpoint has not been set.
    NotConfigured,
}

impl Rest {
    /// Whether Run lets it go on without new words.
    pub fn can_resume(&self) -> bool {
        match self {
            Rest::TurnLimit(_)
            | Rest::PauseLimit(_)
            | Rest::EmptyAnswer
            | Rest::TokenBudget(_)
            | Rest::TimeBudget(_)
            | Rest::MoneyBudget(_)
            | Rest::SameCall(_)
            | Rest::ContextNearlyFull(_)
            | Rest::Stopped
            | Rest::Failed(_)
            | Rest::Interrupted
            | Rest::HostUnavailable(_)
            | Rest::RunsOnce => true,
            Rest::Fresh
            | Rest::EndTurn
            | Rest::MaxTokens
            | Rest::StopSequence(_)
            | Rest::Refusal
            | Rest::ContentFilter
            | Rest::ContextWindowExceeded
            | Rest::CallInWords
            | Rest::Other(_)
            | Rest::NotConfigured => false,
        }
    }
}

impl LoopState {
    /// The calls of the turn under way, in order; empty when there are none.
    pub fn calls(&self) -> &[CallState] {
        if let Phase::Calls(calls) = &self.phase { calls } else { &[] }
    }

    /// The call whose run was under way when the page went, and that run; `None` once more was heard of it, or a person
    /// wrote its result.
    pub fn left_run(&self) -> Option<(&ToolCall, &LeftRun)> {
        let is_open = matches!(self.rest, None | Some(Rest::Interrupted));
        let is_unknown =
            |result: &Rc<ToolResult>| result.outcome == Outcome::Unknown && result.original_content.is_none();
        let left = |state: &'_ CallState| state.result().is_some_and(is_unknown);
        let found = self.calls().iter().filter(|_| is_open).find(|state| state.left.is_some() && left(state))?;
        Some((&found.call, found.left.as_ref()?))
    }

    /// The last message's answer, if a model gave it: its stop reason is what the check looks at.
    pub fn last_answer(&self) -> Option<&Rc<Message>> {
        self.messages.iter().rev().find(|message| message.origin.is_some())
    }

    /// What was learnt about the endpoint that the settings name.
    pub fn quirks(&self) -> Vec<Quirk> {
        self.settings.as_ref().map(|settings| self.quirks_of(&settings.base_url)).unwrap_or_default()
    }

    fn quirks_of(&self, base_url: &str) -> Vec<Quirk> {
        self.learnt.iter().filter(|(known, _)| known == base_url).map(|(_, quirk)| *quirk).collect()
    }

    /// The settings as requests are made with them: with what was learnt about their endpoint.
    pub fn taught_settings(&self) -> Option<Rc<Settings>> {
        self.settings.as_ref().map(|settings| self.taught(settings))
    }

    /// These settings with what was learnt about their endpoint.
    pub fn taught(&self, settings: &Rc<Settings>) -> Rc<Settings> {
        let quirks = self.quirks_of(&settings.base_url);
        if quirks.is_empty() {
            return Rc::clone(settings);
        }
        let profile = quirks.into_iter().fold(settings.profile.clone(), |profile, quirk| profile.taught(quirk));
        Rc::new(Settings { profile, ..(**settings).clone() })
    }

    /// Whether the model may be told once to go on: its answer was empty, or ended for calls and held none. In a lesson it
    /// may not, where what happens is shown as it is.
    pub fn may_be_nudged(&self) -> bool {
        let asked_for_none = |message: &Rc<Message>| {
            message.origin.as_ref().is_some_and(|origin| origin.stop_reason == StopReason::ToolUse)
        };
        let is_due = match &self.rest {
            Some(Rest::EmptyAnswer) => true,
            Some(Rest::EndTurn) => self.messages.last().is_some_and(asked_for_none),
            _ => false,
        };
        let is_plain =
            |settings: &Rc<Settings>| settings.wording == WordingSet::Default && settings.run_tools == RunTools::Loop;
        is_due && !self.nudged && self.settings.as_ref().is_some_and(is_plain)
    }

    /// How many model calls this user message may take in all.
    pub fn model_call_limit(&self) -> u32 {
        self.settings.as_ref().map_or(0, |settings| settings.limits.model_calls).saturating_add(self.extra_model_calls)
    }

    /// What lets it go on from the limit it rests at: as much again, from here. `None`: it rests at no limit, or a person has
    /// allowed more already.
    pub fn as_much_again(&self) -> Option<Fact> {
        let limits = self.settings.as_ref()?.limits;
        let again = |budget: Option<u64>| budget.map(|budget| budget.max(1));
        let by = match self.rest.as_ref()? {
            Rest::TurnLimit(_) if self.model_calls >= self.model_call_limit() => {
                return Some(Fact::Extended { model_calls: limits.model_calls.max(1) });
            }
            Rest::TokenBudget(_) | Rest::TimeBudget(_) | Rest::MoneyBudget(_) => match self.spent.over(&limits)? {
                Rest::TokenBudget(_) => Budget { tokens: again(limits.budget.tokens), ..Budget::default() },
                Rest::TimeBudget(_) => Budget { time_ms: again(limits.budget.time_ms), ..Budget::default() },
                _ => Budget { money: again(limits.budget.money), ..Budget::default() },
            },
            _ => return None,
        };
        Some(Fact::Raised { by })
    }

    /// Whether it rests, so that only a person can set it going.
    pub fn is_resting(&self) -> bool {
        self.rest.is_some() || self.phase == Phase::Idle || self.settings.is_none()
    }
}

/// Two states are equal when the same facts made them so; the request is derived.
impl PartialEq for LoopState {
    fn eq(&self, other: &LoopState) -> bool {
        self.settings == other.settings
            && self.offered == other.offered
            && self.messages == other.messages
            && self.turn_count == other.turn_count
            && self.transition_reason == other.transition_reason
            && self.model_calls == other.model_calls
            && self.pauses == other.pauses
            && self.nudged == other.nudged
            && self.hint == other.hint
            && self.extra_model_calls == other.extra_model_calls
            && self.spent == other.spent
            && self.forgotten == other.forgotten
            && self.failed_attempts == other.failed_attempts
            && self.lessons == other.lessons
            && self.learnt == other.learnt
            && self.queued == other.queued
            && self.draft == other.draft
            && self.failure == other.failure
            && self.facts == other.facts
            && self.phase == other.phase
            && self.fills_on == other.fills_on
            && self.counted == other.counted
            && self.rest == other.rest
    }
}
