//! The words of a session that is not empty. They come with the part of the page that shows one.

use agent_loop::{Layer, Outcome, Producer, Rest};

use super::{Told, control, en, stops, zh};
use crate::app::Language;
use crate::run::you_model::Sample;

/// The words of a language.
pub fn session(language: Language) -> &'static SessionWords {
    match language {
        Language::En => &en::session::SESSION,
        Language::Zh => &zh::session::SESSION,
    }
}

/// All texts around a session, by where they stand.
#[derive(Debug)]
pub struct SessionWords {
    /// Why it rests and what to do.
    pub rest: fn(&Rest) -> Told,
    /// The entries of `messages`.
    pub entries: Entries,
    /// The questions to the person.
    pub ask: Ask,
    /// The entries of the list of sessions.
    pub list: SessionList,
    /// The inspector's tabs.
    pub inspector: InspectorWords,
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
}

/// The entries of `messages`.
#[derive(Debug)]
pub struct Entries {
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
    pub no_output: &'static str,
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

/// An entry of the list of sessions.
#[derive(Debug)]
pub struct SessionList {
    pub fresh: &'static str,
    pub delete: &'static str,
    pub delete_sure: &'static str,
    pub keep: &'static str,
}

/// The inspector's tabs.
#[derive(Debug)]
pub struct InspectorWords {
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
