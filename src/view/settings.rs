//! The settings: a native dialog, so that focus, Escape and the rest of the page are the browser's business.

mod address;
mod budget;
pub(crate) mod endpoint;
mod field;
mod model;
mod run;
mod trial;

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::Page;
use super::icon::{Icon, icon};
use crate::words::connection;

/// The dialog's id.
const DIALOG: &str = "settings";

/// Opens it.
pub(crate) fn button(page: Page) -> AnyView {
    let label = page.words.header.settings;
    let open = move |_| {
        page.ui.parts.settings.want();
        let dialog = document().get_element_by_id(DIALOG);
        if let Some(dialog) = dialog.as_ref().and_then(|dialog| dialog.dyn_ref::<web_sys::HtmlDialogElement>()) {
            // It fails only where it is open already.
            let _ = dialog.show_modal();
        }
    };
    view! {
        <button type="button" class="switch" aria-label=label title=label aria-haspopup="dialog" on:click=open>
            {icon(Icon::Settings)}
        </button>
    }
    .into_any()
}

/// The dialog.
pub(crate) fn dialog(page: Page) -> AnyView {
    let words = &page.words.settings;
    let dialog = NodeRef::<html::Dialog>::new();
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    view! {
        <dialog class="settings" id=DIALOG aria-labelledby="settings-title" node_ref=dialog>
            <div class="panel-head">
                <h2 id="settings-title">{words.title}</h2>
                <p class="dim">{words.applies}</p>
                <button type="button" class="primary" on:click=close>{words.close}</button>
            </div>
            <div class="settings-parts" tabindex="0">
                {move || page.ui.parts.settings.get().map(|part| part(page))}
            </div>
        </dialog>
    }
    .into_any()
}

/// What it holds.
pub(super) fn parts(page: Page) -> AnyView {
    let words = page.settings_words();
    let part = |title: &'static str, fields: AnyView| {
        view! {
            <section class="settings-part">
                <h3>{title}</h3>
                <div class="settings-fields">{fields}</div>
            </section>
        }
        .into_any()
    };
    let all = [
        part(connection(page.app.language.get_untracked()).part, endpoint::fields(page)),
        part(words.prompt, run::prompt(page)),
        part(words.tools, run::tools(page)),
        part(words.limits, run::limits(page)),
        part(words.budget.title, budget::fields(page)),
    ];
    all.into_iter().collect_view().into_any()
}
