//! What each step of the loop does. A stage awaits the world through its [`Env`] and records what happened; what it
//! means is the fold's business, and what comes next is [`LoopState::next_step`]'s.
//!
//! [`LoopState::next_step`]: crate::state::LoopState::next_step

mod call_model;
mod execute;
mod prepare;
mod settle;

use crate::env::Env;
use crate::fact::Fact;
use crate::message::Block;
use crate::session::Session;
use crate::state::Wait;

pub use call_model::call_model;
pub use execute::execute_tool_call;
pub use prepare::prepare_request;
pub use settle::settle_tool_call;

/// Puts the results into messages.
pub fn write_back(session: &Session, env: &Env<'_>) {
    session.record(env.clock.now_ms(), Fact::WroteBack);
}

/// Waits until the next attempt of a model call is due.
pub async fn wait_for_retry(session: &Session, env: &Env<'_>, wait: Wait) {
    let left = wait.until_ms.saturating_sub(env.clock.now_ms());
    match env.stop.or(env.clock.sleep(left)).await {
        Some(()) => session.record(env.clock.now_ms(), Fact::Waited),
        None => record_stop(session, env, Vec::new()),
    }
}

/// A person stopped the run here; `draft` is what of an answer had come.
fn record_stop(session: &Session, env: &Env<'_>, draft: Vec<Block>) {
    session.record(env.clock.now_ms(), Fact::Stopped { draft });
}
