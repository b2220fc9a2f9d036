//! The words of a connection that is tried out, and of the models it lists. They come with the settings.

use agent_loop::connection::Cause;
use agent_loop::wire::Quirk;
use agent_loop::{FailureKind, ModelFailure};

use crate::app::Language;
use crate::words::Told;

/// What the settings say of a trial.
#[derive(Debug)]
pub struct TrialWords {
    pub test: &'static str,
    pub test_hint: &'static str,
    pub stop: &'static str,
    pub findings: &'static str,
    pub answers: &'static str,
    pub calls_tools: &'static str,
    pub understands: &'static str,
    pub untried: &'static str,
    pub under_way: &'static str,
    pub passed: &'static str,
    pub failed: &'static str,
    pub cause: fn(Cause) -> Told,
    /// Before what the endpoint, or the browser, said.
    pub said: &'static str,
    pub learnt: fn(usize) -> String,
    /// Before what was learnt about the endpoint.
    pub remembered: &'static str,
    pub forget: &'static str,
    pub quirk: fn(Quirk) -> String,
    pub list_models: &'static str,
    pub models: &'static str,
    pub listing: &'static str,
    pub listed: fn(usize) -> String,
    pub more: fn(usize) -> String,
    pub none_fits: &'static str,
    pub not_listed: fn(&ModelFailure) -> Told,
}

/// The words of a language.
pub fn trial(language: Language) -> &'static TrialWords {
    match language {
        Language::En => &super::en::trial::TRIAL,
        Language::Zh => &super::zh::trial::TRIAL,
    }
}

/// What of a failed listing a person can do something about.
pub(super) enum Unlisted {
    Key,
    Unreachable,
    NoList,
    Other,
}

impl Unlisted {
    pub(super) fn of(failure: &ModelFailure) -> Unlisted {
        match failure.kind {
            FailureKind::Authentication | FailureKind::Permission => Unlisted::Key,
            FailureKind::Unreachable | FailureKind::NotBegun => Unlisted::Unreachable,
            FailureKind::NotFound | FailureKind::NotThisDialect | FailureKind::InvalidRequest => Unlisted::NoList,
            _ => Unlisted::Other,
        }
    }
}
