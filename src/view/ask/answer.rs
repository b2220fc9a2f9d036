//! "You are the model": a person reads the request in the inspector and writes the answer.

use agent_loop::Dialect;
use leptos::html;
use leptos::prelude::*;

use crate::run::actions;
use crate::run::you_model::{Sample, sample};
use crate::view::{Page, Panel, Tab, composer};

/// The card. Its field takes the focus: writing is what is asked for, and no key in it answers by itself.
pub(crate) fn question(page: Page, dialect: Dialect) -> AnyView {
    let words = &page.session_words().ask;
    let field = NodeRef::<html::Textarea>::new();
    let typed = RwSignal::new(String::new());
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            // A field that cannot take the focus can still be reached.
            let _ = field.focus();
        }
    });
    let take = move |chosen: Sample| {
        typed.set(sample(chosen, dialect));
        if let Some(field) = field.get_untracked() {
            // As above.
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
    view! {
        <div class="question" role="group" aria-labelledby="question-title" aria-describedby="question-where">
            <div class="question-head">
                <h2 id="question-title">{words.you_are_the_model}</h2>
                <p class="dim" id="question-where">{words.you_model_explained}</p>
            </div>
            <div class="buttons samples" role="group" aria-label=words.samples>{samples}</div>
            <textarea
                class="mono"
                aria-label=words.answer
                rows="6"
                spellcheck="false"
                node_ref=field
                prop:value=move || typed.get()
                on:input=move |event| typed.set(event_target_value(&event))
            ></textarea>
            <div class="buttons">
                <button type="button" class="primary" on:click=send>{words.send_answer}</button>
                <button type="button" class="quiet" on:click=look>{words.see_request}</button>
            </div>
        </div>
    }
    .into_any()
}
