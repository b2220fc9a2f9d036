//! Below the bar: the loop in its six stages, and the buttons that drive it.

mod buttons;
mod facts;
mod strip;

use leptos::prelude::*;

use super::Page;

pub(super) use strip::{Light, light};

/// The deck.
pub(crate) fn deck(page: Page) -> AnyView {
    view! {
        <section class="deck" aria-label=page.words.deck.label>
            {strip::strip(page)}
            <div class="drive">
                {buttons::buttons(page)}
                {facts::facts(page)}
            </div>
        </section>
    }
    .into_any()
}
