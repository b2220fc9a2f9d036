//! Every sentence a person reads, in English and Chinese. The field's own terms (`messages`, `tool_use`, `stop_reason`,
//! turn) stay as they are in both.
//!
//! [`Words`] is one struct with a field for each text, and a function for each text that depends on a value: a language
//! that lacks one does not compile, and a new kind of rest or failure has to be said in both.

#![expect(missing_docs, reason = "a field is named for the text it holds; what else there is to know is said there")]

pub mod control;
mod en;
mod lens;
mod measure;
pub mod stops;
mod wire;
mod zh;

use agent_loop::tool::WordingSet;
use agent_loop::{Dialect, Layer, Outcome, Producer, Rest, Stage, Step};
use practice_model::Group;

use crate::app::{BridgeStatus, Language, StoreStatus, Theme};
use crate::run::store::Unreadable;
use crate::run::you_model::Sample;

pub use lens::lens;
pub use measure::{bytes, clock, count, duration, millionths, money};
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

/// All texts of a language, by where they stand.
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
    /// Why it rests and what to do.
    pub rest: fn(&Rest) -> Told,
    /// The questions to the person.
    pub ask: Ask,
    /// The field below.
    pub composer: Composer,
    /// The list of sessions.
    pub sessions: Sessions,
    /// The inspector.
    pub inspector: Inspector,
    /// The settings.
    pub settings: SettingsWords,
    /// Why a person was asked about a command, or was not.
    pub verdict: VerdictWords,
    /// That the bridge asks about an allowed command again.
    pub asks_on_terminal: &'static str,
    /// Budgets, repeated calls, a full context window.
    pub stops: stops::Stops,
    /// Breakpoints and edits.
    pub control: control::Control,
    /// Time and branches.
    pub time: control::TimeWords,
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
}

/// The list of messages.
#[derive(Debug)]
pub struct Messages {
    pub region: &'static str,
    pub producer: fn(Producer) -> &'static str,
    pub system: &'static str,
    pub unfinished: &'static str,
    pub waiting: &'static str,
    pub retry_in: fn(u32, &str) -> String,
    pub try_again: &'static str,
    pub thinking: &'static str,
    pub opaque: &'static str,
    pub edited: &'static str,
    pub before_edit: &'static str,
    pub dropped: &'static str,
    pub not_json: &'static str,
    pub tokens: fn(Option<u64>, Option<u64>) -> String,
    pub cached: fn(u64) -> String,
    pub show_all: fn(usize) -> String,
    pub show_less: &'static str,
    pub call: Call,
    pub newest: &'static str,
    pub earlier: fn(usize) -> String,
    pub look_at_request: &'static str,
    pub endpoint_said: &'static str,
}

/// A call and what came of it.
#[derive(Debug)]
pub struct Call {
    pub unruled: &'static str,
    pub asking: &'static str,
    pub allowed: &'static str,
    pub running_on: fn(&str) -> String,
    pub outcome: fn(&Outcome) -> String,
    pub layer: fn(Layer) -> &'static str,
    pub failed_at: fn(&str) -> String,
    pub process_started: fn(Option<bool>) -> &'static str,
    pub not_written_back: &'static str,
    pub to_result: fn(usize) -> String,
    pub to_call: fn(usize) -> String,
    pub no_output_yet: &'static str,
    pub output: fn(&str) -> String,
    pub output_label: &'static str,
    pub inspect: &'static str,
}

/// The questions to the person.
#[derive(Debug)]
pub struct Ask {
    pub allow: &'static str,
    pub announced: &'static str,
    pub once: &'static str,
    pub for_this_session: &'static str,
    pub deny: &'static str,
    pub edit: &'static str,
    pub edited_command: &'static str,
    pub edited_arguments: &'static str,
    pub use_edit: &'static str,
    pub back: &'static str,
    pub where_it_runs: fn(&str, &str) -> String,
    pub session_means: &'static str,
    pub hidden_characters: &'static str,
    pub you_are_the_model: &'static str,
    pub you_model_explained: &'static str,
    pub samples: &'static str,
    pub sample: fn(Sample) -> &'static str,
    pub answer: &'static str,
    pub send_answer: &'static str,
    pub see_request: &'static str,
    pub you_are_the_tool: &'static str,
    pub you_explained: &'static str,
    pub result: &'static str,
    pub send_result: &'static str,
    pub send_error: &'static str,
}

/// The field below.
#[derive(Debug)]
pub struct Composer {
    pub message: &'static str,
    pub placeholder: &'static str,
    pub send: &'static str,
    pub keys: &'static str,
    pub queued: fn(usize) -> String,
    pub examples: &'static str,
}

/// The list of sessions.
#[derive(Debug)]
pub struct Sessions {
    pub title: &'static str,
    pub fresh: &'static str,
    pub delete: &'static str,
    pub delete_sure: &'static str,
    pub keep: &'static str,
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
    pub no_exchange: &'static str,
    pub exchange: fn(usize, usize) -> String,
    pub earlier: &'static str,
    pub later: &'static str,
    pub latest: &'static str,
    pub not_sent_yet: &'static str,
    pub headers: &'static str,
    pub body: &'static str,
    pub pretty: &'static str,
    pub raw: &'static str,
    pub copy: &'static str,
    pub copied: &'static str,
    pub new_here: &'static str,
    pub entries: fn(usize) -> String,
    pub status: &'static str,
    pub no_answer_yet: &'static str,
    pub events: &'static str,
    pub assembled: &'static str,
    pub still_open: &'static str,
    pub facts: fn(usize) -> String,
    pub no_call: &'static str,
    pub station: Stations,
}

/// The path of one call.
#[derive(Debug)]
pub struct Stations {
    pub text: &'static str,
    pub parse: &'static str,
    pub validate: &'static str,
    pub authorise: &'static str,
    pub process: &'static str,
    pub output: &'static str,
    pub content: &'static str,
    pub passed: &'static str,
    pub failed: &'static str,
    pub not_reached: &'static str,
    pub under_way: &'static str,
    pub unknown: &'static str,
    pub by_person: &'static str,
    pub output_gone: &'static str,
}

/// Why a person was asked about a command, or was not. The first three stand before a rule.
#[derive(Debug)]
pub struct VerdictWords {
    pub allowed: &'static str,
    pub asked: &'static str,
    pub denied: &'static str,
    pub read_only: &'static str,
    pub not_simple: &'static str,
}

/// The settings.
#[derive(Debug)]
pub struct SettingsWords {
    pub title: &'static str,
    pub close: &'static str,
    pub endpoint: &'static str,
    pub practice: &'static str,
    pub compatible: &'static str,
    pub custom_messages: &'static str,
    pub base_url: &'static str,
    pub base_url_hint: &'static str,
    pub model: &'static str,
    pub key: &'static str,
    pub key_hint: &'static str,
    pub with_its_key: &'static str,
    pub with_typed_key: &'static str,
    pub with_no_key: &'static str,
    pub relays: &'static str,
    pub has_key: &'static str,
    pub relayed: &'static str,
    pub prompt: &'static str,
    pub system: &'static str,
    pub system_hint: &'static str,
    pub max_tokens: &'static str,
    pub max_tokens_hint: &'static str,
    pub stream: &'static str,
    pub tools: &'static str,
    pub run_tools: &'static str,
    pub run_never: &'static str,
    pub run_once: &'static str,
    pub run_one_turn: &'static str,
    pub run_loop: &'static str,
    pub limits: &'static str,
    pub model_calls: &'static str,
    pub command_seconds: &'static str,
    pub retries: &'static str,
    pub output_cap: &'static str,
    pub wording: &'static str,
    pub wording_set: fn(WordingSet) -> &'static str,
    pub blacklist: &'static str,
    pub blacklist_hint: &'static str,
    pub off: &'static str,
    pub five: &'static str,
    pub six: &'static str,
    pub applies: &'static str,
}

/// The lines that say what is wrong with the page's surroundings.
#[derive(Debug)]
pub struct Notices {
    pub label: &'static str,
    pub bridge: fn(&BridgeStatus) -> Option<Told>,
    pub store: fn(&StoreStatus) -> Option<Told>,
    pub read_only: fn() -> Told,
    pub unopened: fn(&Unreadable) -> Told,
    pub unfetched: fn() -> Told,
    pub fetch_again: &'static str,
    pub reconnect: &'static str,
    pub be_the_tool: &'static str,
}
