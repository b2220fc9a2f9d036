//! How a run goes: the prompt, the answer, the tools, the limits, the words of results.

use std::rc::Rc;

use agent_loop::Settings;
use agent_loop::settings::{Limits, OfferTools, RunTools};
use agent_loop::tool::{Blacklist, WordingSet};
use leptos::prelude::*;

use super::field::{Field, described, fresh_id, number_field};
use crate::run::actions;
use crate::view::Page;
use crate::view::select::{Choice, Choices, described_select};
use crate::words::background_setting;

/// Changes the knobs.
pub(super) fn change(page: Page, edit: impl FnOnce(&mut Settings)) {
    let mut settings = (*page.app.settings.get_untracked()).clone();
    edit(&mut settings);
    actions::configure(page.app, Rc::new(settings));
}

/// The prompt and the answer.
pub(crate) fn prompt(page: Page) -> AnyView {
    let words = page.settings_words();
    let settings = page.app.settings;
    let max_tokens = Field {
        label: words.max_tokens,
        hint: words.max_tokens_hint,
        value: Box::new(move || settings.with(|settings| settings.max_tokens.map(u64::from))),
        set: Box::new(move |typed| {
            let limit = typed.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
            change(page, |settings| settings.max_tokens = limit);
        }),
    };
    let (hint_id, hint) = described(words.system_hint);
    view! {
        <div class="setting">
            <label class="setting">
                <span class="setting-label">{words.system}</span>
                <textarea
                    rows="3"
                    spellcheck="false"
                    aria-describedby=hint_id
                    prop:value=move || settings.with(|settings| settings.system.clone())
                    on:change=move |event| change(page, |settings| settings.system = event_target_value(&event))
                ></textarea>
            </label>
            {hint}
        </div>
        {number_field(page, max_tokens, 1..=u64::from(u32::MAX))}
        <label class="setting check">
            <input
                type="checkbox"
                prop:checked=move || settings.with(|settings| settings.stream)
                on:change=move |event| change(page, |settings| settings.stream = event_target_checked(&event))
            />
            <span>{words.stream}</span>
        </label>
    }
    .into_any()
}

/// When tools are executed, and what their results say.
pub(crate) fn tools(page: Page) -> AnyView {
    let words = page.settings_words();
    let settings = page.app.settings;
    let run_tools = chooser(
        page,
        words.run_tools,
        None,
        [
            (RunTools::Loop, words.run_loop),
            (RunTools::OneTurn, words.run_one_turn),
            (RunTools::Once, words.run_once),
            (RunTools::Never, words.run_never),
        ],
        |settings| settings.run_tools,
        |settings, chosen| settings.run_tools = chosen,
    );
    let wording = chooser(
        page,
        words.wording,
        None,
        [WordingSet::Default, WordingSet::MessagesLesson, WordingSet::ChatLesson]
            .map(|set| (set, (words.wording_set)(set))),
        |settings| settings.wording,
        |settings, chosen| {
            settings.wording = chosen;
            settings.output = chosen.output_rule();
        },
    );
    let hint_id = fresh_id();
    let blacklist = chooser(
        page,
        words.blacklist,
        Some(hint_id.clone()),
        [(Blacklist::Off, words.off), (Blacklist::Five, words.five), (Blacklist::Six, words.six)],
        |settings| settings.blacklist,
        |settings, chosen| settings.blacklist = chosen,
    );
    let listed = move || settings.with(|settings| settings.blacklist.substrings().join("  ·  "));
    view! {
        {run_tools}
        {background(page)}
        {wording}
        {blacklist}
        <p class="hint" id=hint_id>{words.blacklist_hint} " " <code>{listed}</code></p>
    }
    .into_any()
}

/// Whether the model may leave commands running: a session offers one tool, `bash`, unless a person wants more.
fn background(page: Page) -> AnyView {
    let words = background_setting(page.app.language.get_untracked());
    let offers = move || page.app.settings.with(|settings| settings.offer_tools);
    let set = move |event| {
        let wanted = if event_target_checked(&event) { OfferTools::WithBackground } else { OfferTools::Host };
        change(page, |settings| settings.offer_tools = wanted);
    };
    let (hint_id, hint) = described(words.hint);
    view! {
        <div class="setting">
            <label class="setting check">
                <input
                    type="checkbox"
                    aria-describedby=hint_id
                    prop:checked=move || offers() == OfferTools::WithBackground
                    prop:disabled=move || matches!(offers(), OfferTools::Pinned | OfferTools::Off)
                    on:change=set
                />
                <span>{words.label}</span>
            </label>
            {hint}
        </div>
    }
    .into_any()
}

/// The longest that the bridge lets a command run, in seconds; it refuses a call that asks for more (docs/protocol.md).
const COMMAND_SECONDS: u64 = 3_600;

/// The limits.
pub(crate) fn limits(page: Page) -> AnyView {
    let words = page.settings_words();
    let limit = |label: &'static str, bounds, get: fn(&Limits) -> u64, set: fn(&mut Limits, u64)| {
        let value = move || page.app.settings.with(|settings| Some(get(&settings.limits)));
        let set = move |typed: Option<u64>| {
            // An emptied limit is no limit to know of: the usual one stands.
            let number = typed.unwrap_or_else(|| get(&Limits::default()));
            change(page, |settings| set(&mut settings.limits, number));
        };
        number_field(page, Field { label, hint: "", value: Box::new(value), set: Box::new(set) }, bounds)
    };
    let most = u64::from(u32::MAX);
    let cap = Field {
        label: words.output_cap,
        hint: "",
        value: Box::new(move || page.app.settings.with(|settings| u64::try_from(settings.output.cap).ok())),
        set: Box::new(move |typed: Option<u64>| {
            let cap = typed.and_then(|cap| usize::try_from(cap).ok());
            change(page, |settings| settings.output.cap = cap.unwrap_or(settings.wording.output_rule().cap));
        }),
    };
    view! {
        {limit(
            words.model_calls,
            1..=most,
            |limits| u64::from(limits.model_calls),
            |limits, number| limits.model_calls = u32::try_from(number).unwrap_or(u32::MAX),
        )}
        {limit(
            words.command_seconds,
            1..=COMMAND_SECONDS,
            |limits| limits.command_ms / 1_000,
            |limits, number| limits.command_ms = number.saturating_mul(1_000),
        )}
        {limit(
            words.retries,
            0..=most,
            |limits| u64::from(limits.retries),
            |limits, number| limits.retries = u32::try_from(number).unwrap_or(u32::MAX),
        )}
        {number_field(page, cap, 1..=most)}
    }
    .into_any()
}

/// One of a few values, by its place among them.
fn chooser<T: Copy + PartialEq + Send + Sync + 'static, const N: usize>(
    page: Page,
    label: &'static str,
    hint_id: Option<String>,
    values: [(T, &'static str); N],
    get: fn(&Settings) -> T,
    set: fn(&mut Settings, T),
) -> AnyView {
    let choices = move || {
        let chosen = page.app.settings.with(|settings| get(settings));
        let place = values.iter().position(|(value, _)| *value == chosen).unwrap_or_default();
        let all = values.iter().enumerate().map(|(at, (_, label))| Choice::new(at.to_string(), *label)).collect();
        Choices { all, chosen: place.to_string() }
    };
    let choose = move |place: String| {
        let value = place.parse::<usize>().ok().and_then(|place| values.get(place));
        if let Some((value, _)) = value {
            change(page, |settings| set(settings, *value));
        }
    };
    view! {
        <div class="setting">
            <p class="setting-label">{label}</p>
            {described_select(label, hint_id, choices, choose)}
        </div>
    }
    .into_any()
}
