//! The likely cause of a failed trial, named for what a person can do about it.

use super::{Trial, Way};
use crate::settings::Dialect;
use crate::wire::{Browser, FailureKind, ModelFailure, guess_dialect, host_is_local, preset};

/// Why something does not work, most likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// No key was sent, and one is wanted.
    KeyMissing,
    /// The key was refused.
    KeyRefused,
    /// The key is known and may not do this.
    Forbidden,
    /// The endpoint does not know the model.
    NoSuchModel,
    /// Nothing of this kind is at the address.
    WrongAddress,
    /// It answers, in the other dialect.
    OtherDialect,
    /// Browsers may not call it: the bridge has to.
    NeedsRelay,
    /// The server has to be told to admit web pages, or does not run.
    NeedsSwitch,
    /// Nothing answers at an address of this machine.
    NotRunning,
    /// No answer could be read: the network, or the endpoint admits no pages.
    Unreachable,
    /// Too many requests, or too busy.
    Busy,
    /// The service failed by itself.
    ServerFailed,
    /// Nothing came in time.
    Silent,
    /// The answer broke off or was broken.
    Cut,
    /// The messages did not fit, short as they are.
    ContextTooSmall,
    /// The request is refused as it is.
    Refused,
    /// The model or its service declined.
    Declined,
    /// There was nothing in the answer.
    EmptyAnswer,
    /// The answer reached its limit before it came to the point.
    LimitTooLow,
    /// Requests with tools are refused.
    ToolsRefused,
    /// The call stands in the words: chat template, tool parser.
    CallInWords,
    /// It answered, and called nothing.
    NoCall,
    /// It called a tool that was not offered.
    OtherTool,
    /// The arguments of the call cannot be used.
    BadArguments,
    /// The request with the result in it is refused.
    ResultRefused,
    /// It answered without what the result says.
    ResultIgnored,
    /// It called the tool again, as if there were no result.
    CallsAgain,
}

impl Cause {
    /// The cause of a failed model call. `beginning` are the first bytes that came of the answer.
    pub(super) fn of(trial: &Trial<'_>, failure: &ModelFailure, beginning: &[u8]) -> Cause {
        let words = format!("{} {}", failure.error_type.as_deref().unwrap_or_default(), failure.message).to_lowercase();
        let names_model = words.contains("model") || words.contains("模型");
        let dialect = trial.settings.profile.dialect;
        match failure.kind {
            // Behind the bridge there may be a key of its own.
            FailureKind::Authentication if trial.endpoint.key.is_none() && trial.way == Way::Straight => {
                Cause::KeyMissing
            }
            FailureKind::Authentication => Cause::KeyRefused,
            FailureKind::Permission => Cause::Forbidden,
            FailureKind::NotFound if names_model => Cause::NoSuchModel,
            FailureKind::NotFound => Cause::WrongAddress,
            FailureKind::InvalidRequest if names_model && is_unknown(&words) => Cause::NoSuchModel,
            FailureKind::InvalidRequest | FailureKind::TooLarge => Cause::Refused,
            FailureKind::ContextOverflow => Cause::ContextTooSmall,
            FailureKind::RateLimit | FailureKind::Overloaded => Cause::Busy,
            FailureKind::Server if failure.error_type.as_deref() == Some(RELAY) => Cause::Unreachable,
            FailureKind::Server => Cause::ServerFailed,
            FailureKind::Unreachable => unreachable(trial),
            FailureKind::NotBegun | FailureKind::Stalled => Cause::Silent,
            FailureKind::Incomplete | FailureKind::Undecodable | FailureKind::TooLong => {
                if is_other(beginning, dialect) { Cause::OtherDialect } else { Cause::Cut }
            }
            FailureKind::NotThisDialect if is_other(beginning, dialect) => Cause::OtherDialect,
            FailureKind::NotThisDialect => Cause::WrongAddress,
        }
    }
}

/// What the bridge calls its own failures to relay (docs/protocol.md).
const RELAY: &str = "relay_error";

/// The ways to say that there is no such model, where the status does not.
fn is_unknown(words: &str) -> bool {
    ["not exist", "unknown", "not found", "invalid model", "no such", "not a valid", "不存在"]
        .into_iter()
        .any(|phrase| words.contains(phrase))
}

fn is_other(beginning: &[u8], dialect: Dialect) -> bool {
    guess_dialect(beginning).is_some_and(|guess| guess != dialect)
}

fn unreachable(trial: &Trial<'_>) -> Cause {
    let browser = preset(&trial.settings.profile.id).map(|preset| preset.browser);
    match (trial.way, browser) {
        (Way::Straight, Some(Browser::Relay)) => Cause::NeedsRelay,
        (Way::Straight, Some(Browser::Switch)) => Cause::NeedsSwitch,
        (Way::Straight, _) if host_is_local(&trial.settings.base_url) => Cause::NotRunning,
        (Way::Straight | Way::Relayed, _) => Cause::Unreachable,
    }
}
