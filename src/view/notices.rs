//! What is wrong with the page's surroundings, and what to do about it. Quiet while nothing is.

use leptos::prelude::*;

use super::icon::{Icon, icon};
use super::{Page, composer};
use crate::app::{BridgeStatus, HostChoice};
use crate::run::actions;
use crate::words::Told;

/// The lines.
pub(crate) fn notices(page: Page) -> AnyView {
    let Page { app, words, .. } = page;
    let words = &words.notices;
    let bridge = move || {
        let status = app.bridge.get();
        // Whoever is the tool needs no bridge; that there is none is said where it is chosen.
        let concerns = app.host.get() == HostChoice::Bridge || status == BridgeStatus::None;
        // Nor does a tab that only reads: why it does is all there is to say.
        let concerns = concerns && !app.read_only.get();
        (words.bridge)(&status).filter(|_| concerns).map(|told| notice(told, bridge_buttons(page, &status)))
    };
    let store = move || (words.store)(&app.store.get()).map(|told| notice(told, ().into_any()));
    let asked = RwSignal::new(false);
    let read_only = move || app.read_only.get().then(|| notice((words.read_only)(), take_over(page, asked)));
    Effect::new(move |_| {
        if !app.read_only.get() && asked.get_untracked() {
            asked.set(false);
            composer::focus();
        }
    });
    let unopened =
        move || app.unopened.with(|why| why.as_ref().map(|why| notice((words.unopened)(why), ().into_any())));
    let unfetched = move || app.unfetched.get().then(|| notice((words.unfetched)(), fetch_again(page)));
    view! {
        <div class="notices" role="status" aria-label=words.label>{bridge} {store} {read_only} {unopened} {unfetched}</div>
    }
    .into_any()
}

fn notice(told: Told, buttons: AnyView) -> AnyView {
    view! {
        <div class="notice">
            {icon(Icon::Warning)}
            <p><strong>{told.what}</strong> " " {told.next}</p>
            {buttons}
        </div>
    }
    .into_any()
}

/// The way to write the session here.
fn take_over(page: Page, asked: RwSignal<bool>) -> AnyView {
    let Page { app, words, .. } = page;
    let words = &words.notices;
    let ask = move |_| {
        asked.set(true);
        actions::take_over(app);
    };
    view! {
        <button type="button" on:click=ask>{words.take_over}</button>
        {move || asked.get().then_some(words.asked_over)}
    }
    .into_any()
}

fn fetch_again(page: Page) -> AnyView {
    let fetch = move |_| page.ui.parts.fetch_again();
    view! { <button type="button" on:click=fetch>{page.words.notices.fetch_again}</button> }.into_any()
}

fn bridge_buttons(page: Page, status: &BridgeStatus) -> AnyView {
    let Page { app, words, .. } = page;
    let words = &words.notices;
    let be_the_tool = move || {
        let choose = move |_| actions::choose_host(app, HostChoice::You);
        (app.host.get() == HostChoice::Bridge)
            .then(|| view! { <button type="button" on:click=choose>{words.be_the_tool}</button> })
    };
    match status {
        BridgeStatus::None => be_the_tool.into_any(),
        BridgeStatus::Gone | BridgeStatus::Elsewhere => view! {
            <button type="button" on:click=move |_| actions::reconnect(app)>{words.reconnect}</button>
            {be_the_tool}
        }
        .into_any(),
        BridgeStatus::NoLink | BridgeStatus::NewBridge => be_the_tool.into_any(),
        BridgeStatus::Connecting(_) | BridgeStatus::Ready { .. } => ().into_any(),
    }
}
