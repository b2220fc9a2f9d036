//! What was said while a run is under way and waits to be sent after the results: each can be taken back.

use leptos::prelude::*;

use crate::run::actions;
use crate::view::icon::{Icon, icon};
use crate::view::signs::signs;
use crate::view::{Page, composer};

/// The line.
pub(crate) fn queue(page: Page) -> AnyView {
    let words = &page.session_words().control;
    let queued = Memo::new(move |_| page.app.state.with(|state| state.queued.clone()));
    let item = move |(place, text): (usize, String)| {
        let shown = signs(&text).into_owned();
        let withdraw = move |_| {
            composer::focus();
            actions::withdraw(page.app, place, &text);
        };
        view! {
            <li>
                <span class="plain">{shown.clone()}</span>
                <button
                    type="button"
                    class="switch"
                    aria-label=format!("{}: {shown}", words.take_back)
                    title=words.take_back
                    on:click=withdraw
                >
                    {icon(Icon::Close)}
                </button>
            </li>
        }
        .into_any()
    };
    (move || {
        let queued = queued.get();
        (!queued.is_empty()).then(|| {
            let items: Vec<AnyView> = queued.into_iter().enumerate().map(item).collect();
            view! { <ol class="queue" role="list" aria-label=words.queue>{items}</ol> }
        })
    })
    .into_any()
}
