//! A question that a person answers by writing. Its field takes the focus: writing is what is asked for, and no key in it
//! answers by itself.

use leptos::html;
use leptos::prelude::*;

use crate::view::focus_when_drawn;

/// What such a question holds.
pub(super) struct Writing {
    /// Who the person is now.
    pub(super) title: &'static str,
    /// What is to be written.
    pub(super) explained: &'static str,
    /// What is asked, above the field.
    pub(super) asked: AnyView,
    /// What the field is called.
    pub(super) label: &'static str,
    /// The field.
    pub(super) field: NodeRef<html::Textarea>,
    /// What is written in it.
    pub(super) typed: RwSignal<String>,
    /// What can be done with that.
    pub(super) buttons: AnyView,
}

/// The card.
pub(super) fn card(writing: Writing) -> AnyView {
    let Writing { title, explained, asked, label, field, typed, buttons } = writing;
    focus_when_drawn(field);
    view! {
        <div class="question" role="group" aria-labelledby="question-title" aria-describedby="question-where">
            <div class="question-head">
                <h2 id="question-title">{title}</h2>
                <p class="dim" id="question-where">{explained}</p>
            </div>
            {asked}
            <textarea
                class="mono"
                aria-label=label
                placeholder=label
                rows="5"
                spellcheck="false"
                node_ref=field
                prop:value=move || typed.get()
                on:input=move |event| typed.set(event_target_value(&event))
            ></textarea>
            <div class="buttons">{buttons}</div>
        </div>
    }
    .into_any()
}
