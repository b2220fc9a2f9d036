//! What was sent: the body and the headers we set, and what of it is new.

use std::rc::Rc;

use agent_loop::{Request, Step};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Map, Value};

use super::copies::Sent;
use super::exchange::{chooser, header_lines, looked_at};
use crate::app::{Activity, Exchange, Selection};
use crate::view::Page;
use crate::view::copy::{copy_button, copy_text, said};
use crate::view::json::{coloured, json};
use crate::view::signs::signs;
use crate::words::{bytes, lens};

/// The tab.
pub(crate) fn request(page: Page) -> AnyView {
    let raw = RwSignal::new(false);
    // By number: the body is drawn again when what is looked at changes, not at each fact.
    let looks_at = Memo::new(move |_| {
        let seen = page.app.exchanges.with(Vec::len);
        match made(page) {
            Some(_) => Looked::Made { facts: page.app.state.with(|state| state.facts), seen },
            None => Looked::Sent { place: looked_at(page.app).map(|(place, _)| place), seen },
        }
    });
    (move || {
        looks_at.get();
        untrack(|| shown(page, raw))
    })
    .into_any()
}

/// What the tab looks at, and of how many model calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Looked {
    /// A request that is made and not sent, of the state after so many facts.
    Made { facts: usize, seen: usize },
    /// A model call, by its place.
    Sent { place: Option<usize>, seen: usize },
}

fn shown(page: Page, raw: RwSignal<bool>) -> AnyView {
    if let Some(made) = made(page) {
        let sent_before = looked_at(page.app).map(|(_, exchange)| exchange.body);
        return view! {
            <p><span class="tag attention">{page.session_words().inspector.not_sent_yet}</span></p>
            {address(&made.url)}
            {body(page, raw, Rc::new(made.body()), sent_before)}
        }
        .into_any();
    }
    let Some((place, exchange)) = looked_at(page.app) else {
        return view! { <p class="dim">{page.words.inspector.no_exchange}</p> }.into_any();
    };
    let before = place.checked_sub(1);
    let before = page.app.exchanges.with(|all| before.and_then(|at| all.get(at)).map(|one| Rc::clone(&one.body)));
    view! {
        {chooser(page, place)}
        {address(&exchange.url)}
        <h3>{page.session_words().inspector.headers}</h3>
        {header_lines(&exchange.headers)}
        {copies(page, &exchange)}
        {body(page, raw, Rc::clone(&exchange.body), before)}
    }
    .into_any()
}

/// The request in forms that can be run elsewhere.
fn copies(page: Page, exchange: &Exchange) -> AnyView {
    let words = lens(page.app.language.get_untracked());
    let body = String::from_utf8_lossy(&exchange.body).into_owned();
    let sent = Sent { url: &exchange.url, headers: &exchange.headers, body: &body };
    let copied = RwSignal::new(String::new());
    let forms = [("curl", Some(sent.curl())), ("Python", sent.python()), ("JSON", Some(body.clone()))];
    let buttons: Vec<AnyView> = forms
        .into_iter()
        .filter_map(|(name, text)| Some((name, text?)))
        .map(|(name, text)| {
            let copy = move |_| {
                let text = text.clone();
                spawn_local(async move {
                    let became = copy_text(&text).await;
                    // Another request may be shown meanwhile.
                    copied.try_set(format!("{}: {name}", said(page, became)));
                });
            };
            view! { <button type="button" class="quiet" on:click=copy>{name}</button> }.into_any()
        })
        .collect();
    view! {
        <div class="copies" role="group" aria-label=words.copy_as>
            <span class="dim">{words.copy_as}</span>
            {buttons}
            <span class="dim" role="status">{copied}</span>
        </div>
    }
    .into_any()
}

/// The request that Step would send now.
fn made(page: Page) -> Option<Rc<Request>> {
    let looks_at_newest = page.app.selection.get() == Selection::Latest && page.app.moment.get().is_none();
    if !looks_at_newest || page.app.activity.get() != Activity::Idle {
        return None;
    }
    match page.app.state.with(|state| state.next_step()) {
        Step::CallModel(request) => Some(request),
        Step::Prepare | Step::Settle(_) | Step::RunTool(_) | Step::WriteBack | Step::Wait(_) | Step::Rest(_) => None,
    }
}

fn address(url: &str) -> AnyView {
    view! { <p class="mono address"><span class="method">"POST"</span> " " {url.to_owned()}</p> }.into_any()
}

fn body(page: Page, raw: RwSignal<bool>, body: Rc<Vec<u8>>, before: Option<Rc<Vec<u8>>>) -> AnyView {
    let words = &page.session_words().inspector;
    let text = String::from_utf8_lossy(&body).into_owned();
    let size = bytes(body.len() as u64);
    let (shown, copied) = (text.clone(), text);
    let known = count(before.as_deref());
    let content = move || match serde_json::from_str::<Value>(&shown) {
        Ok(value) if !raw.get() => fields(page, &value, known),
        Ok(_) | Err(_) => view! { <pre class="mono">{shown.clone()}</pre> }.into_any(),
    };
    let pick = move |value: bool, label: &'static str| {
        view! {
            <button type="button" aria-pressed=move || (raw.get() == value).to_string() on:click=move |_| raw.set(value)>
                {label}
            </button>
        }
        .into_any()
    };
    view! {
        <div class="body-head">
            <h3>{words.body} " " <span class="dim">{size}</span></h3>
            <div class="segments">{pick(false, words.pretty)} {pick(true, words.raw)}</div>
            {copy_button(page, move || copied.clone())}
        </div>
        {content}
    }
    .into_any()
}

/// How many messages the request before it carried: those are known.
fn count(body: Option<&Vec<u8>>) -> Option<usize> {
    let value: Value = serde_json::from_str(std::str::from_utf8(body?).ok()?).ok()?;
    Some(value.get("messages")?.as_array()?.len())
}

/// The fields of the body; the entries of `messages` each by itself.
fn fields(page: Page, body: &Value, known: Option<usize>) -> AnyView {
    let Some(object) = body.as_object() else { return json(body) };
    let fields: Vec<AnyView> = object
        .iter()
        .map(|(name, value)| {
            if !(value.is_object() || value.is_array() || value.is_string()) {
                return view! {
                    <p class="mono"><span class="field-name">{name.clone()}</span> " " {coloured(&value.to_string())}</p>
                }
                .into_any();
            }
            let inside = match (name.as_str(), value) {
                ("messages", Value::Array(messages)) => entries(page, messages, known),
                (_, Value::String(text)) => view! { <p class="plain">{signs(text).into_owned()}</p> }.into_any(),
                (_, value) => {
                    let count = value.as_array().map_or_else(|| value.as_object().map_or(0, Map::len), Vec::len);
                    return view! {
                        <details class="field-of-body">
                            <summary>
                                <code class="field-name">{name.clone()}</code>
                                " "
                                {(page.session_words().inspector.entries)(count)}
                            </summary>
                            {json(value)}
                        </details>
                    }
                    .into_any();
                }
            };
            view! { <div class="field-of-body"><code class="field-name">{name.clone()}</code> {inside}</div> }
                .into_any()
        })
        .collect();
    fields.into_any()
}

fn entries(page: Page, messages: &[Value], known: Option<usize>) -> AnyView {
    let entries: Vec<AnyView> = messages
        .iter()
        .enumerate()
        .map(|(place, message)| {
            let is_new = known.is_some_and(|known| place >= known);
            let tag = is_new.then(|| view! { <span class="tag live">{page.session_words().inspector.new_here}</span> });
            let role = message.get("role").and_then(Value::as_str).unwrap_or_default().to_owned();
            view! {
                <details class="body-entry" class:new=is_new open=is_new || known.is_none()>
                    <summary><code>{format!("[{place}] {role}")}</code> " " {tag}</summary>
                    {json(message)}
                </details>
            }
            .into_any()
        })
        .collect();
    view! { <div class="body-entries">{entries}</div> }.into_any()
}
