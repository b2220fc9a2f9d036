//! What stands below the array: what is waited for, why it rests, and what to do next.

use agent_loop::{Block, FailureKind, LoopState, ModelFailure, Rest, Stage, Step, Wait};
use leptos::prelude::*;

use super::reach::reach;
use crate::app::{Activity, Selection};
use crate::run::actions;
use crate::view::icon::{Icon, icon};
use crate::view::signs::signs;
use crate::view::{Page, Panel, Tab, composer, edit, elapsed, stops};
use crate::words::{Told, duration, lens, rests};

/// The line below the array.
pub(crate) fn below(page: Page) -> AnyView {
    let app = page.app;
    (move || {
        let state = app.state.get();
        let drafted = unfinished(page, &state.draft);
        // Of a moment that is looked back at it is told what came next, whatever goes on now.
        let looks_back = app.moment.get().is_some();
        let activity = if looks_back { Activity::Idle } else { app.activity.get() };
        let line = match (activity, state.outlook()) {
            (_, Step::Wait(wait)) if !looks_back => retry(page, wait, state.failure.as_deref()),
            (Activity::Idle, Step::Rest(rest)) => resting(page, &rest),
            (Activity::Idle, step) => between(page, &step, &state),
            (_, Step::CallModel(_)) => waiting(page),
            (Activity::Running | Activity::Pausing | Activity::Stopping, _) => ().into_any(),
        };
        view! { {stops::warning(page, &state)} {drafted} {line} }.into_any()
    })
    .into_any()
}

/// Whether the session has nothing of its own but that it branched off.
fn is_new_branch(page: Page) -> bool {
    let (facts, id) = (page.app.state.with_untracked(|state| state.facts), page.app.session_id.get_untracked());
    page.app.sessions.with_untracked(|cards| {
        let card = cards.iter().find(|card| card.id == id);
        card.and_then(|card| card.parent.as_ref()).is_some_and(|parent| parent.facts + 1 == facts)
    })
}

/// Why it rests.
fn resting(page: Page, rest: &Rest) -> AnyView {
    let told = match rest {
        Rest::Interrupted if is_new_branch(page) => {
            Told::new(page.session_words().time.branched, page.session_words().time.branched_next)
        }
        Rest::Stopped => {
            let reach = page.app.session.with_untracked(|session| reach(&session.facts()));
            let next = (rests(page.app.language.get_untracked()).stopped)(reach);
            Told { next: next.to_owned(), ..(page.session_words().rest)(rest) }
        }
        _ => (page.session_words().rest)(rest),
    };
    let tone = match rest {
        Rest::Failed(_) | Rest::HostUnavailable(_) | Rest::NotConfigured => "bad",
        Rest::Stopped
        | Rest::Interrupted
        | Rest::TurnLimit(_)
        | Rest::PauseLimit(_)
        | Rest::TokenBudget(_)
        | Rest::TimeBudget(_)
        | Rest::MoneyBudget(_)
        | Rest::SameCall(_)
        | Rest::ContextNearlyFull(_)
        | Rest::MaxTokens
        | Rest::Refusal
        | Rest::ContentFilter
        | Rest::ContextWindowExceeded
        | Rest::EmptyAnswer
        | Rest::CallInWords => "attention",
        Rest::Fresh | Rest::EndTurn | Rest::StopSequence(_) | Rest::Other(_) | Rest::RunsOnce => "plain-rest",
    };
    // What to do next is said where it can be done.
    let acts = page.app.may_act();
    let failure = match rest {
        Rest::Failed(failure) => Some(said(page, failure)),
        _ => None,
    };
    view! {
        <section class=format!("rest {tone}")>
            <p class="rest-what">{told.what}</p>
            {acts.then(|| view! { <p class="rest-next">{told.next}</p> })}
            {failure}
            {acts.then(|| stops::extension(page, rest))}
        </section>
    }
    .into_any()
}

/// The endpoint's own words, and a way to try again.
fn said(page: Page, failure: &ModelFailure) -> AnyView {
    let words = &page.session_words().entries;
    // It goes with the rest it stands in.
    let try_again = move |_| {
        composer::focus();
        actions::run(page.app);
    };
    let look = move |_| {
        page.app.selection.set(Selection::Latest);
        page.ui.tab.set(Tab::Response);
        page.ui.inspector.set(Panel::Open);
    };
    view! {
        {endpoint_words(page, failure)}
        <p class="buttons">
            <button type="button" class="primary" disabled=move || !page.app.may_act() on:click=try_again>{words.try_again}</button>
            <button type="button" class="quiet" on:click=look>
                {icon(Icon::Inspector)}
                <span>{page.words.inspector.response}</span>
            </button>
        </p>
    }
    .into_any()
}

/// What was said when it failed, and who said it: the endpoint, or the browser where none was reached. Where nothing was
/// said there is nothing.
fn endpoint_words(page: Page, failure: &ModelFailure) -> Option<AnyView> {
    let named =
        [failure.status.map(|status| status.to_string()), failure.error_type.clone(), failure.request_id.clone()];
    let named: Vec<AnyView> =
        named.into_iter().flatten().map(|name| view! { <code>{name}</code> }.into_any()).collect();
    if named.is_empty() && failure.message.is_empty() {
        return None;
    }
    let speaker = match failure.kind {
        _ if failure.message.is_empty() => Some(rests(page.app.language.get_untracked()).endpoint_answered),
        FailureKind::Unreachable => Some(lens(page.app.language.get_untracked()).browser_said),
        // Of what broke off the words may be the browser's or the last that came: they stand for themselves.
        FailureKind::Incomplete | FailureKind::Stalled if named.is_empty() => None,
        _ => Some(page.session_words().entries.endpoint_said),
    };
    let speaker = speaker.map(|speaker| view! { <p class="facts"><span class="dim">{speaker}</span> {named}</p> });
    let message = (!failure.message.is_empty())
        .then(|| view! { <blockquote>{signs(&failure.message).into_owned()}</blockquote> });
    Some(
        view! {
            <div class="endpoint-said">
                {speaker}
                {message}
            </div>
        }
        .into_any(),
    )
}

/// Let go at a seam: what Step would do.
fn between(page: Page, step: &Step<()>, state: &LoopState) -> AnyView {
    let acts = page.app.may_act();
    let held = page.app.held.get().filter(|_| acts).map(|moment| (page.session_words().control.held)(moment));
    let held = held.map(|held| view! { <p class="rest-what" role="status">{held}</p> });
    let words = &page.words.deck;
    let stage = Stage::of(step);
    let dialect = page.app.settings.with_untracked(|settings| settings.profile.dialect);
    let request = (acts && matches!(step, Step::Prepare | Step::CallModel(()))).then(|| {
        let edited = page.ui.shown.with(|shown| shown.edited.as_ref().and_then(|it| edit::request::edited(page, it)));
        view! { {edited} <p class="buttons">{edit::request::button(page)}</p> }
    });
    view! {
        <section class="rest attention">
            {held}
            <p class="rest-what">{format!("{}: {}", words.next, (words.stage)(stage, dialect))}</p>
            {acts.then(|| view! { <p class="rest-next">{words.how_on}</p> {edit::calls(page, state.calls())} })}
            {request}
        </section>
    }
    .into_any()
}

/// The request is out: nothing has come, or nothing more.
fn waiting(page: Page) -> AnyView {
    let since = elapsed::now_ms();
    (move || {
        if page.app.draft.with(Option::is_some) {
            return silent(page);
        }
        view! {
            <p class="waiting">
                <span>{page.session_words().entries.waiting}</span>
                {elapsed::since(since)}
            </p>
        }
        .into_any()
    })
    .into_any()
}

/// A pause between two parts of an answer is told of from here on, in milliseconds.
const SILENCE_MS: u64 = 3_000;

/// How long nothing more has come, and when it is given up.
fn silent(page: Page) -> AnyView {
    let now = elapsed::ticking();
    let told = rests(page.app.language.get_untracked()).silent;
    let patience = page.app.settings.with_untracked(|settings| duration(settings.limits.idle_ms));
    (move || {
        // Untracked: the clock asks often enough, and a stream would ask at each frame.
        let last = page.app.exchanges.with_untracked(|all| {
            let exchange = all.last()?;
            let at_ms = exchange.response.with_untracked(|response| response.body.last_ms())?;
            Some(exchange.sent_ms + at_ms)
        });
        let silence = now.get().saturating_sub(last?);
        (silence >= SILENCE_MS).then(|| {
            view! { <p class="waiting ticking">{told(&duration(silence), &patience)}</p> }
        })
    })
    .into_any()
}

/// The next attempt waits.
fn retry(page: Page, wait: Wait, failure: Option<&ModelFailure>) -> AnyView {
    let words = &page.session_words().entries;
    let now = elapsed::ticking();
    let left = move || (words.retry_in)(wait.attempt, &duration(wait.until_ms.saturating_sub(now.get())));
    view! {
        <section class="rest attention">
            <p class="rest-what ticking">{left}</p>
            {failure.and_then(|failure| endpoint_words(page, failure))}
        </section>
    }
    .into_any()
}

/// What of an answer had come before it broke off.
fn unfinished(page: Page, draft: &[Block]) -> Option<AnyView> {
    if draft.is_empty() {
        return None;
    }
    let texts: Vec<AnyView> = draft
        .iter()
        .map(|block| match block {
            Block::Text { text } | Block::Thinking { text, .. } => {
                view! { <p class="plain">{signs(text).into_owned()}</p> }.into_any()
            }
            Block::ToolUse(call) => {
                view! { <pre class="mono">{signs(&format!("{} {}", call.name, call.arguments)).into_owned()}</pre> }
                    .into_any()
            }
            Block::ToolResult(_) | Block::Opaque { .. } => ().into_any(),
        })
        .collect();
    Some(
        view! {
            <section class="set-aside">
                <p><span class="tag">{page.session_words().entries.unfinished}</span></p>
                {texts}
            </section>
        }
        .into_any(),
    )
}
