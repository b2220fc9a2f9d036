//! Every sentence a person reads, in English and Chinese. The field's own terms (`messages`, `tool_use`, `stop_reason`,
//! turn) stay as they are in both.
//!
//! [`Words`] is one struct with a field for each text, and a function for each text that depends on a value: a language
//! that lacks one does not compile, and a new kind of rest or failure has to be said in both. It holds what the page's
//! first view says; what its parts say stands apart ([`session`], [`mod@settings`], [`mod@lens`]), so that it comes with them.

#![expect(missing_docs, reason = "a field is named for the text it holds; what else there is to know is said there")]

mod background;
mod capture;
mod code;
mod connection;
pub mod control;
pub mod cost;
mod dialects;
mod en;
mod lens;
mod measure;
mod request_edit;
mod rests;
mod sandbox;
pub mod session;
pub mod settings;
pub mod stops;
mod trial;
mod whole;
mod wire;
mod zh;

use agent_loop::{Dialect, Rest, Stage, Step};
use practice_model::Group;

use crate::app::{BridgeStatus, Language, StoreStatus, Theme};
use crate::run::store::Unreadable;

pub use background::{background, background_setting};
pub use capture::{CaptureWords, capture};
pub use code::code;
pub use connection::{Connection, connection};
pub use dialects::dialects;
pub use lens::lens;
pub use measure::{amount, bytes, clock, count, duration, millionths, money};
pub use request_edit::{RequestEditWords, request_edit};
pub use rests::{Reach, rests};
pub use sandbox::sandbox;
pub use trial::{TrialWords, trial};
pub use whole::whole;
pub use wire::stop_reason;

/// The words of a language.
pub fn words(language: Language) -> &'static Words {
    match language {
        Language::En => &en::WORDS,
        Language::Zh => &zh::WORDS,
    }
}

/// What a person is told: what happened, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What happened.
    pub what: String,
    /// What to do next; may be empty.
    pub next: String,
}

impl Told {
    /// Both as they are.
    pub fn new(what: impl Into<String>, next: impl Into<String>) -> Told {
        Told { what: what.into(), next: next.into() }
    }
}

/// All texts of the page's first view in a language, by where they stand.
#[derive(Debug)]
pub struct Words {
    /// BCP 47 tag for the `lang` attribute.
    pub tag: &'static str,
    /// The bar at the top.
    pub header: Header,
    /// The six stages and the buttons of the run.
    pub deck: Deck,
    /// The list of messages.
    pub messages: Messages,
    /// The field below.
    pub composer: Composer,
    /// The list of sessions.
    pub sessions: Sessions,
    /// The inspector.
    pub inspector: Inspector,
    /// The settings' frame.
    pub settings: SettingsHead,
    /// The lines that say what is wrong with the page's surroundings.
    pub notices: Notices,
}

/// The bar at the top.
#[derive(Debug)]
pub struct Header {
    pub model: &'static str,
    pub dialect: &'static str,
    pub tool_host: &'static str,
    pub practice: &'static str,
    pub practice_group: fn(Group) -> &'static str,
    pub host_bridge: &'static str,
    pub you: &'static str,
    pub you_the_model: &'static str,
    pub you_status: &'static str,
    pub bridge: fn(&BridgeStatus) -> String,
    /// Says the other language's name, in that language.
    pub other_language: &'static str,
    pub theme: fn(Theme) -> &'static str,
    pub settings: &'static str,
    pub new_session: &'static str,
    pub sessions: &'static str,
    pub inspector: &'static str,
}

/// The six stages and the buttons of the run.
#[derive(Debug)]
pub struct Deck {
    pub label: &'static str,
    pub stage: fn(Stage, Dialect) -> &'static str,
    /// The same in one word, where there is no room.
    pub stage_short: fn(Stage) -> &'static str,
    pub live: &'static str,
    pub next: &'static str,
    pub goes_on: &'static str,
    pub ends: &'static str,
    /// A rest in a few words, for the end that is drawn apart.
    pub end: fn(&Rest) -> &'static str,
    pub no_end: &'static str,
    pub run: &'static str,
    pub step: &'static str,
    pub pause: &'static str,
    pub stop: &'static str,
    /// What Run would do, by what is next.
    pub run_would: fn(&Step<()>, u32) -> String,
    /// What Step would do.
    pub step_would: fn(&Step<()>) -> &'static str,
    pub would_send: &'static str,
    pub pausing: &'static str,
    pub stopping: &'static str,
    pub how_on: &'static str,
    pub model_calls: &'static str,
    pub used_of: fn(u32, u32) -> String,
    pub breakpoints: &'static str,
}

/// The list of messages.
#[derive(Debug)]
pub struct Messages {
    pub region: &'static str,
    pub newest: &'static str,
    /// That nothing has been said yet, and what can be done about it.
    pub fresh: &'static str,
    pub fresh_next: &'static str,
}

/// The field below.
#[derive(Debug)]
pub struct Composer {
    pub message: &'static str,
    pub placeholder: &'static str,
    pub looking_back: &'static str,
    pub send: &'static str,
    pub keys: &'static str,
    pub queued: fn(usize) -> String,
    pub examples: &'static str,
}

/// The list of sessions.
#[derive(Debug)]
pub struct Sessions {
    pub title: &'static str,
    pub none: &'static str,
    pub close: &'static str,
}

/// The inspector.
#[derive(Debug)]
pub struct Inspector {
    pub title: &'static str,
    pub close: &'static str,
    pub request: &'static str,
    pub response: &'static str,
    pub state: &'static str,
    pub tool: &'static str,
    pub code: &'static str,
    pub cost: &'static str,
    pub no_exchange: &'static str,
}

/// The settings' frame.
#[derive(Debug)]
pub struct SettingsHead {
    pub title: &'static str,
    pub close: &'static str,
    pub applies: &'static str,
}

/// The lines that say what is wrong with the page's surroundings.
#[derive(Debug)]
pub struct Notices {
    pub label: &'static str,
    pub bridge: fn(&BridgeStatus) -> Option<Told>,
    pub store: fn(&StoreStatus) -> Option<Told>,
    pub read_only: fn() -> Told,
    pub take_over: &'static str,
    pub asked_over: &'static str,
    pub unopened: fn(&Unreadable) -> Told,
    pub unfetched: fn() -> Told,
    pub fetch_again: &'static str,
    pub reconnect: &'static str,
    pub be_the_tool: &'static str,
}
