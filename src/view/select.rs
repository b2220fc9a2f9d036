//! A native select with its label: the one way in which this page lets a person choose one of several.

use leptos::prelude::*;

/// One thing that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// What the action is told.
    pub(crate) value: String,
    /// What the person reads.
    pub(crate) label: String,
    /// The heading it stands under; empty for none. Choices of one heading stand together.
    pub(crate) heading: &'static str,
}

impl Choice {
    /// A choice without a heading.
    pub(crate) fn new(value: impl Into<String>, label: impl Into<String>) -> Choice {
        Choice { value: value.into(), label: label.into(), heading: "" }
    }
}

/// The choices and which of them is chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choices {
    /// All of them, in order.
    pub(crate) all: Vec<Choice>,
    /// The value of the chosen one.
    pub(crate) chosen: String,
}

/// The select. `label` is its accessible name; what labels it for the eye is the caller's.
pub(crate) fn select(
    label: &'static str,
    choices: impl Fn() -> Choices + Send + 'static,
    choose: impl Fn(String) + 'static,
) -> AnyView {
    view! {
        <select class="select" aria-label=label on:change=move |event| choose(event_target_value(&event))>
            {move || options(&choices())}
        </select>
    }
    .into_any()
}

/// The same with a hint beside it, by which it is described.
pub(crate) fn described_select(
    label: &'static str,
    hint_id: Option<String>,
    choices: impl Fn() -> Choices + Send + 'static,
    choose: impl Fn(String) + 'static,
) -> AnyView {
    view! {
        <select
            class="select"
            aria-label=label
            aria-describedby=hint_id
            on:change=move |event| choose(event_target_value(&event))
        >
            {move || options(&choices())}
        </select>
    }
    .into_any()
}

fn options(choices: &Choices) -> Vec<AnyView> {
    choices
        .all
        .chunk_by(|one, other| one.heading == other.heading)
        .map(|group| {
            let options: Vec<AnyView> = group.iter().map(|choice| option(choice, &choices.chosen)).collect();
            match group.first().map_or("", |choice| choice.heading) {
                "" => options.into_any(),
                heading => view! { <optgroup label=heading>{options}</optgroup> }.into_any(),
            }
        })
        .collect()
}

fn option(choice: &Choice, chosen: &str) -> AnyView {
    let is_chosen = choice.value == chosen;
    view! { <option value=choice.value.clone() prop:selected=is_chosen>{choice.label.clone()}</option> }.into_any()
}
