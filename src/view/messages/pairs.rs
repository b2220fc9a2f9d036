//! What ties a call to its result: the end of its id and one of a few tints, the same on both, a line from one to the
//! other, and a link each way.
//!
//! The line is borders: each end draws its half to the edge of its own entry, which clips it (www/styles/pairs.css), so
//! that nothing is measured and nothing moves. Calls of one answer have a lane each.

use agent_loop::CallKey;
use leptos::prelude::*;

use crate::view::Page;

/// How many tints there are (www/styles/pairs.css).
const TINTS: usize = 5;
/// How many lanes there are (www/styles/pairs.css).
const LANES: usize = 4;
/// How much of an id is shown: its end, which is what differs.
const SHOWN: usize = 6;

/// The calls whose lines are lit: a person points at one and may be somewhere else with the keyboard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Traced {
    /// One of its ends is under the pointer.
    pub(crate) pointed: Option<CallKey>,
    /// One of its ends has the focus.
    pub(crate) focused: Option<CallKey>,
}

impl Traced {
    /// Whether this call's is.
    pub(crate) fn is_lit(self, call: CallKey) -> bool {
        [self.pointed, self.focused].contains(&Some(call))
    }
}

/// The classes of the tint and of the lane.
pub(crate) fn tint(call: CallKey) -> String {
    format!("tint-{} lane-{}", (call.fact + call.index) % TINTS, call.index % LANES)
}

/// The lines that go through an entry from a call before it to a result behind it.
pub(crate) fn passing(page: Page, calls: &[CallKey]) -> Vec<AnyView> {
    let line = |call: &CallKey| {
        let call = *call;
        let is_lit = move || page.ui.traced.get().is_lit(call);
        view! { <span class=format!("passing {}", tint(call)) class:lit=is_lit aria-hidden="true"></span> }.into_any()
    };
    calls.iter().map(line).collect()
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
        page.ui.window.draw_from(place);
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
