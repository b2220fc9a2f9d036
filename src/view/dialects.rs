//! `messages` as JSON: in one dialect, or in both side by side with what tells them apart. A part of the page that comes
//! when it is first asked for.
//!
//! What is shown is what would be sent: the same pieces, over more lines.

mod difference;
mod entry;
mod lines;
mod marks;
mod sheets;

use std::rc::Rc;

use agent_loop::Dialect;
use leptos::prelude::*;
use send_wrapper::SendWrapper;

pub(crate) use difference::Difference;
use sheets::{Line, Sheets};

use super::Page;
use super::messages::{self, draft};
use crate::words::dialects as words;

/// How `messages` are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// By their blocks, for reading.
    Blocks,
    /// As JSON in this dialect.
    One(Dialect),
    /// As JSON in both dialects, side by side.
    Both,
}

impl Shape {
    const ALL: [Shape; 4] = [Shape::Blocks, Shape::One(Dialect::Anthropic), Shape::One(Dialect::OpenAi), Shape::Both];
}

/// The switch.
pub(crate) fn switch(page: Page) -> AnyView {
    let words = words(page.app.language.get_untracked());
    let shape = page.ui.shape;
    let button = |one: Shape| {
        let label = match one {
            Shape::Blocks => words.blocks,
            Shape::One(Dialect::Anthropic) => "Anthropic",
            Shape::One(Dialect::OpenAi) => "OpenAI",
            Shape::Both => words.both,
        };
        view! {
            <button type="button" aria-pressed=move || (shape.get() == one).to_string() on:click=move |_| shape.set(one)>
                {label}
            </button>
        }
        .into_any()
    };
    let buttons: Vec<AnyView> = Shape::ALL.into_iter().map(button).collect();
    view! { <div class="segments shapes" role="group" aria-label=words.show_as>{buttons}</div> }.into_any()
}

/// The part of the page: the entries as JSON, in the shape that is chosen.
pub(super) fn entries(page: Page) -> AnyView {
    let Page { app, ui, .. } = page;
    let shape = ui.shape.get_untracked();
    let sheets = RwSignal::new_local(Rc::new(Sheets::of(app)));
    Effect::new(move |drawn: Option<()>| {
        let now = Sheets::of(app);
        // The first is there already.
        if drawn.is_some() {
            sheets.set(Rc::new(now));
        }
    });
    let place = move || sheets.with(|sheets| sheets.next_index(shape));
    let titles = (shape == Shape::Both).then(|| entry::titles(page, sheets));
    view! {
        {titles}
        {move || (ui.window.first() == 0).then(|| entry::head(page, shape, &sheets.get()))}
        <For
            each=move || messages::leaves(ui)
            key=|leaf| *leaf
            children=move |number| leaf(page, shape, sheets, number)
        />
        {draft::draft(page, place)}
        {move || entry::tail(page, shape, &sheets.get())}
    }
    .into_any()
}

/// The messages that stand in one leaf of the list.
fn leaf(page: Page, shape: Shape, sheets: RwSignal<Rc<Sheets>, LocalStorage>, number: usize) -> AnyView {
    let lines = move || {
        let places = messages::messages_of_leaf(page.ui, number);
        page.app.state.with(|state| {
            let line = |place: usize| {
                let message = state.messages.get(place)?;
                Some(SendWrapper::new(sheets.with(|sheets| sheets.line(place, message))?))
            };
            places.into_iter().filter_map(line).collect::<Vec<SendWrapper<Line>>>()
        })
    };
    view! {
        <For each=lines key=move |line| line.name(shape) children=move |line| entry::entry(page, shape, &line) />
    }
    .into_any()
}
