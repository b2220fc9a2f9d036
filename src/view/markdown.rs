//! Markdown as nodes. What a model writes reaches the page as text and elements that are named here, never as markup:
//! HTML in it is shown as it was written, links lead to the web or to mail only, images become their words.

mod blocks;
mod code;
mod elements;
mod inline;
mod node;
pub(crate) mod streaming;
#[cfg(test)]
mod tests;

use leptos::prelude::*;

use super::Page;

/// A finished text.
pub(crate) fn markdown(page: Page, text: &str) -> AnyView {
    let draw = |element: web_sys::Element, (page, text): (Page, String)| {
        // A view that is drawn again may use its element again.
        element.set_text_content(None);
        elements::draw(page, &element, &blocks::nodes(&text));
    };
    view! { <div class="markdown" on:click=move |event| code::press(page, &event) use:draw=(page, text.to_owned())></div> }
        .into_any()
}
