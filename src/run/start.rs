//! Starts the page's work: the store, the link to the bridge, and the listeners that last as long as the page.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::{App, BridgeStatus};
use crate::run::{fetch, handover, preferences, sessions, token};

/// To be called once, under the page's root owner.
pub fn start(app: App) {
    let tab = app.tab();
    // Only what a person has chosen is kept: until then the page follows the browser and the system.
    Effect::watch(move || app.language.get(), |language, _, _| preferences::keep_language(*language), false);
    Effect::watch(move || app.theme.get(), |theme, _, _| preferences::keep_theme(*theme), false);
    if app.bridge.get_untracked() != BridgeStatus::None {
        let link = tab.link.clone();
        token::listen(move |token| link.receive(token));
        // A link that differs from the page's address in its fragment alone loads nothing.
        let link = tab.link.clone();
        let _ = window_event_listener(ev::hashchange, move |_| {
            if let Some(token) = token::from_address() {
                link.receive(token);
            }
        });
    }
    handover::listen(app);
    // A handle that is dropped leaves its listener: these last as long as the page.
    let _ = window_event_listener(ev::online, {
        let link = tab.link.clone();
        move |_| link.retry()
    });
    let _ = window_event_listener(ev::visibilitychange, move |_| {
        if document().hidden() {
            keep_now(app);
        } else {
            app.tab().link.retry();
        }
    });
    let _ = window_event_listener(ev::pagehide, move |event| {
        // One that is persisted may come back as it was.
        if !event.persisted() {
            fetch::leave();
        }
        keep_now(app);
    });
    let begun = sessions::begin(app);
    let work = async move {
        begun.await;
        if app.bridge.get_untracked() == BridgeStatus::None {
            return;
        }
        // The bridge has room for one tab: not for one that only reads.
        if app.read_only.get_untracked() {
            tab.link.stand_by().await;
        }
        tab.link.clone().keep().await;
    };
    // Once the page stands: what it does not need for that need not be compiled before.
    set_timeout(move || spawn_local(work), Duration::ZERO);
}

/// The tab is being hidden, and may never come back.
fn keep_now(app: App) {
    let tab = app.tab();
    tab.live.show();
    if let Some(store) = tab.store().cloned() {
        store.hand_over();
        spawn_local(async move { store.flush().await });
    }
}
