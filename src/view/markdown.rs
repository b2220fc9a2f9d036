//! Markdown as nodes. What a model writes reaches the page as text and elements that are named here, never as markup:
//! HTML in it is shown as it was written, links lead to the web or to mail only, images become their words.

mod elements;
mod parse;
pub(crate) mod streaming;

use leptos::prelude::*;

/// A finished text.
pub(crate) fn markdown(text: &str) -> AnyView {
    view! { <div class="markdown">{elements::views(parse::nodes(text))}</div> }.into_any()
}
