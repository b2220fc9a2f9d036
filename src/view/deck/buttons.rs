//! Run, Step, Pause, Stop: each can be pressed only where it means something, and says what it would do.

use agent_loop::{Rest, Step};
use leptos::prelude::*;

use crate::app::Activity;
use crate::run::actions;
use crate::run::breakpoints::Breakpoints;
use crate::view::icon::{Icon, icon};
use crate::view::{Page, Panel, breakpoints};

/// What Run and Step would begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// What the state says comes next.
    GoOn,
    /// The words in the composer.
    Say,
    /// Nothing: there is nothing to do, or it is being done.
    No,
}

/// The buttons.
pub(crate) fn buttons(page: Page) -> AnyView {
    let Page { app, ui, words } = page;
    let words = &words.deck;
    let start = move || start(page);
    // A pause that waits for its seam can be taken back.
    let pauses = move || app.activity.get() == Activity::Pausing && app.may_act();
    let run = move |_| match start() {
        Start::No if pauses() => actions::run(app),
        Start::GoOn => actions::run(app),
        Start::Say => actions::send(app, take(ui.typed)),
        Start::No => {}
    };
    let step = move |_| match start() {
        Start::GoOn => actions::step(app),
        Start::Say => {
            actions::say(app, take(ui.typed));
            actions::step(app);
        }
        Start::No => {}
    };
    let run_would = move || match start() {
        Start::Say => words.would_send.to_owned(),
        Start::GoOn | Start::No => {
            let limit = app.settings.with(|settings| settings.limits.model_calls);
            app.state.with(|state| (words.run_would)(&state.outlook(), limit))
        }
    };
    let step_would = move || app.state.with(|state| (words.step_would)(&state.outlook()));
    let cannot_start = move || start() == Start::No;
    let not_running = move || app.activity.get() != Activity::Running;
    let nothing_to_stop = move || matches!(app.activity.get(), Activity::Idle | Activity::Stopping);
    view! {
        <div class="run-buttons">
            <button type="button" class="run" title=run_would disabled=move || cannot_start() && !pauses() on:click=run>
                {icon(Icon::Run)} <span>{words.run}</span>
            </button>
            <button type="button" title=step_would disabled=cannot_start on:click=step>
                {icon(Icon::Step)} <span>{words.step}</span>
            </button>
            <button type="button" disabled=not_running on:click=move |_| actions::pause(app)>
                {icon(Icon::Pause)} <span>{words.pause}</span>
            </button>
            <button type="button" class="halt" disabled=nothing_to_stop on:click=move |_| actions::stop(app)>
                {icon(Icon::Stop)} <span>{words.stop}</span>
            </button>
            {opens_breakpoints(page)}
            <span class="run-note">{move || match app.activity.get() {
                Activity::Pausing => words.pausing.to_owned(),
                Activity::Stopping => words.stopping.to_owned(),
                Activity::Idle if !cannot_start() => run_would(),
                Activity::Idle | Activity::Running => String::new(),
            }}</span>
        </div>
    }
    .into_any()
}

/// Shows the breakpoints, and how many are set.
fn opens_breakpoints(page: Page) -> AnyView {
    let shown = page.ui.breakpoints;
    let count = move || page.app.breakpoints.with(Breakpoints::count);
    let word = page.words.deck.breakpoints;
    view! {
        <button
            type="button"
            class="quiet breakpoints-button"
            id=breakpoints::BUTTON
            title=word
            aria-expanded=move || (shown.get() == Panel::Open).to_string()
            on:click=move |_| shown.update(|panel| *panel = panel.turned())
        >
            {icon(Icon::Breakpoint)}
            <span class="breakpoints-word">{word}</span>
            " "
            <span class="count" hidden=move || count() == 0>{count}</span>
        </button>
    }
    .into_any()
}

fn start(page: Page) -> Start {
    let Page { app, ui, .. } = page;
    if app.activity.get() != Activity::Idle || !app.may_act() {
        return Start::No;
    }
    let has_words = ui.typed.with(|typed| !typed.trim().is_empty());
    let goes_on = app.state.with(|state| match state.outlook() {
        Step::Rest(rest) => rest.can_resume() && rest != Rest::Fresh,
        _ => true,
    });
    match (goes_on, has_words) {
        (true, _) => Start::GoOn,
        (false, true) => Start::Say,
        (false, false) => Start::No,
    }
}

/// The words, which are said now and stand in the composer no longer.
fn take(typed: RwSignal<String>) -> String {
    let words = typed.get_untracked();
    typed.set(String::new());
    words
}
