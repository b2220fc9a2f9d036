//! The words of the inspector's tab "Cost". They stand apart from [`super::Words`], so that they come with the part of the
//! page that says them.

use agent_loop::settings::Currency;

use crate::app::Language;

/// What a session took, in words.
#[derive(Debug)]
pub struct CostWords {
    pub nothing_yet: &'static str,
    /// The sums: the model, tools, waits, tokens, money.
    pub sums: &'static str,
    pub model: &'static str,
    pub model_calls: fn(usize, &str) -> String,
    pub tools: &'static str,
    pub tool: &'static str,
    pub runs: fn(usize, &str) -> String,
    pub waits: &'static str,
    pub tokens_in: &'static str,
    pub tokens_out: &'static str,
    pub cache_read: &'static str,
    pub cache_write: &'static str,
    pub not_told: &'static str,
    pub money: &'static str,
    /// Answers of which nobody knows what they cost.
    pub unknown_money: fn(usize) -> String,
    pub no_price: &'static str,
    /// Where the time went.
    pub time: &'static str,
    pub time_hint: &'static str,
    pub what: &'static str,
    pub first_byte: &'static str,
    pub took: &'static str,
    pub call: fn(usize) -> String,
    pub wait: &'static str,
    pub failed: &'static str,
    pub cut: &'static str,
    pub under_way: &'static str,
    pub unknown_time: &'static str,
    pub until_first_byte: &'static str,
    pub streaming: &'static str,
    pub newest: fn(usize, usize) -> String,
    /// Each model call's tokens.
    pub context: &'static str,
    pub largest: fn(u64) -> String,
    pub largest_of: fn(u64, u64) -> String,
    pub number: &'static str,
    pub total: &'static str,
    /// The price list.
    pub prices: &'static str,
    pub prices_hint: &'static str,
    pub input: &'static str,
    pub output: &'static str,
    pub currency: &'static str,
    pub currency_name: fn(Currency) -> &'static str,
    pub listed: fn(&str) -> String,
    pub own: &'static str,
    pub half: &'static str,
    pub unlisted: &'static str,
    pub use_list: &'static str,
    pub forget: &'static str,
}

/// The words of a language.
pub fn cost(language: Language) -> &'static CostWords {
    match language {
        Language::En => &super::en::cost::COST,
        Language::Zh => &super::zh::cost::COST,
    }
}
