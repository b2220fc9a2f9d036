//! What one user message may cost, and when a run pauses by itself.

use agent_loop::Settings;
use leptos::prelude::*;

use super::field::{Field, amount_field, number_field};
use super::run::change;
use crate::view::Page;

/// The fields.
pub(crate) fn fields(page: Page) -> AnyView {
    let words = &page.settings_words().budget;
    let settings = page.app.settings;
    let number = |label, hint, get: fn(&Settings) -> Option<u64>, most: u64, set: fn(&mut Settings, Option<u64>)| {
        let field = Field {
            label,
            hint,
            value: Box::new(move || settings.with(|settings| get(settings))),
            set: Box::new(move |typed| change(page, |settings| set(settings, typed))),
        };
        number_field(page, field, 0..=most)
    };
    let money = Field {
        label: words.money,
        hint: words.price_hint,
        value: Box::new(move || settings.with(|settings| settings.limits.budget.money)),
        set: Box::new(move |typed| change(page, |settings| settings.limits.budget.money = typed)),
    };
    view! {
        {number(
            words.tokens,
            words.no_limit,
            |settings| settings.limits.budget.tokens,
            u64::MAX,
            |settings, typed| settings.limits.budget.tokens = typed,
        )}
        {number(
            words.seconds,
            words.no_limit,
            |settings| settings.limits.budget.time_ms.map(|ms| ms / 1_000),
            u64::MAX / 1_000,
            |settings, typed| settings.limits.budget.time_ms = typed.map(|seconds| seconds.saturating_mul(1_000)),
        )}
        {amount_field(page, money)}
        {number(
            words.same_calls,
            words.same_calls_hint,
            |settings| Some(u64::from(settings.limits.same_calls)),
            u64::from(u32::MAX),
            |settings, typed| {
                settings.limits.same_calls = typed.map_or(0, |times| u32::try_from(times).unwrap_or(u32::MAX));
            },
        )}
        {number(
            words.context_window,
            words.no_limit,
            |settings| settings.limits.context_window,
            u64::MAX,
            |settings, typed| settings.limits.context_window = typed.filter(|window| *window > 0),
        )}
    }
    .into_any()
}
