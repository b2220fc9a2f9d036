//! The empty page that the start of the page is measured against (`start.mjs`): Leptos, a word, and the same sign that it
//! is usable.

use leptos::prelude::*;

fn main() {
    mount_to_body(|| {
        Effect::new(|_| {
            if let Some(body) = document().body() {
                // The measurement waits for it in vain and says so.
                let _ = body.set_attribute("data-ready", "");
            }
        });
        view! { <p>"Ready"</p> }
    });
}
