//! Which session this tab had last, over a reload.

use leptos::prelude::window;

const NAME: &str = "loopglass-session";

/// The id of the session this tab had last.
pub(super) fn session() -> Option<String> {
    window().session_storage().ok()??.get_item(NAME).ok()?
}

/// Remembers it for a reload of this tab.
pub(super) fn keep(id: &str) {
    if let Ok(Some(storage)) = window().session_storage() {
        // A browser that keeps nothing opens the newest session after a reload.
        let _ = storage.set_item(NAME, id);
    }
}
