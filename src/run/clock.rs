//! The browser's clock, and ids from the browser's randomness.

use std::fmt::Write;

use agent_loop::Clock;
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::window;

/// `Date.now`, `setTimeout` and `crypto.getRandomValues`.
#[derive(Debug, Clone, Copy)]
pub struct BrowserClock;

impl Clock for BrowserClock {
    fn now_ms(&self) -> u64 {
        js_sys::Date::now() as u64
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        // setTimeout counts in a signed 32-bit number: beyond it, it would fire at once.
        let ms = u32::try_from(ms).unwrap_or(u32::MAX).min(i32::MAX.unsigned_abs());
        TimeoutFuture::new(ms).boxed_local()
    }

    fn fresh_id(&self) -> String {
        let mut bytes = [0; 16];
        // Not `randomUUID`: a page on plain http has none.
        let filled = window().crypto().and_then(|crypto| crypto.get_random_values_with_u8_array(&mut bytes));
        if filled.is_err() {
            bytes.fill_with(|| (js_sys::Math::random() * 256.0) as u8);
        }
        bytes.iter().fold(String::with_capacity(32), |mut id, byte| {
            // Writing to a String cannot fail.
            let _ = write!(id, "{byte:02x}");
            id
        })
    }
}
