//! The fields of the settings: a number or an amount that counts when a person leaves it. What is not taken as it
//! was typed is said below the field.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};

use leptos::prelude::*;

use crate::view::Page;
use crate::words::{connection, millionths, money};

/// A field.
pub(crate) struct Field<T> {
    /// Its name.
    pub(crate) label: &'static str,
    /// What there is to know; may be empty.
    pub(crate) hint: &'static str,
    /// What it is now.
    pub(crate) value: Box<dyn Fn() -> T + Send + Sync>,
    /// Takes what was typed.
    pub(crate) set: Box<dyn Fn(T)>,
}

/// A whole number within these bounds, or nothing.
pub(crate) fn number_field(page: Page, field: Field<Option<u64>>, bounds: RangeInclusive<u64>) -> AnyView {
    let Field { label, hint, value, set } = field;
    let words = connection(page.app.language.get_untracked());
    let (told, shown) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let value = StoredValue::new(value);
    let now = move || value.with_value(|value| value());
    Effect::new(move |_| shown.set(now().map_or(String::new(), |number| number.to_string())));
    let change = move |text: String| {
        let said = match Typed::read(&text, &bounds) {
            Typed::Nothing => {
                set(None);
                untrack(now).map_or(String::new(), words.usual)
            }
            Typed::Number(number) => {
                set(Some(number));
                String::new()
            }
            Typed::Below => {
                set(Some(*bounds.start()));
                (words.at_least)(*bounds.start())
            }
            Typed::Beyond => {
                set(Some(*bounds.end()));
                (words.at_most)(*bounds.end())
            }
            Typed::NoNumber => (words.no_number)(text.trim()),
        };
        // Also where nothing was changed: what was typed goes.
        shown.notify();
        told.set(said);
    };
    line(label, hint, told, "numeric", Box::new(move || shown.get()), Box::new(change))
}

/// An amount of money in millionths, or nothing.
pub(crate) fn amount_field(page: Page, field: Field<Option<u64>>) -> AnyView {
    let Field { label, hint, value, set } = field;
    let words = connection(page.app.language.get_untracked());
    let (told, shown) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    Effect::new(move |_| shown.set(value().map(money).unwrap_or_default()));
    let change = move |text: String| {
        let amount = millionths(&text);
        let is_amount = amount.is_some() || text.trim().is_empty();
        if is_amount {
            set(amount);
        }
        shown.notify();
        told.set(if is_amount { String::new() } else { (words.no_amount)(text.trim()) });
    };
    line(label, hint, told, "decimal", Box::new(move || shown.get()), Box::new(change))
}

/// A labelled input with its hint and what is told of what was typed.
fn line(
    label: &'static str,
    hint: &'static str,
    told: RwSignal<String>,
    keyboard: &'static str,
    value: Box<dyn Fn() -> String + Send + Sync>,
    change: Box<dyn Fn(String)>,
) -> AnyView {
    let (hint_id, hint) = described(hint);
    let told_id = fresh_id();
    let ids = [hint_id, Some(told_id.clone())].into_iter().flatten().collect::<Vec<_>>().join(" ");
    view! {
        <div class="setting">
            <label class="setting">
                <span class="setting-label">{label}</span>
                <input
                    type="text"
                    inputmode=keyboard
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby=ids
                    prop:value=value
                    on:change=move |event| change(event_target_value(&event))
                />
            </label>
            {hint}
            <p class="hint told" role="status" id=told_id>{move || told.get()}</p>
        </div>
    }
    .into_any()
}

/// A hint and its id, by which a field is described: it stands beside the label, whose words name the field.
pub(super) fn described(hint: &'static str) -> (Option<String>, Option<AnyView>) {
    if hint.is_empty() {
        return (None, None);
    }
    let id = fresh_id();
    let hint = view! { <p class="hint" id=id.clone()>{hint}</p> }.into_any();
    (Some(id), Some(hint))
}

/// An id that no other hint of the page has.
pub(super) fn fresh_id() -> String {
    static HINTS: AtomicUsize = AtomicUsize::new(0);
    format!("hint-{}", HINTS.fetch_add(1, Ordering::Relaxed))
}

/// What stands in a field for numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Typed {
    Nothing,
    Number(u64),
    /// Less than it may be.
    Below,
    /// More than it may be.
    Beyond,
    NoNumber,
}

impl Typed {
    /// Reads digits of either width, with the marks that people put between thousands.
    fn read(text: &str, bounds: &RangeInclusive<u64>) -> Typed {
        let digits: String = text
            .chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, ',' | '_' | '，'))
            .map(|c| match c {
                '０'..='９' => char::from_digit(u32::from(c) - u32::from('０'), 10).unwrap_or(c),
                c => c,
            })
            .collect();
        let is_whole = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if digits.is_empty() {
            return Typed::Nothing;
        }
        if digits.strip_prefix('-').is_some_and(is_whole) {
            return Typed::Below;
        }
        if !is_whole(&digits) {
            return Typed::NoNumber;
        }
        // More digits than a number has are more than any bound.
        match digits.parse().unwrap_or(u64::MAX) {
            number if number < *bounds.start() => Typed::Below,
            number if number > *bounds.end() => Typed::Beyond,
            number => Typed::Number(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Typed;

    #[test]
    fn a_number_is_read_as_it_is_typed_and_its_bounds_are_known() {
        let check = |text: &str, expected: Typed| assert_eq!(Typed::read(text, &(1..=200)), expected, "{text:?}");
        check(" 12 ", Typed::Number(12));
        check("1,2_0", Typed::Number(120));
        check("１２", Typed::Number(12));
        check("200", Typed::Number(200));
        check("", Typed::Nothing);
        check("0", Typed::Below);
        check("-3", Typed::Below);
        check("201", Typed::Beyond);
        check("99999999999999999999", Typed::Beyond);
        check("1.5", Typed::NoNumber);
        check("1e3", Typed::NoNumber);
        check("-", Typed::NoNumber);
        check("many", Typed::NoNumber);
    }
}
