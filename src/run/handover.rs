//! A session goes from one tab to another: the tab that wants it asks, over a channel of this origin, and the tab that
//! writes it lets go as soon as nobody runs it there.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BroadcastChannel, MessageEvent};

use crate::app::{Activity, App};
use crate::run::sessions;

/// The name of the channel.
const NAME: &str = "loopglass-handover";

/// Asks the tab that writes this session for it.
pub fn ask(session: &str) {
    // A browser without channels leaves it to the person to close the other tab.
    if let Ok(channel) = BroadcastChannel::new(NAME) {
        let _ = channel.post_message(&JsValue::from_str(session));
        channel.close();
    }
}

/// Gives away the session on show when it is asked for and nobody runs it. Under the page's root owner.
pub fn listen(app: App) {
    let Ok(channel) = BroadcastChannel::new(NAME) else { return };
    let wanted = RwSignal::new(String::new());
    let listener = Closure::<dyn Fn(MessageEvent)>::new(move |message: MessageEvent| {
        // A tab that only reads has nothing to give; what it asks comes back to itself as well.
        let session = message.data().as_string().filter(|_| app.read_only.try_get_untracked() == Some(false));
        if let Some(session) = session {
            wanted.set(session);
        }
    });
    channel.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    // Both as long as the page.
    listener.forget();
    std::mem::forget(channel);
    Effect::new(move |_| {
        let is_wanted = wanted.with(|wanted| !wanted.is_empty() && *wanted == app.session_id.get());
        if is_wanted && app.activity.get() == Activity::Idle && !app.read_only.get_untracked() {
            wanted.set(String::new());
            spawn_local(sessions::hand_over(app));
        }
    });
}
