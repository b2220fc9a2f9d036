//! What was sent: the body and the headers we set, and what of it is new.

use std::rc::Rc;

use agent_loop::wire::read_json;
use agent_loop::{Request, Step};
use leptos::prelude::*;
use leptos::task::spawn_local;
use send_wrapper::SendWrapper;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::copies::Sent;
use super::exchange::{chooser, header_lines, looked_at};
use crate::app::{Activity, Exchange, Selection};
use crate::view::Page;
use crate::view::copy::{copy_button, copy_text, said};
use crate::view::json::{coloured, json};
use crate::view::signs::signs;
use crate::words::{bytes, lens};

/// So many entries of `messages` are drawn at first, and more each time that earlier ones are asked for.
const DRAWN: usize = 40;

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

/// Writes a request in another form; `None`: it has none in this one.
type Form = fn(&Sent<'_>) -> Option<String>;

/// The request in forms that can be run elsewhere. Each is made when it is asked for: a request can be long.
fn copies(page: Page, exchange: &Exchange) -> AnyView {
    let words = lens(page.app.language.get_untracked());
    let copied = RwSignal::new(String::new());
    let forms: [(&'static str, Form); 3] = [
        ("curl", |sent| Some(sent.curl())),
        ("Python", |sent| sent.python()),
        ("JSON", |sent| Some(sent.body.to_owned())),
    ];
    let is_object = exchange.body.first() == Some(&b'{');
    let buttons: Vec<AnyView> = forms
        .into_iter()
        .filter(|(name, _)| is_object || *name != "Python")
        .map(|(name, form)| {
            let exchange = exchange.clone();
            let copy = move |_| {
                let body = String::from_utf8_lossy(&exchange.body);
                let Some(text) = form(&Sent { url: &exchange.url, headers: &exchange.headers, body: &body }) else {
                    return;
                };
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
    let size = bytes(body.len() as u64);
    let known = count(before.as_deref());
    let shown = SendWrapper::new(Rc::clone(&body));
    let content = move || match read_json(&shown) {
        Ok(value) if !raw.get() => fields(page, value, known),
        Ok(_) | Err(_) => view! { <pre class="mono">{text_of(&shown)}</pre> }.into_any(),
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
            {copy_button(page, move || text_of(&body))}
        </div>
        {content}
    }
    .into_any()
}

fn text_of(body: &[u8]) -> String {
    String::from_utf8_lossy(body).into_owned()
}

/// What is asked of the request before.
#[derive(Deserialize)]
struct Before {
    messages: Vec<IgnoredAny>,
}

/// How many messages the request before it carried: those are known.
fn count(body: Option<&Vec<u8>>) -> Option<usize> {
    serde_json::from_slice(body?).ok().map(|Before { messages }| messages.len())
}

/// The fields of the body; the entries of `messages` each by itself.
fn fields(page: Page, mut body: Value, known: Option<usize>) -> AnyView {
    let mut messages = body.get_mut("messages").filter(|messages| messages.is_array()).map(Value::take);
    let Some(object) = body.as_object() else { return json(&body) };
    let fields: Vec<AnyView> = object
        .iter()
        .map(|(name, value)| {
            if name == "messages"
                && let Some(Value::Array(messages)) = messages.take()
            {
                let inside = entries(page, messages, known);
                return view! { <div class="field-of-body"><code class="field-name">{name.clone()}</code> {inside}</div> }
                    .into_any();
            }
            if !(value.is_object() || value.is_array() || value.is_string()) {
                return view! {
                    <p class="mono"><span class="field-name">{name.clone()}</span> " " {coloured(&value.to_string())}</p>
                }
                .into_any();
            }
            let inside = match value {
                Value::String(text) => view! { <p class="plain">{signs(text).into_owned()}</p> }.into_any(),
                value => {
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

/// The newest of them; earlier ones on demand, so many each time.
fn entries(page: Page, messages: Vec<Value>, known: Option<usize>) -> AnyView {
    let count = messages.len();
    let from = RwSignal::new(count.saturating_sub(DRAWN));
    let messages = StoredValue::new_local(messages);
    let draw = move |place: usize| {
        messages.with_value(|messages| messages.get(place).map(|message| entry(page, place, message, known)))
    };
    view! {
        <div class="body-entries">
            <button
                type="button"
                class="quiet"
                hidden=move || from.get() == 0
                on:click=move |_| from.update(|from| *from = from.saturating_sub(DRAWN))
            >
                {move || (page.session_words().entries.earlier)(from.get())}
            </button>
            <For each=move || from.get()..count key=|place| *place children=draw />
        </div>
    }
    .into_any()
}

fn entry(page: Page, place: usize, message: &Value, known: Option<usize>) -> AnyView {
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
}
