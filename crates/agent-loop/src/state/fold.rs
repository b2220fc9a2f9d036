//! The fold: how each fact changes the state. Total: a fact that does not fit where the session stands changes nothing,
//! so that any list of facts gives a state whose messages can be sent.

use std::cell::OnceCell;
use std::rc::Rc;

use super::{
    CallStatus, Context, Hint, LeftRun, LoopState, Phase, Rest, Spent, TransitionReason, Wait, calls, context,
};
use crate::fact::{Fact, Ruling, Sealed};
use crate::host::Offered;
use crate::message::{Answer, Block, CallKey, Message, Origin, Producer, Role, StopReason, ToolResult};
use crate::settings::{Budget, Dialect, RunTools, Settings};
use crate::tool::WordingSet;
use crate::wire::{self, ModelFailure};

impl LoopState {
    /// The state of a list of facts.
    pub fn fold<'a>(facts: impl IntoIterator<Item = &'a Rc<Sealed>>) -> LoopState {
        let mut state = LoopState::default();
        facts.into_iter().for_each(|sealed| state.apply(sealed));
        state
    }

    /// One fact further.
    pub fn apply(&mut self, sealed: &Sealed) {
        let number = self.facts;
        self.facts += 1;
        self.request = OnceCell::new();
        self.count_time(sealed);
        match &sealed.fact {
            Fact::Opened { .. } => {}
            Fact::Configured { settings } => self.configure(settings),
            Fact::Offered { offered } => self.offer(offered),
            Fact::Said { text } => self.say(text),
            Fact::Withdrawn { place } if *place < self.queued.len() => drop(self.queued.remove(*place)),
            Fact::Resumed => self.resume(),
            Fact::Extended { model_calls } => {
                self.extra_model_calls = self.extra_model_calls.saturating_add(*model_calls)
            }
            Fact::Raised { by } => {
                let budget = self.settings.as_ref().map_or_else(Budget::default, |settings| settings.limits.budget);
                self.spent.raise(by, &budget);
            }
            Fact::Prepared { .. } if self.goes_on() && self.phase == Phase::Ready => self.phase = Phase::Prepared,
            Fact::Called { .. } if self.goes_on() && matches!(self.phase, Phase::Prepared | Phase::Calling(_)) => {
                self.phase = Phase::Calling(self.settings.clone());
            }
            Fact::Answered { answer } if self.goes_on() && matches!(self.phase, Phase::Calling(_)) => {
                self.answer(number, answer);
            }
            Fact::CallFailed { failure, draft, retry_in_ms }
                if self.goes_on() && matches!(self.phase, Phase::Calling(_)) =>
            {
                self.fail(failure, draft, retry_in_ms.map(|wait| sealed.at_ms.saturating_add(wait)));
            }
            Fact::Learnt { base_url, quirk } => {
                Rc::make_mut(&mut self.learnt).push((base_url.clone(), *quirk));
                self.remake_request();
                if matches!(self.phase, Phase::Waiting(_)) {
                    self.lessons += 1;
                }
            }
            Fact::Nudged if self.may_be_nudged() => self.nudge(),
            Fact::Waited if self.goes_on() && matches!(self.phase, Phase::Waiting(_)) => self.go_round(),
            Fact::Ruled { call, ruling } => self.rule(*call, ruling),
            Fact::HostUnavailable { why } if self.goes_on() && self.phase != Phase::Idle => {
                self.rest_at(Rest::HostUnavailable(why.clone()));
            }
            Fact::ToolStarted { call, run_id, host } => {
                self.advance(*call, |status| {
                    (*status == CallStatus::Allowed)
                        .then(|| CallStatus::Running { run_id: run_id.clone(), host: host.clone() })
                });
            }
            Fact::ToolEnded { result } => {
                self.advance(result.call, |status| {
                    (!matches!(status, CallStatus::Done(_))).then(|| CallStatus::Done(Rc::new(result.clone())))
                });
            }
            Fact::TakenUp { call } => self.take_up(*call),
            Fact::WroteBack => self.write_back(),
            Fact::Edited { edit } => self.edit(number, edit),
            Fact::Stopped { draft } if self.rest.is_none() && self.phase != Phase::Idle => {
                self.interrupt(draft, Rest::Stopped);
            }
            Fact::Interrupted { draft } if self.rest.is_none() && self.phase != Phase::Idle => {
                self.interrupt(draft, Rest::Interrupted);
            }
            Fact::Withdrawn { .. }
            | Fact::Prepared { .. }
            | Fact::Called { .. }
            | Fact::Answered { .. }
            | Fact::CallFailed { .. }
            | Fact::Nudged
            | Fact::Waited
            | Fact::HostUnavailable { .. }
            | Fact::Stopped { .. }
            | Fact::Interrupted { .. } => {}
        }
    }

    /// Counts the time since the fact before, if the model or a tool worked in it. While the page was closed, nobody knows.
    fn count_time(&mut self, sealed: &Sealed) {
        let works = match &self.phase {
            Phase::Calling(_) | Phase::Waiting(_) => true,
            Phase::Calls(calls) => calls.iter().any(|state| matches!(state.status, CallStatus::Running { .. })),
            Phase::Idle | Phase::Ready | Phase::Prepared => false,
        };
        if works && self.goes_on() && !matches!(sealed.fact, Fact::Interrupted { .. }) {
            self.spent.time_ms = self.spent.time_ms.saturating_add(sealed.at_ms.saturating_sub(self.sealed_ms));
        }
        self.sealed_ms = sealed.at_ms;
    }

    pub(super) fn goes_on(&self) -> bool {
        self.rest.is_none()
    }

    fn wording(&self) -> WordingSet {
        self.settings.as_ref().map_or_else(WordingSet::default, |settings| settings.wording)
    }

    fn run_tools(&self) -> RunTools {
        self.settings.as_ref().map_or(RunTools::Loop, |settings| settings.run_tools)
    }

    /// On every stop the reason is `None`: it says why the loop goes on, never why it stopped.
    pub(super) fn rest_at(&mut self, rest: Rest) {
        self.rest = Some(rest);
        self.transition_reason = None;
    }

    pub(super) fn configure(&mut self, settings: &Rc<Settings>) {
        if self.settings.as_ref() == Some(settings) {
            return;
        }
        self.settings = Some(Rc::clone(settings));
        self.remake_request();
        self.settle_again();
    }

    /// What the request is made from has changed: it is made and asked about again, if it is not out yet.
    pub(super) fn remake_request(&mut self) {
        if matches!(self.phase, Phase::Ready | Phase::Prepared) {
            self.phase = Phase::Ready;
            if self.goes_on() {
                self.go_round();
            }
        }
    }

    fn offer(&mut self, offered: &Rc<Offered>) {
        if *offered == self.offered {
            return;
        }
        self.offered = Rc::clone(offered);
        self.remake_request();
        self.settle_again();
    }

    /// A call was allowed under the knobs and on the host of then. Under others it is only asked for.
    fn settle_again(&mut self) {
        if let Phase::Calls(open) = &mut self.phase {
            let allowed = |state: &&mut calls::CallState| state.status == CallStatus::Allowed;
            Rc::make_mut(open).iter_mut().filter(allowed).for_each(|state| state.status = CallStatus::Unruled);
        }
    }

    fn say(&mut self, text: &str) {
        self.queued.push(text.to_owned());
        if self.is_resting() {
            self.close_calls();
            self.deliver();
        }
    }

    /// Puts what was said into messages and begins its first turn.
    pub(super) fn deliver(&mut self) {
        for text in std::mem::take(&mut self.queued) {
            self.messages.push(Rc::new(Message::person(text)));
        }
        self.turn_count = 1;
        self.transition_reason = None;
        self.model_calls = 0;
        self.extra_model_calls = 0;
        self.pauses = 0;
        self.nudged = false;
        self.spent = Spent::default();
        self.begin();
    }

    /// A request is due, and no attempt of it has failed.
    fn begin(&mut self) {
        self.rest = None;
        self.failed_attempts = 0;
        self.lessons = 0;
        self.failure = None;
        self.draft = Rc::default();
        self.go_round();
    }

    /// A request is due, unless this user message has had all it may take, or there is hardly room for an answer.
    fn go_round(&mut self) {
        self.phase = Phase::Ready;
        let Some(limits) = self.settings.as_ref().map(|settings| settings.limits) else { return };
        let context = limits.context_window.map(|window| Context::of(&self.messages, self.counted, window));
        let context = context.filter(|context| context.is_nearly_full());
        self.fills_on &= context.is_some();
        if self.model_calls >= self.model_call_limit() {
            self.rest_at(Rest::TurnLimit(self.model_call_limit()));
        } else if let Some(rest) = self.spent.over(&limits) {
            self.rest_at(rest);
        } else if let Some(context) = context.filter(|_| !self.fills_on) {
            self.rest_at(Rest::ContextNearlyFull(context));
        }
    }

    /// Answers every open call and puts the results into messages.
    fn close_calls(&mut self) {
        let Phase::Calls(open) = std::mem::take(&mut self.phase) else { return };
        let mut open = Rc::unwrap_or_clone(open);
        calls::close(&mut open, self.wording());
        self.messages.push(Rc::new(calls::results_message(&open)));
    }

    fn resume(&mut self) {
        let Some(rest) = &self.rest else { return };
        if !rest.can_resume() {
            return;
        }
        if let Rest::SameCall(_) = rest {
            self.spent.row_goes_on();
        }
        self.fills_on |= matches!(rest, Rest::ContextNearlyFull(_));
        self.pauses = 0;
        self.rest = None;
        if !self.queued.is_empty() && !matches!(self.phase, Phase::Calls(_)) {
            return self.deliver();
        }
        self.transition_reason = self.reason_to_go_on();
        if !matches!(self.phase, Phase::Calls(_)) {
            self.begin();
        }
    }

    /// Why this turn came, as far as `messages` say.
    fn reason_to_go_on(&self) -> Option<TransitionReason> {
        let has_calls = matches!(self.phase, Phase::Calls(_));
        let before_this_turn = self.messages.iter().rev().nth(usize::from(has_calls));
        before_this_turn.and_then(|last| match &last.origin {
            Some(origin) if origin.stop_reason == StopReason::PauseTurn => Some(TransitionReason::PauseTurn),
            _ => last.tool_results().next().map(|_| TransitionReason::ToolResult),
        })
    }

    /// The run that was left under way is followed again: the session stands where it stood when the page went.
    fn take_up(&mut self, key: CallKey) {
        if self.left_run().is_none_or(|(call, _)| call.key != key) {
            return;
        }
        let Phase::Calls(open) = &mut self.phase else { return };
        let Some(state) = calls::find(open, key) else { return };
        let Some(LeftRun { run_id, host }) = state.left.take() else { return };
        state.status = CallStatus::Running { run_id, host };
        self.rest = None;
        self.transition_reason = self.reason_to_go_on();
    }

    fn interrupt(&mut self, draft: &[Block], rest: Rest) {
        self.draft = Rc::new(draft.to_vec());
        let stopped = rest == Rest::Stopped;
        match &mut self.phase {
            Phase::Calls(open) if !stopped => {
                // Of what ran nobody knows how it ends, unless its host does; what did not run yet still can, when a
                // person presses Run.
                let wording = self.settings.as_ref().map_or_else(WordingSet::default, |settings| settings.wording);
                calls::leave(Rc::make_mut(open).as_mut_slice(), wording);
                // Whoever opens this, or branches off here, was not asked.
                self.settle_again();
            }
            Phase::Calls(_) => {
                self.close_calls();
                self.turn_count += 1;
                self.phase = Phase::Ready;
            }
            Phase::Idle | Phase::Ready | Phase::Prepared | Phase::Calling(_) | Phase::Waiting(_) => {
                self.phase = Phase::Ready
            }
        }
        self.rest_at(rest);
    }

    fn fail(&mut self, failure: &ModelFailure, draft: &[Block], retry_at_ms: Option<u64>) {
        let failure = Rc::new(failure.clone());
        self.failure = Some(Rc::clone(&failure));
        self.draft = Rc::new(draft.to_vec());
        self.failed_attempts += 1;
        match retry_at_ms {
            Some(until_ms) => self.phase = Phase::Waiting(Wait { until_ms, attempt: self.failed_attempts + 1 }),
            None => {
                self.phase = Phase::Ready;
                self.rest_at(Rest::Failed(failure));
            }
        }
    }

    /// Tells the model to go on, in words of the harness.
    fn nudge(&mut self) {
        let words = vec![Block::Text { text: NUDGE.into() }];
        self.messages.push(Rc::new(Message::new(Role::User, Producer::Harness, words)));
        self.nudged = true;
        self.transition_reason = Some(TransitionReason::Nudge);
        self.begin();
    }

    fn answer(&mut self, number: usize, answer: &Answer) {
        // What a service's own tools take has its own bound: it is no step of this loop.
        match answer.stop_reason {
            StopReason::PauseTurn => self.pauses += 1,
            _ => (self.model_calls, self.pauses) = (self.model_calls + 1, 0),
        }
        self.failed_attempts = 0;
        self.lessons = 0;
        self.failure = None;
        let called_with = if let Phase::Calling(settings) = &self.phase { settings.clone() } else { None };
        let price = called_with.as_ref().and_then(|settings| settings.price.as_ref());
        self.spent.answered(&answer.usage, price);
        self.hint = self.hint_about(answer, called_with.as_deref());
        let message = Rc::new(self.saved(number, answer));
        let asked = calls::unruled(&message);
        let is_empty = message.blocks.is_empty();
        let says_nothing = !message.blocks.iter().any(|block| is_content(block, &message));
        let wrote_call = wire::holds_written_call(&message.extract_text());
        self.draft = Rc::new(if is_empty { answer.blocks.clone() } else { Vec::new() });
        if !is_empty {
            self.messages.push(message);
        }
        let tokens = answer.usage.input_tokens.map(|read| read.saturating_add(answer.usage.output_tokens.unwrap_or(0)));
        self.counted = tokens.map(|tokens| (self.messages.len(), tokens)).or(self.counted);
        if !asked.is_empty() {
            let limits = self.settings.as_ref().map(|settings| settings.limits).unwrap_or_default();
            let once_too_often = self.spent.asked(asked.iter().map(|state| &state.call), &limits);
            self.phase = Phase::Calls(Rc::new(asked));
            if let Some(rest) = once_too_often {
                self.rest_at(rest);
            }
            return;
        }
        match rest_after(&answer.stop_reason) {
            None if self.pauses >= PAUSES => {
                self.phase = Phase::Idle;
                self.rest_at(Rest::PauseLimit(self.pauses));
            }
            None => {
                self.transition_reason = Some(TransitionReason::PauseTurn);
                self.begin();
            }
            Some(rest) => {
                self.phase = Phase::Idle;
                self.rest_at(match rest {
                    Rest::EndTurn if says_nothing => Rest::EmptyAnswer,
                    Rest::EndTurn if wrote_call => Rest::CallInWords,
                    rest => rest,
                });
            }
        }
        if self.rest.is_some() && !self.queued.is_empty() {
            self.deliver();
        }
    }

    /// What about an answer is worth a word. `called_with` are the knobs it was asked for with.
    fn hint_about(&self, answer: &Answer, called_with: Option<&Settings>) -> Option<Hint> {
        let profile = called_with.map_or("", |settings| settings.profile.id.as_str());
        let input_cut = || context::cut_input(&self.messages, self.counted, profile, answer).map(Hint::InputCut);
        wire::missing_words(answer).map(Hint::WordsMissing).or_else(input_cut)
    }

    /// The assistant message of an answer: its calls named, those of a cut or refused answer set aside, empty text dropped.
    fn saved(&self, number: usize, answer: &Answer) -> Message {
        let mut message = Message::new(Role::Assistant, Producer::Model, Vec::with_capacity(answer.blocks.len()));
        let mut index = 0;
        for block in &answer.blocks {
            match block {
                Block::Text { text } if text.is_empty() => {}
                Block::ToolUse(call) => {
                    let mut call = call.clone();
                    call.key = CallKey { fact: number, index };
                    index += 1;
                    if call.id.is_empty() || message.tool_calls().any(|other| other.id == call.id) {
                        call.id = format!("call_{number}_{}", call.key.index);
                    }
                    if answer.stop_reason.bars_calls() {
                        message.dropped.push(call);
                    } else {
                        message.blocks.push(Block::ToolUse(call));
                    }
                }
                Block::Text { .. } | Block::Thinking { .. } | Block::Opaque { .. } => {
                    message.blocks.push(block.clone())
                }
                Block::ToolResult(_) => {}
            }
        }
        // The knobs may have been changed while the answer was under way.
        let called_with = if let Phase::Calling(settings) = &self.phase { settings.as_ref() } else { None };
        message.origin = called_with.map(|settings| Origin {
            dialect: settings.profile.dialect,
            profile: settings.profile.id.clone(),
            model: answer.model.clone(),
            id: answer.id.clone(),
            stop_reason: answer.stop_reason.clone(),
            usage: answer.usage,
            duration_ms: answer.duration_ms,
        });
        message
    }

    /// Moves a call on, if the turn under way has it and `next` finds it where it should be.
    fn advance(&mut self, key: CallKey, next: impl FnOnce(&CallStatus) -> Option<CallStatus>) {
        let Phase::Calls(open) = &mut self.phase else { return };
        let Some(state) = calls::find(open, key) else { return };
        let Some(status) = next(&state.status) else { return };
        let is_done = matches!(status, CallStatus::Done(_));
        state.status = status;
        if is_done && self.run_tools() == RunTools::Once {
            self.rest_at(Rest::RunsOnce);
        }
    }

    fn rule(&mut self, call: CallKey, ruling: &Ruling) {
        self.advance(call, |status| {
            (*status == CallStatus::Unruled).then(|| match ruling {
                Ruling::Run => CallStatus::Allowed,
                Ruling::Refused(result) => CallStatus::Done(Rc::new(ToolResult { call, ..result.clone() })),
            })
        });
    }

    fn write_back(&mut self) {
        let Phase::Calls(open) = &self.phase else { return };
        if self.rest.is_some() || open.iter().any(|state| state.result().is_none()) {
            return;
        }
        let run_tools = self.run_tools();
        self.close_calls();
        self.turn_count += 1;
        self.transition_reason = Some(TransitionReason::ToolResult);
        self.go_round();
        if !self.queued.is_empty() {
            return self.deliver();
        }
        match run_tools {
            RunTools::Once | RunTools::OneTurn => self.rest_at(Rest::RunsOnce),
            RunTools::Loop | RunTools::Never => {}
        }
    }
}

/// What a model is told that answered nothing.
const NUDGE: &str = "Please continue.";

/// So many answers in a row may pause.
const PAUSES: u32 = 10;

/// Why nothing more is to be done after an answer without calls. `None`: the model wants to go on by itself.
fn rest_after(stop_reason: &StopReason) -> Option<Rest> {
    Some(match stop_reason {
        StopReason::PauseTurn => return None,
        StopReason::MaxTokens => Rest::MaxTokens,
        StopReason::StopSequence(matched) => Rest::StopSequence(matched.clone()),
        StopReason::Refusal => Rest::Refusal,
        StopReason::ContentFilter => Rest::ContentFilter,
        StopReason::ContextWindowExceeded => Rest::ContextWindowExceeded,
        StopReason::EndTurn | StopReason::ToolUse => Rest::EndTurn,
        StopReason::Other(reason) => Rest::Other(reason.clone()),
    })
}

/// Whether a block says or asks for anything: blank words and bare reasoning do not, and neither do the further fields
/// of a Chat Completions message.
fn is_content(block: &Block, message: &Message) -> bool {
    match block {
        Block::Text { text } => !text.trim().is_empty(),
        Block::ToolUse(_) => true,
        Block::Opaque { .. } => message.origin.as_ref().is_some_and(|origin| origin.dialect == Dialect::Anthropic),
        Block::Thinking { .. } | Block::ToolResult(_) => false,
    }
}
