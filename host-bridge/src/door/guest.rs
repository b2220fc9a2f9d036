//! A page of another origin that the person who started the bridge lets in: one that is hosted, over https. It needs the
//! token like any other; what it gets beside that is the answers of CORS, without which its browser would show it nothing.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The headers that a page sends: the token's, a model's, and the typed key's.
const HEADERS: &str = "authorization, content-type, accept, x-api-key, x-relay-key, anthropic-version, anthropic-beta, \
                       anthropic-dangerous-direct-browser-access";

/// How a browser asks whether a page of the public network may speak to this machine, and how that is answered (the draft
/// "Private Network Access"; Chromium asks its user as well).
const ASKS_PRIVATE: HeaderName = HeaderName::from_static("access-control-request-private-network");
const MAY_PRIVATE: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// An origin of `--allow-origin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest(HeaderValue);

impl Guest {
    /// The origin as a browser writes it: `https://`, a name in lower case, and the port where it is not 443.
    pub fn new(origin: &str) -> Result<Self, String> {
        let mistake = "not an https origin such as https://pages.example: no path, no capitals, no :443";
        let authority = origin.strip_prefix("https://").ok_or(mistake)?;
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        };
        let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_label = |label: &str| !label.is_empty() && label.bytes().all(is_letter);
        let is_port = |port: &str| {
            let number = port.parse::<u16>().unwrap_or_default();
            number != 0 && number != 443 && number.to_string() == port
        };
        if !host.split('.').all(is_label) || !port.is_none_or(is_port) {
            return Err(mistake.to_owned());
        }
        HeaderValue::from_str(origin).map(Self).map_err(|error| error.to_string())
    }

    /// The origin.
    pub fn origin(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// Lets it read this answer.
    pub(super) fn may_read(&self, headers: &mut HeaderMap) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, self.0.clone());
        // No cookie is ever part of it, so that a star means every header.
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("*"));
        headers.append(header::VARY, HeaderValue::from_static("origin"));
    }

    /// The answer to its browser, which asks whether it may ask.
    pub(super) fn may_ask(&self, asked: &HeaderMap) -> Response {
        let mut response = StatusCode::NO_CONTENT.into_response();
        let headers = response.headers_mut();
        self.may_read(headers);
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(HEADERS));
        if asked.get(ASKS_PRIVATE).is_some_and(|value| value == "true") {
            headers.insert(MAY_PRIVATE, HeaderValue::from_static("true"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::Guest;

    #[track_caller]
    fn check(origin: &str, is_one: bool) {
        assert_eq!(Guest::new(origin).ok().map(|guest| guest.origin().to_owned()), is_one.then(|| origin.to_owned()));
    }

    #[test]
    fn only_an_https_origin_as_browsers_write_it_is_taken() {
        for origin in
            ["https://pages.example", "https://a.b-c.example", "https://pages.example:8443", "https://10.0.0.7"]
        {
            check(origin, true);
        }
        for origin in [
            "",
            "*",
            "null",
            "https://",
            "https://*",
            "https://*.example",
            "http://pages.example",
            "pages.example",
            "HTTPS://pages.example",
            "https://Pages.example",
            "https://pages.example/",
            "https://pages.example/x",
            "https://pages.example:443",
            "https://pages.example:0",
            "https://pages.example:08443",
            "https://pages.example:65536",
            "https://pages.example:",
            "https://me@pages.example",
            "https://.example",
            "https://pages..example",
            "https://pages.example.",
            "https://pages.example?x",
            "https://pages.example#x",
            "https://pages.example https://b.example",
            "https://pages.example,https://b.example",
            "https://пример.example",
            "wss://pages.example",
            "https://[::1]",
            "https://pages.example\n",
        ] {
            check(origin, false);
        }
    }
}
