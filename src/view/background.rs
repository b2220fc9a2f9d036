//! The commands in the background: what runs beside the loop, and a button that ends it.

use bridge_protocol::frames::BackgroundCommand;
use leptos::prelude::*;

use super::Page;
use super::hidden::revealed;
use crate::app::BridgeStatus;
use crate::run::actions;
use crate::words::{background, bytes};

/// The list, while the bridge is there and has any.
pub(crate) fn list(page: Page) -> AnyView {
    let app = page.app;
    let is_shown = Memo::new(move |_| {
        let is_there = app.bridge.with(|status| matches!(status, BridgeStatus::Ready { .. }));
        is_there && app.background.with(|commands| !commands.is_empty())
    });
    (move || is_shown.get().then(|| all(page))).into_any()
}

fn all(page: Page) -> AnyView {
    let words = background(page.app.language.get_untracked());
    let commands = page.app.background;
    let counts = move || {
        commands.with(|commands| {
            let running = commands.iter().filter(|command| command.end.is_none()).count();
            (words.counts)(running, commands.len() - running)
        })
    };
    // A keyed row stays while its bytes rise: the focus on its button is not lost.
    let ids = move || commands.with(|commands| commands.iter().map(|command| command.id.clone()).collect::<Vec<_>>());
    view! {
        <details class="background" open>
            <summary><strong>{words.title}</strong>
                " "
                <span class="dim">{counts}</span></summary>
            <ul role="list" aria-label=words.title tabindex="0">
                <For each=ids key=String::clone children=move |id| row(page, id) />
            </ul>
        </details>
    }
    .into_any()
}

fn row(page: Page, id: String) -> AnyView {
    let words = background(page.app.language.get_untracked());
    let find = {
        let id = id.clone();
        move |all: &Vec<BackgroundCommand>| all.iter().find(|command| command.id == id).cloned()
    };
    let command = Memo::new(move |_| page.app.background.with(&find));
    let is_running = Memo::new(move |_| command.with(|it| it.as_ref().is_some_and(|it| it.end.is_none())));
    let text = command.with_untracked(|it| it.as_ref().map(|it| it.command.clone())).unwrap_or_default();
    let state = move || {
        command.with(|it| match it.as_ref().and_then(|it| it.end.as_ref()) {
            None => view! { <span class="tag live">{words.running}</span> }.into_any(),
            Some(end) => view! { <span class="tag">{(words.ended)(end)}</span> }.into_any(),
        })
    };
    let written = move || bytes(command.with(|it| it.as_ref().map_or(0, |it| it.bytes)));
    let stop = {
        let id = id.clone();
        move || {
            let (label, id) = ((words.stop)(&id), id.clone());
            is_running.get().then(|| {
                let press = move |_| actions::stop_background(page.app, &id);
                view! { <button type="button" class="quiet" on:click=press>{label}</button> }
            })
        }
    };
    view! {
        <li>
            <code>{id}</code>
            <code class="command">{revealed(&text)}</code>
            {state}
            <span class="dim">{written}</span>
            {stop}
        </li>
    }
    .into_any()
}
