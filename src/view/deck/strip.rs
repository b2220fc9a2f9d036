//! The six stages: the live one lit, the check drawn as the fork it is, and the end drawn apart.

use agent_loop::{Dialect, LoopState, Rest, Stage, Step};
use leptos::prelude::*;

use crate::app::Activity;
use crate::view::Page;
use crate::view::icon::{Icon, icon};
use crate::words::stop_reason;

/// Where the light stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Light {
    /// This stage is under way.
    Live(Stage),
    /// Nothing is under way; this would be next.
    Next(Stage),
    /// It rests.
    End(Rest),
}

/// Which way the check went, and the value that decided.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fork {
    /// No answer of this turn yet.
    Open,
    /// It goes on.
    On(String),
    /// It ends.
    End(String),
}

/// The strip.
pub(crate) fn strip(page: Page) -> AnyView {
    let light = move || light(page);
    let stages: Vec<AnyView> = Stage::ALL.into_iter().enumerate().map(|(at, stage)| cell(page, at, stage)).collect();
    let lit_end = move || matches!(light(), Light::End(rest) if rest != Rest::Fresh);
    let end = move || match light() {
        Light::End(rest) => (page.words.deck.end)(&rest),
        Light::Live(_) | Light::Next(_) => page.words.deck.no_end,
    };
    view! {
        <div class="strip">
            <ol class="stages" role="list">{stages}</ol>
            <p class="end" class:lit=lit_end>
                <span class="end-label">{page.words.deck.ends}</span>
                " "
                <span class="end-why">{end}</span>
            </p>
        </div>
    }
    .into_any()
}

fn cell(page: Page, at: usize, stage: Stage) -> AnyView {
    let words = &page.words.deck;
    let is_live = move || light(page) == Light::Live(stage);
    let is_next = move || light(page) == Light::Next(stage);
    let label = move || (words.stage)(stage, page.app.settings.with(|settings| settings.profile.dialect));
    let mark = move || {
        if is_live() {
            Some(words.live)
        } else if is_next() {
            Some(words.next)
        } else {
            None
        }
    };
    view! {
        <li
            class="stage"
            class:live=is_live
            class:next=is_next
            aria-current=move || is_live().then_some("step")
        >
            <span class="stage-number">
                {if stage == Stage::GoRound { icon(Icon::Round) } else { (at + 1).to_string().into_any() }}
            </span>
            <span class="stage-label">{label}</span>
            <span class="stage-short" aria-hidden="true">{(words.stage_short)(stage)}</span>
            <span class="unseen">{mark}</span>
            {(stage == Stage::Check).then(|| fork(page))}
        </li>
    }
    .into_any()
}

/// Two edges leave the check; the one that was taken carries the value that decided.
fn fork(page: Page) -> AnyView {
    let words = &page.words.deck;
    let fork = move || page.app.state.with(|state| taken(state, dialect(page)));
    let on = move || match fork() {
        Fork::On(value) => value,
        Fork::Open | Fork::End(_) => match dialect(page) {
            Dialect::Anthropic => "tool_use".to_owned(),
            Dialect::OpenAi => "tool_calls".to_owned(),
        },
    };
    let end = move || match fork() {
        Fork::End(value) => value,
        Fork::Open | Fork::On(_) => match dialect(page) {
            Dialect::Anthropic => "end_turn, …".to_owned(),
            Dialect::OpenAi => "stop, …".to_owned(),
        },
    };
    view! {
        <span class="fork">
            <span class="edge" class:taken=move || matches!(fork(), Fork::On(_))>
                <code>{on}</code> <span>"→ " {words.goes_on}</span>
            </span>
            <span class="edge" class:taken=move || matches!(fork(), Fork::End(_))>
                <code>{end}</code> <span>"↘ " {words.ends}</span>
            </span>
        </span>
    }
    .into_any()
}

fn dialect(page: Page) -> Dialect {
    page.app.settings.with(|settings| settings.profile.dialect)
}

/// Where the light stands.
pub(crate) fn light(page: Page) -> Light {
    let app = page.app;
    let activity = if app.moment.get().is_some() { Activity::Idle } else { app.activity.get() };
    match (activity, app.stage.get()) {
        (Activity::Running | Activity::Pausing | Activity::Stopping, Some(stage)) => Light::Live(stage),
        (Activity::Running | Activity::Pausing | Activity::Stopping, None) | (Activity::Idle, _) => {
            app.state.with(|state| match state.outlook() {
                Step::Rest(rest) => Light::End(rest),
                step => Light::Next(Stage::of(&step)),
            })
        }
    }
}

/// What the check saw in the answer of this turn.
fn taken(state: &LoopState, dialect: Dialect) -> Fork {
    let after_a_person = state.messages.last().is_none_or(|last| last.producer == agent_loop::Producer::Person);
    if after_a_person {
        return Fork::Open;
    }
    let Some(answer) = state.last_answer() else { return Fork::Open };
    let Some(origin) = &answer.origin else { return Fork::Open };
    let reason = stop_reason(&origin.stop_reason, dialect);
    match (dialect, answer.tool_calls().count()) {
        (Dialect::Anthropic, 0) => Fork::End(reason.into_owned()),
        (Dialect::Anthropic, _) => Fork::On(reason.into_owned()),
        (Dialect::OpenAi, 0) => Fork::End("tool_calls: none".to_owned()),
        (Dialect::OpenAi, count) => Fork::On(format!("tool_calls: {count}")),
    }
}
