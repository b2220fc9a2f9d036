//! Copying a text, and a button that does.

use std::time::Duration;

use leptos::prelude::*;

use super::Page;
use super::icon::{Icon, icon};

/// Copies what `text` gives when it is pressed, and says so for a moment.
pub(crate) fn copy_button(page: Page, text: impl Fn() -> String + 'static) -> AnyView {
    let words = &page.session_words().inspector;
    let copied = RwSignal::new(false);
    let copy = move |_| {
        copy_text(&text());
        copied.set(true);
        set_timeout(
            move || {
                copied.try_set(false);
            },
            Duration::from_millis(1_500),
        );
    };
    view! {
        <button type="button" class="quiet" on:click=copy>
            {icon(Icon::Copy)}
            <span>{move || if copied.get() { words.copied } else { words.copy }}</span>
        </button>
    }
    .into_any()
}

/// Puts a text on the clipboard.
pub(crate) fn copy_text(text: &str) {
    // The promise is not awaited: a browser that refuses leaves the clipboard as it was.
    let _ = window().navigator().clipboard().write_text(text);
}
