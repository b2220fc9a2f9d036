//! One entry of the array.

use agent_loop::{Message, Origin, Producer, TransitionReason};
use leptos::prelude::*;

use super::timeline::{Note, Turn};
use super::{Arrival, ShownRow, block, pairs};
use crate::app::Selection;
use crate::view::elapsed::time_of_day;
use crate::view::icon::{Icon, icon};
use crate::view::signs::signs;
use crate::view::{Page, Panel, Tab, edit};
use crate::words::{dialects, duration, stop_reason};

/// Draws an entry. It does not change any more: another message is another entry.
pub(super) fn item(page: Page, row: &ShownRow) -> AnyView {
    let message = &row.message;
    let ShownRow { place, role, .. } = *row;
    let blocks: Vec<AnyView> = message
        .blocks
        .get(row.blocks.clone())
        .unwrap_or_default()
        .iter()
        .map(|block| block::block(page, message, block))
        .collect();
    view! {
        <li
            class="entry"
            class:arrived=row.arrival == Arrival::Now
            class:opens-turn=row.note.turn.is_some()
            class:added=move || is_added(page, place)
            data-role=role
            aria-label=format!("messages[{place}] {role}")
        >
            {before(page, row)}
            <div class="entry-head">
                {entry_name(page, place, role, message.producer)}
                {marks(page, row)}
            </div>
            <div class="entry-body">
                {above(page, row)}
                {blocks}
                {below(page, row)}
            </div>
            {after(page, row)}
        </li>
    }
    .into_any()
}

/// Whether the entry of this index was added since the last request. Tracked.
pub(super) fn is_added(page: Page, place: usize) -> bool {
    page.ui.added_from.get() <= place
}

/// What stands before its head.
pub(super) fn before(page: Page, row: &ShownRow) -> AnyView {
    view! { {rested(page, &row.note)} {pairs::passing(page, &row.passing)} }.into_any()
}

/// What stands in its head behind its name.
pub(super) fn marks(page: Page, row: &ShownRow) -> AnyView {
    let place = row.place;
    let words = dialects(page.app.language.get_untracked());
    view! {
        {move || is_added(page, place).then(|| view! { <span class="unseen">{words.new_since}</span> })}
        {edit::button(page, row.at)}
    }
    .into_any()
}

/// What stands above its blocks.
pub(super) fn above(page: Page, row: &ShownRow) -> AnyView {
    row.note.edited.as_ref().and_then(|it| edit::request::edited(page, it)).into_any()
}

/// What stands below its blocks.
pub(super) fn below(page: Page, row: &ShownRow) -> AnyView {
    let message = &row.message;
    view! {
        {dropped(page, message)}
        {before_edit(page, message)}
        {message.origin.as_ref().map(|origin| answered(page, origin, &row.note))}
    }
    .into_any()
}

/// What stands behind all of it.
pub(super) fn after(_: Page, row: &ShownRow) -> AnyView {
    row.note.turn.map(|turn| turn_line(turn, row.note.at_ms)).into_any()
}

/// Index, role and producer.
pub(crate) fn entry_name(page: Page, place: usize, role: &str, producer: Producer) -> AnyView {
    let sign = match producer {
        Producer::Person => Icon::Person,
        Producer::Model => Icon::Model,
        Producer::Harness => Icon::Harness,
        Producer::Host => Icon::Host,
    };
    view! {
        <span class="index">{format!("[{place}]")}</span>
        <span class="role">{role.to_owned()}</span>
        <span class="producer">{icon(sign)} {(page.session_words().entries.producer)(producer)}</span>
    }
    .into_any()
}

/// How an answer ended and what it cost.
fn answered(page: Page, origin: &Origin, note: &Note) -> AnyView {
    let words = &page.session_words().entries;
    let name = match origin.dialect {
        agent_loop::Dialect::Anthropic => "stop_reason",
        agent_loop::Dialect::OpenAi => "finish_reason",
    };
    let cached = origin.usage.cache_read_tokens.filter(|tokens| *tokens > 0).map(words.cached);
    let look = note.called.map(|fact| {
        let look = move |_| {
            page.app.selection.set(Selection::Exchange(fact));
            page.ui.tab.set(Tab::Request);
            page.ui.inspector.set(Panel::Open);
        };
        view! { <button type="button" class="quiet" on:click=look>{icon(Icon::Inspector)} <span>{words.look_at_request}</span></button> }
    });
    view! {
        <p class="facts">
            <code>{format!("{name}: {}", stop_reason(&origin.stop_reason, origin.dialect))}</code>
            <span>{(words.tokens)(origin.usage.input_tokens, origin.usage.output_tokens)}</span>
            {cached.map(|cached| view! { <span>{cached}</span> })}
            <span>{duration(origin.duration_ms)}</span>
            <span class="model-name">{origin.model.clone()}</span>
            {look}
        </p>
    }
    .into_any()
}

/// The line between two turns.
fn turn_line(turn: Turn, at_ms: u64) -> AnyView {
    let reason = match turn.reason {
        None => "None",
        Some(TransitionReason::ToolResult) => "tool_result",
        Some(TransitionReason::PauseTurn) => "pause_turn",
        Some(TransitionReason::Nudge) => "nudge",
    };
    view! {
        <p class="turn">
            <code>{format!("turn_count: {}", turn.count)}</code>
            <code>{format!("transition_reason: {reason}")}</code>
            <span class="turn-time">{time_of_day(at_ms)}</span>
        </p>
    }
    .into_any()
}

/// Before a person's further words: how what came before had ended.
fn rested(page: Page, note: &Note) -> Option<AnyView> {
    let rest = note.rested.as_ref()?;
    Some(view! { <p class="turn ended"><span>{(page.words.deck.end)(rest)}</span></p> }.into_any())
}

fn dropped(page: Page, message: &Message) -> Option<AnyView> {
    if message.dropped.is_empty() {
        return None;
    }
    let calls: Vec<AnyView> = message
        .dropped
        .iter()
        .map(|call| {
            view! { <pre class="mono">{signs(&format!("{} {}", call.name, call.arguments)).into_owned()}</pre> }
                .into_any()
        })
        .collect();
    Some(view! { <div class="set-aside"><p>{page.session_words().entries.dropped}</p>{calls}</div> }.into_any())
}

fn before_edit(page: Page, message: &Message) -> Option<AnyView> {
    let words = &page.session_words().entries;
    let text = message.original.as_ref()?.extract_text();
    let is_told_by_its_blocks = text == message.extract_text();
    if is_told_by_its_blocks {
        return None;
    }
    Some(
        view! {
            <details class="before">
                <summary><span class="tag">{words.edited}</span> {words.before_edit}</summary>
                <p class="plain">{signs(&text).into_owned()}</p>
            </details>
        }
        .into_any(),
    )
}
