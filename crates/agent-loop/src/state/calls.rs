//! The calls of one answer on their way to their results.

use std::rc::Rc;

use crate::message::{Block, CallKey, Message, Producer, Role, ToolCall, ToolResult};
use crate::tool::{Outcome, WordingSet};

/// A call and how far it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct CallState {
    /// The call.
    pub call: ToolCall,
    /// How far it has come.
    pub status: CallStatus,
    /// The run that was under way when the page went: its host may still know it.
    pub left: Option<LeftRun>,
}

/// A run that nobody follows any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftRun {
    /// The run's id.
    pub run_id: String,
    /// The short name of the host that was told to run it.
    pub host: String,
}

/// How far a call has come.
#[derive(Debug, Clone, PartialEq)]
pub enum CallStatus {
    /// Only data.
    Unruled,
    /// Authorised; no process yet.
    Allowed,
    /// A host was told to run it.
    Running {
        /// The run's id.
        run_id: String,
        /// The host's short name.
        host: String,
    },
    /// It has its result.
    Done(Rc<ToolResult>),
}

impl CallState {
    /// Its result, if it has one.
    pub fn result(&self) -> Option<&Rc<ToolResult>> {
        if let CallStatus::Done(result) = &self.status { Some(result) } else { None }
    }
}

/// The calls of a message, none of them ruled on.
pub(super) fn unruled(message: &Message) -> Vec<CallState> {
    message.tool_calls().map(unruled_call).collect()
}

fn unruled_call(call: &ToolCall) -> CallState {
    CallState { call: call.clone(), status: CallStatus::Unruled, left: None }
}

/// The page goes: a run is left to its host, and nobody knows how it ends.
pub(super) fn leave(calls: &mut [CallState], wording: WordingSet) {
    for state in calls {
        if let CallStatus::Running { run_id, host } = &state.status {
            state.left = Some(LeftRun { run_id: run_id.clone(), host: host.clone() });
            close(std::slice::from_mut(state), wording);
        }
    }
}

/// Gives each call that has no result yet the one that says why it will not get another.
pub(super) fn close(calls: &mut [CallState], wording: WordingSet) {
    for state in calls {
        let outcome = match state.status {
            CallStatus::Done(_) => continue,
            CallStatus::Unruled | CallStatus::Allowed => Outcome::NotRun,
            CallStatus::Running { .. } => Outcome::Unknown,
        };
        state.status = CallStatus::Done(Rc::new(wording.closing_result(state.call.key, outcome)));
    }
}

/// The message that carries every result, in the order of the calls.
pub(super) fn results_message(calls: &[CallState]) -> Message {
    let results = calls.iter().filter_map(|state| state.result().map(|result| (**result).clone()));
    Message::new(Role::User, Producer::Host, results.map(Block::ToolResult).collect())
}

/// Finds a call.
pub(super) fn find(calls: &mut Rc<Vec<CallState>>, key: CallKey) -> Option<&mut CallState> {
    Rc::make_mut(calls).iter_mut().find(|state| state.call.key == key)
}
