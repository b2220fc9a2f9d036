//! A `tool_use` block: what the model asks for, how far it has come, and its output while it runs.

use agent_loop::state::CallStatus;
use agent_loop::tool::parse_arguments;
use agent_loop::wire::{read_json, with_exact_numbers, written_json};
use agent_loop::{CallKey, ToolCall};
use leptos::prelude::*;
use serde_json::Value;

use super::pairs::{call_anchor, id_chip, jump, result_anchor, tint};
use crate::app::{Ask, Selection};
use crate::view::hidden::revealed;
use crate::view::icon::{Icon, icon};
use crate::view::signs::signs;
use crate::view::{Page, Panel, Tab, highlight, output};

/// A command of more bytes or lines than this may not fit its card.
const LONG: usize = 600;
const LONG_LINES: usize = 8;

/// Draws a call.
pub(crate) fn call(page: Page, call: &ToolCall) -> AnyView {
    let words = &page.session_words().entries;
    let key = call.key;
    let place = Memo::new(move |_| page.ui.shown.with(|shown| shown.result_place(key)));
    let inspect = move |_| {
        page.app.selection.set(Selection::Call(key));
        page.ui.tab.set(Tab::Tool);
        page.ui.inspector.set(Panel::Open);
    };
    let edited = call.original_arguments.clone().map(|before| {
        view! {
            <details class="before">
                <summary><span class="tag">{words.edited}</span> {words.before_edit}</summary>
                <pre class="mono">{signs(&before).into_owned()}</pre>
            </details>
        }
    });
    let traced = page.ui.traced;
    view! {
        <div
            class=format!("call {}", tint(key))
            class:tied=move || page.ui.shown.with(|shown| shown.is_tied(key))
            class:lit=move || traced.get().is_lit(key)
            on:mouseenter=move |_| traced.update(|traced| traced.pointed = Some(key))
            on:mouseleave=move |_| traced.update(|traced| traced.pointed = None)
            on:focusin=move |_| traced.update(|traced| traced.focused = Some(key))
            on:focusout=move |_| traced.update(|traced| traced.focused = None)
            id=call_anchor(key)
            tabindex="-1"
            role="group"
            aria-label=format!("tool_use {} {}", call.name, call.id)
        >
            <div class="call-head">
                <code class="tool-name">{call.name.clone()}</code>
                {id_chip(&call.id)}
                <button type="button" class="quiet" on:click=inspect>
                    {icon(Icon::Inspector)}
                    <span>{words.call.inspect}</span>
                </button>
            </div>
            {asked(page, &call.arguments)}
            {edited}
            {move || match place.get() {
                Some(place) => {
                    view! { <p class="facts">{jump(page, result_anchor(key), place, (words.call.to_result)(place))}</p> }.into_any()
                }
                None => progress(page, key),
            }}
        </div>
    }
    .into_any()
}

/// What is asked for: the command where there is one, else the arguments.
pub(crate) fn asked(page: Page, arguments: &str) -> AnyView {
    let Ok(value) = parse_arguments(arguments) else {
        return view! {
            <pre class="mono">{revealed(arguments)}</pre>
            <p class="facts"><span class="tag bad">{page.session_words().entries.not_json}</span></p>
        }
        .into_any();
    };
    // Where it is plain JSON, with its numbers as they were written.
    let value = read_json(arguments.as_bytes()).ok().filter(Value::is_object).unwrap_or(value);
    let Some(command) = value.get("command").and_then(Value::as_str) else {
        return view! { <pre class="mono">{signs(&with_exact_numbers(format!("{value:#}"))).into_owned()}</pre> }
            .into_any();
    };
    let others: Vec<AnyView> = value
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| *name != "command")
        .map(|(name, value)| view! { <code>{format!("{name}: {}", written_json(value))}</code> }.into_any())
        .collect();
    let others = (!others.is_empty()).then(|| view! { <p class="facts">{others}</p> });
    // A long one scrolls, and what scrolls can be reached by keyboard.
    let stop = (command.len() > LONG || command.lines().count() > LONG_LINES).then_some("0");
    view! {
        <pre class="mono command" tabindex=stop>{highlight::command(command)}</pre>
        {others}
    }
    .into_any()
}

/// How far it has come while its result does not stand in messages.
fn progress(page: Page, key: CallKey) -> AnyView {
    let app = page.app;
    let words = &page.session_words().entries.call;
    let status =
        app.state.with(|state| state.calls().iter().find(|open| open.call.key == key).map(|open| open.status.clone()));
    let line = |text: &str, class: &'static str| {
        view! { <p class="facts"><span class=class>{text.to_owned()}</span></p> }.into_any()
    };
    match status {
        None => ().into_any(),
        Some(CallStatus::Unruled) => {
            let is_asked = app.ask.with(|ask| match ask {
                Some(Ask::Command { call, .. } | Ask::Result { call, .. }) => call.key == key,
                Some(Ask::Answer { .. }) => false,
                None => false,
            });
            if is_asked { line(words.asking, "tag attention") } else { line(words.unruled, "dim") }
        }
        Some(CallStatus::Allowed) => line(words.allowed, "dim"),
        Some(CallStatus::Running { host, .. }) => {
            let is_asked = app.ask.with(Option::is_some);
            let text = if is_asked { words.asking.to_owned() } else { (words.running_on)(&host) };
            view! { {line(&text, "tag live")} {output::live(page, key)} }.into_any()
        }
        Some(CallStatus::Done(result)) => {
            let text = (words.outcome)(&result.outcome);
            view! {
                <p class="facts">
                    <span class="tag" class:bad=result.is_error>{text}</span>
                    <span class="dim">{words.not_written_back}</span>
                </p>
                {output::live(page, key)}
            }
            .into_any()
        }
    }
}
