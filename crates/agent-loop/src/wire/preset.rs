//! The endpoints a person is offered, as data: one file for each in `profiles/`, embedded and read once.
//!
//! Whether browsers may call them is from public reports and measurements by others, the latest of 2026-07-31.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::settings::Profile;

/// An endpoint a person can choose.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Preset {
    /// Its name, as people know it.
    pub name: String,
    /// Where it is, unless a person says otherwise. Empty for the custom ones. The practice model is a path: it is served
    /// from wherever the page is.
    pub base_url: String,
    /// Whether a web page may call it.
    pub browser: Browser,
    /// Whether it wants a key.
    pub key: KeyWanted,
    /// What a person should know before using it; empty where there is nothing.
    pub note: Note,
    /// How it is spoken to.
    pub profile: Profile,
}

/// Whether a web page may call an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Browser {
    /// It may.
    Direct,
    /// It may once the server has been told so.
    Switch,
    /// It may not: a relay is needed.
    Relay,
    /// Nobody knows, or reports differ.
    Unknown,
}

/// Whether an endpoint wants a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyWanted {
    /// It answers nobody without one.
    Needed,
    /// Only where whoever runs it has set one.
    Optional,
    /// It takes none.
    None,
}

/// Words for a person, in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Note {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

/// In the order a person is offered them.
const FILES: [&str; 23] = [
    include_str!("../../profiles/practice-anthropic.json"),
    include_str!("../../profiles/practice-openai.json"),
    include_str!("../../profiles/anthropic.json"),
    include_str!("../../profiles/openai.json"),
    include_str!("../../profiles/llama-cpp.json"),
    include_str!("../../profiles/dashscope.json"),
    include_str!("../../profiles/deepseek.json"),
    include_str!("../../profiles/openrouter.json"),
    include_str!("../../profiles/gemini.json"),
    include_str!("../../profiles/groq.json"),
    include_str!("../../profiles/mistral.json"),
    include_str!("../../profiles/z-ai.json"),
    include_str!("../../profiles/minimax.json"),
    include_str!("../../profiles/moonshot.json"),
    include_str!("../../profiles/nvidia.json"),
    include_str!("../../profiles/xai.json"),
    include_str!("../../profiles/together.json"),
    include_str!("../../profiles/nebius.json"),
    include_str!("../../profiles/ollama.json"),
    include_str!("../../profiles/lm-studio.json"),
    include_str!("../../profiles/vllm.json"),
    include_str!("../../profiles/custom-anthropic.json"),
    include_str!("../../profiles/custom-openai.json"),
];

/// The endpoints a person can choose, in the order they are offered.
pub fn presets() -> &'static [Preset] {
    static PRESETS: LazyLock<Vec<Preset>> =
        LazyLock::new(|| FILES.iter().filter_map(|file| serde_json::from_str(file).ok()).collect());
    &PRESETS
}

/// The preset of a profile.
pub fn preset(profile_id: &str) -> Option<&'static Preset> {
    presets().iter().find(|preset| preset.profile.id == profile_id)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Browser, FILES, presets};

    #[test]
    fn every_file_is_read_and_says_what_a_person_must_know() {
        assert_eq!(presets().len(), FILES.len());
        let ids: BTreeSet<&str> = presets().iter().map(|preset| preset.profile.id.as_str()).collect();
        assert_eq!(ids.len(), FILES.len(), "ids stand once");
        for preset in presets() {
            let id = &preset.profile.id;
            assert_eq!(preset.note.en.is_empty(), preset.note.zh.is_empty(), "{id}: both languages or none");
            let must_tell = matches!(preset.browser, Browser::Switch | Browser::Relay);
            assert!(!must_tell || !preset.note.en.is_empty(), "{id}");
            assert_eq!(preset.base_url.is_empty(), id.starts_with("custom-"), "{id}");
        }
    }
}
