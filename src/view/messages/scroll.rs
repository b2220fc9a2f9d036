//! Keeps the newest in view while a person looks at the newest, and leaves them alone while they look elsewhere.

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use super::Shown;
use crate::view::icon::{Icon, icon};

/// Closer to the end than this counts as being there, in CSS pixels.
const NEAR: i32 = 48;

/// The scrolled region.
#[derive(Clone, Copy)]
pub(crate) struct Scroll {
    /// What scrolls.
    pub(crate) outer: NodeRef<Div>,
    /// What grows in it.
    pub(crate) inner: NodeRef<Div>,
    follows: RwSignal<bool>,
    entries: RwSignal<Shown, LocalStorage>,
}

impl Scroll {
    /// Follows until a person scrolls away.
    pub(crate) fn new(entries: RwSignal<Shown, LocalStorage>) -> Scroll {
        let scroll = Scroll { outer: NodeRef::new(), inner: NodeRef::new(), follows: RwSignal::new(true), entries };
        Effect::new(move |_| scroll.watch());
        scroll
    }

    /// Looks where the person has scrolled to.
    pub(crate) fn look(self) {
        let Some(outer) = self.outer.get_untracked() else { return };
        let left = outer.scroll_height() - outer.scroll_top() - outer.client_height();
        if self.follows.get_untracked() != (left < NEAR) {
            self.follows.set(left < NEAR);
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
        if self.entries.try_with_untracked(|shown| shown.is_empty()) != Some(false) {
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
