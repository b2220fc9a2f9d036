//! One block of a message.

use agent_loop::wire::with_exact_numbers;
use agent_loop::{Block, Message, Producer};
use leptos::prelude::*;

use super::{call, result};
use crate::view::signs::signs;
use crate::view::{Page, markdown};

/// Draws a block. A model's words are Markdown, a person's stand as they were typed.
pub(crate) fn block(page: Page, message: &Message, block: &Block) -> AnyView {
    let words = &page.session_words().entries;
    match block {
        Block::Text { text } if message.producer == Producer::Model => markdown::markdown(page, text),
        Block::Text { text } => view! { <p class="plain">{signs(text).into_owned()}</p> }.into_any(),
        Block::Thinking { text, raw } => {
            let text = if text.is_empty() { raw.to_string() } else { text.to_string() };
            folded_away(words.thinking, text)
        }
        Block::ToolUse(call) => call::call(page, call),
        Block::ToolResult(answer) => result::result(page, answer),
        Block::Opaque { raw } => folded_away(words.opaque, with_exact_numbers(format!("{raw:#}"))),
    }
}

/// What is there for those who look.
pub(crate) fn folded_away(label: &'static str, text: String) -> AnyView {
    view! {
        <details class="aside">
            <summary>{label}</summary>
            <p class="plain">{signs(&text).into_owned()}</p>
        </details>
    }
    .into_any()
}
