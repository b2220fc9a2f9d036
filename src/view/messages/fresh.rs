//! An empty session: that nothing has been said yet, and what a person can try.

use leptos::prelude::*;
use practice_model::{Group, Scenario, scenarios};

use crate::app::Language;
use crate::run::actions;
use crate::run::settings::is_practice;
use crate::view::Page;
use crate::view::composer;
use crate::view::settings::endpoint;

/// Nothing said yet.
pub(crate) fn fresh(page: Page) -> AnyView {
    let words = &page.words.messages;
    view! {
        <section class="fresh">
            <p class="empty-array">"messages = []"</p>
            <h2>{words.fresh}</h2>
            <p class="dim">{words.fresh_next}</p>
            {examples(page)}
        </section>
    }
    .into_any()
}

/// Examples from the practice model's own list. Choosing one fills in its words, and its model where the model is a
/// practice model. They are links to the message field, which is where they lead.
fn examples(page: Page) -> AnyView {
    let shown = scenarios().iter().filter(|scenario| scenario.group == Group::Tasks && scenario.id != "practice");
    let links: Vec<AnyView> = shown.map(|scenario| example(page, scenario)).collect();
    view! {
        <p class="examples-title">{page.words.composer.examples}</p>
        <ul class="examples" role="list">{links}</ul>
    }
    .into_any()
}

fn example(page: Page, scenario: &'static Scenario) -> AnyView {
    let say = |words: &practice_model::Words| match page.app.language.get_untracked() {
        Language::En => words.en,
        Language::Zh => words.zh,
    };
    let (title, prompt) = (say(&scenario.title), say(&scenario.prompt));
    let choose = move |event: leptos::ev::MouseEvent| {
        event.prevent_default();
        let settings = page.app.settings.get_untracked();
        if is_practice(&settings.profile) {
            actions::configure(page.app, endpoint::with_model(&settings, scenario.id));
        }
        page.ui.typed.set(prompt.to_owned());
        composer::focus();
    };
    view! {
        <li>
            <a class="example" href="#message" on:click=choose>
                <span class="example-title">{title}</span>
                <span class="example-prompt">{prompt}</span>
            </a>
        </li>
    }
    .into_any()
}
