//! Clocks that tick while they are in view.

use std::time::Duration;

use leptos::prelude::*;

use crate::words::{clock, duration};

/// How often they tick.
const TICK: Duration = Duration::from_millis(200);

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    // A time before 1970 or beyond 2^53 ms is no clock's; the cast keeps what there is.
    js_sys::Date::now() as u64
}

/// The time of day in the person's own time zone.
pub(crate) fn time_of_day(ms: u64) -> String {
    let date = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(ms as f64));
    clock(date.get_hours(), date.get_minutes(), date.get_seconds())
}

/// The time that has passed since then.
pub(crate) fn since(then_ms: u64) -> AnyView {
    let now = ticking();
    view! { <span class="ticking">{move || duration(now.get().saturating_sub(then_ms))}</span> }.into_any()
}

/// A signal of the time. It stops with the view that made it.
pub(crate) fn ticking() -> RwSignal<u64> {
    let now = RwSignal::new(now_ms());
    let tick = move || {
        now.try_set(now_ms());
    };
    if let Ok(handle) = set_interval_with_handle(tick, TICK) {
        on_cleanup(move || handle.clear());
    }
    now
}
