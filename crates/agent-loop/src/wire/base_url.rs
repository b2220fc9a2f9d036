//! The address a person gives: what it means as the URL of a request, what was mended in it, and what is wrong with it.

use crate::settings::Dialect;

/// Where requests go, and what had to be read into the text for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The address of the interface, without the path of a request.
    pub base: String,
    /// What stood after `?`, with it; empty where there was none.
    pub query: String,
    /// What was mended, in order.
    pub notes: Vec<AddressNote>,
}

/// Something in an address that was understood all the same, and is worth telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressNote {
    /// It had no whole scheme; `http` for this machine, `https` for others, where none was begun.
    SchemeAdded,
    /// It ended with the path of a request (`/chat/completions`, `/messages`, `/models`, …), which is added anyway.
    PathCut,
    /// Its path was that of the other dialect: the dialect or the address may be the wrong one.
    OtherDialect,
    /// `/v1` stood in it twice.
    VersionTwice,
    /// It is not encrypted, and not this machine: the key and every message can be read on the way.
    PlainHttp,
}

/// Why a text is no address of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressFault {
    /// Nothing was given.
    Empty,
    /// It begins with a scheme that is not `http` or `https`; this one.
    Scheme(String),
    /// No host stands in it.
    NoHost,
    /// Blanks or control characters stand inside it.
    Blanks,
    /// A user name or a key stands before the host, where browsers refuse it.
    Credentials,
}

/// Reads an address. Blanks and quotation marks around it count for nothing.
pub fn read_base_url(text: &str, dialect: Dialect) -> Result<Address, AddressFault> {
    let text = text.trim().trim_matches(['"', '\'', '`', '<', '>']).trim();
    let text = text.split_once('#').map_or(text, |(text, _)| text);
    let (base, query) =
        text.split_once('?').map_or((text, ""), |(base, _)| (base, text.get(base.len()..).unwrap_or("")));
    let mut base = base.trim_end_matches('/').to_owned();
    let mut notes = Vec::new();
    // A colon or a slash was forgotten: `https//host`, `https:/host`.
    let rest = ["https", "http"].into_iter().find_map(|scheme| {
        let rest = base.get(scheme.len()..).filter(|_| base.to_ascii_lowercase().starts_with(scheme))?;
        let is_mistyped = !rest.starts_with("://") && (rest.starts_with(":/") || rest.starts_with("//"));
        is_mistyped.then(|| format!("{scheme}://{}", rest.trim_start_matches([':', '/'])))
    });
    if let Some(mended) = rest {
        base = mended;
        notes.push(AddressNote::SchemeAdded);
    }
    if base.is_empty() {
        return Err(AddressFault::Empty);
    }
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(AddressFault::Blanks);
    }
    if text.contains("://") && !base.contains("://") {
        return Err(AddressFault::NoHost);
    }
    if !base.starts_with('/') {
        match base.split_once("://") {
            Some((scheme, rest)) => {
                let scheme = scheme.to_ascii_lowercase();
                if scheme != "http" && scheme != "https" {
                    return Err(AddressFault::Scheme(scheme));
                }
                base = format!("{scheme}://{}", rest.trim_start_matches('/'));
            }
            None => {
                let scheme = if is_local(host_of(&base)) { "http" } else { "https" };
                base = format!("{scheme}://{}", base.trim_start_matches(':'));
                notes.push(AddressNote::SchemeAdded);
            }
        }
        let rest = base.split_once("://").map_or("", |(_, rest)| rest);
        let authority = rest.split('/').next().unwrap_or_default();
        if authority.contains('@') {
            return Err(AddressFault::Credentials);
        }
        if host_of(rest).is_empty() {
            return Err(AddressFault::NoHost);
        }
        if base.starts_with("http://") && !is_local(host_of(rest)) {
            notes.push(AddressNote::PlainHttp);
        }
    }
    while let Some((path, of)) = PATHS.iter().find(|(path, _)| base.to_ascii_lowercase().ends_with(path)) {
        base.truncate(base.len() - path.len());
        base.truncate(base.trim_end_matches('/').len());
        let note = if of.is_some_and(|of| of != dialect) { AddressNote::OtherDialect } else { AddressNote::PathCut };
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    while base.ends_with("/v1/v1") {
        base.truncate(base.len() - "/v1".len());
        if !notes.contains(&AddressNote::VersionTwice) {
            notes.push(AddressNote::VersionTwice);
        }
    }
    Ok(Address { base, query: query.to_owned(), notes })
}

/// The address that a text most likely means, where it is none or had to be mended: to be offered, never taken by itself.
pub fn corrected_base_url(text: &str, dialect: Dialect) -> Option<String> {
    let mut mended = text.trim().to_owned();
    let mut was_none = false;
    // Of each fault there is one at most.
    for _ in 0..4 {
        mended = match read_base_url(&mended, dialect) {
            Ok(address) => {
                let is_worth_it = was_none || address.notes.iter().any(|note| *note != AddressNote::PlainHttp);
                return is_worth_it.then(|| address.base + &address.query);
            }
            Err(AddressFault::Blanks) => mended.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect(),
            Err(AddressFault::Scheme(_)) => mended.split_once("://").map_or("", |(_, rest)| rest).to_owned(),
            Err(AddressFault::Credentials) => {
                let (scheme, rest) = mended.split_once("://").unwrap_or(("https", &mended));
                let authority = rest.split('/').next().unwrap_or_default();
                let login = authority.rfind('@').map_or(0, |at| at + 1);
                format!("{scheme}://{}", rest.get(login..).unwrap_or_default())
            }
            Err(AddressFault::Empty | AddressFault::NoHost) => return None,
        };
        was_none = true;
    }
    None
}

impl Address {
    /// The URL of one path of the interface (`messages`, `chat/completions`, `models`).
    pub fn url(&self, dialect: Dialect, path: &str) -> String {
        let Address { base, query, .. } = self;
        let after_scheme = base.split_once("://").map_or(base.as_str(), |(_, rest)| rest);
        let version = match dialect {
            Dialect::Anthropic if base.ends_with("/v1") => "",
            Dialect::Anthropic => "/v1",
            // A bare host: every service known has its version there.
            Dialect::OpenAi if !after_scheme.contains('/') => "/v1",
            Dialect::OpenAi => "",
        };
        format!("{base}{version}/{path}{query}")
    }
}

/// What people copy with the address, longest first, and whose it is.
const PATHS: &[(&str, Option<Dialect>)] = &[
    ("/messages/count_tokens", Some(Dialect::Anthropic)),
    ("/chat/completions", Some(Dialect::OpenAi)),
    ("/messages", Some(Dialect::Anthropic)),
    ("/responses", Some(Dialect::OpenAi)),
    ("/completions", Some(Dialect::OpenAi)),
    ("/embeddings", Some(Dialect::OpenAi)),
    ("/models", None),
    ("/api/generate", None),
    ("/api/chat", None),
    ("/api/tags", None),
];

/// Whether an address names this machine.
pub(crate) fn host_is_local(base_url: &str) -> bool {
    let text = base_url.trim();
    is_local(host_of(text.split_once("://").map_or(text, |(_, rest)| rest)))
}

fn host_of(rest: &str) -> &str {
    let authority = rest.split('/').next().unwrap_or_default();
    match authority.strip_prefix('[') {
        Some(_) => authority.split_inclusive(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    }
}

fn is_local(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    matches!(host.as_str(), "localhost" | "0.0.0.0" | "[::1]")
        || host.starts_with("127.")
        || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::AddressFault as Fault;
    use super::AddressNote::{OtherDialect, PathCut, PlainHttp, SchemeAdded, VersionTwice};
    use super::{AddressNote, corrected_base_url, read_base_url};
    use crate::settings::Dialect::{Anthropic, OpenAi};

    #[test]
    fn what_people_paste_is_understood_and_what_was_mended_is_told() {
        #[track_caller]
        fn check(text: &str, expected: &str, notes: &[AddressNote]) {
            let address = read_base_url(text, OpenAi).unwrap();
            let url = address.url(OpenAi, "chat/completions");
            assert_eq!((url.as_str(), address.notes.as_slice()), (expected, notes), "{text}");
        }
        let usual = "https://api.example.org/v1/chat/completions";
        check("https://api.example.org/v1", usual, &[]);
        check("  \"https://api.example.org/v1/\" \n", usual, &[]);
        check("HTTPS://api.example.org/v1#top", usual, &[]);
        check("api.example.org/v1", usual, &[SchemeAdded]);
        check("https://api.example.org", usual, &[]);
        check("https://api.example.org/v1/chat/completions/", usual, &[PathCut]);
        check("https://api.example.org/v1/models", usual, &[PathCut]);
        check("https://api.example.org/v1/responses", usual, &[PathCut]);
        check("https://api.example.org/v1/messages", usual, &[OtherDialect]);
        check("https://api.example.org/v1/v1", usual, &[VersionTwice]);
        check("https://api.example.org/v1/v1/chat/completions", usual, &[PathCut, VersionTwice]);
        check("http://api.example.org/v1", "http://api.example.org/v1/chat/completions", &[PlainHttp]);
        check("http://localhost:11434/api/chat", "http://localhost:11434/v1/chat/completions", &[PathCut]);
        check("[::1]:8080", "http://[::1]:8080/v1/chat/completions", &[SchemeAdded]);
        check("app.localhost:8080", "http://app.localhost:8080/v1/chat/completions", &[SchemeAdded]);
        check("localhost.evil.example", "https://localhost.evil.example/v1/chat/completions", &[SchemeAdded]);
        check("https//api.example.org/v1", usual, &[SchemeAdded]);
        check("https:/api.example.org/v1", usual, &[SchemeAdded]);
        check("http//localhost:8080", "http://localhost:8080/v1/chat/completions", &[SchemeAdded]);
        check("httpbin.example.org/v1", "https://httpbin.example.org/v1/chat/completions", &[SchemeAdded]);
        check("https://a.example/d?api-version=1", "https://a.example/d/chat/completions?api-version=1", &[]);
        let other = read_base_url("https://api.example.org/v1/chat/completions", Anthropic).unwrap();
        assert_eq!(other.url(Anthropic, "messages"), "https://api.example.org/v1/messages");
        assert_eq!(other.notes, [OtherDialect]);
    }

    #[test]
    fn what_is_no_address_says_why() {
        let check = |text: &str, fault: Fault| assert_eq!(read_base_url(text, OpenAi), Err(fault), "{text}");
        check(" / ", Fault::Empty);
        check("", Fault::Empty);
        check("ftp://x", Fault::Scheme("ftp".to_owned()));
        check("https://", Fault::NoHost);
        check("https://:8080", Fault::NoHost);
        check("https://api.example.org/v 1", Fault::Blanks);
        check("https://sk-123@api.example.org", Fault::Credentials);
    }

    #[test]
    fn what_was_most_likely_meant_is_offered() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(corrected_base_url(text, OpenAi).as_deref(), expected, "{text}")
        };
        check("https://api.example.org/v1", None);
        check("http://10.0.0.7:8000/v1/", None);
        check("api.example.org/v1/chat/completions", Some("https://api.example.org/v1"));
        check("https://a.example/v1/models?x=1", Some("https://a.example/v1?x=1"));
        check("https://api.example.org/v 1", Some("https://api.example.org/v1"));
        check("https://me:sk-1@api.example.org/v1", Some("https://api.example.org/v1"));
        check("wss://sk-1@api. example.org/v1/messages", Some("https://api.example.org/v1"));
        check("htps://localhost:8080", Some("http://localhost:8080"));
        check("", None);
        check("https://", None);
    }
}
