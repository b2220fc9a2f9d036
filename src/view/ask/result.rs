//! "You are the tool": a person reads the call and types its result.

use agent_loop::ToolCall;
use agent_loop::host::Verdict;
use leptos::html;
use leptos::prelude::*;

use crate::run::actions;
use crate::view::hidden::revealed;
use crate::view::{Page, composer};

/// The card. Its field takes the focus: typing is what is asked for, and no key in it answers by itself.
pub(crate) fn question(page: Page, call: &ToolCall, command: &str) -> AnyView {
    let words = &page.session_words().ask;
    let field = NodeRef::<html::Textarea>::new();
    let typed = RwSignal::new(String::new());
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            // A field that cannot take the focus can still be reached.
            let _ = field.focus();
        }
    });
    let give = move |verdict: Verdict| {
        move |_| {
            let content = typed.get_untracked();
            composer::focus();
            actions::type_result(page.app, content, verdict);
        }
    };
    view! {
        <div class="question" role="group" aria-labelledby="question-title" aria-describedby="question-where">
            <div class="question-head">
                <h2 id="question-title">{words.you_are_the_tool}</h2>
                <p class="dim" id="question-where">{words.you_explained}</p>
            </div>
            <p class="facts"><code class="tool-name">{call.name.clone()}</code></p>
            <pre class="mono command asked" tabindex="0">{revealed(command)}</pre>
            <textarea
                class="mono"
                aria-label=words.result
                placeholder=words.result
                rows="4"
                spellcheck="false"
                node_ref=field
                prop:value=move || typed.get()
                on:input=move |event| typed.set(event_target_value(&event))
            ></textarea>
            <div class="buttons">
                <button type="button" class="primary" on:click=give(Verdict::Fine)>{words.send_result}</button>
                <button type="button" on:click=give(Verdict::Error)>{words.send_error}</button>
            </div>
        </div>
    }
    .into_any()
}
