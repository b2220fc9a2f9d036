//! The answer that is streaming in: an entry of the array from its first delta on, and the same one when it is sealed. What
//! was drawn of its words stays, because to draw a long answer anew takes longer than a frame has.

use std::rc::Rc;

use agent_loop::{Block, Producer, Step};
use leptos::prelude::*;

use super::ShownRow;
use super::block::block;
use super::item::{self, entry_name};
use crate::app::{DraftAnswer, DraftBlock, DraftKind};
use crate::view::Page;
use crate::view::markdown::streaming;
use crate::view::signs::signs;

/// The entry for as long as the answer streams in, at the index that comes next: among messages as JSON, where what it
/// becomes looks otherwise.
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

/// A block of the entry.
#[derive(Clone)]
enum Part {
    /// As it was drawn while it streamed in.
    Drawn(DraftBlock),
    /// The block of this number, of the message it became.
    Sealed(usize),
}

/// The entry.
pub(super) fn entry(page: Page, place: usize, draft: DraftAnswer) -> AnyView {
    let is_sealed = Memo::new(move |_| page.ui.shown.with(|shown| shown.sealed(place, draft).is_some()));
    let row = move || page.ui.shown.with_untracked(|shown| shown.sealed(place, draft));
    let of_row = move |draw: fn(Page, &ShownRow) -> AnyView| {
        move || is_sealed.get().then(row).flatten().map(|row| draw(page, &row))
    };
    let opens_turn = move || is_sealed.get() && row().is_some_and(|row| row.note.turn.is_some());
    let parts = move || match is_sealed.get().then(row).flatten() {
        None => draft.blocks.get().into_iter().map(Part::Drawn).collect(),
        Some(row) => sealed_parts(&row, draft.blocks.get_untracked()),
    };
    let draw = move |part| match part {
        Part::Drawn(block) => growing(page, block),
        Part::Sealed(at) => {
            row().and_then(|row| Some(block(page, &row.message, row.message.blocks.get(at)?))).into_any()
        }
    };
    view! {
        <li
            class="entry arrived"
            class:opens-turn=opens_turn
            class:added=move || is_sealed.get() && item::is_added(page, place)
            data-role="assistant"
            aria-label=format!("messages[{place}] assistant")
            aria-busy=move || (!is_sealed.get()).then_some("true")
        >
            {of_row(item::before)}
            <div class="entry-head">
                {entry_name(page, place, "assistant", Producer::Model)}
                {of_row(item::marks)}
            </div>
            <div class="entry-body">
                {of_row(item::above)}
                <For
                    each=parts
                    key=|part| match part {
                        Part::Drawn(block) => (true, block.index),
                        Part::Sealed(at) => (false, *at),
                    }
                    children=draw
                />
                {of_row(item::below)}
            </div>
            {of_row(item::after)}
        </li>
    }
    .into_any()
}

/// The blocks of what it became. Words that were drawn to their end stay as they are; all else is drawn as any message is.
fn sealed_parts(row: &Rc<ShownRow>, drawn: Vec<DraftBlock>) -> Vec<Part> {
    let mut words = drawn.into_iter().filter(|block| block.kind == DraftKind::Text);
    let blocks = row.message.blocks.iter().enumerate();
    let part = |(at, block): (usize, &Block)| match block {
        Block::Text { text } => words
            .next()
            .filter(|drawn| drawn.text.with_untracked(|drawn| *drawn == **text))
            .map_or(Part::Sealed(at), Part::Drawn),
        _ => Part::Sealed(at),
    };
    blocks.map(part).collect()
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
