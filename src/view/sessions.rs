//! The stored sessions.

use leptos::html;
use leptos::prelude::*;

use super::elapsed::time_of_day;
use super::icon::{Icon, icon};
use super::signs::signs;
use super::{Page, Panel, composer, focus, focus_when_drawn};
use crate::app::{Activity, App, Parent, SessionCard};
use crate::run::actions;
use crate::run::sessions::{root, tree};

/// The ids of the list, and of the button that closes it where it is a sheet.
pub(crate) const ID: &str = "sessions";
pub(crate) const CLOSE: &str = "sessions-close";

/// The list.
pub(crate) fn sessions(page: Page) -> AnyView {
    let Page { app, ui, words } = page;
    let words = &words.sessions;
    let part = ui.parts.session;
    let is_empty = move || app.sessions.with(Vec::is_empty) || part.get().is_none();
    view! {
        <nav class="sessions" id=ID aria-label=words.title>
            <div class="panel-head">
                <h2>{words.title}</h2>
                <button
                    type="button"
                    class="switch panel-close"
                    id=CLOSE
                    aria-label=words.close
                    on:click=move |_| ui.sessions.set(Panel::Closed)
                >
                    {icon(Icon::Close)}
                </button>
            </div>
            {move || part.get().map(|part| (part.list)(page))}
            <p class="dim" hidden=move || !is_empty()>{words.none}</p>
        </nav>
    }
    .into_any()
}

/// Its entries, each branch below what it was made from.
pub(super) fn list(page: Page) -> AnyView {
    let app = page.app;
    let asked = Asked { doomed: RwSignal::new(None), renamed: RwSignal::new(None) };
    let rows: Rows = Memo::new(move |_| app.sessions.with(|cards| tree(cards)));
    view! {
        <ul class="session-list" role="list" hidden=move || app.sessions.with(Vec::is_empty)>
            <For
                each=move || rows.get()
                // Not its depth: an entry stays the one it is, and keeps the focus, when what it hangs below goes.
                key=|(_, card)| (card.id.clone(), card.title.clone(), card.changed_ms)
                children=move |(_, card)| session(page, rows, card, asked)
            />
        </ul>
    }
    .into_any()
}

/// The entries, and how deep each stands.
type Rows = Memo<Vec<(usize, SessionCard)>>;

/// Which sessions a person is asked about: what to call them, whether to delete them.
#[derive(Clone, Copy)]
struct Asked {
    doomed: RwSignal<Option<String>>,
    renamed: RwSignal<Option<String>>,
}

fn session(page: Page, rows: Rows, card: SessionCard, asked: Asked) -> AnyView {
    let Page { app, ui, .. } = page;
    let words = &page.session_words().list;
    let SessionCard { id, title, changed_ms, parent } = card;
    let title = if title.is_empty() { words.fresh.to_owned() } else { title };
    let origin = parent.map(|Parent { id, facts }| {
        let words = &page.session_words().time;
        let told = move || {
            let of = rows.with(|rows| rows.iter().find(|(_, card)| card.id == id).map(|(_, of)| of.title.clone()));
            of.map_or_else(|| (words.orphaned)(facts), |of| (words.forked)(&signs(&of), facts))
        };
        view! { <span class="session-origin">{told}</span> }
    });
    let own = id.clone();
    let depth = move || rows.with(|rows| rows.iter().find(|(_, card)| card.id == own).map_or(0, |(depth, _)| *depth));
    let anchor = format!("session-{id}");
    let opens = id.clone();
    let open = move |event: leptos::ev::MouseEvent| {
        event.prevent_default();
        ui.sessions.set(Panel::Closed);
        actions::open_session(app, opens.clone());
    };
    let current = is_current(app, id.clone());
    let is_marked = current.clone();
    view! {
        <li class="session" class:current=is_marked style:--depth=move || depth().to_string()>
            <a
                href=format!("#{anchor}")
                id=anchor.clone()
                aria-current=move || current().then_some("true")
                aria-disabled=move || (app.activity.get() != Activity::Idle).then_some("true")
                on:click=open
            >
                <span class="session-title">{signs(&title).into_owned()}</span>
                <span class="session-time">{when(changed_ms)}</span>
                {origin}
            </a>
            <span class="session-acts">
                {comparing(page, id.clone(), anchor.clone())}
                {renaming(page, id.clone(), title, anchor.clone(), asked.renamed)}
                {deleting(page, id, anchor, asked.doomed)}
            </span>
        </li>
    }
    .into_any()
}

fn is_current(app: App, id: String) -> impl Fn() -> bool + Clone + Send + 'static {
    move || app.session_id.with(|current| *current == id)
}

/// For another branch of the same tree: shows it beside the one on show.
fn comparing(page: Page, id: String, anchor: String) -> AnyView {
    let app = page.app;
    let label = page.session_words().time.compare;
    let is_related = {
        let id = id.clone();
        Memo::new(move |_| {
            let shown = app.session_id.get();
            shown != id && app.sessions.with(|cards| root(cards, &shown) == root(cards, &id))
        })
    };
    (move || {
        let id = id.clone();
        let press = move |_| actions::compare(app, id.clone());
        is_related.get().then(|| act(label, anchor.clone(), Icon::Compare, press))
    })
    .into_any()
}

/// A button of an entry of the list.
fn act(label: &'static str, anchor: String, sign: Icon, press: impl Fn(leptos::ev::MouseEvent) + 'static) -> AnyView {
    view! {
        <button type="button" class="switch act" aria-label=label aria-describedby=anchor title=label on:click=press>
            {icon(sign)}
        </button>
    }
    .into_any()
}

/// Gives a session another name.
fn renaming(page: Page, id: String, title: String, anchor: String, renamed: RwSignal<Option<String>>) -> AnyView {
    let words = &page.session_words().time;
    let typed = RwSignal::new(title);
    (move || {
        let id = id.clone();
        if renamed.with(|renamed| renamed.as_deref() == Some(&id)) {
            let anchor = anchor.clone();
            let keep = move |event: leptos::ev::SubmitEvent| {
                event.prevent_default();
                renamed.set(None);
                actions::rename(page.app, &id, &typed.get_untracked());
                focus_soon(&anchor);
            };
            let field = NodeRef::<html::Input>::new();
            focus_when_drawn(field);
            return view! {
                <form class="rename" on:submit=keep>
                    <input
                        type="text"
                        node_ref=field
                        autocomplete="off"
                        aria-label=words.name
                        prop:value=move || typed.get()
                        on:input=move |event| typed.set(event_target_value(&event))
                    />
                    <button type="submit">{words.keep_name}</button>
                </form>
            }
            .into_any();
        }
        act(words.rename, anchor.clone(), Icon::Edit, move |_| renamed.set(Some(id.clone())))
    })
    .into_any()
}

/// Asks once more before it deletes.
fn deleting(page: Page, id: String, anchor: String, doomed: RwSignal<Option<String>>) -> AnyView {
    let app = page.app;
    let words = &page.session_words().list;
    (move || {
        let is_asked = doomed.with(|doomed| doomed.as_deref() == Some(&id));
        let id = id.clone();
        if is_asked {
            let delete = move |_| {
                doomed.set(None);
                actions::delete_session(app, id.clone());
                composer::focus();
            };
            let back = anchor.clone();
            let keep = move |_| {
                doomed.set(None);
                focus_soon(&back);
            };
            // The safer of the two takes the focus.
            let safe = NodeRef::<html::Button>::new();
            focus_when_drawn(safe);
            return view! {
                <div class="buttons">
                    <button type="button" class="danger" aria-describedby=anchor.clone() on:click=delete>
                        {words.delete_sure}
                    </button>
                    <button type="button" node_ref=safe on:click=keep>{words.keep}</button>
                </div>
            }
            .into_any();
        }
        view! {
            <button
                type="button"
                class="switch delete"
                aria-label=words.delete
                aria-describedby=anchor.clone()
                title=words.delete
                on:click=move |_| doomed.set(Some(id.clone()))
            >
                {icon(Icon::Delete)}
            </button>
        }
        .into_any()
    })
    .into_any()
}

/// Moves the focus to an entry of the list once it is drawn anew.
fn focus_soon(anchor: &str) {
    let anchor = anchor.to_owned();
    request_animation_frame(move || focus(&anchor));
}

/// The time of day for today, else the date, both in the person's own time zone.
fn when(ms: u64) -> String {
    let then = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(ms as f64));
    let now = js_sys::Date::new_0();
    let day = |date: &js_sys::Date| (date.get_full_year(), date.get_month() + 1, date.get_date());
    if day(&then) == day(&now) {
        return time_of_day(ms);
    }
    let (year, month, date) = day(&then);
    format!("{year}-{month:02}-{date:02}")
}
