//! The turn that a capture tells: how it ended and what is odd about it, its blocks, and the whole as JSON.

use std::rc::Rc;

use agent_loop::capture::Turn;
use agent_loop::wire::{with_exact_numbers, written_json};
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use serde_json::Value;

use crate::run::captured::Captured;
use crate::view::copy::copy_button;
use crate::view::json::{PLAIN_ABOVE, json};
use crate::view::messages::{asked, folded, folded_away};
use crate::view::signs::signs;
use crate::view::{Page, markdown};
use crate::words::{CaptureWords, count};

/// How it ended, what it cost and what is odd about it.
pub(super) fn outcome(words: &'static CaptureWords, captured: &Captured) -> AnyView {
    let Captured { turn, whole, .. } = captured;
    let end = match &turn.error {
        None => {
            let reason = whole.get("stop_reason").and_then(Value::as_str).unwrap_or_default();
            view! { <p class="ended">{signs(&(words.complete)(reason)).into_owned()}</p> }.into_any()
        }
        Some(failure) => {
            let said = (!failure.message.is_empty()).then(|| {
                view! { <p class="hint">{words.said} " " <q class="said">{signs(&failure.message).into_owned()}</q></p> }
            });
            view! {
                <p class="ended bad">{(words.failed)(failure.kind)}</p>
                {said}
            }
            .into_any()
        }
    };
    let english = whole.get("warnings").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let odd: Vec<AnyView> = turn
        .suspicions
        .iter()
        .zip(english)
        .map(|(suspicion, english)| (words.suspicion)(suspicion, english))
        .map(|told| view! { <li>{signs(&told).into_owned()}</li> }.into_any())
        .collect();
    let odd = (!odd.is_empty()).then(|| view! { <ul class="odd" aria-label=words.odd>{odd}</ul> });
    view! {
        {end}
        {usage(words, turn)}
        {odd}
    }
    .into_any()
}

/// The tokens, if any were told.
fn usage(words: &'static CaptureWords, turn: &Turn) -> Option<AnyView> {
    let (input, output) = (turn.usage.input_tokens, turn.usage.output_tokens);
    let told = |tokens: Option<u64>| tokens.map_or_else(|| "?".to_owned(), count);
    (input.is_some() || output.is_some())
        .then(|| view! { <p class="hint">{(words.tokens)(&told(input), &told(output))}</p> }.into_any())
}

/// Its blocks, and the whole as JSON, which is not drawn before it is wanted: a long one costs.
pub(super) fn content(
    page: Page,
    words: &'static CaptureWords,
    captured: &Rc<Captured>,
    is_json_wanted: RwSignal<bool>,
) -> AnyView {
    let blocks: Vec<AnyView> = captured.turn.content.iter().map(|it| block(page, it)).collect();
    let blocks = (!blocks.is_empty()).then(|| {
        view! { <div class="captured" role="group" aria-label=words.content>{blocks}</div> }
    });
    let whole = SendWrapper::new(Rc::clone(captured));
    let drawn = move || {
        is_json_wanted.get().then(|| {
            let text = Rc::clone(&whole);
            view! {
                {copy_button(page, move || written_json(&text.whole))}
                {json(&whole.whole)}
            }
        })
    };
    view! {
        {blocks}
        <details class="assembled" on:toggle=move |_| is_json_wanted.set(true)>
            <summary>{words.json}</summary>
            {drawn}
        </details>
    }
    .into_any()
}

/// One block, drawn as in the array.
fn block(page: Page, block: &Value) -> AnyView {
    let words = &page.session_words().entries;
    let part = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
    match part("type") {
        "text" if part("text").len() > PLAIN_ABOVE => folded(page, "mono", part("text")),
        "text" => markdown::markdown(page, part("text")),
        "thinking" if !part("thinking").is_empty() => folded_away(words.thinking, part("thinking").to_owned()),
        "tool_use" => {
            let input = match block.get("input") {
                Some(input) => asked(page, &written_json(input)),
                None => view! { <pre class="mono">{signs(part("arguments")).into_owned()}</pre> }.into_any(),
            };
            view! {
                <div class="call" role="group" aria-label=format!("tool_use {} {}", part("name"), part("id"))>
                    <div class="call-head">
                        <code class="tool-name">{signs(part("name")).into_owned()}</code>
                        <code class="pair-id">{signs(part("id")).into_owned()}</code>
                    </div>
                    {input}
                </div>
            }
            .into_any()
        }
        _ => folded_away(words.opaque, with_exact_numbers(format!("{block:#}"))),
    }
}
