//! The breakpoints: for each of the three moments, when a run is held there.

use leptos::html;
use leptos::prelude::*;

use super::select::{Choice, Choices, select};
use super::{Page, Panel, focus, focus_when_drawn};
use crate::run::breakpoints::{Moment, When};

/// The id of the button that shows them.
pub(crate) const BUTTON: &str = "breakpoints";

/// The panel, while it is open.
pub(crate) fn panel(page: Page) -> AnyView {
    (move || (page.ui.breakpoints.get() == Panel::Open).then(|| all(page))).into_any()
}

fn all(page: Page) -> AnyView {
    let words = &page.session_words().control;
    let moments: Vec<AnyView> = Moment::ALL.into_iter().map(|moment| one(page, moment)).collect();
    let panel = NodeRef::<html::Section>::new();
    // Whoever opens them wants to set one; Escape leads back.
    focus_when_drawn(panel);
    let on_key = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            focus(BUTTON);
            page.ui.breakpoints.set(Panel::Closed);
        }
    };
    view! {
        <section
            class="breakpoints"
            aria-label=page.words.deck.breakpoints
            tabindex="-1"
            node_ref=panel
            on:keydown=on_key
        >
            <div class="breakpoint-rows">{moments}</div>
            <p class="hint">{words.breakpoints_hint}</p>
        </section>
    }
    .into_any()
}

fn one(page: Page, moment: Moment) -> AnyView {
    let words = &page.session_words().control;
    let breakpoints = page.app.breakpoints;
    let label = (words.moment)(moment);
    let choices = move || {
        let mut all = vec![
            Choice::new("off", words.never),
            Choice::new("always", words.always),
            Choice::new("first", words.first),
            Choice::new("turn", words.in_turn),
        ];
        if moment != Moment::BeforeModel {
            all.push(Choice::new("pattern", words.pattern));
        }
        let chosen = breakpoints.with(|set| match set.at(moment) {
            When::Off => "off",
            When::Always => "always",
            When::First => "first",
            When::Turn(_) => "turn",
            When::Pattern(_) => "pattern",
        });
        Choices { all, chosen: chosen.to_owned() }
    };
    let choose = move |chosen: String| {
        let when = match chosen.as_str() {
            "always" => When::Always,
            "first" => When::First,
            "turn" => When::Turn(2),
            "pattern" => When::Pattern(String::new()),
            _ => When::Off,
        };
        breakpoints.update(|set| set.set(moment, when));
    };
    let kind = Memo::new(move |_| choices().chosen);
    let more = move || match kind.get().as_str() {
        "turn" => field((words.turn_of)(moment), typed(page, moment), move |text| {
            if let Ok(turn) = text.trim().parse() {
                breakpoints.update(|set| set.set(moment, When::Turn(turn)));
            }
        }),
        "pattern" => field((words.pattern_of)(moment), typed(page, moment), move |text| {
            breakpoints.update(|set| set.set(moment, When::Pattern(text)));
        }),
        _ => ().into_any(),
    };
    view! {
        <div class="breakpoint">
            <p class="setting-label">{label}</p>
            {select(label, choices, choose)}
            {more}
        </div>
    }
    .into_any()
}

/// What was typed beside it so far.
fn typed(page: Page, moment: Moment) -> String {
    page.app.breakpoints.with_untracked(|set| match set.at(moment) {
        When::Turn(turn) => turn.to_string(),
        When::Pattern(pattern) => pattern.clone(),
        When::Off | When::Always | When::First => String::new(),
    })
}

fn field(label: String, value: String, set: impl Fn(String) + 'static) -> AnyView {
    view! {
        <input
            type="text"
            class="mono"
            autocomplete="off"
            spellcheck="false"
            aria-label=label
            value=value
            on:input=move |event| set(event_target_value(&event))
        />
    }
    .into_any()
}
