//! Which session this tab had last, over a reload; and whether this browser has kept any.

use leptos::prelude::window;

const NAME: &str = "loopglass-session";
const MARK: &str = "loopglass-kept";

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

/// Whether this browser may have kept a session. It says so sooner than the store does.
pub(super) fn has_kept() -> bool {
    let none = window().local_storage().ok().flatten().and_then(|storage| storage.get_item(MARK).ok());
    none != Some(None)
}

/// A session is being kept.
pub(super) fn keep_mark() {
    if let Ok(Some(storage)) = window().local_storage() {
        // A browser that keeps nothing shows a new session first and the one that was kept when the store has answered.
        let _ = storage.set_item(MARK, "");
    }
}
