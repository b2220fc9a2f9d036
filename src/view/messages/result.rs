//! A `tool_result` block, tied to its call.

use agent_loop::ToolResult;
use leptos::prelude::*;

use super::folding::folded;
use super::pairs::{call_anchor, id_chip, jump, result_anchor, tint};
use crate::view::Page;
use crate::words::{bytes, duration};

/// Draws a result.
pub(crate) fn result(page: Page, result: &ToolResult) -> AnyView {
    let messages = &page.session_words().entries;
    let words = &messages.call;
    let key = result.call;
    let id = page.ui.shown.with_untracked(|shown| call_id(shown, result)).unwrap_or_default();
    let place = page.ui.shown.with_untracked(|shown| shown.call_place(key));
    let took = (result.duration_ms > 0).then(|| view! { <span>{duration(result.duration_ms)}</span> });
    let output =
        (result.output_bytes > 0).then(|| view! { <span>{(words.output)(&bytes(result.output_bytes))}</span> });
    let failed = result.outcome.failed_layer().map(|layer| {
        view! {
            <span class="tag bad">{(words.failed_at)((words.layer)(layer))}</span>
            <span>{(words.process_started)(result.outcome.process_started())}</span>
        }
    });
    let before = result.original_content.as_ref().map(|before| {
        view! {
            <details class="before">
                <summary><span class="tag">{messages.edited}</span> {messages.before_edit}</summary>
                {folded(page, "mono", before)}
            </details>
        }
    });
    let traced = page.ui.traced;
    view! {
        <div
            class=format!("result {}", tint(key))
            class:tied=page.ui.shown.with_untracked(|shown| shown.is_tied(key))
            class:lit=move || traced.get().is_lit(key)
            on:mouseenter=move |_| traced.update(|traced| traced.pointed = Some(key))
            on:mouseleave=move |_| traced.update(|traced| traced.pointed = None)
            on:focusin=move |_| traced.update(|traced| traced.focused = Some(key))
            on:focusout=move |_| traced.update(|traced| traced.focused = None)
            id=result_anchor(key)
            tabindex="-1"
            role="group"
            aria-label=format!("tool_result {id}")
            aria-describedby=call_anchor(key)
        >
            {folded(page, "mono content", &result.content)}
            {before}
            <p class="facts">
                {id_chip(&id)}
                <span class="tag" class:bad=result.is_error>{(words.outcome)(&result.outcome)}</span>
                {result.is_error.then(|| view! { <code>"is_error: true"</code> })}
                {failed}
                {took}
                {output}
                {place.map(|place| jump(page, call_anchor(key), place, (words.to_call)(place)))}
            </p>
        </div>
    }
    .into_any()
}

/// The id of the call it answers.
fn call_id(shown: &super::Shown, result: &ToolResult) -> Option<String> {
    let row = shown.rows.get(shown.call_place(result.call)?)?;
    row.message.tool_calls().find(|call| call.key == result.call).map(|call| call.id.clone())
}
