//! The door: who may come in.
//!
//! "It only listens on localhost" is no defence: every page in the person's browser, and every program of the machine,
//! can reach a local port. So each route is registered with its [`Access`], and a request is admitted by what it carries,
//! never by where it comes from.
//!
//! - `Host` must be the bridge's one authority, `127.0.0.1:PORT`, on every request: a page whose name was rebound to this
//!   address says another.
//! - `Origin` is compared with configured constants, never with what else the request says.
//! - The token is what a foreign page and another user of the machine do not have.

mod guest;
mod headers;
mod routes;

use std::net::SocketAddrV4;

use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use bridge_protocol::frames::{SUBPROTOCOL, TOKEN_PREFIX};

pub use guest::Guest;
pub use headers::protect;
pub use routes::{Route, router, table};

use crate::token::Token;

/// What a route asks of a request, besides the right `Host`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The page itself: no secret is in it. `Origin` absent or ours.
    Static,
    /// The WebSocket. `Origin` ours or a guest's; the token as a subprotocol beside the protocol's own.
    Socket,
    /// What a program may call too. `Origin` absent, ours or a guest's; the token as `Authorization: Bearer` or `x-api-key`; a body
    /// only as JSON, which no page can send elsewhere without being asked about it first.
    Key,
}

/// Why a request is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It was sent to another name. For `localhost` there is a better answer than no.
    Host,
    /// It was sent to `localhost:PORT`.
    Localhost,
    /// It comes from another page, or from none where only a page may come.
    Origin,
    /// It does not carry the token.
    Token,
    /// It does not offer the subprotocol.
    Protocol,
    /// Its body is not JSON.
    MediaType,
    /// `OPTIONS` is how a foreign page asks to be let in, and this one is no guest.
    Method,
}

/// The one name the bridge answers to, and whose pages may use it.
#[derive(Debug, Clone)]
pub struct Authority {
    host: String,
    origin: String,
    localhost: String,
    guests: Vec<Guest>,
}

/// The part of a request that decides.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The method.
    pub method: &'a Method,
    /// The target, which may name a host as well.
    pub uri: &'a Uri,
    /// The headers.
    pub headers: &'a HeaderMap,
}

impl Authority {
    /// The authority of a bridge at this address, which these pages may use beside its own.
    pub fn new(address: SocketAddrV4, guests: Vec<Guest>) -> Self {
        Self {
            guests,
            host: address.to_string(),
            origin: format!("http://{address}"),
            localhost: format!("localhost:{}", address.port()),
        }
    }

    /// Where the page is: its origin.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// `127.0.0.1:PORT`, or the address of `--host`.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The page of another origin that sent this, if it is one that may.
    pub fn guest(&self, headers: &HeaderMap) -> Option<&Guest> {
        let origin = single(headers, header::ORIGIN)?;
        self.guests.iter().find(|guest| guest.origin() == origin)
    }

    /// What holds for every request, whatever its route: the right name, and `OPTIONS` only from a guest.
    pub fn admit(&self, asked: Asked<'_>) -> Result<(), Refused> {
        let host = single(asked.headers, header::HOST).and_then(|host| match asked.uri.authority() {
            // A target in absolute form names the host a second time.
            Some(named) if named.as_str() != host => None,
            _ => Some(host),
        });
        match host {
            Some(host) if host == self.host => {}
            Some(host) if host == self.localhost => return Err(Refused::Localhost),
            _ => return Err(Refused::Host),
        }
        let asks_to_be_let_in = asked.method == Method::OPTIONS && self.guest(asked.headers).is_none();
        if asks_to_be_let_in { Err(Refused::Method) } else { Ok(()) }
    }

    fn is_own_page(&self, headers: &HeaderMap) -> bool {
        single(headers, header::ORIGIN) == Some(&self.origin)
    }
}

impl Access {
    /// Whether a request that [`Authority::admit`] lets through may come in by a route of this access.
    pub fn admit(self, authority: &Authority, token: &Token, asked: Asked<'_>) -> Result<(), Refused> {
        let headers = asked.headers;
        // A guest has its own page, and nothing to look for in ours.
        let may_ask = authority.is_own_page(headers) || (self != Self::Static && authority.guest(headers).is_some());
        if !may_ask && (self == Self::Socket || headers.contains_key(header::ORIGIN)) {
            return Err(Refused::Origin);
        }
        match self {
            Self::Static => Ok(()),
            Self::Socket => {
                let offers: Vec<&str> = headers
                    .get_all(header::SEC_WEBSOCKET_PROTOCOL)
                    .iter()
                    .flat_map(|value| value.to_str().unwrap_or_default().split(','))
                    .map(str::trim)
                    .collect();
                let mut tokens = offers.iter().filter_map(|offer| offer.strip_prefix(TOKEN_PREFIX));
                match (tokens.next(), tokens.next()) {
                    (Some(offered), None) if token.is(offered.as_bytes()) => {}
                    _ => return Err(Refused::Token),
                }
                if offers.contains(&SUBPROTOCOL) { Ok(()) } else { Err(Refused::Protocol) }
            }
            Self::Key => {
                let bearer = single(headers, header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
                let key = single(headers, "x-api-key");
                if ![bearer, key].into_iter().flatten().any(|offered| token.is(offered.as_bytes())) {
                    return Err(Refused::Token);
                }
                let media_type = single(headers, header::CONTENT_TYPE).and_then(|value| value.split(';').next());
                let is_json = media_type.is_some_and(|value| value.trim().eq_ignore_ascii_case("application/json"));
                if asked.method == Method::POST && !is_json { Err(Refused::MediaType) } else { Ok(()) }
            }
        }
    }
}

impl Refused {
    /// The status and the sentence of the answer. Neither repeats anything the request said.
    pub fn answer(self, authority: &Authority) -> (StatusCode, String) {
        match self {
            Self::Host => (StatusCode::FORBIDDEN, "This is not the name of this server.\n".to_owned()),
            Self::Localhost => {
                (StatusCode::FORBIDDEN, format!("Loopglass is at {}/ (not at localhost).\n", authority.origin))
            }
            Self::Origin => (StatusCode::FORBIDDEN, "Other pages may not use this server.\n".to_owned()),
            Self::Token => {
                (StatusCode::UNAUTHORIZED, "The token is missing or wrong. A new start has a new link.\n".to_owned())
            }
            Self::Protocol => (StatusCode::BAD_REQUEST, format!("Offer the subprotocol {SUBPROTOCOL}.\n")),
            Self::MediaType => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "Send the body as application/json.\n".to_owned()),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "This server lets no other page in.\n".to_owned()),
        }
    }
}

/// The value of a header that must not be there twice.
fn single(headers: &HeaderMap, name: impl header::AsHeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}
