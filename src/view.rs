//! What a person sees. Views read the signals of [`App`] and call the actions of [`crate::run::actions`]; they decide
//! nothing about the loop.
//!
//! Each region is one function from a [`Page`] to a view. When the language changes the whole page is drawn again, so
//! that a view takes its words as plain values; what must survive that stands in [`Ui`].

mod announce;
mod ask;
mod composer;
mod copy;
mod deck;
mod document;
mod elapsed;
mod header;
mod hidden;
mod icon;
mod inspector;
mod json;
mod markdown;
mod messages;
mod notices;
mod output;
mod select;
mod sessions;
mod settings;
mod signs;

use leptos::prelude::*;

use crate::app::App;
use crate::words::{Words, words};

pub(crate) use inspector::Tab;

/// What every view is given.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    /// What the page knows.
    pub(crate) app: App,
    /// What the view itself remembers.
    pub(crate) ui: Ui,
    /// The words of the person's language.
    pub(crate) words: &'static Words,
}

/// What the view remembers beside the app: nothing of it matters to a run.
#[derive(Clone, Copy)]
pub(crate) struct Ui {
    /// What stands in the composer.
    pub(crate) typed: RwSignal<String>,
    /// The inspector's tab.
    pub(crate) tab: RwSignal<Tab>,
    /// The list of sessions, where it is not always in view.
    pub(crate) sessions: RwSignal<Panel>,
    /// The inspector, where it is not always in view.
    pub(crate) inspector: RwSignal<Panel>,
    /// The messages as they are shown.
    pub(crate) shown: RwSignal<messages::Shown, LocalStorage>,
    /// The first leaf of them that is drawn.
    pub(crate) first_leaf: RwSignal<usize>,
}

/// A part of the page that small screens show on demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Panel {
    /// Not over the page.
    Closed,
    /// Over the page.
    Open,
}

impl Panel {
    /// The other.
    pub(crate) fn turned(self) -> Panel {
        match self {
            Panel::Closed => Panel::Open,
            Panel::Open => Panel::Closed,
        }
    }
}

/// The whole page.
pub(crate) fn page(app: App) -> impl IntoView {
    let ui = Ui {
        typed: RwSignal::new(String::new()),
        tab: RwSignal::new(Tab::Request),
        sessions: RwSignal::new(Panel::Closed),
        inspector: RwSignal::new(Panel::Closed),
        shown: RwSignal::new_local(messages::Shown::default()),
        first_leaf: RwSignal::new(0),
    };
    document::follow(app);
    messages::follow(app, ui);
    announce::follow(app);
    move || regions(Page { app, ui, words: words(app.language.get()) })
}

fn regions(page: Page) -> AnyView {
    let Page { app, ui, .. } = page;
    let open = move |panel: RwSignal<Panel>| move || panel.get() == Panel::Open;
    let close_on_escape = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" && !event.default_prevented() {
            ui.sessions.set(Panel::Closed);
            ui.inspector.set(Panel::Closed);
        }
    };
    view! {
        <div
            class="page"
            class:sessions-open=open(ui.sessions)
            class:inspector-open=open(ui.inspector)
            on:keydown=close_on_escape
        >
            {header::header(page)}
            {deck::deck(page)}
            {notices::notices(page)}
            {sessions::sessions(page)}
            <main class="centre">
                {messages::messages(page)}
                <div class="dock">
                    {ask::ask(page)}
                    {composer::composer(page)}
                </div>
            </main>
            {inspector::inspector(page)}
            {settings::dialog(page)}
            <p class="unseen" aria-live="polite">{move || app.announcement.get()}</p>
        </div>
    }
    .into_any()
}

/// Moves the focus to the element with this id, if it is there.
fn focus(id: &str) {
    use wasm_bindgen::JsCast;
    let Some(element) = document().get_element_by_id(id) else { return };
    if let Some(element) = element.dyn_ref::<web_sys::HtmlElement>() {
        // An element that cannot take the focus leaves it where it is.
        let _ = element.focus();
    }
}
