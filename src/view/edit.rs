//! The editor: a message, the arguments of a call that has not run, or a result that no model has read. It stands where
//! questions stand, above the composer.

pub(crate) mod request;

use agent_loop::state::{CallState, CallStatus};
use agent_loop::{CallKey, Edit};
use leptos::html;
use leptos::prelude::*;

use super::icon::{Icon, icon};
use super::{Page, focus, focus_when_drawn};
use crate::app::Activity;
use crate::run::actions;
use crate::run::editing::{Part, changed, parts};

/// What is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// The entry of `messages` at this place.
    Message(usize),
    /// A call of the turn under way: its arguments, or its result.
    Call(CallKey),
    /// What the next request is made of beside its messages.
    Request,
}

impl Target {
    /// The id of the button that edits it. The same thing redrawn has the same button.
    fn button(self) -> String {
        match self {
            Target::Message(place) => format!("edit-message-{place}"),
            Target::Call(key) => format!("edit-call-{}-{}", key.fact, key.index),
            Target::Request => "edit-request".to_owned(),
        }
    }
}

/// The button that edits an entry.
pub(crate) fn button(page: Page, place: usize) -> AnyView {
    opener(page, page.session_words().control.edit_message.to_owned(), Target::Message(place))
}

/// The buttons that edit what the turn under way holds.
pub(crate) fn calls(page: Page, calls: &[CallState]) -> AnyView {
    let words = &page.session_words().control;
    let button = |state: &CallState| {
        let label = match &state.status {
            CallStatus::Unruled => (words.edit_arguments)(&state.call.id),
            CallStatus::Done(_) => (words.edit_result)(&state.call.id),
            CallStatus::Allowed | CallStatus::Running { .. } => return None,
        };
        Some(opener(page, label, Target::Call(state.call.key)))
    };
    let buttons: Vec<AnyView> = calls.iter().filter_map(button).collect();
    view! { <p class="buttons">{buttons}</p> }.into_any()
}

fn opener(page: Page, label: String, target: Target) -> AnyView {
    let app = page.app;
    let cannot = move || app.activity.get() != Activity::Idle || !app.may_act();
    view! {
        <button
            type="button"
            class="quiet edit"
            id=target.button()
            disabled=cannot
            on:click=move |_| page.ui.editing.set(Some(target))
        >
            {icon(Icon::Edit)} <span>{label}</span>
        </button>
    }
    .into_any()
}

/// The editor, while something is edited and nobody runs the session.
pub(crate) fn editor(page: Page) -> AnyView {
    (move || {
        let target = page.ui.editing.get()?;
        let is_idle = page.app.activity.get() == Activity::Idle;
        is_idle.then(|| if target == Target::Request { Some(request::card(page)) } else { card(page, target) })
    })
    .into_any()
}

fn card(page: Page, target: Target) -> Option<AnyView> {
    let words = &page.session_words().control;
    let state = page.app.state.get_untracked();
    let (title, fields) = match target {
        Target::Message(place) => ((words.editing)(place), parts(&state.messages.get(place)?.blocks)),
        Target::Call(key) => {
            let state = state.calls().iter().find(|state| state.call.key == key)?;
            match &state.status {
                CallStatus::Done(result) => {
                    ((words.edit_result)(&state.call.id), vec![(Part::Result, result.content.clone())])
                }
                CallStatus::Unruled => {
                    ((words.edit_arguments)(&state.call.id), vec![(Part::Arguments, state.call.arguments.clone())])
                }
                CallStatus::Allowed | CallStatus::Running { .. } => return None,
            }
        }
        Target::Request => return None,
    };
    let texts: Vec<RwSignal<String>> = fields.iter().map(|(_, text)| RwSignal::new(text.clone())).collect();
    let areas: Vec<AnyView> = fields.iter().zip(&texts).map(|((part, _), text)| area(page, *part, *text)).collect();
    let texts = StoredValue::new(texts);
    let typed = move || texts.with_value(|texts| texts.iter().map(|text| text.get_untracked()).collect::<Vec<_>>());
    let close = move || {
        page.ui.editing.set(None);
        // What was edited is drawn anew, and its button with it.
        request_animation_frame(move || focus(&target.button()));
    };
    let save = move |_| {
        if let Some(edit) = edit(page, target, &typed()) {
            actions::edit(page.app, edit);
        }
        close();
    };
    let run_on = match target {
        Target::Message(place) => {
            let press = move |_| {
                let message = page.app.state.with_untracked(|state| state.messages.get(place).cloned());
                let blocks = message.and_then(|message| changed(&message, &typed()));
                close();
                actions::run_on_from(page.app, place, blocks);
            };
            Some(view! { <button type="button" on:click=press>{words.save_and_run}</button> })
        }
        Target::Call(_) | Target::Request => None,
    };
    let card = NodeRef::<html::Div>::new();
    focus_when_drawn(card);
    let on_key = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            close();
        }
    };
    Some(
        view! {
            <div class="question editor" role="group" aria-label=title.clone() tabindex="-1" node_ref=card on:keydown=on_key>
                <div class="question-head"><h2>{title.clone()}</h2></div>
                {areas}
                <div class="buttons">
                    <button type="button" class="primary" on:click=save>{words.save}</button>
                    {run_on}
                    <button type="button" on:click=move |_| close()>{words.cancel}</button>
                </div>
                <p class="hint">{words.save_and_run_hint}</p>
            </div>
        }
        .into_any(),
    )
}

fn area(page: Page, part: Part, text: RwSignal<String>) -> AnyView {
    let words = &page.session_words().control;
    let label = match part {
        Part::Text => words.text,
        Part::Arguments => words.arguments,
        Part::Result => words.result,
    };
    view! {
        <label class="setting">
            <span class="setting-label">{label}</span>
            <textarea
                rows="4"
                spellcheck="false"
                prop:value=move || text.get()
                on:input=move |event| text.set(event_target_value(&event))
            ></textarea>
        </label>
    }
    .into_any()
}

/// The edit that was typed; `None`: nothing is changed.
fn edit(page: Page, target: Target, typed: &[String]) -> Option<Edit> {
    let state = page.app.state.get_untracked();
    match target {
        Target::Message(message) => {
            let blocks = changed(state.messages.get(message)?, typed)?;
            Some(Edit::Message { message, blocks })
        }
        Target::Call(call) => {
            let known = state.calls().iter().find(|state| state.call.key == call)?;
            let text = typed.first()?.clone();
            match &known.status {
                CallStatus::Done(result) => (text != result.content).then_some(Edit::Result { call, content: text }),
                CallStatus::Unruled => {
                    (text != known.call.arguments).then_some(Edit::Arguments { call, arguments: text })
                }
                CallStatus::Allowed | CallStatus::Running { .. } => None,
            }
        }
        Target::Request => None,
    }
}
