//! Which model calls go by way of the bridge's relay, and how. Pure.
//!
//! The settings keep the service's own address, so that a session means the same wherever it is opened. Whether the way
//! there leads through the bridge is found anew at each run, from what the bridge says it relays to.

use agent_loop::wire::{default_base_url, endpoint_url, profiles};
use agent_loop::{HttpRequest, Settings};
use bridge_protocol::frames::RelayTarget;

use crate::run::settings::{Place, choose_endpoint, is_practice};

/// The header for a key typed in the page: it is for one request, and the bridge keeps it nowhere.
const TYPED_KEY: &str = "x-relay-key";

/// What the bridge relays, behind a base address (docs/protocol.md).
const PATHS: [&str; 4] = ["v1/messages", "messages", "v1/chat/completions", "chat/completions"];

/// The way to one service through the bridge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detour {
    /// The service's name on the bridge.
    pub name: String,
    /// The bridge's address for it.
    pub url: String,
    /// Whose key the service is shown.
    pub key: WhoseKey,
}

/// Whose key a relayed request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhoseKey {
    /// The bridge's own.
    Bridges,
    /// The one typed in the page.
    Typed,
    /// Nobody's: none is typed, and the bridge has none.
    Nobodys,
}

/// The way of these settings' requests, if it leads through the bridge: when a page may not call the service, or when the
/// bridge has its key and none is typed.
pub fn detour(settings: &Settings, place: &Place, targets: &[RelayTarget], typed: &str) -> Option<Detour> {
    if !place.bridge || is_practice(&settings.profile) {
        return None;
    }
    let url = endpoint_url(settings);
    let rest = |base: &str| url.strip_prefix(base)?.strip_prefix('/');
    let usual = default_base_url(&settings.profile.id);
    let at_address = targets.iter().filter_map(|target| Some((target, rest(&target.base_url)?)));
    // A service that the bridge was started with at another address than its usual one is that service all the same.
    let by_name = || {
        let target = targets.iter().find(|target| target.name == settings.profile.id)?;
        (!usual.is_empty()).then(|| rest(usual)).flatten().map(|rest| (target, rest))
    };
    let (target, path) = at_address.max_by_key(|(target, _)| target.base_url.len()).or_else(by_name)?;
    let key = match (typed.trim().is_empty(), target.has_key) {
        (false, _) => WhoseKey::Typed,
        (true, true) => WhoseKey::Bridges,
        (true, false) => WhoseKey::Nobodys,
    };
    let is_needed = !target.admits_pages || key == WhoseKey::Bridges;
    (is_needed && PATHS.contains(&path)).then(|| Detour {
        name: target.name.clone(),
        url: format!("{}/relay/{}/{path}", place.origin, target.name),
        key,
    })
}

impl Detour {
    /// The way to the list of the service's models.
    pub fn to_models(&self) -> Detour {
        let base = ["/messages", "/chat/completions"].into_iter().find_map(|path| self.url.strip_suffix(path));
        Detour { url: format!("{}/models", base.unwrap_or(&self.url)), ..self.clone() }
    }

    /// The request as it is sent: to the bridge, with the bridge's token where the key was, and the key beside it.
    pub fn of(&self, request: &HttpRequest, token: &str) -> HttpRequest {
        let mut headers = Vec::new();
        for (name, value) in &request.headers {
            match name.as_str() {
                "x-api-key" => headers.push((TYPED_KEY.to_owned(), value.clone())),
                "authorization" => {
                    let key = value.strip_prefix("Bearer ").unwrap_or(value);
                    headers.push((TYPED_KEY.to_owned(), key.to_owned()));
                }
                // No browser asks the service any more.
                "anthropic-dangerous-direct-browser-access" => {}
                _ => headers.push((name.clone(), value.clone())),
            }
        }
        headers.push(("authorization".to_owned(), format!("Bearer {token}")));
        HttpRequest { url: self.url.clone(), headers, body: request.body.clone() }
    }
}

/// What of the relay a person has to choose from beside the known endpoints: services that no profile is for.
pub fn further(targets: &[RelayTarget]) -> impl Iterator<Item = &RelayTarget> {
    targets.iter().filter(|target| !profiles().iter().any(|profile| profile.id == target.name))
}

/// The same knobs with this service as their endpoint.
pub fn choose(settings: &Settings, target: &RelayTarget, place: &Place) -> Settings {
    let profile = if target.dialect == "messages" { "custom-anthropic" } else { "custom-openai" };
    let chosen = choose_endpoint(settings, profile, place);
    let model = target.model.clone().unwrap_or_default();
    Settings { base_url: target.base_url.clone(), model, ..chosen }
}

#[cfg(test)]
mod tests {
    use agent_loop::HttpRequest;
    use bridge_protocol::frames::RelayTarget;

    use super::{Detour, WhoseKey, choose, detour, further};
    use crate::run::settings::{Place, choose_endpoint, starting};

    fn place(bridge: bool) -> Place {
        Place { origin: "http://127.0.0.1:7464".to_owned(), bridge, guest: false }
    }

    fn target(name: &str, base_url: &str, has_key: bool, admits_pages: bool) -> RelayTarget {
        let (name, base_url) = (name.to_owned(), base_url.to_owned());
        RelayTarget { name, base_url, dialect: "chat_completions".to_owned(), has_key, admits_pages, model: None }
    }

    fn targets() -> Vec<RelayTarget> {
        vec![
            target("anthropic", "https://api.anthropic.com", true, true),
            target("openai", "https://proxy.example/openai", true, false),
            target("dashscope", "https://dashscope.aliyuncs.com/compatible-mode/v1", false, false),
            target("groq", "https://api.groq.com/openai/v1", false, true),
            target("mine", "http://10.0.0.7:8000", false, false),
            target("mine-v1", "http://10.0.0.7:8000/v1", false, false),
        ]
    }

    /// Which way a profile's requests go: the path on the bridge, and whose key they carry.
    #[track_caller]
    fn check(profile: &str, base_url: &str, typed: &str, expected: Option<(&str, WhoseKey)>) {
        let mut settings = choose_endpoint(&starting(&place(true)), profile, &place(true));
        if !base_url.is_empty() {
            settings.base_url = base_url.to_owned();
        }
        let found = detour(&settings, &place(true), &targets(), typed);
        let found = found.as_ref().map(|it| (it.url.strip_prefix("http://127.0.0.1:7464/relay/").unwrap(), it.key));
        assert_eq!(found, expected, "{profile} {base_url} {typed}");
        assert_eq!(detour(&settings, &place(false), &targets(), typed), None);
    }

    #[test]
    fn what_a_page_may_not_call_and_what_the_bridge_has_a_key_for_goes_through_it() {
        use WhoseKey::{Bridges, Nobodys, Typed};
        check("anthropic", "", "", Some(("anthropic/v1/messages", Bridges)));
        check("anthropic", "", "k", None);
        check("dashscope", "", "", Some(("dashscope/chat/completions", Nobodys)));
        check("dashscope", "", " k ", Some(("dashscope/chat/completions", Typed)));
        check("groq", "", "", None);
        check("groq", "", "k", None);
        // Started with another address for the same service.
        check("openai", "", "", Some(("openai/chat/completions", Bridges)));
        check("openai", "https://api.openai.com.evil.example/v1", "", None);
        // By address, whatever the profile.
        check("custom-openai", "http://10.0.0.7:8000/v1", "", Some(("mine-v1/chat/completions", Nobodys)));
        check("custom-openai", "http://10.0.0.7:8000", "", Some(("mine-v1/chat/completions", Nobodys)));
        check("custom-anthropic", "http://10.0.0.7:80001", "", None);
        check("custom-openai", "http://10.0.0.7:8000/other", "", None);
        check("custom-anthropic", "https://api.anthropic.com", "", Some(("anthropic/v1/messages", Bridges)));
        check("custom-anthropic", "https://api.anthropic.com.evil.example", "", None);
        check("custom-anthropic", "https://api.anthropic.com@evil.example", "", None);
        check("custom-anthropic", "https://api.anthropic.com/?a=b", "", None);
        check("practice-anthropic", "", "", None);
    }

    #[test]
    fn the_token_takes_the_place_of_the_key() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let way = Detour { name: "a".to_owned(), url: "http://b/relay/a/messages".to_owned(), key: WhoseKey::Typed };
        let check = |sent: &[(String, String)], expected: &[(String, String)]| {
            let request =
                HttpRequest { url: "https://a/messages".to_owned(), headers: sent.to_vec(), body: b"{}".to_vec() };
            let HttpRequest { url, headers, body } = way.of(&request, "T");
            assert_eq!((url.as_str(), headers.as_slice(), body.as_slice()), (way.url.as_str(), expected, &b"{}"[..]));
        };
        let json = pair("content-type", "application/json");
        let browser = pair("anthropic-dangerous-direct-browser-access", "true");
        let (token, key) = (pair("authorization", "Bearer T"), pair("x-relay-key", "k"));
        let all = [json.clone(), key, token.clone()];
        assert_eq!(way.to_models().url, "http://b/relay/a/models");
        check(&[json.clone(), browser, pair("x-api-key", "k")], &all);
        check(&[json.clone(), pair("authorization", "Bearer k")], &all);
        check(std::slice::from_ref(&json), &[json.clone(), token]);
    }

    #[test]
    fn a_service_without_a_profile_can_be_chosen() {
        let targets = targets();
        assert_eq!(further(&targets).map(|it| it.name.as_str()).collect::<Vec<_>>(), ["mine", "mine-v1"]);
        let mine = RelayTarget { dialect: "messages".to_owned(), model: Some("m".to_owned()), ..targets[4].clone() };
        let chosen = choose(&starting(&place(true)), &mine, &place(true));
        let found = (chosen.profile.id.as_str(), chosen.base_url.as_str(), chosen.model.as_str());
        assert_eq!(found, ("custom-anthropic", "http://10.0.0.7:8000", "m"));
    }
}
