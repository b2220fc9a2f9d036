//! What a person sees. Views read the signals of [`App`] and call the actions of [`crate::run::actions`]; they decide
//! nothing about the loop.
//!
//! Each region is one function from a [`Page`] to a view. When the language changes the whole page is drawn again, so
//! that a view takes its words as plain values; what must survive that stands in [`Ui`].

mod announce;
mod ask;
mod background;
mod breakpoints;
mod capture;
mod colours;
mod compare;
mod composer;
mod copy;
mod deck;
pub(crate) mod dialects;
mod document;
mod edit;
mod elapsed;
mod header;
mod hidden;
mod highlight;
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
mod sheet;
mod signs;
mod stops;
mod time;
mod verdict;

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use agent_loop::{Rest, Step};

use crate::app::{Activity, App};
use crate::parts::Parts;
use crate::words::session::{SessionWords, session};
use crate::words::settings::{SettingsWords, settings as settings_words};
use crate::words::{Words, words};

pub(crate) use inspector::Tab;

/// Draws something of a page.
pub(crate) type View = fn(Page) -> AnyView;

/// What shows a session that is not empty: a part of the page that comes when there is one.
#[derive(Clone, Copy)]
pub(crate) struct SessionViews {
    /// Keeps what it shows, and what is announced of it, in step with the log.
    pub(crate) follow: fn(App, Ui),
    /// What stands above the array.
    pub(crate) above: View,
    /// The entries of the array, and the one that is streaming in.
    pub(crate) entries: View,
    /// What stands below them.
    pub(crate) below: View,
    /// The open question.
    pub(crate) ask: View,
    /// What takes the loop in hand: breakpoints, time; and what goes on beside it.
    pub(crate) control: View,
    /// The inspector's panel.
    pub(crate) panel: View,
    /// The entries of the list of sessions.
    pub(crate) list: View,
}

/// The part of the page that shows a session.
pub(crate) const SESSION: SessionViews = SessionViews {
    follow,
    above: messages::above,
    entries: messages::entries,
    below: messages::below,
    ask: ask::ask,
    control,
    panel: inspector::panel,
    list: sessions::list,
};

fn follow(app: App, ui: Ui) {
    messages::follow(app, ui);
    announce::follow(app);
}

fn control(page: Page) -> AnyView {
    view! {
        {background::list(page)}
        {breakpoints::panel(page)}
        {time::bar(page)}
        {compare::comparison(page)}
        {capture::dialog(page)}
    }
    .into_any()
}

/// The part of the page that holds the settings.
pub(crate) const SETTINGS: View = settings::parts;

/// The part of the page that shows messages as JSON.
pub(crate) const DIALECTS: View = dialects::entries;

/// The part of the page that shows what a session took.
pub(crate) const COST: View = inspector::cost;

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

impl Page {
    /// The words around a session, for whatever comes with the part that shows one.
    pub(crate) fn session_words(self) -> &'static SessionWords {
        session(self.app.language.get_untracked())
    }

    /// The words of the settings, for what comes with their part.
    pub(crate) fn settings_words(self) -> &'static SettingsWords {
        settings_words(self.app.language.get_untracked())
    }
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
    /// What of the page comes when it is needed.
    pub(crate) parts: Parts,
    /// How messages are drawn.
    pub(crate) shape: RwSignal<dialects::Shape>,
    /// The messages as they are shown.
    pub(crate) shown: RwSignal<messages::Shown, LocalStorage>,
    /// The first entry that was added since the last request.
    pub(crate) added_from: RwSignal<usize>,
    /// Whose lines between calls and results are lit.
    pub(crate) traced: RwSignal<messages::Traced>,
    /// What a person edits.
    pub(crate) editing: RwSignal<Option<edit::Target>>,
    /// The breakpoints, which are shown on demand.
    pub(crate) breakpoints: RwSignal<Panel>,
    /// Which of them are drawn.
    pub(crate) window: messages::Window,
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
        parts: Parts::new(app.unfetched),
        shape: RwSignal::new(dialects::Shape::Blocks),
        shown: RwSignal::new_local(messages::Shown::default()),
        added_from: RwSignal::new(0),
        traced: RwSignal::new(messages::Traced::default()),
        editing: RwSignal::new(None),
        breakpoints: RwSignal::new(Panel::Closed),
        window: messages::Window::new(),
    };
    document::follow(app);
    Effect::new(move |_| {
        if let Some(part) = ui.parts.session.get() {
            (part.follow)(app, ui);
        }
    });
    sheet::follow(ui.sessions, sessions::ID, sessions::CLOSE);
    sheet::follow(ui.inspector, inspector::ID, inspector::CLOSE);
    fetch_when_needed(app, ui);
    move || regions(Page { app, ui, words: words(app.language.get()) })
}

/// Fetches what shows sessions when there is one to show, or a person looks for it.
fn fetch_when_needed(app: App, ui: Ui) {
    Effect::new(move |_| {
        let is_fresh = app.state.with(|state| state.outlook() == Step::Rest(Rest::Fresh));
        let is_looked_for =
            ui.tab.get() != Tab::Request || ui.inspector.get() == Panel::Open || ui.breakpoints.get() == Panel::Open;
        let has_stored = app.sessions.with(|cards| cards.iter().any(|card| !card.title.is_empty()));
        let is_left_behind = app.background.with(|commands| !commands.is_empty());
        let is_wanted = has_stored || is_left_behind || is_looked_for;
        if !is_fresh || is_wanted || app.activity.get() != Activity::Idle {
            ui.parts.session.want();
        }
        if ui.shape.get() != dialects::Shape::Blocks {
            ui.parts.dialects.want();
        }
    });
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
                {move || ui.parts.session.get().map(|part| (part.control)(page))}
                {messages::messages(page)}
                <div class="dock">
                    {move || ui.parts.session.get().map(|part| (part.ask)(page))}
                    {composer::composer(page)}
                </div>
            </main>
            {inspector::inspector(page)}
            {settings::dialog(page)}
            <p class="unseen" aria-live="polite">{move || signs::signs(&app.announcement.get()).into_owned()}</p>
        </div>
    }
    .into_any()
}

/// Moves the focus to an element when it is drawn. One that cannot take it can still be reached.
fn focus_when_drawn<E>(element: NodeRef<E>)
where
    E: html::ElementType,
    E::Output: AsRef<web_sys::HtmlElement> + JsCast + Clone + 'static,
{
    Effect::new(move |_| {
        if let Some(element) = element.get() {
            let element: &web_sys::HtmlElement = element.as_ref();
            let _ = element.focus();
        }
    });
}

/// Moves the focus to the element with this id, if it is there.
fn focus(id: &str) {
    let Some(element) = document().get_element_by_id(id) else { return };
    if let Some(element) = element.dyn_ref::<web_sys::HtmlElement>() {
        // An element that cannot take the focus leaves it where it is.
        let _ = element.focus();
    }
}
