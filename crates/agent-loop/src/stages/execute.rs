//! Execute: the fourth layer, the only one that starts a process; and the taking up of a run that a reload let go of, which
//! starts none.

use futures_util::StreamExt;
use futures_util::future::{Either, ready, select};
use futures_util::stream::{self, LocalBoxStream};

use crate::env::Env;
use crate::fact::{Edit, Fact};
use crate::gate::ResultSeam;
use crate::host::{Ended, Run, Status, ToolEvent};
use crate::message::{CallKey, ToolCall, ToolResult};
use crate::session::Session;
use crate::settings::Settings;
use crate::stages::settle::checked_arguments;
use crate::stages::{host_as_offered, record_stop, write_back};
use crate::state::{CallStatus, Step};
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
            let run = Run { run_id: &run_id, call, arguments: &arguments, timeout_ms };
            follow(env, &settings, call.key, env.host.run(run, env.stop.clone())).await
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

/// Takes up the run that was under way when the page went, if its host still knows it, and records its result as if it had
/// never been let go of. It reads and nothing else: it starts no run, calls no model and asks nobody, and what comes after
/// the result waits for a person.
pub async fn take_up(session: &Session, env: &Env<'_>) {
    let record = |fact| session.record(env.clock.now_ms(), fact);
    let state = session.state();
    let Some((call, left)) = state.left_run() else { return };
    let Some(settings) = state.settings.clone() else { return };
    let Some(mut events) = env.host.take_up(&left.run_id, env.stop.clone()) else { return };
    let first = match env.stop.or(events.next()).await.flatten() {
        None | Some(ToolEvent::Ended(Ended { status: Status::Lost(_), .. })) => return,
        Some(first) => first,
    };
    // A person may have gone on without it meanwhile.
    if session.state().left_run() != Some((call, left)) {
        return;
    }
    record(Fact::TakenUp { call: call.key });
    let events = stream::once(ready(first)).chain(events).boxed_local();
    let result = follow(env, &settings, call.key, events).await;
    let was_stopped = result.outcome == Outcome::Stopped || env.stop.is_pressed();
    record(Fact::ToolEnded { result });
    if was_stopped {
        record_stop(session, env, Vec::new());
    } else if session.state().outlook() == Step::WriteBack {
        write_back(session, env);
    }
}

/// Follows a run to its one end. After stop it waits for the host to say how it ended, but not for ever.
async fn follow(
    env: &Env<'_>,
    settings: &Settings,
    call: CallKey,
    mut events: LocalBoxStream<'static, ToolEvent>,
) -> ToolResult {
    let mut collector = Collector::new(settings.output);
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
        env.live.tool(call, &event);
        match event {
            ToolEvent::Started => {}
            ToolEvent::Output { stream, bytes } => collector.push(stream, &bytes),
            ToolEvent::Gap(bytes) => collector.gap(bytes),
            ToolEvent::Ended(ended) => break ended,
        }
    };
    settings.wording.ended(call, &ended, &collector, settings.limits.command_ms)
}

fn lost(why: &str) -> Ended {
    Ended { status: Status::Lost(why.to_owned()), duration_ms: 0, leftovers: Vec::new() }
}
