//! The answer that is streaming in: an entry of the array from its first delta on.

use agent_loop::{Producer, Step};
use leptos::prelude::*;

use super::item::entry_name;
use crate::app::{DraftAnswer, DraftBlock, DraftKind};
use crate::view::Page;
use crate::view::markdown::streaming;
use crate::view::signs::signs;

/// The entry, while there is one, at the index that comes next.
pub(crate) fn draft(page: Page, next: impl Fn() -> usize + Send + 'static) -> AnyView {
    (move || {
        let draft = page.app.draft.get()?;
        // Once the answer is sealed it stands among the messages, and this would show it twice.
        let is_calling = page.app.state.with(|state| matches!(state.outlook(), Step::CallModel(_)));
        // It comes in now, not at the moment that is looked back at.
        let is_now = page.app.moment.get().is_none();
        (is_calling && is_now).then(|| entry(page, next(), draft))
    })
    .into_any()
}

fn entry(page: Page, place: usize, draft: DraftAnswer) -> AnyView {
    view! {
        <li
            class="entry arrived"
            data-role="assistant"
            aria-label=format!("messages[{place}] assistant")
            aria-busy="true"
        >
            <div class="entry-head">{entry_name(page, place, "assistant", Producer::Model)}</div>
            <div class="entry-body">
                <For
                    each=move || draft.blocks.get()
                    key=|block| block.index
                    children=move |block| growing(page, block)
                />
            </div>
        </li>
    }
    .into_any()
}

fn growing(page: Page, block: DraftBlock) -> AnyView {
    let text = block.text;
    match block.kind {
        DraftKind::Text => streaming::markdown(page, text),
        DraftKind::Thinking => view! {
            <details class="aside" open>
                <summary>{page.session_words().entries.thinking}</summary>
                <p class="plain">{move || signs(&text.get()).into_owned()}</p>
            </details>
        }
        .into_any(),
        DraftKind::ToolUse(name) => view! {
            <div class="call">
                <div class="call-head"><code class="tool-name">{move || name.get()}</code></div>
                <pre class="mono">{move || signs(&text.get()).into_owned()}</pre>
            </div>
        }
        .into_any(),
    }
}
