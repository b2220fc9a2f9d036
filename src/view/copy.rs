//! Copying a text, and the buttons that do.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

use super::Page;
use super::icon::{Icon, icon};
use crate::words::code;

/// What became of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Copy {
    /// None was asked for, or it was long ago.
    None,
    /// It is on the clipboard.
    Done,
    /// The browser lets this page copy nothing.
    Refused,
}

/// Copies what `text` gives when it is pressed, and says so for a moment.
pub(crate) fn copy_button(page: Page, text: impl Fn() -> String + 'static) -> AnyView {
    let copy = RwSignal::new(Copy::None);
    let name = move || said(page, copy.get());
    let press = move |_| {
        let text = text();
        spawn_local(async move {
            let became = copy_text(&text).await;
            page.app.announcement.set(said(page, became).to_owned());
            // The button may have gone meanwhile.
            copy.try_set(became);
            set_timeout(
                move || {
                    copy.try_set(Copy::None);
                },
                Duration::from_millis(1_500),
            );
        });
    };
    view! {
        <button type="button" class="quiet copy" aria-label=name on:click=press>
            {icon(Icon::Copy)}
            <span>{name}</span>
        </button>
    }
    .into_any()
}

/// What a button says that copies.
pub(crate) fn said(page: Page, copy: Copy) -> &'static str {
    match copy {
        Copy::None => page.session_words().inspector.copy,
        Copy::Done => page.session_words().inspector.copied,
        Copy::Refused => code(page.app.language.get_untracked()).not_copied,
    }
}

/// Puts a text on the clipboard. Pages that came over plain http from elsewhere have none.
pub(crate) async fn copy_text(text: &str) -> Copy {
    if !window().is_secure_context() {
        return Copy::Refused;
    }
    match JsFuture::from(window().navigator().clipboard().write_text(text)).await {
        Ok(_) => Copy::Done,
        Err(_) => Copy::Refused,
    }
}
