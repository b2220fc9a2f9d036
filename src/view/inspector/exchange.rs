//! Which model call is looked at.

use leptos::prelude::*;

use crate::app::{App, Exchange, Selection};
use crate::view::icon::{Icon, icon};
use crate::view::{Page, focus};

/// The model call that is looked at and its place among those this tab has seen: the chosen one, or else the last of the
/// moment that is looked back at.
pub(crate) fn looked_at(app: App) -> Option<(usize, Exchange)> {
    let selection = app.selection.get();
    let moment = app.moment.get().unwrap_or(usize::MAX);
    app.exchanges.with(|exchanges| {
        let place = match selection {
            Selection::Exchange(fact) => exchanges.iter().position(|exchange| exchange.fact == fact)?,
            Selection::Latest | Selection::Call(_) => {
                exchanges.partition_point(|exchange| exchange.fact < moment).checked_sub(1)?
            }
        };
        Some((place, exchanges.get(place)?.clone()))
    })
}

/// The ids of the buttons that do.
const EARLIER: &str = "exchange-earlier";
const LATER: &str = "exchange-later";

/// Steps through the model calls.
pub(crate) fn chooser(page: Page, place: usize) -> AnyView {
    let app = page.app;
    let words = &page.session_words().inspector;
    let facts: Vec<usize> = app.exchanges.with(|exchanges| exchanges.iter().map(|exchange| exchange.fact).collect());
    let last = facts.len().saturating_sub(1);
    let go = |to: Option<usize>, button: &'static str| {
        let fact = to.and_then(|to| facts.get(to)).copied();
        let choose = move |_| {
            if let Some(fact) = fact {
                app.selection.set(Selection::Exchange(fact));
                // It is drawn anew; at the last one there is nothing more to press.
                request_animation_frame(move || {
                    focus("tab-panel");
                    focus(button);
                });
            }
        };
        (fact.is_none(), choose)
    };
    let (no_earlier, earlier) = go(place.checked_sub(1), EARLIER);
    let (no_later, later) = go(place.checked_add(1).filter(|next| *next <= last), LATER);
    view! {
        <div class="chooser">
            <button type="button" class="switch" id=EARLIER aria-label=words.earlier title=words.earlier disabled=no_earlier on:click=earlier>
                {icon(Icon::Earlier)}
            </button>
            <span>{(words.exchange)(place + 1, last + 1)}</span>
            <button type="button" class="switch" id=LATER aria-label=words.later title=words.later disabled=no_later on:click=later>
                {icon(Icon::Later)}
            </button>
            <button
                type="button"
                class="quiet"
                disabled=no_later
                on:click=move |_| app.selection.set(Selection::Latest)
            >
                {words.latest}
            </button>
        </div>
    }
    .into_any()
}

/// Header lines.
pub(crate) fn header_lines(headers: &[(String, String)]) -> AnyView {
    let lines: Vec<AnyView> = headers
        .iter()
        .map(|(name, value)| view! { <div><dt>{name.clone()}</dt><dd>{value.clone()}</dd></div> }.into_any())
        .collect();
    view! { <dl class="header-lines">{lines}</dl> }.into_any()
}
