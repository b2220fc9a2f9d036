//! The agent loop. What this file shows is what runs: nobody else loops.

use crate::env::Env;
use crate::session::Session;
use crate::stages::{call_model, execute_tool_call, prepare_request, settle_tool_call, wait_for_retry, write_back};
use crate::state::{Rest, Step};

/// Does exactly one thing, the one the state asks for, and records it. The Step button.
pub async fn step(session: &Session, env: &Env<'_>) -> Step {
    let step = session.state().next_step();
    match &step {
        // Prepare `messages` and `tools`.
        Step::Prepare => prepare_request(session, env).await,
        // Call the model, and save the assistant message it answers with.
        Step::CallModel(request) => call_model(session, env, request).await,
        // Check each call it asks for: parse, validate, authorise.
        Step::Settle(call) => settle_tool_call(session, env, call).await,
        // Run the handler.
        Step::RunTool(call) => execute_tool_call(session, env, call).await,
        // Append the results to `messages`.
        Step::WriteBack => write_back(session, env),
        Step::Wait(wait) => wait_for_retry(session, env, *wait).await,
        // Nothing to do: the model stopped asking, or something else says why not.
        Step::Rest(_) => {}
    }
    step
}

/// One turn: steps until the results are written back (`true`: go on) or there is nothing to do (`false`).
pub async fn run_one_turn(session: &Session, env: &Env<'_>) -> bool {
    loop {
        match step(session, env).await {
            Step::WriteBack => return true,
            Step::Rest(_) => return false,
            Step::Prepare | Step::CallModel(_) | Step::Settle(_) | Step::RunTool(_) | Step::Wait(_) => {}
        }
    }
}

/// Goes round until the model stops asking. The Run button.
pub async fn agent_loop(session: &Session, env: &Env<'_>) -> Rest {
    loop {
        while run_one_turn(session, env).await {}
        if let Step::Rest(rest) = session.state().next_step() {
            return rest;
        }
    }
}
