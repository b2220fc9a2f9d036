//! "You are the tool": a person reads the call and types its result.

use agent_loop::ToolCall;
use agent_loop::host::Verdict;
use leptos::html;
use leptos::prelude::*;

use super::writing::{Writing, card};
use crate::run::actions;
use crate::view::{Page, composer, highlight};

/// The card.
pub(crate) fn question(page: Page, call: &ToolCall, command: &str) -> AnyView {
    let words = &page.session_words().ask;
    let field = NodeRef::<html::Textarea>::new();
    let typed = RwSignal::new(String::new());
    let give = move |verdict: Verdict| {
        move |_| {
            let content = typed.get_untracked();
            composer::focus();
            actions::type_result(page.app, content, verdict);
        }
    };
    let asked = view! {
        <p class="facts"><code class="tool-name">{call.name.clone()}</code></p>
        <pre class="mono command asked" tabindex="0">{highlight::command(command)}</pre>
    }
    .into_any();
    let buttons = view! {
        <button type="button" class="primary" on:click=give(Verdict::Fine)>{words.send_result}</button>
        <button type="button" on:click=give(Verdict::Error)>{words.send_error}</button>
    }
    .into_any();
    let (title, explained) = (words.you_are_the_tool, words.you_explained);
    card(Writing { title, explained, asked, label: words.result, field, typed, buttons })
}
