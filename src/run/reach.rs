//! Whether this page may call an address at all: what its policy and its scheme allow, whatever the endpoint says. Pure.

use agent_loop::Settings;
use agent_loop::wire::endpoint_url;

use crate::run::settings::Place;

/// What stands between this page and an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Nothing of ours.
    Open,
    /// Plain http on another machine: browsers block it from https pages, and the bridge's policy blocks it everywhere.
    PlainHttp,
    /// This machine, under a name that the bridge's policy does not list; the same address under one that it does.
    OtherName(String),
}

/// Whether requests with these settings may leave the page straight.
pub fn reach(settings: &Settings, place: &Place) -> Reach {
    let url = endpoint_url(settings);
    let Some(rest) = url.strip_prefix("http://") else { return Reach::Open };
    let authority = rest.split('/').next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host, port),
        _ => (authority, ""),
    };
    if url.starts_with(&format!("{}/", place.origin)) || matches!(host, "127.0.0.1" | "localhost") {
        return Reach::Open;
    }
    let is_local = host == "[::1]" || host == "0.0.0.0" || host.starts_with("127.") || host.ends_with(".localhost");
    if is_local && place.bridge {
        let base = settings.base_url.trim();
        let port = if port.is_empty() { String::new() } else { format!(":{port}") };
        let path = base.split_once("://").map_or(base, |(_, rest)| rest).split_once('/').map_or("", |(_, path)| path);
        let path = if path.is_empty() { String::new() } else { format!("/{path}") };
        return Reach::OtherName(format!("http://localhost{port}{path}"));
    }
    let is_blocked = place.bridge || place.origin.starts_with("https:");
    if is_local || !is_blocked { Reach::Open } else { Reach::PlainHttp }
}

#[cfg(test)]
mod tests {
    use agent_loop::Settings;

    use super::{Reach, reach};
    use crate::run::settings::{Place, starting};

    #[track_caller]
    fn check(base_url: &str, place: (&str, bool), expected: Reach) {
        let place = Place { origin: place.0.to_owned(), bridge: place.1, guest: false };
        let settings = Settings { base_url: base_url.to_owned(), ..starting(&place) };
        assert_eq!(reach(&settings, &place), expected, "{base_url}");
    }

    #[test]
    fn what_the_page_may_not_call_is_known_before_it_is_tried() {
        let bridge = ("http://127.0.0.1:7464", true);
        let hosted = ("https://pages.example", false);
        let local = |rest: &str| Reach::OtherName(format!("http://localhost{rest}"));
        check("https://api.example.org/v1", bridge, Reach::Open);
        check("http://localhost:8080/v1", bridge, Reach::Open);
        check("http://127.0.0.1:8080", bridge, Reach::Open);
        check("http://192.168.1.5:8080/v1", bridge, Reach::PlainHttp);
        check("http://localhost.evil.example/v1", bridge, Reach::PlainHttp);
        check("http://[::1]:8080/v1", bridge, local(":8080/v1"));
        check("0.0.0.0:8080", bridge, local(":8080"));
        check("http://app.localhost", bridge, local(""));
        check("http://192.168.1.5:8080/v1", hosted, Reach::PlainHttp);
        check("http://[::1]:8080/v1", hosted, Reach::Open);
        check("http://192.168.1.5:8080/v1", ("http://10.0.0.1:8000", false), Reach::Open);
        check("", bridge, Reach::Open);
    }
}
