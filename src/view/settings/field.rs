//! The fields of the settings: a text or a number that counts when a person leaves it.

use std::sync::atomic::{AtomicUsize, Ordering};

use leptos::prelude::*;

/// A field.
pub(crate) struct Field<T> {
    /// Its name.
    pub(crate) label: &'static str,
    /// What there is to know; may be empty.
    pub(crate) hint: &'static str,
    /// What it is now.
    pub(crate) value: Box<dyn Fn() -> T + Send>,
    /// Takes what was typed.
    pub(crate) set: Box<dyn Fn(T)>,
}

/// A line of text.
pub(crate) fn text_field(field: Field<String>) -> AnyView {
    let Field { label, hint, value, set } = field;
    let (hint_id, hint) = described(hint);
    view! {
        <div class="setting">
            <label class="setting">
                <span class="setting-label">{label}</span>
                <input
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby=hint_id
                    prop:value=value
                    on:change=move |event| set(event_target_value(&event))
                />
            </label>
            {hint}
        </div>
    }
    .into_any()
}

/// A whole number, or nothing. What is no number changes nothing and is put back.
pub(crate) fn number_field(field: Field<Option<u64>>) -> AnyView {
    let Field { label, hint, value, set } = field;
    let shown = RwSignal::new(String::new());
    Effect::new(move |_| shown.set(value().map_or(String::new(), |number| number.to_string())));
    let change = move |event| {
        let typed: String = event_target_value(&event);
        match typed.trim() {
            "" => set(None),
            digits => match digits.parse() {
                Ok(number) => set(Some(number)),
                Err(_) => shown.notify(),
            },
        }
    };
    let (hint_id, hint) = described(hint);
    view! {
        <div class="setting">
            <label class="setting">
                <span class="setting-label">{label}</span>
                <input
                    type="text"
                    inputmode="numeric"
                    autocomplete="off"
                    aria-describedby=hint_id
                    prop:value=move || shown.get()
                    on:change=change
                />
            </label>
            {hint}
        </div>
    }
    .into_any()
}

/// A hint and its id, by which a field is described: it stands beside the label, whose words name the field.
pub(super) fn described(hint: &'static str) -> (Option<String>, Option<AnyView>) {
    static HINTS: AtomicUsize = AtomicUsize::new(0);
    if hint.is_empty() {
        return (None, None);
    }
    let id = format!("hint-{}", HINTS.fetch_add(1, Ordering::Relaxed));
    let hint = view! { <p class="hint" id=id.clone()>{hint}</p> }.into_any();
    (Some(id), Some(hint))
}
