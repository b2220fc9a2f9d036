//! What stands on `<html>`: the language, and the theme where a person chose one.

use leptos::prelude::*;

use crate::app::{App, Theme};
use crate::words::words;

/// Keeps `lang` and `data-theme` as the app has them.
pub(crate) fn follow(app: App) {
    Effect::new(move |_| {
        let tag = words(app.language.get()).tag;
        if let Some(root) = document().document_element() {
            // An attribute that cannot be set leaves the page readable; there is nobody to tell.
            let _ = root.set_attribute("lang", tag);
        }
    });
    Effect::new(move |_| {
        let Some(root) = document().document_element() else { return };
        let _ = match app.theme.get() {
            Theme::System => root.remove_attribute("data-theme"),
            Theme::Light => root.set_attribute("data-theme", "light"),
            Theme::Dark => root.set_attribute("data-theme", "dark"),
        };
    });
}
