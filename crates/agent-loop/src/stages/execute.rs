//! Execute: the fourth layer, the only one that starts a process.

use futures_util::StreamExt;
use futures_util::future::{Either, select};

use crate::env::Env;
use crate::fact::{Edit, Fact};
use crate::gate::ResultSeam;
use crate::host::{Ended, Run, Status, ToolEvent};
use crate::message::{ToolCall, ToolResult};
use crate::session::Session;
use crate::settings::Settings;
use crate::stages::settle::checked_arguments;
use crate::stages::{host_as_offered, record_stop};
use crate::state::CallStatus;
use crate::tool::{Collector, Outcome};
use crate::wire;

/// How long a host may take to end a run after stop was pressed, in milliseconds.
const STOP_PATIENCE_MS: u64 = 10_000;

/// Runs one authorised call and records its result, whatever happens: exactly one.
pub async fn execute_tool_call(session: &Session, env: &Env<'_>, call: &ToolCall) {
    if env.stop.is_pressed() {
        return record_stop(session, env, Vec::new());
    }
    let record = |fact| session.record(env.clock.now_ms(), fact);
    let state = session.state();
    let Some(settings) = state.settings.clone() else { return };
    let is_running = |status: &CallStatus| matches!(status, CallStatus::Running { .. });
    if state.calls().iter().any(|known| known.call.key == call.key && is_running(&known.status)) {
        // Whoever followed it was dropped. It may have run, and is never run again by itself.
        return record(Fact::ToolEnded { result: settings.wording.closing_result(call.key, Outcome::Unknown) });
    }
    let Some(offered) = host_as_offered(session, env) else { return };
    let result = match checked_arguments(call, &wire::tools_of(&settings, &state.offered)) {
        Ok(arguments) => {
            let run_id = env.clock.fresh_id();
            record(Fact::ToolStarted { call: call.key, run_id: run_id.clone(), host: offered.host });
            let timeout_ms = settings.limits.command_ms;
            run(env, &settings, Run { run_id: &run_id, call, arguments: &arguments, timeout_ms }).await
        }
        Err(refusal) => settings.wording.refusal(call.key, &refusal),
    };
    let was_stopped = result.outcome == Outcome::Stopped || env.stop.is_pressed();
    record(Fact::ToolEnded { result: result.clone() });
    if was_stopped {
        return record_stop(session, env, Vec::new());
    }
    match env.stop.or(env.gate.after_tool(call, &result)).await {
        Some(ResultSeam::Keep) => {}
        Some(ResultSeam::Edit(content)) => record(Fact::Edited { edit: Edit::Result { call: call.key, content } }),
        Some(ResultSeam::Stop) | None => record_stop(session, env, Vec::new()),
    }
}

/// Follows a run to its one end. After stop it waits for the host to say how it ended, but not for ever.
async fn run(env: &Env<'_>, settings: &Settings, run: Run<'_>) -> ToolResult {
    let mut collector = Collector::new(settings.output);
    let mut events = env.host.run(run, env.stop.clone());
    let overdue = async {
        env.stop.pressed().await;
        env.clock.sleep(STOP_PATIENCE_MS).await;
    };
    futures_util::pin_mut!(overdue);
    let ended = loop {
        let event = match select(events.next(), &mut overdue).await {
            Either::Left((Some(event), _)) => event,
            Either::Left((None, _)) => break lost("the host said nothing more"),
            Either::Right(_) => break lost("the host did not confirm the stop"),
        };
        env.live.tool(run.call.key, &event);
        match event {
            ToolEvent::Started => {}
            ToolEvent::Output { stream, bytes } => collector.push(stream, &bytes),
            ToolEvent::Gap(bytes) => collector.gap(bytes),
            ToolEvent::Ended(ended) => break ended,
        }
    };
    settings.wording.ended(run.call.key, &ended, &collector, run.timeout_ms)
}

fn lost(why: &str) -> Ended {
    Ended { status: Status::Lost(why.to_owned()), duration_ms: 0, leftovers: Vec::new() }
}
