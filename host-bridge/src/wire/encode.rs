//! `wire encode`: from messages to the body that would be sent.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use agent_loop::host::Offered;
use agent_loop::settings::{Limits, OfferTools, RunTools};
use agent_loop::tool::{Blacklist, OutputRule, WordingSet};
use agent_loop::wire::{default_base_url, profiles, read_json, request};
use agent_loop::{Profile, Settings};
use serde_json::Value;

use super::history::{self, History};
use super::{Encode, WireError, open};

/// The limit of an answer that a fresh session asks for, in tokens.
const MAX_TOKENS: u32 = 8000;

/// What stands where no model was named.
const NO_MODEL: &str = "MODEL";

/// The fields of a request body that are read; all others are no part of what the page sends.
const READ: [&str; 7] = ["model", "system", "tools", "max_tokens", "stop_sequences", "stop", "stream"];

/// Prints the body to stdout, and what was repaired to stderr.
pub(super) fn run(encode: &Encode) -> Result<ExitCode, WireError> {
    let profile = profile(encode)?;
    let mut bytes = Vec::new();
    let read = open(&encode.file)?.read_to_end(&mut bytes);
    read.map_err(|error| WireError::Unreadable(encode.file.clone(), error))?;
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let file = read_json(text).map_err(|error| WireError::NotMessages(format!("the file is no JSON: {error}")))?;
    let history = history::read(file, &profile)?;

    let offered = Offered { host: String::new(), tools: Vec::new(), cwd: "{cwd}".to_owned(), background: Vec::new() };
    let settings = settings(encode, profile, &history);
    let request = request(&settings, &offered, &history.messages);
    let mut body = request.body();
    body.push(b'\n');
    let mut told: Vec<String> = history.left_out.iter().map(|what| format!("not sent: {what}")).collect();
    let unread = history.body.keys().filter(|key| !READ.contains(&key.as_str()));
    told.extend(unread.map(|key| format!("not sent: the field {key}")));
    if settings.model == NO_MODEL {
        told.push(format!("no --model was given; the body says {NO_MODEL}"));
    }
    told.extend(
        request.repairs.iter().filter_map(|repair| serde_json::to_value(repair).ok()).map(|repair| words(&repair)),
    );
    // Whoever closed a pipe has seen enough.
    let _ = io::stderr()
        .lock()
        .write_all(told.iter().map(|line| format!("host-bridge: {line}\n")).collect::<String>().as_bytes());
    let _ = io::stdout().lock().write_all(&body);
    Ok(ExitCode::SUCCESS)
}

fn profile(encode: &Encode) -> Result<Profile, WireError> {
    let dialect = encode.dialect.into();
    let own = match dialect {
        agent_loop::Dialect::Anthropic => "anthropic",
        agent_loop::Dialect::OpenAi => "openai",
    };
    let wanted = encode.provider.as_deref().unwrap_or(own);
    let of_dialect = || profiles().into_iter().filter(|profile| profile.dialect == dialect);
    of_dialect().find(|profile| profile.id.eq_ignore_ascii_case(wanted)).ok_or_else(|| {
        let known = of_dialect().map(|profile| profile.id).collect::<Vec<_>>().join(", ");
        WireError::NoSuchProvider(if profiles().iter().any(|profile| profile.id == wanted) {
            format!("the provider {wanted} does not speak this dialect; those that do: {known}")
        } else {
            format!("no provider is called {wanted:?}; there are {known}")
        })
    })
}

/// The knobs of a fresh session, as far as they change the body, with what the file says about them.
fn settings(encode: &Encode, profile: Profile, history: &History) -> Settings {
    let told = |key: &str| history.body.get(key).filter(|value| !value.is_null());
    let limit = told("max_tokens").and_then(Value::as_u64).and_then(|limit| u32::try_from(limit).ok());
    let model = encode.model.as_deref().or_else(|| told("model").and_then(Value::as_str));
    Settings {
        base_url: default_base_url(&profile.id).to_owned(),
        profile,
        model: model.unwrap_or(NO_MODEL).to_owned(),
        system: history.system.join("\n\n"),
        max_tokens: Some(limit.unwrap_or(MAX_TOKENS)),
        stop_sequences: history.stop_sequences.clone(),
        stream: told("stream").and_then(Value::as_bool).unwrap_or(true),
        offer_tools: OfferTools::Pinned,
        pinned_tools: history.tools.clone(),
        run_tools: RunTools::Loop,
        price: None,
        limits: Limits::default(),
        output: OutputRule::default(),
        wording: WordingSet::Default,
        blacklist: Blacklist::default(),
    }
}

/// `{"result_added": {"message": 1}}` as `repaired: result added (message 2)`.
fn words(repair: &Value) -> String {
    let told = repair.as_object().and_then(|repair| repair.iter().next());
    let name = told.map_or_else(|| repair.to_string(), |(name, _)| name.replace('_', " "));
    let place = told.and_then(|(_, fields)| fields.get("message")?.as_u64());
    place.map_or(format!("repaired: {name}"), |place| format!("repaired: {name} (message {})", place + 1))
}
