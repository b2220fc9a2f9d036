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
mod timeline;

use std::rc::Rc;

use agent_loop::{CallKey, Message, Rest, Step};
use leptos::prelude::*;
use send_wrapper::SendWrapper;

use super::dialects::Shape;
use super::{Page, Ui};
use crate::app::App;
use crate::view::signs::signs;
use crate::view::stops;
use agent_loop::wire::rows;
pub(super) use block::folded_away;
pub(super) use call::asked;
pub(super) use folding::folded;
pub(super) use pairs::Traced;
pub(super) use rest::below;
pub(super) use timeline::Edited;
use timeline::{Note, Timeline};

/// Entries are drawn by the leaf, each of so many, so that earlier ones can be put before others without touching these.
const LEAF: usize = 40;
/// Of a session that is opened so many leaves are drawn: more than a screen holds. Earlier ones are drawn when a person
/// goes back to them.
const AT_FIRST: usize = 4;

/// The messages as they are shown.
#[derive(Clone, Default)]
pub(crate) struct Shown {
    rows: Vec<Rc<ShownRow>>,
    /// The row each call stands in, by call; calls rise with the log.
    calls: Vec<(CallKey, usize)>,
    /// The row each result stands in, by call.
    results: Vec<(CallKey, usize)>,
    /// What a person edited of the request since the last answer, beside messages.
    edited: Option<Edited>,
}

/// One entry of the array.
pub(super) struct ShownRow {
    /// Its index.
    place: usize,
    /// The place of its message in `LoopState::messages`: a message of results is several entries in Chat Completions.
    at: usize,
    role: &'static str,
    message: Rc<Message>,
    blocks: std::ops::Range<usize>,
    /// The calls whose results stand in later entries of the same message.
    passing: Vec<CallKey>,
    note: Note,
    arrival: Arrival,
}

/// Whether an entry came while it was looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrival {
    Before,
    Now,
}

impl Shown {
    /// Whether there is no entry.
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn leaves(&self) -> usize {
        self.rows.len().div_ceil(LEAF)
    }

    /// The index of the entry that holds a call's result.
    fn result_place(&self, call: CallKey) -> Option<usize> {
        find(&self.results, call)
    }

    /// Whether a call's result stands in the message after it, so that a line can be drawn.
    fn is_tied(&self, call: CallKey) -> bool {
        let message = |place: Option<usize>| Some(self.rows.get(place?)?.at);
        let call_in = message(self.call_place(call));
        call_in.is_some() && call_in.map(|at| at + 1) == message(self.result_place(call))
    }

    /// The index of the first entry that was added since the last request: the last answer, if there is one.
    fn added_from(&self) -> usize {
        self.rows.iter().rposition(|row| row.message.origin.is_some()).unwrap_or(0)
    }

    /// The index of the entry that holds a call.
    fn call_place(&self, call: CallKey) -> Option<usize> {
        find(&self.calls, call)
    }
}

fn find(places: &[(CallKey, usize)], call: CallKey) -> Option<usize> {
    let at = places.binary_search_by_key(&call, |(key, _)| *key).ok()?;
    places.get(at).map(|(_, place)| *place)
}

/// Keeps what is shown in step with the log.
pub(super) fn follow(app: App, ui: Ui) {
    let timeline = StoredValue::new_local(Timeline::default());
    Effect::new(move |was_looking_back: Option<bool>| {
        let was_looking_back = was_looking_back.unwrap_or_default();
        let state = app.state.get();
        let moment = app.moment.get_untracked();
        let facts = app.session.with(|session| session.facts());
        let dialect = app.settings.with(|settings| settings.profile.dialect);
        let before = ui.shown.with_untracked(|shown| shown.rows.len());
        timeline.update_value(|timeline| {
            let continues = timeline.advance(&facts) && moment.is_none() && !was_looking_back;
            let seen = if continues { before } else { usize::MAX };
            let messages = &state.messages;
            let mut shown = Shown { edited: timeline.edited(), ..Shown::default() };
            for (place, row) in rows(messages, dialect).into_iter().enumerate() {
                let Some(message) = messages.get(row.message) else { continue };
                for block in message.blocks.get(row.blocks.clone()).unwrap_or_default() {
                    match block {
                        agent_loop::Block::ToolUse(call) => shown.calls.push((call.key, place)),
                        agent_loop::Block::ToolResult(result) => shown.results.push((result.call, place)),
                        agent_loop::Block::Text { .. }
                        | agent_loop::Block::Thinking { .. }
                        | agent_loop::Block::Opaque { .. } => {}
                    }
                }
                let behind = message.blocks.get(row.blocks.end..).unwrap_or_default();
                let passing = behind.iter().filter_map(|block| match block {
                    agent_loop::Block::ToolResult(result) => Some(result.call),
                    _ => None,
                });
                let mut note = timeline.note(state.forgotten.len() + row.message);
                // The turn is told behind the last entry of its message.
                note.turn = note.turn.filter(|_| row.blocks.end == message.blocks.len());
                shown.rows.push(Rc::new(ShownRow {
                    place,
                    at: row.message,
                    role: row.role,
                    message: Rc::clone(message),
                    passing: passing.collect(),
                    blocks: row.blocks,
                    note,
                    arrival: if place >= seen { Arrival::Now } else { Arrival::Before },
                }));
            }
            if seen == usize::MAX {
                ui.first_leaf.set(shown.leaves().saturating_sub(AT_FIRST));
            }
            let added_from = shown.added_from();
            if ui.added_from.get_untracked() != added_from {
                ui.added_from.set(added_from);
            }
            if ui.shown.with_untracked(|known| differs(known, &shown)) {
                ui.shown.set(shown);
            }
        });
        moment.is_some()
    });
}

fn differs(one: &Shown, other: &Shown) -> bool {
    one.edited != other.edited
        || one.rows.len() != other.rows.len()
        || one.rows.iter().zip(&other.rows).any(|(one, other)| {
            !Rc::ptr_eq(&one.message, &other.message) || one.blocks != other.blocks || one.role != other.role
        })
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
        {draft::draft(page, move || ui.shown.with(|shown| shown.rows.len()))}
    }
    .into_any()
}

/// The leaves that are drawn.
pub(super) fn leaves(ui: Ui) -> std::ops::Range<usize> {
    ui.first_leaf.get()..ui.shown.with(Shown::leaves)
}

/// The places in `LoopState::messages` of what begins in a leaf.
pub(super) fn messages_of_leaf(ui: Ui, number: usize) -> Vec<usize> {
    ui.shown.with(|shown| {
        let rows = shown.rows.iter().skip(number * LEAF).take(LEAF);
        rows.filter(|row| row.blocks.start == 0).map(|row| row.at).collect()
    })
}

/// The entries of one leaf.
fn leaf(page: Page, number: usize) -> AnyView {
    let rows = move || {
        page.ui.shown.with(|shown| {
            let rows = shown.rows.iter().skip(number * LEAF).take(LEAF);
            rows.map(Rc::clone).map(SendWrapper::new).collect::<Vec<_>>()
        })
    };
    view! {
        <For
            each=rows
            key=|row| (Rc::as_ptr(&row.message) as usize, row.place, row.blocks.start, row.role)
            children=move |row| item::item(page, &row)
        />
    }
    .into_any()
}

/// The way to entries that are not drawn yet; going near the beginning draws them too.
fn earlier(page: Page) -> AnyView {
    let first = page.ui.first_leaf;
    let label = move || (page.session_words().entries.earlier)(first.get() * LEAF);
    view! {
        <button type="button" class="quiet earlier" hidden=move || first.get() == 0 on:click=move |_| draw_earlier(first)>
            {label}
        </button>
    }
    .into_any()
}

/// Draws one leaf more.
fn draw_earlier(first: RwSignal<usize>) {
    if first.get_untracked() > 0 {
        first.update(|first| *first -= 1);
    }
}

/// Draws whatever leaves this entry needs.
fn draw_from(first: RwSignal<usize>, place: usize) {
    if first.get_untracked() > place / LEAF {
        first.set(place / LEAF);
    }
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
