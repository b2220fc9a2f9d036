//! What a person prefers, kept in local storage: the knobs of new sessions, prices, the language, the theme; and what is known of
//! endpoints. Never a key.

use agent_loop::Settings;
use leptos::prelude::window;

use crate::app::{Language, Theme};
use crate::run::settings::{Place, at_home, starting};

const SETTINGS: &str = "loopglass-settings";
const LANGUAGE: &str = "loopglass-language";
const LEARNT: &str = "loopglass-learnt";
const PRICES: &str = "loopglass-prices";
const THEME: &str = "loopglass-theme";

/// The knobs of a new session.
pub fn settings(place: &Place) -> Settings {
    // Knobs that another version wrote may not be knobs any more.
    let kept = read(SETTINGS).and_then(|text| serde_json::from_str(&text).ok());
    kept.map_or_else(|| starting(place), |settings| at_home(&settings, place))
}

/// Keeps the knobs for new sessions.
pub fn keep_settings(settings: &Settings) {
    if let Ok(text) = serde_json::to_string(settings) {
        write(SETTINGS, &text);
    }
}

/// The prices a person wrote down, as [`crate::run::prices::Book`] reads them.
pub fn prices() -> String {
    read(PRICES).unwrap_or_default()
}

/// Keeps them.
pub fn keep_prices(text: &str) {
    write(PRICES, text);
}

/// The chosen language, or the browser's.
pub fn language() -> Language {
    let tag = read(LANGUAGE).or_else(|| window().navigator().language()).unwrap_or_default();
    if tag.to_ascii_lowercase().starts_with("zh") { Language::Zh } else { Language::En }
}

/// Keeps the language.
pub fn keep_language(language: Language) {
    write(
        LANGUAGE,
        match language {
            Language::En => "en",
            Language::Zh => "zh",
        },
    );
}

/// The chosen theme, or the system's.
pub fn theme() -> Theme {
    match read(THEME).as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    }
}

/// Keeps the theme.
pub fn keep_theme(theme: Theme) {
    write(
        THEME,
        match theme {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        },
    );
}

/// What is remembered of endpoints, as text.
pub fn learnt() -> Option<String> {
    read(LEARNT)
}

/// Keeps that.
pub fn keep_learnt(text: &str) {
    write(LEARNT, text);
}

fn read(name: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(name).ok()?
}

/// A browser that keeps nothing is one in which the preference lasts until the page is closed.
fn write(name: &str, value: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = storage.set_item(name, value);
    }
}
