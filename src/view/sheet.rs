//! A panel that small screens show over the page on demand: the focus goes into it when it opens, and back to where it
//! came from when it closes.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::{Panel, focus};

/// Moves the focus with the panel of this id. Its button that closes it is in view only where the panel is a sheet, and
/// what is not in view takes no focus.
pub(crate) fn follow(shown: RwSignal<Panel>, panel: &'static str, closes: &'static str) {
    let opener = StoredValue::new_local(None::<HtmlElement>);
    Effect::new(move |was: Option<Panel>| {
        let now = shown.get();
        let focused = document().active_element();
        match (was, now) {
            (Some(Panel::Closed), Panel::Open) => {
                opener.set_value(focused.and_then(|element| element.dyn_into().ok()));
                // It comes into view with the next frame.
                request_animation_frame(move || focus(closes));
            }
            (Some(Panel::Open), Panel::Closed) => {
                let panel = document().get_element_by_id(panel);
                let holds_focus = panel.is_some_and(|panel| panel.contains(focused.as_deref()));
                if let Some(opener) = opener.get_value().filter(|_| holds_focus) {
                    // One that has gone meanwhile takes no focus.
                    let _ = opener.focus();
                }
                opener.set_value(None);
            }
            _ => {}
        }
        now
    });
}
