//! Guards a question against keys that were meant for something else.

use crate::view::elapsed::now_ms;

/// For so long after a question has appeared keys do nothing to it, in milliseconds.
const DEAF_MS: u64 = 500;

/// A question since it has appeared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Since(u64);

impl Since {
    /// It appears now.
    pub(crate) fn now() -> Since {
        Since(now_ms())
    }

    /// Whether a key press counts yet. One that does not is swallowed.
    pub(crate) fn hears(self, event: &leptos::ev::KeyboardEvent) -> bool {
        let hears = self.is_heard();
        if !hears {
            event.prevent_default();
            event.stop_propagation();
        }
        hears
    }

    /// Whether a press of a button counts: a pointer's always, a key's when it is heard.
    pub(crate) fn takes(self, event: &leptos::ev::MouseEvent) -> bool {
        event.detail() > 0 || self.is_heard()
    }

    fn is_heard(self) -> bool {
        now_ms().saturating_sub(self.0) >= DEAF_MS
    }
}
