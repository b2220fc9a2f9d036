//! The scenarios: what the practice model says and asks for. Each script is a pure function of the conversation, so it
//! knows where it stands only from the history that was sent.

mod asked_output;
mod broken_calls;
mod hello_py;
mod list_files;
mod memory;
mod pick;
mod quote;
mod several_calls;
mod state_machine;
mod stop_reasons;
mod table;
mod without_end;

pub use table::scenarios;

use crate::{
    conversation::Conversation,
    faults::{Door, Spoil},
    reply::{Reply, Stop},
};

/// One thing a person can try, chosen by sending its id as the model.
#[derive(Debug)]
pub struct Scenario {
    /// The model id, such as `practice/list-python-files`.
    pub id: &'static str,
    /// Where it belongs in a list.
    pub group: Group,
    /// What it shows, in a few words.
    pub title: Words,
    /// A message to send it.
    pub prompt: Words,
    pub(crate) plot: Plot,
}

/// A text in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// English.
    pub en: &'static str,
    /// Chinese.
    pub zh: &'static str,
}

/// Kinds of scenarios, in the order of [`scenarios`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// The systems of the lessons, and whatever else does its task.
    Tasks,
    /// Calls that a harness must refuse or limit.
    BrokenCalls,
    /// One for each reason to stop.
    StopReasons,
    /// Endpoints that fail.
    Faults,
}

#[derive(Debug)]
pub(crate) enum Plot {
    Script(Script),
    /// Fails before the request is read.
    Door(Door),
    /// Answers, and the answer goes wrong on its way.
    Spoiled(Spoil, Script),
}

/// A script by its name, not by its function: whoever lists the scenarios need not carry what they do.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Script {
    Pick,
    ListFiles,
    HelloPy,
    Memory,
    StateMachine,
    Parallel,
    Run,
    TurnLimit,
    Repeat,
    UnknownTool,
    BadArguments,
    BadJson,
    NoArguments,
    EmptyCommand,
    NumberCommand,
    ListArguments,
    NullArguments,
    MaxTokens,
    MaxTokensInCall,
    StopSequence,
    Refusal,
    PauseTurn,
    ContentFilter,
    ContextWindow,
    FaultText,
    FaultCall,
}

impl Script {
    /// `None`: the script does not understand the user's words.
    fn play(self, conversation: &Conversation<'_>) -> Option<Reply> {
        match self {
            Script::Pick => pick::pick(conversation),
            Script::ListFiles => list_files::list_files(conversation),
            Script::HelloPy => hello_py::hello_py(conversation),
            Script::Memory => memory::memory(conversation),
            Script::StateMachine => state_machine::state_machine(conversation),
            Script::Parallel => several_calls::parallel(conversation),
            Script::Run => several_calls::run(conversation),
            Script::TurnLimit => without_end::turn_limit(conversation),
            Script::Repeat => without_end::repeat(conversation),
            Script::UnknownTool => broken_calls::unknown_tool(conversation),
            Script::BadArguments => broken_calls::bad_arguments(conversation),
            Script::BadJson => broken_calls::bad_json(conversation),
            Script::NoArguments => broken_calls::no_arguments(conversation),
            Script::EmptyCommand => broken_calls::empty_command(conversation),
            Script::NumberCommand => broken_calls::number_command(conversation),
            Script::ListArguments => broken_calls::list_arguments(conversation),
            Script::NullArguments => broken_calls::null_arguments(conversation),
            Script::MaxTokens => stop_reasons::max_tokens(conversation),
            Script::MaxTokensInCall => stop_reasons::max_tokens_in_call(conversation),
            Script::StopSequence => stop_reasons::stop_sequence(conversation),
            Script::Refusal => stop_reasons::refusal(conversation),
            Script::PauseTurn => stop_reasons::pause_turn(conversation),
            Script::ContentFilter => stop_reasons::content_filter(conversation),
            Script::ContextWindow => stop_reasons::context_window(conversation),
            Script::FaultText => stop_reasons::fault_text(conversation),
            Script::FaultCall => stop_reasons::fault_call(conversation),
        }
    }
}

pub(crate) fn find(model: &str) -> Option<&'static Scenario> {
    scenarios().iter().find(|scenario| scenario.id == model)
}

/// What the scenario answers; if it has no script for these words, that it is one.
pub(crate) fn perform(scenario: &Scenario, conversation: &Conversation<'_>) -> Reply {
    let reply = match scenario.plot {
        Plot::Script(script) | Plot::Spoiled(_, script) => script.play(conversation),
        Plot::Door(_) => None,
    };
    let reply = reply.unwrap_or_else(|| pick::introduce(scenario, conversation));
    if conversation.request.tools.required && reply.stop == Stop::EndTurn {
        let text = conversation.say("`tool_choice` demands a call.", "`tool_choice` 要求必须调用工具。", &[]);
        return conversation.ask_for(text, ["true"]);
    }
    reply
}
