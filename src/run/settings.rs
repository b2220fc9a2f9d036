//! The knobs a fresh session begins with, and the endpoints a person can choose. Pure.

use agent_loop::settings::{Auth, Limits, OfferTools, RunTools};
use agent_loop::tool::{Blacklist, OutputRule, WordingSet};
use agent_loop::wire::{default_base_url, endpoint_url, profiles};
use agent_loop::{Dialect, Endpoint, Profile, Secret, Settings};
use leptos::prelude::window;

use crate::run::route;
use crate::run::token;
use crate::run::you_model::YOU;

/// Where this page is: what its own addresses are made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The origin it was loaded from, without a slash at its end; for a guest, the bridge's.
    pub origin: String,
    /// Whether a bridge serves it, or lets it in.
    pub bridge: bool,
    /// Whether it is a guest: loaded from elsewhere, and opened for a bridge.
    pub guest: bool,
}

impl Place {
    /// Where this page is.
    pub fn here() -> Place {
        let served = token::is_served_by_bridge();
        match token::bridge_elsewhere().filter(|_| !served) {
            Some(origin) => Place { origin, bridge: true, guest: true },
            None => {
                let origin = window().location().origin().unwrap_or_default();
                Place { origin, bridge: served, guest: false }
            }
        }
    }

    /// The usual address of a profile's endpoint; the practice model's is on this page's own bridge, or in the page.
    fn base_url(&self, profile: &Profile) -> String {
        if is_practice(profile) { self.practice(profile.dialect) } else { default_base_url(&profile.id).to_owned() }
    }

    /// Where the practice model answers: at the bridge, or in the page itself.
    fn practice(&self, dialect: Dialect) -> String {
        let path = match dialect {
            Dialect::Anthropic => "/practice/anthropic",
            Dialect::OpenAi => "/practice/openai/v1",
        };
        if self.bridge { format!("{}{path}", self.origin) } else { route::PRACTICE.to_owned() }
    }

    /// Whether an address is one of the bridge's own, behind its token.
    fn is_guarded(&self, url: &str) -> bool {
        // A path alone leads to where the page was loaded from.
        let path = url.strip_prefix(&self.origin).or((!self.guest).then_some(url)).unwrap_or_default();
        self.bridge && (path.starts_with("/practice/") || path.starts_with("/relay/"))
    }
}

/// The knobs of a fresh session: the practice model, in the Messages dialect.
pub fn starting(place: &Place) -> Settings {
    let blank = Settings {
        profile: Profile::new(String::new(), Dialect::Anthropic),
        base_url: String::new(),
        model: String::new(),
        system: "You are a coding agent at {cwd}. Use bash to solve tasks. Act, don't explain.".to_owned(),
        max_tokens: Some(8000),
        stop_sequences: Vec::new(),
        stream: true,
        offer_tools: OfferTools::Host,
        pinned_tools: Vec::new(),
        run_tools: RunTools::Loop,
        limits: Limits::default(),
        price: None,
        output: OutputRule::default(),
        wording: WordingSet::Default,
        blacklist: Blacklist::default(),
    };
    practise(&blank, Dialect::Anthropic, place)
}

/// The same knobs with the practice model in this dialect. It is known without the list of endpoints, which a first visit
/// does not read.
pub fn practise(settings: &Settings, dialect: Dialect, place: &Place) -> Settings {
    let (id, auth) = match dialect {
        Dialect::Anthropic => ("practice-anthropic", Auth::XApiKey),
        Dialect::OpenAi => ("practice-openai", Auth::Bearer),
    };
    let profile = Profile { auth, stream_usage: dialect == Dialect::OpenAi, ..Profile::new(id, dialect) };
    Settings { base_url: place.practice(dialect), profile, model: "practice".to_owned(), ..settings.clone() }
}

/// The same knobs with another endpoint: its profile, its usual address and model. An id that no profile has changes
/// nothing.
pub fn choose_endpoint(settings: &Settings, profile_id: &str, place: &Place) -> Settings {
    let Some(profile) = profiles().into_iter().find(|profile| profile.id == profile_id) else {
        return settings.clone();
    };
    let model = usual_model(&profile.id).to_owned();
    Settings { base_url: place.base_url(&profile), profile, model, ..settings.clone() }
}

/// The same knobs as they mean the same here: the practice model's address is this page's, wherever they were set.
pub fn at_home(settings: &Settings, place: &Place) -> Settings {
    if !is_practice(&settings.profile) {
        return settings.clone();
    }
    Settings { base_url: place.practice(settings.profile.dialect), ..settings.clone() }
}

/// What reaches the endpoint beside the request: the bridge's token at the bridge's own addresses, and there alone; the
/// typed key everywhere else but in the page's own practice model.
pub fn endpoint(settings: &Settings, place: &Place, token: Option<String>, typed: &str) -> Endpoint {
    let key = if place.is_guarded(&endpoint_url(settings)) {
        token
    } else if is_practice(&settings.profile) || is_you(&settings.profile) || typed.trim().is_empty() {
        None
    } else {
        Some(typed.trim().to_owned())
    };
    Endpoint { key: key.map(Secret::new) }
}

/// The same knobs with the person as the model, in this dialect.
pub fn be_the_model(settings: &Settings, dialect: Dialect) -> Settings {
    let id = match dialect {
        Dialect::Anthropic => "you-anthropic",
        Dialect::OpenAi => "you-openai",
    };
    let profile = Profile::new(id, dialect);
    Settings { profile, base_url: YOU.to_owned(), model: "you".to_owned(), ..settings.clone() }
}

/// Whether the person is the model.
pub fn is_you(profile: &Profile) -> bool {
    profile.id.starts_with("you-")
}

/// Whether it is the practice model: a script, not an AI.
pub fn is_practice(profile: &Profile) -> bool {
    profile.is_practice()
}

/// The model a person most likely means; empty where only the person knows.
fn usual_model(profile_id: &str) -> &'static str {
    match profile_id {
        "practice-anthropic" | "practice-openai" => "practice",
        "anthropic" => "claude-sonnet-4-6",
        "openai" => "gpt-5.1",
        "dashscope" => "qwen3.7-plus",
        "deepseek" => "deepseek-chat",
        "llama-cpp" => "gpt-oss-20b-Q4_K_M.gguf",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use agent_loop::Dialect;

    use super::{Place, at_home, be_the_model, choose_endpoint, endpoint, practise, starting};

    fn place(bridge: bool) -> Place {
        Place { origin: "http://127.0.0.1:7464".to_owned(), bridge, guest: false }
    }

    #[track_caller]
    fn check_choice(id: &str, bridge: bool, expected: (&str, &str, &str)) {
        let place = place(bridge);
        let chosen = choose_endpoint(&starting(&place), id, &place);
        let found = (chosen.profile.id.as_str(), chosen.base_url.as_str(), chosen.model.as_str());
        assert_eq!(found, expected);
    }

    #[test]
    fn an_endpoint_brings_its_usual_address_and_model() {
        let anthropic = "http://127.0.0.1:7464/practice/anthropic";
        check_choice("practice-anthropic", true, ("practice-anthropic", anthropic, "practice"));
        check_choice(
            "practice-openai",
            true,
            ("practice-openai", "http://127.0.0.1:7464/practice/openai/v1", "practice"),
        );
        check_choice("practice-anthropic", false, ("practice-anthropic", "practice://page", "practice"));
        check_choice("anthropic", true, ("anthropic", "https://api.anthropic.com", "claude-sonnet-4-6"));
        check_choice("custom-openai", true, ("custom-openai", "", ""));
        check_choice("no such", true, ("practice-anthropic", anthropic, "practice"));
    }

    #[test]
    fn the_practice_model_is_the_one_that_is_listed() {
        for (id, dialect) in [("practice-anthropic", Dialect::Anthropic), ("practice-openai", Dialect::OpenAi)] {
            let listed = choose_endpoint(&starting(&place(true)), id, &place(true));
            assert_eq!(practise(&starting(&place(true)), dialect, &place(true)), listed);
        }
    }

    #[test]
    fn the_practice_model_is_always_this_pages_own() {
        let there = Place { origin: "http://127.0.0.1:9999".to_owned(), bridge: true, guest: false };
        let brought = choose_endpoint(&starting(&there), "practice-openai", &there);
        assert_eq!(at_home(&brought, &place(true)).base_url, "http://127.0.0.1:7464/practice/openai/v1");
        assert_eq!(at_home(&brought, &place(false)).base_url, "practice://page");
        let elsewhere = choose_endpoint(&starting(&there), "openai", &there);
        assert_eq!(at_home(&elsewhere, &place(true)), elsewhere);
    }

    #[test]
    fn the_person_is_a_model_like_any_other_and_gets_no_key() {
        let place = place(true);
        let urls = [Dialect::Anthropic, Dialect::OpenAi].map(|dialect| {
            let settings = be_the_model(&starting(&place), dialect);
            assert_eq!(at_home(&settings, &place), settings);
            assert_eq!(endpoint(&settings, &place, Some("T".to_owned()), "K").key, None);
            (settings.profile.dialect, agent_loop::wire::endpoint_url(&settings))
        });
        let expected =
            [(Dialect::Anthropic, "you://page/v1/messages"), (Dialect::OpenAi, "you://page/v1/chat/completions")];
        assert_eq!(urls, expected.map(|(dialect, url)| (dialect, url.to_owned())));
    }

    #[test]
    fn a_guest_gives_the_bridge_s_token_to_no_path_of_its_own() {
        let place = Place { guest: true, ..place(true) };
        let key = |base_url: &str| {
            let mut settings = choose_endpoint(&starting(&place), "practice-anthropic", &place);
            settings.base_url = base_url.to_owned();
            endpoint(&settings, &place, Some("T".to_owned()), "").key.map(|key| key.reveal().to_owned())
        };
        assert_eq!(key("http://127.0.0.1:7464/practice/anthropic"), Some("T".to_owned()));
        assert_eq!(key("/practice/anthropic"), None);
        assert_eq!(key("https://pages.example/practice/anthropic"), None);
    }

    /// Which key goes to this address: the bridge's token `T`, the typed `K`, or none.
    #[track_caller]
    fn check_key(profile: &str, base_url: &str, bridge: bool, expected: Option<&str>) {
        let place = place(bridge);
        let mut settings = choose_endpoint(&starting(&place), profile, &place);
        settings.base_url = base_url.to_owned();
        let key = endpoint(&settings, &place, Some("T".to_owned()), " K ").key;
        assert_eq!(key.as_ref().map(|key| key.reveal()), expected, "{profile} {base_url}");
    }

    #[test]
    fn the_token_goes_to_the_bridge_alone_and_the_key_never_there() {
        check_key("practice-anthropic", "http://127.0.0.1:7464/practice/anthropic", true, Some("T"));
        check_key("custom-openai", "http://127.0.0.1:7464/relay/dashscope/v1", true, Some("T"));
        check_key("openai", "https://api.openai.com/v1", true, Some("K"));
        check_key("practice-anthropic", "practice://page", false, None);
        // Neither a look-alike nor a profile's name gets the token.
        check_key("custom-openai", "http://127.0.0.1:7464.evil.example/practice/", true, Some("K"));
        check_key("custom-openai", "http://127.0.0.1:7464@evil.example/practice/", true, Some("K"));
        check_key("practice-anthropic", "https://evil.example/practice/anthropic", true, None);
        check_key("practice-anthropic", "//evil.example/practice/anthropic", true, None);
        check_key("practice-anthropic", "/practice/anthropic", true, Some("T"));
        check_key("custom-openai", "http://127.0.0.1:7464/practice/openai/v1", false, Some("K"));
    }
}
