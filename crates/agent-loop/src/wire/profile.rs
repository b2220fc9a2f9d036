//! How an endpoint is addressed, and which headers it wants.

use crate::env::Endpoint;
use crate::settings::{Auth, Dialect, Profile, Settings};
use crate::wire::base_url::{Address, read_base_url};
use crate::wire::preset::{preset, presets};

/// The known profiles, in the order a person is offered them.
pub fn profiles() -> Vec<Profile> {
    presets().iter().map(|preset| preset.profile.clone()).collect()
}

/// Where a profile's endpoint is, unless a person says otherwise. Empty for the custom ones. The practice model is a
/// path: it is served from wherever the page is.
pub fn default_base_url(profile_id: &str) -> &'static str {
    preset(profile_id).map_or("", |preset| preset.base_url.as_str())
}

/// The whole URL of a request. The base may lack its scheme, may end with or without a slash, a version, or the whole
/// path, and may carry a query. A text that is no address (or the
/// one of the practice model inside the page) stays as it is, with the path after it.
pub fn endpoint_url(settings: &Settings) -> String {
    let dialect = settings.profile.dialect;
    let path = match dialect {
        Dialect::Anthropic => "messages",
        Dialect::OpenAi => "chat/completions",
    };
    let as_it_is = || Address {
        base: settings.base_url.trim().trim_end_matches('/').to_owned(),
        query: String::new(),
        notes: Vec::new(),
    };
    read_base_url(&settings.base_url, dialect).unwrap_or_else(|_| as_it_is()).url(dialect, path)
}

/// The headers of a request, and no more than these: each further one may fail a browser's preflight.
pub fn request_headers(profile: &Profile, endpoint: &Endpoint) -> Vec<(String, String)> {
    let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    if profile.dialect == Dialect::Anthropic {
        headers.push(("anthropic-version".to_owned(), "2023-06-01".to_owned()));
        headers.push(("anthropic-dangerous-direct-browser-access".to_owned(), "true".to_owned()));
    }
    let key = endpoint.key.as_ref().map(|key| key.reveal().trim()).filter(|key| !key.is_empty());
    match (profile.auth, key) {
        (Auth::XApiKey, Some(key)) => headers.push(("x-api-key".to_owned(), key.to_owned())),
        (Auth::Bearer, Some(key)) => headers.push(("authorization".to_owned(), format!("Bearer {key}"))),
        (Auth::None, _) | (_, None) => {}
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::{default_base_url, endpoint_url, profiles, request_headers};
    use crate::env::{Endpoint, Secret};
    use crate::settings::{Auth, Limits, OfferTools, Profile, RunTools, Settings};

    fn profile(id: &str) -> Profile {
        profiles().into_iter().find(|profile| profile.id == id).unwrap()
    }

    #[test]
    fn a_base_url_may_stop_anywhere() {
        #[track_caller]
        fn check(profile_id: &str, base_url: &str, expected: &str) {
            let settings = Settings {
                profile: profile(profile_id),
                base_url: base_url.to_owned(),
                model: String::new(),
                system: String::new(),
                max_tokens: None,
                stop_sequences: Vec::new(),
                stream: false,
                offer_tools: OfferTools::Off,
                pinned_tools: Vec::new(),
                run_tools: RunTools::Loop,
                limits: Limits::default(),
                price: None,
                output: Default::default(),
                wording: Default::default(),
                blacklist: Default::default(),
            };
            assert_eq!(endpoint_url(&settings), expected);
        }
        let messages = "https://api.anthropic.com/v1/messages";
        check("anthropic", "https://api.anthropic.com", messages);
        check("anthropic", " https://api.anthropic.com/ ", messages);
        check("anthropic", "https://api.anthropic.com/v1", messages);
        check("anthropic", "https://api.anthropic.com/v1/", messages);
        check("anthropic", "https://api.anthropic.com/v1/messages", messages);
        check("anthropic", "api.anthropic.com", messages);
        check("custom-anthropic", "https://api.z.ai/api/anthropic", "https://api.z.ai/api/anthropic/v1/messages");
        check("practice-anthropic", default_base_url("practice-anthropic"), "/practice/anthropic/v1/messages");
        let completions = "http://localhost:8080/v1/chat/completions";
        check("llama-cpp", "http://localhost:8080/v1", completions);
        check("llama-cpp", "http://localhost:8080/v1/", completions);
        check("llama-cpp", "http://localhost:8080", completions);
        check("llama-cpp", "localhost:8080/", completions);
        check("llama-cpp", "http://localhost:8080/v1/chat/completions/", completions);
        check(
            "gemini",
            default_base_url("gemini"),
            "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
        );
        check("practice-openai", default_base_url("practice-openai"), "/practice/openai/v1/chat/completions");
        check(
            "custom-openai",
            "https://a.example/openai/deployments/d?api-version=1",
            "https://a.example/openai/deployments/d/chat/completions?api-version=1",
        );
    }

    #[test]
    fn the_fewest_headers_are_sent() {
        #[track_caller]
        fn check(profile: &Profile, key: Option<&str>, expected: &[(&str, &str)]) {
            let headers = request_headers(profile, &Endpoint { key: key.map(Secret::new) });
            let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            assert_eq!(headers, expected);
        }
        let json = ("content-type", "application/json");
        let browser = ("anthropic-dangerous-direct-browser-access", "true");
        let version = ("anthropic-version", "2023-06-01");
        check(&profile("anthropic"), Some("k"), &[json, version, browser, ("x-api-key", "k")]);
        check(&profile("openai"), Some(" k\n"), &[json, ("authorization", "Bearer k")]);
        check(&profile("llama-cpp"), None, &[json]);
        check(&profile("llama-cpp"), Some(""), &[json]);
        check(&Profile { auth: Auth::None, ..profile("openai") }, Some("k"), &[json]);
    }

    #[test]
    fn every_profile_but_the_custom_ones_knows_where_it_is() {
        for profile in profiles() {
            assert_eq!(default_base_url(&profile.id).is_empty(), profile.id.starts_with("custom-"), "{}", profile.id);
        }
    }
}
