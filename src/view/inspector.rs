//! The inspector: what was sent, what came, what the state is, the path of a call, the code that runs, and what it took.

mod code;
mod copies;
mod cost;
mod exchange;
mod request;
mod response;
mod sse;
mod state;
mod tool;
mod whole;

use leptos::prelude::*;

pub(super) use cost::cost;

use super::icon::{Icon, icon};
use super::{Page, Panel};
use crate::words::Words;

/// A tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    /// What was sent.
    Request,
    /// What came.
    Response,
    /// The state.
    State,
    /// The path of a call.
    Tool,
    /// The loop's own file.
    Code,
    /// Time, tokens and money.
    Cost,
}

impl Tab {
    /// All, in order.
    pub(crate) const ALL: [Tab; 6] = [Tab::Request, Tab::Response, Tab::State, Tab::Tool, Tab::Code, Tab::Cost];

    fn label(self, words: &Words) -> &'static str {
        match self {
            Tab::Request => words.inspector.request,
            Tab::Response => words.inspector.response,
            Tab::State => words.inspector.state,
            Tab::Tool => words.inspector.tool,
            Tab::Code => words.inspector.code,
            Tab::Cost => words.inspector.cost,
        }
    }

    fn id(self) -> &'static str {
        match self {
            Tab::Request => "tab-request",
            Tab::Response => "tab-response",
            Tab::State => "tab-state",
            Tab::Tool => "tab-tool",
            Tab::Code => "tab-code",
            Tab::Cost => "tab-cost",
        }
    }

    /// The tab that a key leads to.
    fn by_key(self, key: &str) -> Option<Tab> {
        let at = Tab::ALL.iter().position(|tab| *tab == self)?;
        let last = Tab::ALL.len() - 1;
        let to = match key {
            "ArrowRight" => (at + 1) % Tab::ALL.len(),
            "ArrowLeft" => at.checked_sub(1).unwrap_or(last),
            "Home" => 0,
            "End" => last,
            _ => return None,
        };
        Tab::ALL.get(to).copied()
    }
}

/// The ids of the inspector, and of the button that closes it where it is a sheet.
pub(crate) const ID: &str = "inspector";
pub(crate) const CLOSE: &str = "inspector-close";

/// The inspector.
pub(crate) fn inspector(page: Page) -> AnyView {
    let Page { ui, words, .. } = page;
    let tab = ui.tab;
    let tabs: Vec<AnyView> = Tab::ALL.into_iter().map(|tab| tab_button(page, tab)).collect();
    let on_key = move |event: leptos::ev::KeyboardEvent| {
        if let Some(next) = tab.get_untracked().by_key(&event.key()) {
            event.prevent_default();
            tab.set(next);
            super::focus(next.id());
        }
    };
    view! {
        <aside class="inspector" id=ID aria-label=words.inspector.title>
            <div class="panel-head">
                <div class="tabs" role="tablist" aria-label=words.inspector.title on:keydown=on_key>{tabs}</div>
                <button
                    type="button"
                    class="switch panel-close"
                    id=CLOSE
                    aria-label=words.inspector.close
                    on:click=move |_| ui.inspector.set(Panel::Closed)
                >
                    {icon(Icon::Close)}
                </button>
            </div>
            <div class="tab-panel" role="tabpanel" tabindex="0" id="tab-panel" aria-labelledby=move || tab.get().id()>
                {move || match ui.parts.session.get() {
                    Some(part) => (part.panel)(page),
                    None => view! { <p class="dim">{words.inspector.no_exchange}</p> }.into_any(),
                }}
            </div>
        </aside>
    }
    .into_any()
}

/// What the chosen tab shows.
pub(super) fn panel(page: Page) -> AnyView {
    (move || match page.ui.tab.get() {
        Tab::Request => request::request(page),
        Tab::Response => response::response(page),
        Tab::State => state::state(page),
        Tab::Tool => tool::tool(page),
        Tab::Code => code::code(page),
        Tab::Cost => {
            page.ui.parts.cost.want();
            page.ui.parts.cost.get().map(|part| part(page)).into_any()
        }
    })
    .into_any()
}

fn tab_button(page: Page, tab: Tab) -> AnyView {
    let chosen = page.ui.tab;
    let is_chosen = move || chosen.get() == tab;
    view! {
        <button
            type="button"
            role="tab"
            id=tab.id()
            aria-controls="tab-panel"
            aria-selected=move || is_chosen().to_string()
            tabindex=move || if is_chosen() { "0" } else { "-1" }
            on:click=move |_| chosen.set(tab)
        >
            {tab.label(page.words)}
        </button>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::Tab;

    #[test]
    fn keys_go_round_the_tabs() {
        let check = |tab: Tab, key: &str, expected: Option<Tab>| assert_eq!(tab.by_key(key), expected, "{tab:?} {key}");
        check(Tab::Request, "ArrowRight", Some(Tab::Response));
        check(Tab::Cost, "ArrowRight", Some(Tab::Request));
        check(Tab::Request, "ArrowLeft", Some(Tab::Cost));
        check(Tab::State, "Home", Some(Tab::Request));
        check(Tab::State, "End", Some(Tab::Cost));
        check(Tab::State, "a", None);
    }
}
