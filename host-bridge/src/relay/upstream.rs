//! Where the relay can go: services it knows by name, and those a person configured. There are no others.
//!
//! An address and its key come from one place and stay together: a key from the environment goes to the address it was
//! set for there, and never to one that a file or a flag brought. So no setting can lead a key astray.

use std::collections::BTreeMap;
use std::fmt;

use axum::http::{HeaderName, HeaderValue, header};
use bridge_protocol::frames::RelayTarget;
use serde::Deserialize;
use url::{Host, Url};

/// A service of a provider: its address, from the provider's documentation, and the variable its key is kept in.
struct Known {
    name: &'static str,
    base_url: &'static str,
    key: &'static str,
    dialect: Dialect,
    /// Whether its answers may be read by a web page (CORS), by public reports of 2026.
    admits_pages: bool,
}

const fn known(name: &'static str, base_url: &'static str, key: &'static str) -> Known {
    Known { name, base_url, key, dialect: Dialect::ChatCompletions, admits_pages: true }
}

const KNOWN: [Known; 12] = [
    Known { dialect: Dialect::Messages, ..known("anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY") },
    known("openai", "https://api.openai.com/v1", "OPENAI_API_KEY"),
    Known {
        admits_pages: false,
        ..known("dashscope", "https://dashscope.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY")
    },
    Known {
        admits_pages: false,
        ..known("dashscope-intl", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_INTL_API_KEY")
    },
    Known { admits_pages: false, ..known("nvidia", "https://integrate.api.nvidia.com/v1", "NVIDIA_API_KEY") },
    Known { admits_pages: false, ..known("moonshot", "https://api.moonshot.cn/v1", "MOONSHOT_API_KEY") },
    known("deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    known("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    known("gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    known("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    known("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    known("xai", "https://api.x.ai/v1", "XAI_API_KEY"),
];

/// The name of the upstream that `API_KEY` and `BASE_URL` describe.
const UNNAMED: &str = "custom";

/// The variables that upstreams are made from.
pub const VARIABLES: [&str; 18] = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "DASHSCOPE_API_KEY",
    "DASHSCOPE_INTL_API_KEY",
    "NVIDIA_API_KEY",
    "MOONSHOT_API_KEY",
    "DEEPSEEK_API_KEY",
    "OPENROUTER_API_KEY",
    "GEMINI_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "XAI_API_KEY",
    "API_KEY",
    "BASE_URL",
    "MODEL_ID",
];

/// The wire format a service speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// Anthropic Messages.
    Messages,
    /// OpenAI Chat Completions.
    ChatCompletions,
}

/// How a service wants its key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Auth {
    /// As the dialect of the path has it: `x-api-key` for Messages, `Authorization: Bearer` for Chat Completions.
    #[default]
    Native,
    /// `Authorization: Bearer`, whatever the path.
    Bearer,
}

/// A key. It does not show itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    text: String,
    auth: Auth,
}

/// One place the relay can go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstream {
    /// Its name in `/relay/NAME/...`: lower-case letters, digits, `-`.
    pub name: String,
    /// Its address, without a slash at its end.
    pub base_url: String,
    /// The bridge's key for it.
    pub key: Option<Key>,
    /// How it wants a key.
    pub auth: Auth,
    /// The dialect it is asked in.
    pub dialect: Dialect,
    /// Whether a page may call it without the bridge.
    pub admits_pages: bool,
    /// The model to ask for, where a person said so.
    pub model: Option<String>,
}

/// All of them, in the order a person is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Upstreams(Vec<Upstream>);

/// An upstream as the person's configuration has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configured {
    /// Its address; that of the known service of this name where it is left out.
    pub base_url: Option<String>,
    /// Its key.
    pub key: Option<Key>,
    /// How it wants the key.
    pub auth: Option<Auth>,
    /// The dialect it speaks.
    pub dialect: Option<Dialect>,
    /// The model to ask for.
    pub model: Option<String>,
}

/// Everything that says where the relay can go. Later ones count more: environment, file, flags.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Of [`VARIABLES`] those that are set, and those that `--relay-key` names.
    pub environment: BTreeMap<String, String>,
    /// `[relay.NAME]` of the configuration.
    pub file: BTreeMap<String, Configured>,
    /// `--relay NAME=URL`.
    pub addresses: Vec<(String, String)>,
    /// `--relay-key NAME=VARIABLE`.
    pub keys: Vec<(String, String)>,
}

/// What is wrong with an upstream. Each is one line for the person who configured it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpstreamError {
    /// The name cannot stand in a path.
    Name(String),
    /// The address of the upstream of this name cannot be used, and why.
    Address(String, &'static str),
    /// The key in this variable holds what no header can.
    Key(String),
    /// `--relay-key` names a variable that is not set.
    Unset(String),
    /// There is neither an address nor a known service for this name.
    NoAddress(String),
}

impl Upstreams {
    /// What these sources say, or what is wrong with them.
    pub fn new(sources: Sources) -> Result<Self, UpstreamError> {
        let mut all: Vec<Upstream> = KNOWN.iter().map(Known::upstream).collect();
        from_environment(&mut all, &sources.environment)?;
        for (name, configured) in sources.file {
            from_file(&mut all, name, configured)?;
        }
        for (name, base_url) in sources.addresses {
            let upstream = Upstream { admits_pages: false, ..blank(name, &base_url)? };
            put(&mut all, upstream);
        }
        for (name, variable) in sources.keys {
            let value = sources.environment.get(&variable).ok_or_else(|| UpstreamError::Unset(variable.clone()))?;
            let key = Key::new(value).ok_or(UpstreamError::Key(variable))?;
            let upstream = all.iter_mut().find(|it| it.name == name).ok_or(UpstreamError::NoAddress(name))?;
            upstream.key = Some(key);
        }
        match all.iter().find(|it| it.key.is_some() && it.base_url.starts_with("http://") && !it.is_local()) {
            Some(bare) => Err(UpstreamError::Address(bare.name.clone(), "a key goes to another machine by https only")),
            None => Ok(Self(all)),
        }
    }

    /// The upstream of this name.
    pub fn find(&self, name: &str) -> Option<&Upstream> {
        self.0.iter().find(|upstream| upstream.name == name)
    }

    /// The keys of all of them, for who sees to it that they are shown nowhere.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|upstream| upstream.key.as_ref()).map(Key::reveal)
    }

    /// As a page is told: all but the keys.
    pub fn told(&self) -> Vec<RelayTarget> {
        let told = |upstream: &Upstream| RelayTarget {
            name: upstream.name.clone(),
            base_url: upstream.base_url.clone(),
            dialect: match upstream.dialect {
                Dialect::Messages => "messages".to_owned(),
                Dialect::ChatCompletions => "chat_completions".to_owned(),
            },
            has_key: upstream.key.is_some(),
            admits_pages: upstream.admits_pages,
            model: upstream.model.clone(),
        };
        self.0.iter().map(told).collect()
    }
}

impl Upstream {
    /// Whether it is on this machine.
    pub fn is_local(&self) -> bool {
        Url::parse(&self.base_url).is_ok_and(|url| match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        })
    }
}

impl Auth {
    /// The header that carries a key to this path.
    pub fn header(self, path: &str, key: &Key) -> (HeaderName, HeaderValue) {
        let is_messages = path.contains("messages");
        let (name, text) = match (self, key.auth) {
            (Self::Native, Self::Native) if is_messages => (HeaderName::from_static("x-api-key"), key.text.clone()),
            _ => (header::AUTHORIZATION, format!("Bearer {}", key.text)),
        };
        // A key is made of nothing that a header cannot hold.
        let mut value = HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""));
        value.set_sensitive(true);
        (name, value)
    }
}

impl Key {
    /// A key without the space around it; `None` when there is nothing, or something that no header can hold.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()))
            .then(|| Self { text: text.to_owned(), auth: Auth::Native })
    }

    /// The key itself, for the header it goes into.
    pub fn reveal(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        // What is wrong with it is said without it.
        Key::new(&String::deserialize(from)?).ok_or_else(|| serde::de::Error::custom("the key is empty or unreadable"))
    }
}

impl fmt::Display for UpstreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => {
                write!(f, "{name:?} is no name for a relay: use lower-case letters, digits and hyphens")
            }
            Self::Address(name, why) => write!(f, "the base URL of the relay {name} cannot be used: {why}"),
            Self::Key(variable) => write!(f, "{variable} holds characters that no key can"),
            Self::Unset(variable) => write!(f, "--relay-key names {variable}, which is not set"),
            Self::NoAddress(name) => write!(f, "the relay {name} has no base URL; say --relay {name}=URL"),
        }
    }
}

impl std::error::Error for UpstreamError {}

impl Known {
    fn upstream(&self) -> Upstream {
        Upstream {
            name: self.name.to_owned(),
            base_url: self.base_url.to_owned(),
            key: None,
            auth: Auth::Native,
            dialect: self.dialect,
            admits_pages: self.admits_pages,
            model: None,
        }
    }
}

fn from_environment(all: &mut Vec<Upstream>, variables: &BTreeMap<String, String>) -> Result<(), UpstreamError> {
    let set = |name: &str| variables.get(name).map(|value| value.trim()).filter(|value| !value.is_empty());
    let key = |name: &str| {
        set(name).map(|value| Key::new(value).ok_or_else(|| UpstreamError::Key(name.to_owned()))).transpose()
    };
    let model = set("MODEL_ID").map(str::to_owned);
    for Known { name, key: variable, .. } in &KNOWN {
        let Some(upstream) = all.iter_mut().find(|it| it.name == *name) else { continue };
        upstream.key = key(variable)?;
    }
    for (name, variable) in [("anthropic", "ANTHROPIC_BASE_URL"), ("openai", "OPENAI_BASE_URL")] {
        let (Some(base_url), Some(upstream)) = (set(variable), all.iter_mut().find(|it| it.name == name)) else {
            continue;
        };
        upstream.base_url = address(name, base_url)?;
        upstream.admits_pages = false;
    }
    if let Some(anthropic) = all.iter_mut().find(|it| it.name == "anthropic") {
        // The token of an account is for the account's own service: with another address it is left out.
        if anthropic.key.is_none() && set("ANTHROPIC_BASE_URL").is_none() {
            anthropic.key = key("ANTHROPIC_AUTH_TOKEN")?.map(|token| Key { auth: Auth::Bearer, ..token });
        }
        anthropic.model = model.clone().filter(|_| anthropic.key.is_some());
    }
    // A key without an address belongs nowhere.
    if let Some(base_url) = set("BASE_URL") {
        let upstream = Upstream {
            key: key("API_KEY")?,
            dialect: Dialect::Messages,
            admits_pages: false,
            model,
            ..blank(UNNAMED.to_owned(), base_url)?
        };
        put(all, upstream);
    }
    Ok(())
}

fn from_file(all: &mut Vec<Upstream>, name: String, configured: Configured) -> Result<(), UpstreamError> {
    let Configured { base_url, key, auth, dialect, model } = configured;
    let known = KNOWN.iter().find(|it| it.name == name).map(Known::upstream);
    let before = all.iter().find(|it| it.name == name).cloned();
    let mut upstream = match (base_url, &key) {
        // An address brings its own key or none.
        (Some(base_url), _) => blank(name, &base_url)?,
        // A key of the file is for the service of that name, not for an address of the environment.
        (None, Some(_)) => known.ok_or(UpstreamError::NoAddress(name))?,
        (None, None) => before.ok_or(UpstreamError::NoAddress(name))?,
    };
    upstream.key = key.or(upstream.key);
    upstream.auth = auth.unwrap_or(upstream.auth);
    upstream.dialect = dialect.unwrap_or(upstream.dialect);
    upstream.model = model.or(upstream.model);
    put(all, upstream);
    Ok(())
}

fn put(all: &mut Vec<Upstream>, upstream: Upstream) {
    match all.iter_mut().find(|it| it.name == upstream.name) {
        Some(place) => *place = upstream,
        None => all.push(upstream),
    }
}

/// An upstream of which nothing but name and address is known. One that goes by the name of a known service speaks as
/// that service does.
fn blank(name: String, base_url: &str) -> Result<Upstream, UpstreamError> {
    let is_name = |name: &str| {
        let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        !name.is_empty() && name.len() <= 40 && name.bytes().all(is_letter)
    };
    if !is_name(&name) {
        return Err(UpstreamError::Name(name));
    }
    let known = KNOWN.iter().find(|it| it.name == name);
    Ok(Upstream {
        base_url: address(&name, base_url)?,
        name,
        key: None,
        auth: Auth::Native,
        dialect: known.map_or(Dialect::ChatCompletions, |it| it.dialect),
        admits_pages: false,
        model: None,
    })
}

/// An address as it will be used, or why it cannot be.
fn address(name: &str, text: &str) -> Result<String, UpstreamError> {
    let no = |why| Err(UpstreamError::Address(name.to_owned(), why));
    let Ok(url) = Url::parse(text.trim()) else { return no("it is no whole URL") };
    if !matches!(url.scheme(), "http" | "https") {
        return no("it is neither http nor https");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return no("it holds a login");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return no("it has something behind its path");
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}
