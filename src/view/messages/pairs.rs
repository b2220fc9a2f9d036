//! What ties a call to its result for the eye: the end of its id and one of a few tints, the same on both.

use agent_loop::CallKey;
use leptos::prelude::*;

use super::draw_from;
use crate::view::Page;

/// How many tints there are (www/styles/messages.css).
const TINTS: usize = 5;
/// How much of an id is shown: its end, which is what differs.
const SHOWN: usize = 6;

/// The class of the tint.
pub(crate) fn tint(call: CallKey) -> String {
    format!("tint-{}", (call.fact + call.index) % TINTS)
}

/// The anchor of a call.
pub(crate) fn call_anchor(call: CallKey) -> String {
    format!("call-{}-{}", call.fact, call.index)
}

/// The anchor of a result.
pub(crate) fn result_anchor(call: CallKey) -> String {
    format!("result-{}-{}", call.fact, call.index)
}

/// The chip with the end of the id.
pub(crate) fn id_chip(id: &str) -> AnyView {
    let start = id.char_indices().rev().nth(SHOWN - 1).map_or(0, |(at, _)| at);
    let end = id.get(start..).unwrap_or(id).to_owned();
    let text = if start == 0 { end } else { format!("…{end}") };
    view! { <code class="pair-id" title=id.to_owned()>{text}</code> }.into_any()
}

/// A link to a call or a result, which stands in this entry. What is not drawn yet is drawn first, and the focus goes
/// along. It does not touch the address, whose fragment is the bridge's.
pub(crate) fn jump(page: Page, anchor: String, place: usize, text: String) -> AnyView {
    let target = anchor.clone();
    let go = move |event: leptos::ev::MouseEvent| {
        event.prevent_default();
        draw_from(page.ui.first_leaf, place);
        let target = target.clone();
        request_animation_frame(move || {
            if let Some(element) = document().get_element_by_id(&target) {
                element.scroll_into_view();
            }
            crate::view::focus(&target);
        });
    };
    view! { <a class="jump" href=format!("#{anchor}") on:click=go>{text}</a> }.into_any()
}
