//! Where a request goes: over the network, straight or by way of the bridge, or to the practice model inside the page.

use agent_loop::{HttpRequest, Reply, Transport, TransportError};
use futures_util::StreamExt;
use futures_util::stream::{self, LocalBoxStream};
use practice_model::Service;

use crate::run::fetch::Fetch;
use crate::run::practice::Practice;
use crate::run::relay::Detour;
use crate::run::you_model::{YOU, YouModel};

/// The base address of the practice model inside the page.
pub const PRACTICE: &str = "practice://page";

/// Takes every request where its address says, or by this way through the bridge.
pub struct ByAddress {
    /// The way, and the bridge's token.
    pub detour: Option<(Detour, String)>,
    /// The person, where the address names them.
    pub you: YouModel,
}

impl Transport for ByAddress {
    fn send(&self, request: &HttpRequest) -> LocalBoxStream<'static, Result<Reply, TransportError>> {
        if let Some((detour, token)) = &self.detour {
            return Fetch.send(&detour.of(request, token));
        }
        match route(&request.url) {
            Route::Practice(service) => Practice(service).send(request),
            Route::You => self.you.send(request),
            Route::Network => Fetch.send(request),
            Route::Nowhere => stream::iter([Err(TransportError::Unreachable(String::new()))]).boxed_local(),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Route {
    Practice(Service),
    You,
    Network,
    /// No whole address: the browser would take it for a path of this page, and the key would go there.
    Nowhere,
}

fn route(url: &str) -> Route {
    if url.starts_with(YOU) {
        return Route::You;
    }
    if !url.starts_with(PRACTICE) {
        let is_whole = url.starts_with("http://") || url.starts_with("https://");
        return if is_whole { Route::Network } else { Route::Nowhere };
    }
    if url.ends_with("/chat/completions") {
        return Route::Practice(Service::ChatCompletions);
    }
    Route::Practice(Service::AnthropicMessages)
}

#[cfg(test)]
mod tests {
    use practice_model::Service;

    use super::{Route, route};

    #[track_caller]
    fn check(url: &str, expected: Route) {
        assert_eq!(route(url), expected, "{url}");
    }

    #[test]
    fn the_address_says_where_a_request_goes() {
        check("practice://page/v1/messages", Route::Practice(Service::AnthropicMessages));
        check("practice://page/v1/chat/completions", Route::Practice(Service::ChatCompletions));
        check("http://127.0.0.1:7464/practice/anthropic/v1/messages", Route::Network);
        check("https://practice:8080/v1/messages", Route::Network);
        check("https://api.openai.com/v1/chat/completions", Route::Network);
        check("you://page/v1/messages", Route::You);
        check("", Route::Nowhere);
        check("/v1/messages", Route::Nowhere);
        check("javascript:alert(1)", Route::Nowhere);
    }
}
