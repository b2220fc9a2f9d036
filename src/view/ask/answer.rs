//! "You are the model": a person reads the request in the inspector and writes the answer.

use agent_loop::Dialect;
use leptos::html;
use leptos::prelude::*;

use super::writing::{Writing, card};
use crate::run::actions;
use crate::run::you_model::{Sample, sample};
use crate::view::{Page, Panel, Tab, composer};

/// The card.
pub(crate) fn question(page: Page, dialect: Dialect) -> AnyView {
    let words = &page.session_words().ask;
    let field = NodeRef::<html::Textarea>::new();
    let typed = RwSignal::new(String::new());
    let take = move |chosen: Sample| {
        typed.set(sample(chosen, dialect));
        if let Some(field) = field.get_untracked() {
            // What cannot take the focus can still be reached.
            let _ = field.focus();
        }
    };
    let samples: Vec<AnyView> = Sample::ALL
        .into_iter()
        .map(|chosen| {
            view! { <button type="button" on:click=move |_| take(chosen)>{(words.sample)(chosen)}</button> }.into_any()
        })
        .collect();
    let send = move |_| {
        composer::focus();
        actions::answer_as_model(page.app, typed.get_untracked());
    };
    let look = move |_| {
        page.ui.tab.set(Tab::Request);
        page.ui.inspector.set(Panel::Open);
    };
    let asked = view! { <div class="buttons samples" role="group" aria-label=words.samples>{samples}</div> }.into_any();
    let buttons = view! {
        <button type="button" class="primary" on:click=send>{words.send_answer}</button>
        <button type="button" class="quiet" on:click=look>{words.see_request}</button>
    }
    .into_any();
    let (title, explained) = (words.you_are_the_model, words.you_model_explained);
    card(Writing { title, explained, asked, label: words.answer, field, typed, buttons })
}
