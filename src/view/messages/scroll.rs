//! Keeps the newest in view while a person looks at the newest, and leaves them alone while they look elsewhere.

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use crate::view::Ui;
use crate::view::icon::{Icon, icon};

/// Closer to the end than this counts as being there, in CSS pixels.
const NEAR: i32 = 48;

/// Closer to the beginning than this, earlier entries are drawn.
const EARLY: i32 = 1_200;

/// The scrolled region.
#[derive(Clone, Copy)]
pub(crate) struct Scroll {
    /// What scrolls.
    pub(crate) outer: NodeRef<Div>,
    /// What grows in it.
    pub(crate) inner: NodeRef<Div>,
    follows: RwSignal<bool>,
    /// Where it stood when it was looked at last.
    top: StoredValue<i32>,
    ui: Ui,
}

impl Scroll {
    /// Follows until a person scrolls away.
    pub(crate) fn new(ui: Ui) -> Scroll {
        let scroll = Scroll {
            outer: NodeRef::new(),
            inner: NodeRef::new(),
            follows: RwSignal::new(true),
            top: StoredValue::new(0),
            ui,
        };
        Effect::new(move |_| scroll.watch());
        scroll
    }

    /// Looks where the person has scrolled to.
    pub(crate) fn look(self) {
        let Some(outer) = self.outer.get_untracked() else { return };
        let top = outer.scroll_top();
        let is_near = outer.scroll_height() - top - outer.client_height() < NEAR;
        // Only a person goes back: what grows below the end moves nothing.
        let went_back = top < self.top.get_value();
        self.top.set_value(top);
        if went_back && top < EARLY {
            self.ui.window.draw_earlier();
        }
        let follows = is_near || (self.follows.get_untracked() && !went_back);
        if self.follows.get_untracked() != follows {
            self.follows.set(follows);
        }
    }

    /// The way back to the newest; there only where it is needed.
    pub(crate) fn button(self, label: &'static str) -> AnyView {
        let back = move |_| {
            self.follows.set(true);
            self.to_end();
        };
        view! {
            <button type="button" class="newest" hidden=move || self.follows.get() on:click=back>
                {icon(Icon::Down)}
                <span>{label}</span>
            </button>
        }
        .into_any()
    }

    fn to_end(self) {
        // An empty array is read from its beginning.
        if self.ui.shown.try_with_untracked(|shown| shown.is_empty()) != Some(false) {
            return;
        }
        if let Some(outer) = self.outer.try_get_untracked().flatten() {
            outer.set_scroll_top(outer.scroll_height());
        }
    }

    /// Both sizes matter: the content grows, and the region shrinks when a question appears below it.
    fn watch(self) {
        let (Some(outer), Some(inner)) = (self.outer.get(), self.inner.get()) else { return };
        let grown = Closure::<dyn Fn()>::new(move || {
            if self.follows.try_get_untracked() == Some(true) {
                self.to_end();
            }
        });
        let Ok(observer) = web_sys::ResizeObserver::new(grown.as_ref().unchecked_ref()) else { return };
        observer.observe(&outer);
        observer.observe(&inner);
        let watching = StoredValue::new_local((observer, grown));
        on_cleanup(move || {
            watching.try_with_value(|(observer, _)| observer.disconnect());
        });
    }
}
