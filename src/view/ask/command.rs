//! "Allow this command?"

use agent_loop::ToolCall;
use agent_loop::wire::{read_json, written_json};
use leptos::html;
use leptos::prelude::*;
use serde_json::Value;

use super::keys::Since;
use crate::run::actions::{self, Approval};
use crate::view::hidden::hides;
use crate::view::{Page, composer, focus_when_drawn, highlight, verdict};
use crate::words::sandbox;

/// What is asked.
#[derive(Clone)]
pub(crate) struct Question {
    /// The call.
    pub(crate) call: ToolCall,
    /// Exactly what would run.
    pub(crate) command: String,
    /// Why the host asks; may be empty.
    pub(crate) why: String,
    /// The host's short name.
    pub(crate) host: String,
    /// Where it would run.
    pub(crate) cwd: String,
    /// Whether it would go on in the background.
    pub(crate) background: bool,
}

/// The card. It takes the focus itself, so that a key meant for something else presses no button; Escape denies.
pub(crate) fn question(page: Page, question: Question) -> AnyView {
    let words = &page.session_words().ask;
    let since = Since::now();
    let card = NodeRef::<html::Div>::new();
    let editing = RwSignal::new(false);
    let focus_on = |card: NodeRef<html::Div>| {
        if let Some(card) = card.get() {
            // A card that cannot take the focus is still read and pressed.
            let _ = card.focus();
        }
    };
    Effect::new(move |_| focus_on(card));
    let on_key = move |event: leptos::ev::KeyboardEvent| {
        if since.hears(&event) && event.key() == "Escape" {
            event.prevent_default();
            answer(page, Approval::Deny);
        }
    };
    let Question { call, command, why, host, cwd, background } = question;
    let hidden = hides(&command).then(|| view! { <p class="tag attention">{words.hidden_characters}</p> });
    let background = background.then(|| {
        let words = crate::words::background(page.app.language.get_untracked());
        view! { <p class="tag attention">{words.goes_on}</p> }
    });
    let why = (!why.is_empty()).then(|| view! { <p>{why}</p> });
    let settled = verdict::told(page, call.key);
    let tab = page.app.tab();
    let is_bridge = host == "host-bridge";
    let held = tab
        .link
        .sandbox()
        .filter(|_| is_bridge)
        .map(|it| view! { <p class="dim">{sandbox(page.app.language.get_untracked())(&it)}</p> });
    let terminal = tab.link.asks_on_terminal() && is_bridge;
    let terminal = terminal.then(|| view! { <p class="dim">{page.session_words().asks_on_terminal}</p> });
    let (shown, whole) = (command, call.arguments);
    let body = move || {
        if editing.get() {
            return edit(
                page,
                since,
                move || {
                    editing.set(false);
                    focus_on(card);
                },
                &whole,
            );
        }
        view! {
            <pre class="mono command asked" tabindex="0">{highlight::command(&shown)}</pre>
            {buttons(page, since, editing)}
        }
        .into_any()
    };
    view! {
        <div
            class="question"
            role="alertdialog"
            aria-labelledby="question-title"
            aria-describedby="question-where"
            tabindex="-1"
            node_ref=card
            on:keydown=on_key
        >
            <div class="question-head">
                <h2 id="question-title">{words.allow}</h2>
                <p class="dim" id="question-where">{(words.where_it_runs)(&host, &cwd)}</p>
            </div>
            {why}
            {held}
            {settled}
            {terminal}
            {background}
            {hidden}
            {body}
        </div>
    }
    .into_any()
}

/// The safest first.
fn buttons(page: Page, since: Since, editing: RwSignal<bool>) -> AnyView {
    let words = &page.session_words().ask;
    let press = move |approval: Approval| {
        move |event: leptos::ev::MouseEvent| {
            if since.takes(&event) {
                answer(page, approval.clone());
            }
        }
    };
    view! {
        <div class="buttons">
            <button type="button" on:click=press(Approval::Deny)>{words.deny}</button>
            <button type="button" class="primary" on:click=press(Approval::Once)>{words.once}</button>
            <button type="button" title=words.session_means on:click=press(Approval::ForThisSession)>
                {words.for_this_session}
            </button>
            <button type="button" class="quiet" on:click=move |_| editing.set(true)>{words.edit}</button>
        </div>
    }
    .into_any()
}

/// The command in a field, or the arguments where they hold none.
fn edit(page: Page, since: Since, back: impl Fn() + 'static, arguments: &str) -> AnyView {
    let words = &page.session_words().ask;
    let object = match read_json(arguments.as_bytes()) {
        Ok(Value::Object(object)) => Some(object),
        Ok(_) | Err(_) => None,
    };
    let command = object.as_ref().and_then(|object| object.get("command")).and_then(Value::as_str).map(str::to_owned);
    let label = if command.is_some() { words.edited_command } else { words.edited_arguments };
    let object = object.filter(|_| command.is_some());
    let text = RwSignal::new(command.unwrap_or_else(|| arguments.to_owned()));
    let field = NodeRef::<html::Textarea>::new();
    focus_when_drawn(field);
    let take = move |event: leptos::ev::MouseEvent| {
        if !since.takes(&event) {
            return;
        }
        let typed = text.get_untracked();
        let arguments = match object.clone() {
            Some(mut object) => {
                object.insert("command".to_owned(), Value::String(typed));
                written_json(&Value::Object(object))
            }
            None => typed,
        };
        answer(page, Approval::Edit(arguments));
    };
    view! {
        <textarea
            class="mono"
            aria-label=label
            rows="3"
            spellcheck="false"
            node_ref=field
            prop:value=move || text.get()
            on:input=move |event| text.set(event_target_value(&event))
        ></textarea>
        <div class="buttons">
            <button type="button" on:click=move |_| back()>{words.back}</button>
            <button type="button" class="primary" on:click=take>{words.use_edit}</button>
        </div>
    }
    .into_any()
}

/// Answers, and hands the focus back before the card that holds it goes.
fn answer(page: Page, approval: Approval) {
    composer::focus();
    actions::approve(page.app, approval);
}
