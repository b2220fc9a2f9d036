//! The one decision point: what is to be done now, as a pure and exhaustive answer.

use std::rc::Rc;

use super::{CallStatus, LoopState, Phase, Rest};
use crate::message::ToolCall;
use crate::wire::{self, Request};

/// What is to be done now. `R` is the request; `()` where it is only asked whether there is one.
#[derive(Debug, Clone, PartialEq)]
pub enum Step<R = Rc<Request>> {
    /// Make the request of what the state holds.
    Prepare,
    /// Send exactly this.
    CallModel(R),
    /// Parse, validate and authorise this call.
    Settle(ToolCall),
    /// Run this call; one that was started and is followed by nobody is not run again, but told as unknown.
    RunTool(ToolCall),
    /// Put every result into messages.
    WriteBack,
    /// Wait before the next attempt.
    Wait(Wait),
    /// Nothing, and why.
    Rest(Rest),
}

/// A wait before the next attempt of a model call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// When it is over: milliseconds since 1970.
    pub until_ms: u64,
    /// Which attempt comes then, from 2.
    pub attempt: u32,
}

/// The six stages of the loop, in the words of the lessons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Prepare `messages` and `tools`.
    Prepare,
    /// Call the model.
    CallModel,
    /// Save the assistant message.
    Save,
    /// Check `tool_calls` or `stop_reason`.
    Check,
    /// Run the handler and append the result.
    RunTool,
    /// Go round, or end.
    GoRound,
}

/// The loop itself, as learners are shown it.
pub const SOURCE: &str = include_str!("../agent_loop.rs");

impl Stage {
    /// All six, in order.
    pub const ALL: [Stage; 6] =
        [Stage::Prepare, Stage::CallModel, Stage::Save, Stage::Check, Stage::RunTool, Stage::GoRound];

    /// The stage a step belongs to.
    pub fn of<R>(step: &Step<R>) -> Stage {
        match step {
            Step::Prepare => Stage::Prepare,
            Step::CallModel(_) | Step::Wait(_) => Stage::CallModel,
            Step::Settle(_) => Stage::Check,
            Step::RunTool(_) | Step::WriteBack => Stage::RunTool,
            Step::Rest(_) => Stage::GoRound,
        }
    }

    /// The line of [`SOURCE`] that does it, from 1.
    pub fn line(self) -> usize {
        let does_it = match self {
            Stage::Prepare => "prepare_request(session",
            Stage::CallModel => "call_model(session",
            Stage::Save => "save the assistant message",
            Stage::Check => "settle_tool_call(session",
            Stage::RunTool => "execute_tool_call(session",
            Stage::GoRound => "while run_one_turn(session",
        };
        SOURCE.lines().take_while(|line| !line.contains(does_it)).count() + 1
    }
}

impl LoopState {
    /// What now? Pure: asks nothing but the state.
    pub fn next_step(&self) -> Step {
        self.decide(|| self.request())
    }

    /// The same for the eye: without the request, whose making costs.
    pub fn outlook(&self) -> Step<()> {
        self.decide(|| Some(()))
    }

    fn decide<R>(&self, request: impl Fn() -> Option<R>) -> Step<R> {
        if let Some(rest) = &self.rest {
            return Step::Rest(rest.clone());
        }
        match &self.phase {
            Phase::Idle => Step::Rest(Rest::Fresh),
            _ if self.settings.is_none() => Step::Rest(Rest::NotConfigured),
            Phase::Ready => Step::Prepare,
            Phase::Prepared | Phase::Calling(_) => match request() {
                Some(request) => Step::CallModel(request),
                None => Step::Rest(Rest::NotConfigured),
            },
            Phase::Waiting(wait) => Step::Wait(*wait),
            Phase::Calls(calls) => {
                let open = calls.iter().find(|state| !matches!(state.status, CallStatus::Done(_)));
                match open.map(|state| (&state.status, &state.call)) {
                    None | Some((CallStatus::Done(_), _)) => Step::WriteBack,
                    Some((CallStatus::Unruled, call)) => Step::Settle(call.clone()),
                    Some((CallStatus::Allowed | CallStatus::Running { .. }, call)) => Step::RunTool(call.clone()),
                }
            }
        }
    }

    /// The request this state makes. `None`: the endpoint has not been set.
    pub fn request(&self) -> Option<Rc<Request>> {
        let settings = self.taught_settings()?;
        let make = || Rc::new(wire::request(&settings, &self.offered, &self.messages));
        Some(Rc::clone(self.request.get_or_init(make)))
    }
}

#[cfg(test)]
mod tests {
    use super::{SOURCE, Stage};

    #[test]
    fn each_stage_has_its_line_in_a_loop_short_enough_to_be_shown() {
        let lines: Vec<&str> = SOURCE.lines().collect();
        assert!(lines.len() <= 80, "{} lines", lines.len());
        let shown = Stage::ALL.map(|stage| lines.get(stage.line() - 1).copied().unwrap_or("(none)").trim());
        let expected = [
            "Step::Prepare => prepare_request(session, env).await,",
            "// Call the model, and save the assistant message it answers with.",
            "Step::CallModel(request) => call_model(session, env, request).await,",
        ];
        assert_eq!([shown[0], shown[2], shown[1]], expected);
        assert!(shown[3].starts_with("Step::Settle(call)") && shown[4].starts_with("Step::RunTool(call)"));
        assert!(shown[5].starts_with("while run_one_turn"));
    }
}
