//! `LoopState` as it is, and the log it is folded from.

use std::rc::Rc;

use agent_loop::state::CallStatus;
use agent_loop::{Block, LoopState, Message, Rest, Role, Sealed, Step, TransitionReason};
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use serde_json::{Value, json as value};

use crate::view::Page;
use crate::view::elapsed::time_of_day;
use crate::view::json::{json, written};

/// How many facts of the log are listed: the newest.
const LISTED: usize = 200;

/// The tab.
pub(crate) fn state(page: Page) -> AnyView {
    let app = page.app;
    let listed = move || {
        app.state.track();
        let facts = app.session.with(|session| session.facts());
        facts.into_iter().enumerate().rev().take(LISTED).map(SendWrapper::new).collect::<Vec<_>>()
    };
    let count = move || {
        app.state.track();
        (page.session_words().inspector.facts)(app.session.with(|session| session.len()))
    };
    view! {
        <h3><code>"LoopState"</code></h3>
        {move || json(&tree(&app.state.get()))}
        <h3>{count}</h3>
        <ol class="log" role="list">
            // A fact is known by its number and its time: another session has other times.
            <For each=listed key=|fact| (fact.0, fact.1.at_ms) children=|fact| line(fact.0, &fact.1) />
        </ol>
    }
    .into_any()
}

fn tree(state: &LoopState) -> Value {
    let messages: Vec<String> = state.messages.iter().map(|message| in_a_line(message)).collect();
    let calls: Vec<Value> = state
        .calls()
        .iter()
        .map(|open| value!({ "id": open.call.id, "name": open.call.name, "status": status(&open.status) }))
        .collect();
    value!({
        "turn_count": state.turn_count,
        "transition_reason": state.transition_reason.map(|reason| match reason {
            TransitionReason::ToolResult => "tool_result",
            TransitionReason::PauseTurn => "pause_turn",
            TransitionReason::Nudge => "nudge",
        }),
        "next_step": next(&state.next_step()),
        "model_calls": state.model_calls,
        "extra_model_calls": state.extra_model_calls,
        "failed_attempts": state.failed_attempts,
        "messages.len()": state.messages.len(),
        "messages": messages,
        "calls": calls,
        "queued": state.queued,
        "offered": { "host": state.offered.host, "cwd": state.offered.cwd, "tools": state.offered.tools.iter().map(|tool| &tool.name).collect::<Vec<_>>() },
        "settings": state.settings,
    })
}

/// A message by its role and the kinds of its blocks; its content stands in the centre.
fn in_a_line(message: &Message) -> String {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let kinds: Vec<&str> = message
        .blocks
        .iter()
        .map(|block| match block {
            Block::Text { .. } => "text",
            Block::Thinking { .. } => "thinking",
            Block::ToolUse(_) => "tool_use",
            Block::ToolResult(_) => "tool_result",
            Block::Opaque { .. } => "opaque",
        })
        .collect();
    format!("{role}: {}", kinds.join(", "))
}

fn status(status: &CallStatus) -> Value {
    match status {
        CallStatus::Unruled => value!("unruled"),
        CallStatus::Allowed => value!("allowed"),
        CallStatus::Running { run_id, host } => value!({ "running": { "run_id": run_id, "host": host } }),
        CallStatus::Done(result) => value!({ "done": result.outcome }),
    }
}

fn next(step: &Step) -> String {
    match step {
        Step::Prepare => "Prepare".to_owned(),
        Step::CallModel(request) => format!("CallModel({} bytes)", request.body().len()),
        Step::Settle(call) => format!("Settle({})", call.id),
        Step::RunTool(call) => format!("RunTool({})", call.id),
        Step::WriteBack => "WriteBack".to_owned(),
        Step::Wait(wait) => format!("Wait(attempt {})", wait.attempt),
        Step::Rest(Rest::Failed(failure)) => format!("Rest(Failed({:?}))", failure.kind),
        Step::Rest(rest) => format!("Rest({rest:?})"),
    }
}

/// A fact by its number, time and name; whole on demand.
fn line(number: usize, sealed: &Rc<Sealed>) -> AnyView {
    let time = time_of_day(sealed.at_ms);
    let name = sealed.fact.name();
    let whole = SendWrapper::new(Rc::clone(sealed));
    let open = RwSignal::new(false);
    let inside = move || {
        // A fact that does not become JSON could not have been stored either.
        open.get().then(|| written(&whole.fact))
    };
    view! {
        <li>
            <details on:toggle=move |_| open.set(true)>
                <summary>
                    <span class="event-time">{number}</span>
                    <code>{name}</code>
                    <span class="dim">{time}</span>
                </summary>
                {inside}
            </details>
        </li>
    }
    .into_any()
}
