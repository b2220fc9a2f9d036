//! The field below: Enter sends and runs, Shift+Enter breaks the line, and an input method's Enter only ends its word.

use leptos::prelude::*;
use leptos::task::{spawn_local, tick};
use wasm_bindgen::JsCast;

use super::Page;
use super::icon::{Icon, icon};
use crate::run::actions;
use crate::run::settings::is_practice;

/// The id of the field.
const FIELD: &str = "message";
/// The code that browsers give a key an input method has taken, also where `isComposing` is already false.
const TAKEN_BY_INPUT_METHOD: u32 = 229;

/// The composer.
pub(crate) fn composer(page: Page) -> AnyView {
    let Page { app, ui, words } = page;
    let words = &words.composer;
    let send = move || {
        let text = ui.typed.get_untracked();
        if !text.trim().is_empty() && app.may_act_now() {
            ui.typed.set(String::new());
            actions::send(app, text);
        }
    };
    let on_key = move |event: leptos::ev::KeyboardEvent| {
        let composes = event.is_composing() || event.key_code() == TAKEN_BY_INPUT_METHOD;
        if event.key() == "Enter" && !event.shift_key() && !composes {
            event.prevent_default();
            send();
        }
    };
    let queued = move || {
        let count = app.state.with(|state| state.queued.len());
        (count > 0).then(|| view! { <span class="tag attention">{(words.queued)(count)}</span> })
    };
    let nothing = move || ui.typed.with(|typed| typed.trim().is_empty()) || !app.may_act();
    let placeholder = move || match (app.read_only.get(), app.moment.get()) {
        (true, _) => (page.words.notices.read_only)().what,
        (false, Some(_)) => words.looking_back.to_owned(),
        (false, None) => words.placeholder.to_owned(),
    };
    let practice = move || {
        let is_practice = app.settings.with(|settings| is_practice(&settings.profile));
        is_practice.then(|| view! { <span class="practice-note">{page.words.header.practice}</span> })
    };
    view! {
        <form class="composer" on:submit=move |event| { event.prevent_default(); send(); }>
            <div class="field">
                // The copy gives the field its height: as tall as its words.
                <div class="field-copy" aria-hidden="true">{move || ui.typed.get()}" "</div>
                <textarea
                    id=FIELD
                    aria-label=words.message
                    placeholder=placeholder
                    disabled=move || !app.may_act()
                    rows="1"
                    prop:value=move || ui.typed.get()
                    on:input=move |event| ui.typed.set(event_target_value(&event))
                    on:keydown=on_key
                    on:focus=move |_| ui.parts.expect_a_run()
                ></textarea>
            </div>
            <button type="submit" class="send" aria-label=words.send title=words.send disabled=nothing>
                {icon(Icon::Send)}
            </button>
            <p class="composer-note">{queued} <span class="keys">{words.keys}</span> {practice}</p>
        </form>
    }
    .into_any()
}

/// Moves the focus to the field: at once, or as soon as what has just been done has made it usable again.
pub(crate) fn focus() {
    let Some(field) = document().get_element_by_id(FIELD) else { return };
    let Ok(field) = field.dyn_into::<web_sys::HtmlTextAreaElement>() else { return };
    if !field.disabled() {
        let _ = field.focus();
        return;
    }
    spawn_local(async move {
        tick().await;
        let _ = field.focus();
    });
}
