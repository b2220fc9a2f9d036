//! One tab writes a session. The lease is a Web Lock of the session's name: who has it writes, everybody else reads.

use std::cell::Cell;
use std::rc::Rc;

use agent_loop::Clock;
use futures_util::future::{Either, select};
use js_sys::{Function, Object, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::AbortController;

use crate::run::bell::Bell;
use crate::run::clock::BrowserClock;

/// A lease on a session, had or waited for. Dropping it gives it back.
pub struct Lease {
    held: Rc<Held>,
    give_back: Function,
    waiting: AbortController,
}

#[derive(Default)]
struct Held {
    is_mine: Cell<bool>,
    granted: Bell,
}

impl Lease {
    /// Asks for the lease. `None`: this browser has no locks (a page on plain http), so every tab writes.
    pub fn ask(session: &str) -> Option<Lease> {
        let navigator = window().navigator();
        // By name, because web-sys counts this API as unstable; absent on pages that are no secure context.
        let locks = Reflect::get(&navigator, &JsValue::from_str("locks")).ok().filter(JsValue::is_object)?;
        let request: Function = Reflect::get(&locks, &JsValue::from_str("request")).ok()?.dyn_into().ok()?;
        let waiting = AbortController::new().ok()?;
        let held = Rc::new(Held::default());
        let mut give_back = None;
        let kept = Promise::new(&mut |resolve, _| give_back = Some(resolve));
        let granted = {
            let held = Rc::clone(&held);
            Closure::once_into_js(move |_lock: JsValue| {
                held.is_mine.set(true);
                held.granted.ring();
                kept
            })
        };
        let options = Object::new();
        Reflect::set(&options, &JsValue::from_str("signal"), &waiting.signal()).ok()?;
        let name = JsValue::from_str(&format!("loopglass-session-{session}"));
        let asked: Promise = request.call3(&locks, &name, &options, &granted).ok()?.dyn_into().ok()?;
        // It ends with the lease, and is refused when the wait is given up: neither is news.
        spawn_local(async move { drop(JsFuture::from(asked).await) });
        Some(Lease { held, give_back: give_back?, waiting })
    }

    /// Whether it is had after `patience_ms` at most. A tab that is just closing needs a moment to give it back.
    pub async fn is_granted_within(&self, patience_ms: u64) -> bool {
        if self.held.is_mine.get() {
            return true;
        }
        matches!(select(Box::pin(self.held.granted.rung()), BrowserClock.sleep(patience_ms)).await, Either::Left(_))
    }

    /// Calls `then` when it is granted at last.
    pub fn when_granted(&self, then: impl FnOnce() + 'static) {
        let held = Rc::clone(&self.held);
        spawn_local(async move {
            held.granted.rung().await;
            then();
        });
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.waiting.abort();
        // The function of a promise cannot fail.
        let _ = self.give_back.call0(&JsValue::NULL);
    }
}
