//! The centre: `messages` as the array it is, in the dialect of the session, with what is on its way into it below.

mod block;
mod call;
pub(super) mod draft;
pub(super) mod folding;
mod fresh;
pub(super) mod item;
mod pairs;
mod reach;
mod rest;
mod result;
mod scroll;
mod shown;
mod timeline;
mod window;

use std::rc::Rc;

use agent_loop::{Rest, Step};
use leptos::prelude::*;
use send_wrapper::SendWrapper;

use super::dialects::Shape;
use super::{Page, Ui};
use crate::app::{App, DraftAnswer};
use crate::view::signs::signs;
use crate::view::stops;
pub(super) use block::folded_away;
pub(super) use call::asked;
pub(super) use folding::folded;
pub(super) use pairs::Traced;
pub(super) use rest::below;
pub(super) use shown::Shown;
use shown::{Arrival, ShownRow};
pub(super) use timeline::Edited;
use timeline::{Log, Timeline};
use window::LEAF;
pub(super) use window::Window;

/// Keeps what is shown in step with the log.
pub(super) fn follow(app: App, ui: Ui) {
    let timeline = StoredValue::new_local(Timeline::default());
    Effect::new(move |was_looking_back: Option<bool>| {
        let was_looking_back = was_looking_back.unwrap_or_default();
        let state = app.state.get();
        let moment = app.moment.get_untracked();
        let session = app.session.get();
        let dialect = app.settings.with(|settings| settings.profile.dialect);
        // Once it is sealed it stands among the messages, and it comes in now, not at a moment that is looked back at.
        let draft = app.draft.get().filter(|_| moment.is_none() && matches!(state.outlook(), Step::CallModel(_)));
        timeline.update_value(|timeline| {
            let log = timeline.advance(&session);
            let is_news = log == Log::On && moment.is_none() && !was_looking_back;
            let (changes, screenful) = ui.shown.with_untracked(|shown| {
                let seen = if is_news { shown.rows.len() } else { usize::MAX };
                let changes = shown.changes(&state, dialect, timeline, seen, draft);
                let screenful = changes.screenful(shown);
                (changes, screenful)
            });
            match is_news {
                true => ui.window.grow(changes.len()),
                false => ui.window.show_end(changes.len(), screenful, log != Log::Other),
            }
            if !ui.shown.with_untracked(|shown| shown.is(&changes)) {
                ui.shown.update(|shown| shown.change(changes));
            }
            let added_from = ui.shown.with_untracked(Shown::added_from);
            if ui.added_from.get_untracked() != added_from {
                ui.added_from.set(added_from);
            }
        });
        moment.is_some()
    });
}

/// The region.
pub(super) fn messages(page: Page) -> AnyView {
    let Page { ui, words, .. } = page;
    let scroll = scroll::Scroll::new(ui);
    let part = ui.parts.session;
    let is_fresh = Memo::new(move |_| page.app.state.with(|state| state.outlook() == Step::Rest(Rest::Fresh)));
    view! {
        <section class="messages" aria-label=words.messages.region>
            <div class="scroller" tabindex="0" node_ref=scroll.outer on:scroll=move |_| scroll.look()>
                <div class="array" node_ref=scroll.inner>
                    {move || part.get().map(|part| (part.above)(page))}
                    <ol class="entries" role="list" aria-label="messages">
                        {move || part.get().map(|part| (part.entries)(page))}
                    </ol>
                    {move || if is_fresh.get() { Some(fresh::fresh(page)) } else { part.get().map(|part| (part.below)(page)) }}
                </div>
            </div>
            {scroll.button(words.messages.newest)}
        </section>
    }
    .into_any()
}

/// What stands above the array: what goes with each request, and the way to entries that are not drawn.
pub(super) fn above(page: Page) -> AnyView {
    view! { {system(page)} {earlier(page)} }.into_any()
}

/// The entries, and the one that is streaming in.
pub(super) fn entries(page: Page) -> AnyView {
    let ui = page.ui;
    view! {
        {stops::forgotten(page)}
        {move || match (ui.shape.get(), ui.parts.dialects.get()) {
            (Shape::Blocks, _) | (_, None) => blocks(page),
            (Shape::One(_) | Shape::Both, Some(entries)) => entries(page),
        }}
    }
    .into_any()
}

fn blocks(page: Page) -> AnyView {
    let ui = page.ui;
    view! {
        <For each=move || leaves(ui) key=|leaf| *leaf children=move |number| leaf(page, number) />
    }
    .into_any()
}

/// The leaves that are drawn.
pub(super) fn leaves(ui: Ui) -> std::ops::Range<usize> {
    ui.window.first()..ui.shown.with(|shown| shown.entries().div_ceil(LEAF))
}

/// The places in `LoopState::messages` of what begins in a leaf.
pub(super) fn messages_of_leaf(ui: Ui, number: usize) -> Vec<usize> {
    ui.shown.with(|shown| {
        let rows = shown.rows.iter().skip(number * LEAF).take(LEAF);
        rows.filter(|row| row.blocks.start == 0).map(|row| row.at).collect()
    })
}

/// What stands in a leaf.
enum Entry {
    Row(Rc<ShownRow>),
    Draft(usize, DraftAnswer),
}

/// By what an entry is known again. An answer stays the entry it was while it streamed in.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Drafted(DraftAnswer),
    Message { message: usize, place: usize, first: usize, role: &'static str },
}

impl Entry {
    fn key(&self) -> Key {
        match self {
            Entry::Draft(_, draft) => Key::Drafted(*draft),
            Entry::Row(row) => match row.drafted {
                Some(draft) => Key::Drafted(draft),
                None => {
                    let message = Rc::as_ptr(&row.message) as usize;
                    Key::Message { message, place: row.place, first: row.blocks.start, role: row.role }
                }
            },
        }
    }
}

/// The entries of one leaf.
fn leaf(page: Page, number: usize) -> AnyView {
    let entries = move || {
        page.ui.shown.with(|shown| {
            let rows = shown.rows.iter().skip(number * LEAF).take(LEAF).map(|row| Entry::Row(Rc::clone(row)));
            let draft = shown.draft().filter(|(place, _)| place / LEAF == number);
            let draft = draft.map(|(place, draft)| Entry::Draft(place, draft));
            rows.chain(draft).map(SendWrapper::new).collect::<Vec<_>>()
        })
    };
    let draw = move |entry: SendWrapper<Entry>| match &*entry {
        Entry::Row(row) => item::item(page, row),
        Entry::Draft(place, draft) => draft::entry(page, *place, *draft),
    };
    view! { <For each=entries key=|entry| entry.key() children=draw /> }.into_any()
}

/// The way to entries that are not drawn yet; going near the beginning draws them too.
fn earlier(page: Page) -> AnyView {
    let window = page.ui.window;
    let label = move || (page.session_words().entries.earlier)(window.first() * LEAF);
    view! {
        <button type="button" class="quiet earlier" hidden=move || window.first() == 0 on:click=move |_| window.draw_earlier()>
            {label}
        </button>
    }
    .into_any()
}

/// What is sent with each request and stands in no entry.
fn system(page: Page) -> AnyView {
    let app = page.app;
    let filled = move || {
        let system = app.settings.with(|settings| settings.system.clone());
        let cwd = app.state.with(|state| state.offered.cwd.clone());
        if cwd.is_empty() { system } else { system.replace("{cwd}", &cwd) }
    };
    (move || {
        let text = filled();
        // As JSON it stands where the dialect has it.
        let is_apart = page.ui.shape.get() == Shape::Blocks && page.ui.shown.with(|shown| !shown.is_empty());
        (is_apart && !text.is_empty()).then(|| {
            view! {
                <details class="system">
                    <summary>{page.session_words().entries.system}</summary>
                    <p class="plain">{signs(&text).into_owned()}</p>
                </details>
            }
        })
    })
    .into_any()
}
