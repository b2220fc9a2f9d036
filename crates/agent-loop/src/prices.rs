//! What endpoints take for a million tokens, as data: one file for each in `prices/`, with the day it was put together and
//! the page it is from. Standard prices; what is priced by the hour or by the length of a request is not in them, and a
//! price that nobody wrote down is not known.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::settings::Price;

/// The prices of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PriceList {
    /// The id of its profile.
    pub profile: String,
    /// The day on which the prices were put together.
    pub collected: String,
    /// The page they are from.
    pub source: String,
    /// By the models' names.
    pub models: BTreeMap<String, Price>,
}

const FILES: [&str; 2] = [include_str!("../prices/anthropic.json"), include_str!("../prices/openai.json")];

/// The list that has a price for this model of this endpoint, and the price.
pub fn listed(profile: &str, model: &str) -> Option<(&'static PriceList, Price)> {
    static LISTS: LazyLock<Vec<PriceList>> =
        LazyLock::new(|| FILES.iter().filter_map(|file| serde_json::from_str(file).ok()).collect());
    let list = LISTS.iter().find(|list| list.profile == profile)?;
    list.models.iter().find(|(name, _)| is_named(model, name)).map(|(_, price)| (list, *price))
}

/// Whether a model is the one of this name: a dated snapshot of it is, `NAME-20260217` or `NAME-2026-02-17`.
fn is_named(model: &str, name: &str) -> bool {
    let Some(rest) = model.strip_prefix(name) else { return false };
    let date = rest.strip_prefix('-').map(|date| date.replace('-', ""));
    rest.is_empty() || date.is_some_and(|date| date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::{FILES, PriceList, listed};
    use crate::wire::preset;

    #[test]
    fn every_file_is_read_and_tells_where_it_is_from() {
        for file in FILES {
            let list: PriceList = serde_json::from_str(file).unwrap();
            assert!(preset(&list.profile).is_some(), "{}", list.profile);
            assert!(list.source.starts_with("https://"), "{}", list.source);
            assert_eq!(list.collected.len(), "2026-11-30".len(), "{}", list.collected);
            for (model, price) in &list.models {
                assert!(price.input > 0 && price.output >= price.input, "{model}");
                assert!(price.cache_read.is_none_or(|read| read < price.input), "{model}");
            }
        }
    }

    #[test]
    fn a_model_is_known_by_its_name_and_its_dated_snapshots() {
        let check = |profile: &str, model: &str, expected: Option<u64>| {
            assert_eq!(listed(profile, model).map(|(_, price)| price.input), expected, "{profile} {model}");
        };
        check("anthropic", "claude-sonnet-4-6", Some(3_000_000));
        check("anthropic", "claude-sonnet-4-6-20260217", Some(3_000_000));
        check("anthropic", "claude-opus-5-5", Some(4_000_000));
        check("anthropic", "claude-opus-5", Some(5_000_000));
        check("openai", "gpt-5.1-2025-11-13", Some(1_250_000));
        check("openai", "gpt-5.1-codex", None);
        check("openai", "gpt-5.1-", None);
        check("openai", "claude-sonnet-4-6", None);
        check("custom-anthropic", "claude-sonnet-4-6", None);
        check("llama-cpp", "gpt-5.1", None);
        check("anthropic", "", None);
    }
}
