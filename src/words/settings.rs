//! The words of the settings. They come with the part of the page that shows them.

use agent_loop::tool::WordingSet;

use super::{en, zh};
use crate::app::Language;

/// The words of a language.
pub fn settings(language: Language) -> &'static SettingsWords {
    match language {
        Language::En => &en::settings::SETTINGS,
        Language::Zh => &zh::settings::SETTINGS,
    }
}

/// The settings.
#[derive(Debug)]
pub struct SettingsWords {
    pub endpoint: &'static str,
    pub practice: &'static str,
    pub compatible: &'static str,
    pub custom_messages: &'static str,
    pub base_url: &'static str,
    pub base_url_hint: &'static str,
    pub model: &'static str,
    pub key: &'static str,
    pub key_hint: &'static str,
    pub with_its_key: &'static str,
    pub with_typed_key: &'static str,
    pub with_no_key: &'static str,
    pub relays: &'static str,
    pub has_key: &'static str,
    pub relayed: &'static str,
    pub prompt: &'static str,
    pub system: &'static str,
    pub system_hint: &'static str,
    pub max_tokens: &'static str,
    pub max_tokens_hint: &'static str,
    pub stream: &'static str,
    pub tools: &'static str,
    pub run_tools: &'static str,
    pub run_never: &'static str,
    pub run_once: &'static str,
    pub run_one_turn: &'static str,
    pub run_loop: &'static str,
    pub limits: &'static str,
    pub model_calls: &'static str,
    pub command_seconds: &'static str,
    pub retries: &'static str,
    pub output_cap: &'static str,
    pub wording: &'static str,
    pub wording_set: fn(WordingSet) -> &'static str,
    pub blacklist: &'static str,
    pub blacklist_hint: &'static str,
    pub off: &'static str,
    pub five: &'static str,
    pub six: &'static str,
    pub budget: BudgetWords,
}

/// What one user message may cost, and when a run pauses by itself.
#[derive(Debug)]
pub struct BudgetWords {
    pub title: &'static str,
    pub tokens: &'static str,
    pub seconds: &'static str,
    pub money: &'static str,
    pub price_hint: &'static str,
    pub same_calls: &'static str,
    pub same_calls_hint: &'static str,
    pub context_window: &'static str,
    pub no_limit: &'static str,
}
