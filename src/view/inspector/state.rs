//! `LoopState` as it is, and the log it is folded from.

use std::rc::Rc;

use agent_loop::state::CallStatus;
use agent_loop::{Block, LoopState, Message, Role, Sealed, Step, TransitionReason};
use leptos::prelude::*;
use serde_json::{Value, json as value};

use crate::view::Page;
use crate::view::json::json;
use crate::words::clock;

/// How many facts of the log are listed: the newest.
const LISTED: usize = 200;

/// The tab.
pub(crate) fn state(page: Page) -> AnyView {
    let app = page.app;
    (move || {
        let state = app.state.get();
        let facts = app.session.with(|session| session.facts());
        let listed: Vec<AnyView> =
            facts.iter().enumerate().rev().take(LISTED).map(|(number, sealed)| fact(number, sealed)).collect();
        view! {
            <h3><code>"LoopState"</code></h3>
            {json(&tree(&state))}
            <h3>{(page.words.inspector.facts)(facts.len())}</h3>
            <ol class="log" role="list">{listed}</ol>
        }
        .into_any()
    })
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
        Step::Rest(rest) => format!("Rest({rest:?})"),
    }
}

/// A fact by its number, time and name; whole on demand.
fn fact(number: usize, sealed: &Rc<Sealed>) -> AnyView {
    let time = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(sealed.at_ms as f64));
    let time = clock(time.get_hours(), time.get_minutes(), time.get_seconds());
    let whole = serde_json::to_value(&sealed.fact).unwrap_or_default();
    let name = whole.get("fact").and_then(Value::as_str).unwrap_or_default().to_owned();
    let open = RwSignal::new(false);
    let opened = move |_| open.set(true);
    view! {
        <li>
            <details on:toggle=opened>
                <summary>
                    <span class="event-time">{number}</span>
                    <code>{name}</code>
                    <span class="dim">{time}</span>
                </summary>
                {move || open.get().then(|| json(&whole))}
            </details>
        </li>
    }
    .into_any()
}
