//! The stored sessions.

use leptos::prelude::*;

use super::elapsed::time_of_day;
use super::icon::{Icon, icon};
use super::{Page, Panel};
use crate::app::{Activity, App, SessionCard};
use crate::run::actions;

/// The list.
pub(crate) fn sessions(page: Page) -> AnyView {
    let Page { app, ui, words } = page;
    let words = &words.sessions;
    // Which session a person is asked about before it is deleted.
    let doomed = RwSignal::new(None::<String>);
    view! {
        <nav class="sessions" aria-label=words.title>
            <div class="panel-head">
                <h2>{words.title}</h2>
                <button
                    type="button"
                    class="switch panel-close"
                    aria-label=words.close
                    on:click=move |_| ui.sessions.set(Panel::Closed)
                >
                    {icon(Icon::Close)}
                </button>
            </div>
            <ul class="session-list" role="list" hidden=move || app.sessions.with(Vec::is_empty)>
                <For
                    each=move || app.sessions.get()
                    key=|card| (card.id.clone(), card.title.clone(), card.changed_ms)
                    children=move |card| session(page, card, doomed)
                />
            </ul>
            <p class="dim" hidden=move || !app.sessions.with(Vec::is_empty)>{words.none}</p>
        </nav>
    }
    .into_any()
}

fn session(page: Page, card: SessionCard, doomed: RwSignal<Option<String>>) -> AnyView {
    let Page { app, ui, words } = page;
    let words = &words.sessions;
    let SessionCard { id, title, changed_ms } = card;
    let title = if title.is_empty() { words.fresh.to_owned() } else { title };
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
        <li class="session" class:current=is_marked>
            <a
                href=format!("#{anchor}")
                id=anchor.clone()
                aria-current=move || current().then_some("true")
                aria-disabled=move || (app.activity.get() != Activity::Idle).then_some("true")
                on:click=open
            >
                <span class="session-title">{title}</span>
                <span class="session-time">{when(changed_ms)}</span>
            </a>
            {deleting(page, id, anchor, doomed)}
        </li>
    }
    .into_any()
}

fn is_current(app: App, id: String) -> impl Fn() -> bool + Clone + Send + 'static {
    move || app.session_id.with(|current| *current == id)
}

/// Asks once more before it deletes.
fn deleting(page: Page, id: String, anchor: String, doomed: RwSignal<Option<String>>) -> AnyView {
    let Page { app, words, .. } = page;
    let words = &words.sessions;
    (move || {
        let is_asked = doomed.with(|doomed| doomed.as_deref() == Some(&id));
        let id = id.clone();
        if is_asked {
            let delete = move |_| {
                doomed.set(None);
                actions::delete_session(app, id.clone());
            };
            return view! {
                <div class="buttons">
                    <button type="button" class="danger" aria-describedby=anchor.clone() on:click=delete>
                        {words.delete_sure}
                    </button>
                    <button type="button" on:click=move |_| doomed.set(None)>{words.keep}</button>
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
