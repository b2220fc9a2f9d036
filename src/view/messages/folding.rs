//! Long monospace text: its first lines, and all of it on demand.

use leptos::prelude::*;

use crate::view::Page;
use crate::view::signs::signs;

/// How much of a long text is shown at first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fold {
    /// Up to this many lines a text is shown whole.
    pub(crate) whole: usize,
    /// Of a longer one, this many.
    pub(crate) first: usize,
}

/// Output, and whatever else stands among a message's blocks.
const SHORT: Fold = Fold { whole: 18, first: 12 };
/// A single line can be long as well: bytes up to which a text counts as short.
const WHOLE_BYTES: usize = 4_000;

/// The text in a `<pre>`, folded if it is long.
pub(crate) fn folded(page: Page, class: &'static str, text: &str) -> AnyView {
    folded_as(page, class, SHORT, text, |text| text.to_owned().into_any())
}

/// The same for other lengths, with what stands in the `<pre>` drawn by `draw`.
pub(crate) fn folded_as(
    page: Page,
    class: &'static str,
    fold: Fold,
    text: &str,
    draw: impl Fn(&str) -> AnyView + Send + 'static,
) -> AnyView {
    let words = &page.session_words().entries;
    let text: &str = &signs(text);
    let lines = text.lines().count();
    let head = head(text, fold);
    if head.len() == text.len() {
        return view! { <pre class=class>{draw(text)}</pre> }.into_any();
    }
    let open = RwSignal::new(false);
    let (head, whole) = (head.to_owned(), text.to_owned());
    view! {
        <pre class=class class:cut=move || !open.get()>
            {move || draw(if open.get() { &whole } else { &head })}
        </pre>
        <button type="button" class="quiet unfold" on:click=move |_| open.update(|open| *open = !*open)>
            {move || if open.get() { words.show_less.to_owned() } else { (words.show_all)(lines) }}
        </button>
    }
    .into_any()
}

/// The part that is shown at first; all of a short text.
fn head(text: &str, fold: Fold) -> &str {
    let is_short = text.len() <= WHOLE_BYTES && text.lines().count() <= fold.whole;
    if is_short {
        return text;
    }
    let after_lines = text.match_indices('\n').nth(fold.first.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    let mut end = after_lines.min(WHOLE_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::{SHORT, head};

    #[track_caller]
    fn check(text: &str, expected_lines: usize, expected_bytes: usize) {
        let head = head(text, SHORT);
        assert!(text.starts_with(head));
        assert_eq!((head.lines().count(), head.len()), (expected_lines, expected_bytes));
    }

    #[test]
    fn long_texts_are_cut_at_lines_and_very_long_lines_at_characters() {
        check("", 0, 0);
        check(&"a\n".repeat(18), 18, 36);
        check(&"a\n".repeat(19), 12, 23);
        check(&"a".repeat(4_000), 1, 4_000);
        check(&"字".repeat(2_000), 1, 3_999);
    }
}
