//! The counters of `LoopState` that say where the loop stands.

use agent_loop::TransitionReason;
use leptos::prelude::*;

use crate::view::Page;

/// turn_count, transition_reason, model calls.
pub(crate) fn facts(page: Page) -> AnyView {
    let state = page.app.state;
    let words = &page.words.deck;
    let reason = move || match state.with(|state| state.transition_reason) {
        None => "None",
        Some(TransitionReason::ToolResult) => "tool_result",
        Some(TransitionReason::PauseTurn) => "pause_turn",
        Some(TransitionReason::Nudge) => "nudge",
    };
    let calls = move || {
        let fallback = page.app.settings.with(|settings| settings.limits.model_calls);
        state.with(|state| {
            let limit = if state.settings.is_some() { state.model_call_limit() } else { fallback };
            (words.used_of)(state.model_calls, limit)
        })
    };
    view! {
        <dl class="loop-state">
            <div><dt><code>"turn_count"</code></dt><dd>{move || state.with(|state| state.turn_count).to_string()}</dd></div>
            <div><dt><code>"transition_reason"</code></dt><dd>{reason}</dd></div>
            <div><dt>{words.model_calls}</dt><dd>{calls}</dd></div>
        </dl>
    }
    .into_any()
}
