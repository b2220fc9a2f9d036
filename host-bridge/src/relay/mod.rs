//! `/relay/NAME/...`: model calls that the browser may not make itself, or for which the bridge has the key.
//!
//! A request goes to one of the [`Upstreams`] and nowhere else: the address is the configured one, the path one of
//! [`PATHS`], letter by letter. Of its headers only those that mean something to a model's service go on ([`headers`]);
//! the key is added here. Bodies stream both ways, and nothing of them is kept. No redirect is followed: it would take the
//! key along.

mod headers;
mod scrub;
mod upstream;

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::redirect::Policy;
use rustls::CertificateError;
use serde_json::json;

pub use upstream::{Auth, Configured, Dialect, Key, Sources, Upstream, UpstreamError, Upstreams, VARIABLES};

use crate::audit::{self, Entry};
use crate::bridge::Bridge;
use scrub::Scrub;

/// Where a model's service is asked, behind its base address: Messages and Chat Completions, for bases with and without
/// their version.
pub const PATHS: [&str; 6] = [
    "v1/messages",
    "messages",
    "v1/messages/count_tokens",
    "messages/count_tokens",
    "v1/chat/completions",
    "chat/completions",
];

/// Where a service lists its models: asked by GET, and nothing else is.
pub const LISTS: [&str; 2] = ["v1/models", "models"];

/// The header that carries a key typed in the page, for this one request. The token has the usual ones.
pub const TYPED_KEY: HeaderName = HeaderName::from_static("x-relay-key");

/// The largest request, in bytes: a long conversation with pictures in it.
const REQUEST: u64 = 32 * 1024 * 1024;
/// The largest answer, in bytes.
const ANSWER: u64 = 64 * 1024 * 1024;
/// How long a service may take to be reached.
const CONNECT: Duration = Duration::from_secs(15);
/// How long it may be silent. The page has shorter limits of its own.
const SILENCE: Duration = Duration::from_secs(10 * 60);

/// What carries the requests.
pub struct Relay {
    upstreams: Upstreams,
    /// By way of the proxy that the environment names, if it does.
    outward: reqwest::Client,
    /// For services of this machine.
    local: reqwest::Client,
}

impl Relay {
    /// A relay to these upstreams and no others; an error where this machine's certificates cannot be used at all.
    pub fn new(upstreams: Upstreams) -> Result<Self, reqwest::Error> {
        let client = || {
            reqwest::Client::builder()
                .user_agent(concat!("loopglass-host-bridge/", env!("CARGO_PKG_VERSION")))
                .redirect(Policy::none())
                .referer(false)
                .connect_timeout(CONNECT)
                .read_timeout(SILENCE)
                // A connection that is kept may be closed by the service at the moment it is used again, and a body that
                // streams cannot be sent a second time.
                .pool_max_idle_per_host(0)
        };
        Ok(Self { upstreams, outward: client().build()?, local: client().no_proxy().build()? })
    }

    /// Where requests can go.
    pub fn upstreams(&self) -> &Upstreams {
        &self.upstreams
    }
}

/// Why a request is not relayed, or its answer is not.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Failure {
    /// No upstream has this name.
    UnknownUpstream,
    /// The path is not one of [`PATHS`].
    Path,
    /// The typed key can stand in no header, or there are several.
    TypedKey,
    /// The request is larger than [`REQUEST`].
    TooLarge,
    /// The service answered with another address.
    Redirect,
    /// The service was silent for too long.
    Silent,
    /// The service has not proved that it is the one, and why.
    Unproven(String),
    /// The service cannot be reached.
    Unreachable(String),
}

/// Answers `POST /relay/NAME/PATH`, and `GET` for a list of models. The door has seen the token; it goes no further than here.
pub async fn forward(State(bridge): State<Arc<Bridge>>, request: Request) -> Response {
    match pass_on(&bridge, request).await {
        Ok(response) => response,
        Err(failure) => {
            tracing::info!(?failure, "could not relay a request");
            failure.into_response()
        }
    }
}

async fn pass_on(bridge: &Arc<Bridge>, request: Request) -> Result<Response, Failure> {
    let relay = &bridge.relay;
    // The path as it came: what is not decoded cannot mean something else after it is.
    let target = request.uri().path().strip_prefix("/relay/").and_then(|rest| rest.split_once('/'));
    let (name, path) = target.ok_or(Failure::Path)?;
    let is_list = request.method() == Method::GET;
    let paths: &[&'static str] = if is_list { &LISTS } else { &PATHS };
    let path = paths.iter().find(|known| **known == path).copied();
    let upstream = relay.upstreams.find(name).ok_or(Failure::UnknownUpstream)?;
    let path = path.filter(|_| request.uri().query().is_none()).ok_or(Failure::Path)?;
    let (key, whose) = match (typed_key(request.headers())?, &upstream.key) {
        (Some(typed), _) => (Some(typed), audit::Key::Typed),
        (None, Some(own)) => (Some(own.clone()), audit::Key::Bridge),
        (None, None) => (None, audit::Key::None),
    };
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > REQUEST) {
        return Err(Failure::TooLarge);
    }
    let mut headers = headers::to_upstream(request.headers());
    if let Some(key) = &key {
        // A list is asked for with the key as the service's own dialect has it.
        let path = if is_list && upstream.dialect == Dialect::Messages { "messages" } else { path };
        let (name, value) = upstream.auth.header(path, key);
        headers.insert(name, value);
    }
    if let Some(length) = length {
        // Some services take no body of unknown length.
        headers.insert(header::CONTENT_LENGTH, length.into());
    }
    let is_too_large = Arc::new(AtomicBool::new(false));
    let client = if upstream.is_local() { &relay.local } else { &relay.outward };
    let url = format!("{}/{path}", upstream.base_url);
    let asked = if is_list {
        // The most that one page of a list may hold, where lists come in pages.
        let query = if upstream.dialect == Dialect::Messages { "?limit=1000" } else { "" };
        client.get(format!("{url}{query}"))
    } else {
        client.post(url).body(bounded(request.into_body(), is_too_large.clone()))
    };
    let asked = asked.headers(headers).send().await;
    let answer = match asked {
        Ok(answer) => answer,
        Err(_) if is_too_large.load(Ordering::Relaxed) => return Err(Failure::TooLarge),
        Err(error) if error.is_timeout() && !error.is_connect() => return Err(Failure::Silent),
        Err(error) => {
            let doubt = doubt(&error);
            return Err(doubt.map_or_else(|| Failure::Unreachable(reason(error)), Failure::Unproven));
        }
    };
    let status = answer.status().as_u16();
    tracing::debug!(upstream = upstream.name, status, "relayed");
    let record = Record { bridge: bridge.clone(), upstream: upstream.name.clone(), path, status, key: whose, bytes: 0 };
    if answer.status().is_redirection() {
        return Err(Failure::Redirect);
    }
    let scrub = Scrub::new(key.as_ref());
    let mut response = Response::new(Body::empty());
    *response.status_mut() = answer.status();
    *response.headers_mut() = headers::to_page(answer.headers(), &scrub);
    *response.body_mut() = answered(answer, scrub, record);
    Ok(response)
}

/// The key that came with this request, if one did.
fn typed_key(headers: &HeaderMap) -> Result<Option<Key>, Failure> {
    let mut values = headers.get_all(&TYPED_KEY).iter();
    let value = match (values.next(), values.next()) {
        (None, _) => return Ok(None),
        (Some(value), None) => value.to_str().map_err(|_| Failure::TypedKey)?,
        (Some(_), Some(_)) => return Err(Failure::TypedKey),
    };
    match Key::new(value) {
        Some(key) => Ok(Some(key)),
        None if value.trim().is_empty() => Ok(None),
        None => Err(Failure::TypedKey),
    }
}

/// The body of a request, which fails when it grows too large.
fn bounded(body: Body, is_too_large: Arc<AtomicBool>) -> reqwest::Body {
    let mut left = REQUEST;
    reqwest::Body::wrap_stream(body.into_data_stream().map_err(std::io::Error::other).map(move |piece| {
        let piece = piece?;
        match left.checked_sub(piece.len() as u64) {
            Some(rest) => left = rest,
            None => {
                is_too_large.store(true, Ordering::Relaxed);
                return Err(std::io::Error::other("the request is too large"));
            }
        }
        Ok(piece)
    }))
}

/// The body of an answer, piece by piece as it comes. Dropping it ends the request.
fn answered(answer: reqwest::Response, scrub: Scrub, record: Record) -> Body {
    let state = Some((answer, scrub, record));
    Body::from_stream(stream::unfold(state, async |state| {
        let (mut answer, mut scrub, mut record) = state?;
        let failed = |why: String| Some((Err(std::io::Error::other(why)), None));
        match answer.chunk().await {
            Ok(Some(piece)) => {
                record.bytes += piece.len() as u64;
                if record.bytes > ANSWER {
                    return failed("the answer is too large".to_owned());
                }
                Some((Ok(scrub.push(&piece)), Some((answer, scrub, record))))
            }
            Ok(None) => Some((Ok(scrub.finish()), None)),
            // A broken answer must not look like a whole one.
            Err(error) => failed(reason(error)),
        }
    }))
}

/// Writes down what was relayed when the answer is over, or let go of.
struct Record {
    bridge: Arc<Bridge>,
    upstream: String,
    path: &'static str,
    status: u16,
    key: audit::Key,
    bytes: u64,
}

impl Drop for Record {
    fn drop(&mut self) {
        let Record { path, status, key, bytes, .. } = *self;
        let upstream = std::mem::take(&mut self.upstream);
        self.bridge.audit.write(&Entry::Relayed { upstream, path, status, key, bytes });
    }
}

/// What is wrong with a service's certificate, where that is what went wrong.
fn doubt(error: &reqwest::Error) -> Option<String> {
    let certificate = certificate_error(error)?;
    Some(match certificate {
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "its certificate is by nobody this machine trusts (SSL_CERT_FILE can name a file with others)".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is for another name".to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "its certificate has expired".to_owned(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate is not valid yet; is this machine's clock right?".to_owned()
        }
        other => other.to_string(),
    })
}

/// Looks into errors of input and output as well: what they hold is not their source.
fn certificate_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a CertificateError> {
    if let Some(rustls::Error::InvalidCertificate(why)) = error.downcast_ref() {
        return Some(why);
    }
    match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        Some(held) => certificate_error(held),
        None => certificate_error(error.source()?),
    }
}

/// What went wrong, from the outside in. An address is not part of it.
fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let words = inner.to_string();
        if !told.contains(&words) {
            told = format!("{told}: {words}");
        }
        source = inner.source();
    }
    told
}

/// As either service would say it, so that the page reads it as it reads theirs.
impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, message) = match self {
            Self::UnknownUpstream => (StatusCode::NOT_FOUND, "the bridge relays to no service of this name".to_owned()),
            Self::Path => (StatusCode::NOT_FOUND, "the bridge relays no such path".to_owned()),
            Self::TypedKey => (StatusCode::BAD_REQUEST, "the key holds characters that no key can".to_owned()),
            Self::TooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("the request is larger than {} MiB, the most the bridge relays", REQUEST >> 20),
            ),
            Self::Redirect => (
                StatusCode::BAD_GATEWAY,
                "the service answered with another address, and the bridge follows none; correct the base URL"
                    .to_owned(),
            ),
            Self::Silent => (StatusCode::GATEWAY_TIMEOUT, "the service was silent for too long".to_owned()),
            Self::Unproven(why) => {
                (StatusCode::BAD_GATEWAY, format!("the service did not prove who it is, so it was sent nothing: {why}"))
            }
            Self::Unreachable(why) => {
                (StatusCode::BAD_GATEWAY, format!("the bridge could not reach the service: {why}"))
            }
        };
        let body = json!({ "type": "error", "error": { "type": "relay_error", "message": message } });
        (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
    }
}
