//! What came: status, headers, the bytes with their times, and what they assemble to.

use std::rc::Rc;

use agent_loop::Fact;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::exchange::{chooser, header_lines, looked_at};
use super::sse::{Part, parts};
use crate::app::{Exchange, Response};
use crate::run::live::Body;
use crate::run::whole;
use crate::view::copy::copy_button;
use crate::view::json::written;
use crate::view::signs::signs;
use crate::view::{Page, capture};

/// The tab.
pub(crate) fn response(page: Page) -> AnyView {
    (move || {
        let Some((place, exchange)) = looked_at(page.app) else {
            return view! { <p class="dim">{page.words.inspector.no_exchange}</p> {capture::button(page)} }.into_any();
        };
        view! { {chooser(page, place)} {came(page, exchange)} }.into_any()
    })
    .into_any()
}

fn came(page: Page, exchange: Exchange) -> AnyView {
    let words = &page.session_words().inspector;
    let response = exchange.response;
    let fact = exchange.fact;
    let came = body(response);
    let head = move || {
        response.with(|response| match response.status {
            None => view! { <p class="dim">{words.no_answer_yet}</p> }.into_any(),
            Some(status) => view! {
                <p>
                    <span class="dim">{words.status}</span>
                    " "
                    <strong class="status-code" class:bad={!(200..300).contains(&status)}>{status}</strong>
                </p>
                {header_lines(&response.headers)}
            }
            .into_any(),
        })
    };
    let events = move || {
        let parts = came.with(|came| parts(came));
        parts.into_iter().enumerate().map(|(at, part)| ((at, part.text.len()), part)).collect::<Vec<_>>()
    };
    let all = move || {
        let bytes: Vec<u8> = came.with_untracked(|came| came.iter().flat_map(|(_, bytes)| bytes.clone()).collect());
        String::from_utf8_lossy(&bytes).into_owned()
    };
    view! {
        {head}
        {move || assembled(page, fact)}
        {capture::button(page)}
        <div class="body-head">
            <h3>{words.events}</h3>
            {copy_button(page, all)}
        </div>
        <ol class="events" role="list">
            <For each=events key=|(key, _)| *key children=|(_, part)| event(part) />
        </ol>
    }
    .into_any()
}

/// The body's parts as they come. Those that were put away are read back, once.
fn body(response: RwSignal<Rc<Response>, LocalStorage>) -> RwSignal<Vec<(u64, Vec<u8>)>, LocalStorage> {
    let came = RwSignal::new_local(Vec::new());
    let is_reading = RwSignal::new(false);
    Effect::new(move |_| {
        if is_reading.get() {
            return;
        }
        response.with(|response| match response.body.since(came.with_untracked(Vec::len)) {
            Some(new) if new.is_empty() => {}
            Some(new) => came.update(|came| came.extend(new)),
            None => {
                let Some((blob, cuts)) = response.body.away() else { return };
                is_reading.set(true);
                spawn_local(async move {
                    let bytes = whole::bytes(&blob, 0, blob.size() as u64).await;
                    // Another response may be shown by now.
                    came.try_set(Body::parts(&bytes.unwrap_or_default(), &cuts));
                    is_reading.try_set(false);
                });
            }
        });
    });
    came
}

fn event(part: Part) -> AnyView {
    view! {
        <li>
            <span class="event-time">{format!("+{} ms", part.at_ms)}</span>
            <pre class="mono">{signs(&part.text).into_owned()}</pre>
        </li>
    }
    .into_any()
}

/// The answer or the failure that the log holds of this call.
fn assembled(page: Page, called: usize) -> AnyView {
    page.app.state.track();
    let words = &page.session_words().inspector;
    let outcome = page.app.session.with(|session| session.fact(called + 1));
    let whole = match outcome.as_deref().map(|sealed| &sealed.fact) {
        Some(Fact::Answered { answer }) => written(answer),
        Some(Fact::CallFailed { failure, .. }) => written(failure),
        Some(_) => return ().into_any(),
        None => return view! { <p class="dim">{words.still_open}</p> }.into_any(),
    };
    view! {
        <details class="assembled">
            <summary>{words.assembled}</summary>
            {whole}
        </details>
    }
    .into_any()
}
