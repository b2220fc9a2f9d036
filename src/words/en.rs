//! English.

pub(super) mod background;
pub(super) mod capture;
pub(super) mod code;
pub(super) mod connection;
mod control;
pub(super) mod cost;
pub(super) mod dialects;
pub(super) mod lens;
pub(super) mod request_edit;
mod rest;
pub(super) mod rests;
pub(super) mod sandbox;
pub(super) mod session;
pub(super) mod settings;
mod stops;
mod told;
pub(super) mod trial;
pub(super) mod whole;

use agent_loop::{Dialect, Stage, Step};
use practice_model::Group;

use super::{Composer, Deck, Header, Inspector, Messages, Notices, Sessions, SettingsHead, Words};
use crate::app::Theme;

pub(super) static WORDS: Words = Words {
    tag: "en",
    header: Header {
        model: "Model",
        dialect: "Dialect",
        tool_host: "Tool host",
        practice: "practice model: a script, not an AI",
        practice_group: |group| match group {
            Group::Tasks => "Tasks",
            Group::BrokenCalls => "Calls that go wrong",
            Group::StopReasons => "Every stop reason",
            Group::Faults => "Endpoints that fail",
        },
        host_bridge: "Host bridge",
        you: "You are the tool",
        you_the_model: "you: write each answer yourself",
        you_status: "you read each call and type its result",
        bridge: told::bridge_status,
        other_language: "中文",
        theme: |theme| match theme {
            Theme::System => "Theme: as the system",
            Theme::Light => "Theme: light",
            Theme::Dark => "Theme: dark",
        },
        settings: "Settings",
        new_session: "New session",
        sessions: "Sessions",
        inspector: "Inspector",
    },
    deck: Deck {
        label: "The loop",
        stage,
        stage_short: |stage| match stage {
            Stage::Prepare => "prepare",
            Stage::CallModel => "call",
            Stage::Save => "save",
            Stage::Check => "check",
            Stage::RunTool => "run",
            Stage::GoRound => "round",
        },
        live: "now",
        next: "next",
        goes_on: "go on",
        ends: "end",
        end: told::end,
        no_end: "until the model stops asking",
        run: "Run",
        step: "Step",
        pause: "Pause",
        stop: "Stop",
        run_would: told::run_would,
        step_would: |step| match step {
            Step::Prepare => "Prepares the request; nothing is sent yet",
            Step::CallModel(_) => "Calls the model",
            Step::Settle(_) => "Checks the call: parse, validate, authorise",
            Step::RunTool(_) => "Executes the call",
            Step::WriteBack => "Puts the results into messages",
            Step::Wait(_) => "Waits for the next attempt",
            Step::Rest(_) => "Does exactly one thing",
        },
        would_send: "Sends the message and goes on until the model stops asking",
        pausing: "letting go at the next seam …",
        stopping: "stopping …",
        how_on: "Step does exactly this. Run goes on until the model stops asking.",
        model_calls: "model calls",
        used_of: |used, limit| format!("{used} of {limit}"),
        breakpoints: "Breakpoints",
    },
    messages: Messages {
        region: "Conversation",
        newest: "To the newest",
        fresh: "Nothing has been said yet.",
        fresh_next: "Write a message, or take one of the examples.",
    },
    composer: Composer {
        message: "Message",
        placeholder: "What should be done?",
        looking_back: "You are looking back: go back to now to write",
        send: "Send",
        keys: "Enter sends · Shift+Enter breaks the line",
        queued: |count| match count {
            1 => "1 message waits for this turn to end".to_owned(),
            count => format!("{count} messages wait for this turn to end"),
        },
        examples: "Try one of these",
    },
    sessions: Sessions {
        title: "Sessions",
        none: "Sessions are listed here once something has been said.",
        close: "Close the list of sessions",
    },
    inspector: Inspector {
        title: "Inspector",
        close: "Close the inspector",
        request: "Request",
        response: "Response",
        state: "State",
        tool: "Tool",
        code: "Code",
        cost: "Cost",
        no_exchange: "Requests and responses are shown here as they go over the wire. This tab has seen none yet; they are not kept across a reload.",
    },
    settings: SettingsHead { title: "Settings", applies: "Changes count from the next request on.", close: "Done" },
    notices: Notices {
        label: "Notices",
        bridge: told::bridge_notice,
        store: told::store_notice,
        read_only: told::read_only,
        take_over: "Take over here",
        asked_over: "Asked. It comes here when nothing runs there.",
        unopened: told::unopened,
        unfetched: told::unfetched,
        fetch_again: "Fetch it again",
        reconnect: "Reconnect now",
        be_the_tool: "Be the tool yourself",
    },
};

fn stage(stage: Stage, dialect: Dialect) -> &'static str {
    match stage {
        Stage::Prepare => "prepare messages and tools",
        Stage::CallModel => "call the model",
        Stage::Save => "save the assistant message",
        Stage::Check => match dialect {
            Dialect::Anthropic => "check stop_reason",
            Dialect::OpenAi => "check tool_calls",
        },
        Stage::RunTool => "run the handler, append the result",
        Stage::GoRound => "go round, or end",
    }
}
