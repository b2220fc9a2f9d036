//! The editor of what a request is made of beside its messages: the system prompt, the tools it offers, its parameters.

use std::rc::Rc;

use agent_loop::Settings;
use leptos::html;
use leptos::prelude::*;

use super::Target;
use crate::run::actions;
use crate::run::request_edit::{Knob, ToolChoice, choices, offering, stop_sequences};
use crate::view::Page;
use crate::view::messages::Edited;
use crate::view::signs::signs;
use crate::words::{RequestEditWords, request_edit as words};

/// The button that opens it.
pub(crate) fn button(page: Page) -> AnyView {
    super::opener(page, words(page.app.language.get_untracked()).open.to_owned(), Target::Request)
}

/// What was edited before a request, each with what it was.
pub(crate) fn edited(page: Page, edited: &Edited) -> Option<AnyView> {
    let words = words(page.app.language.get_untracked());
    let changes = edited.changes();
    if changes.is_empty() {
        return None;
    }
    let names: Vec<&str> = changes.iter().map(|(knob, _)| name(*knob)).collect();
    let before: Vec<AnyView> = changes
        .iter()
        .map(|(knob, before)| {
            let before = if before.is_empty() { words.nothing } else { before };
            view! {
                <p>{name(*knob)}</p>
                <pre class="mono">{signs(before).into_owned()}</pre>
            }
            .into_any()
        })
        .collect();
    Some(
        view! {
            <details class="before">
                <summary>
                    <span class="tag">{page.session_words().entries.edited}</span>
                    " "
                    {(words.edited)(&names.join(", "))}
                </summary>
                <div>{before}</div>
            </details>
        }
        .into_any(),
    )
}

fn name(knob: Knob) -> &'static str {
    match knob {
        Knob::System => "system",
        Knob::Tools => "tools",
        Knob::MaxTokens => "max_tokens",
        Knob::StopSequences => "stop_sequences",
    }
}

/// The editor.
pub(super) fn card(page: Page) -> AnyView {
    let app = page.app;
    let words = words(app.language.get_untracked());
    let settings = app.settings.get_untracked();
    let offered = app.state.with_untracked(|state| Rc::clone(&state.offered));
    let system = RwSignal::new(settings.system.clone());
    let max_tokens = RwSignal::new(settings.max_tokens.map(|limit| limit.to_string()).unwrap_or_default());
    let stop = RwSignal::new(settings.stop_sequences.join("\n"));
    let tools: Vec<(RwSignal<bool>, RwSignal<String>, ToolChoice)> = choices(&settings, &offered)
        .into_iter()
        .map(|choice| (RwSignal::new(choice.is_offered), RwSignal::new(choice.spec.description.clone()), choice))
        .collect();
    let rows: Vec<AnyView> = tools.iter().map(|(is_on, text, choice)| tool(words, *is_on, *text, choice)).collect();
    let close = move || page.ui.editing.set(None);
    let save = move |_| {
        let chosen = tools.iter().map(|(is_on, text, choice)| {
            let mut choice = choice.clone();
            choice.is_offered = is_on.get_untracked();
            choice.spec.description = text.get_untracked();
            choice
        });
        let offering = offering(&settings, &offered, &chosen.collect::<Vec<_>>());
        let edited = Settings {
            system: system.get_untracked(),
            // What is no number is no limit.
            max_tokens: max_tokens.get_untracked().trim().parse::<u32>().ok().map(|limit| limit.max(1)),
            stop_sequences: stop_sequences(&stop.get_untracked()),
            ..offering
        };
        actions::edit_settings(app, Rc::new(edited));
        close();
    };
    let card = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let Some(card) = card.get() {
            // A card that cannot take the focus is still read and pressed.
            let _ = card.focus();
        }
    });
    let on_key = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            close();
        }
    };
    view! {
        <div class="question editor" role="group" aria-label=words.open tabindex="-1" node_ref=card on:keydown=on_key>
            <div class="question-head"><h2>{words.open}</h2></div>
            {area(words.system, "3", system)}
            {rows}
            <label class="setting">
                <span class="setting-label">{words.max_tokens}</span>
                <input
                    type="number"
                    min="1"
                    prop:value=move || max_tokens.get()
                    on:input=move |event| max_tokens.set(event_target_value(&event))
                />
            </label>
            {area(words.stop_sequences, "2", stop)}
            <div class="buttons">
                <button type="button" class="primary" on:click=save>{page.session_words().control.save}</button>
                <button type="button" on:click=move |_| close()>{page.session_words().control.cancel}</button>
            </div>
            <p class="hint">{words.hint}</p>
        </div>
    }
    .into_any()
}

fn tool(
    words: &'static RequestEditWords,
    is_on: RwSignal<bool>,
    text: RwSignal<String>,
    choice: &ToolChoice,
) -> AnyView {
    let name = &choice.spec.name;
    view! {
        <label class="setting check">
            <input
                type="checkbox"
                prop:checked=move || is_on.get()
                on:change=move |event| is_on.set(event_target_checked(&event))
            />
            <span>{(words.offer)(name)}</span>
        </label>
        {area((words.description)(name), "3", text)}
    }
    .into_any()
}

fn area(label: impl Into<String>, rows: &'static str, text: RwSignal<String>) -> AnyView {
    view! {
        <label class="setting">
            <span class="setting-label">{label.into()}</span>
            <textarea
                rows=rows
                spellcheck="false"
                prop:value=move || text.get()
                on:input=move |event| text.set(event_target_value(&event))
            ></textarea>
        </label>
    }
    .into_any()
}
