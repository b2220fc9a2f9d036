//! What happened and what to do next, in English.

use agent_loop::{FailureKind, Rest, Step};

use super::stops;
use crate::app::{BridgeStatus, StoreStatus};
use crate::run::store::Unreadable;
use crate::words::Told;

pub(super) fn rest(rest: &Rest) -> Told {
    match rest {
        Rest::TokenBudget(_)
        | Rest::TimeBudget(_)
        | Rest::MoneyBudget(_)
        | Rest::SameCall(_)
        | Rest::ContextNearlyFull(_) => stops::rest(rest).unwrap_or_else(|| Told::new("", "")),
        Rest::Fresh => Told::new("Nothing has been said yet.", "Write a message, or take one of the examples."),
        Rest::EndTurn => Told::new(
            "The model stopped asking.",
            "That ends the loop. It does not prove that the task is done: read the results, and say more to go on.",
        ),
        Rest::MaxTokens => Told::new(
            "The answer reached max_tokens and was cut.",
            "Raise max_tokens in the settings, or ask it to go on. A call inside a cut answer is not executed.",
        ),
        Rest::StopSequence(Some(matched)) => {
            Told::new(format!("The stop sequence {matched:?} ended the answer."), "Say more to go on.")
        }
        Rest::StopSequence(None) => Told::new("A stop sequence ended the answer.", "Say more to go on."),
        Rest::Refusal => Told::new("The model declined.", "Ask differently, or begin a new session."),
        Rest::ContentFilter => {
            Told::new("The service’s filter cut the answer.", "Ask differently, or begin a new session.")
        }
        Rest::ContextWindowExceeded => Told::new(
            "The context window is full.",
            "Begin a new session, or choose a model that reads more. max_tokens is another limit.",
        ),
        Rest::CallInWords => Told::new(
            "A call stands in the answer’s words, so nothing was run.",
            "The server did not read it as a call. Give it the model’s own chat template and tool parser (llama.cpp: --jinja; vLLM: --enable-auto-tool-choice), or choose another model.",
        ),
        Rest::EmptyAnswer => {
            Told::new("The answer was empty: no words and no call.", "Say more, or ask for the same again.")
        }
        Rest::Other(reason) => {
            Told::new(format!("The answer ended with {reason:?} and without a call."), "Say more to go on.")
        }
        Rest::TurnLimit(limit) => Told::new(
            format!("This message has taken its {limit} model calls."),
            "The last results are stored. Run allows as many calls again; a new message starts counting anew.",
        ),
        Rest::RunsOnce => Told::new(
            "As far as the settings say: the model is not called again.",
            "Run goes on from here; the settings say how far.",
        ),
        Rest::Stopped => Told::new(
            "You stopped it.",
            "Run goes on from here. A command that was running was killed and may have had effects; an answer on its way is not kept.",
        ),
        Rest::Failed(failure) => Told::new("The model call failed.", try_next(failure.kind)),
        Rest::Interrupted => Told::new(
            "The page was closed while something was under way.",
            "Nothing was started again. Run goes on from here; what was running then has an unknown outcome.",
        ),
        Rest::HostUnavailable(why) if why.is_empty() => {
            Told::new("The tool host is not there yet.", "Wait for it, or choose another tool host; then press Run.")
        }
        Rest::HostUnavailable(why) => Told::new(
            format!("The tool host is not there: {why}"),
            "Start host-bridge and open the link it prints, or choose another tool host; then press Run.",
        ),
        Rest::NotConfigured => Told::new("No endpoint is set.", "Choose one in the settings."),
    }
}

pub(super) fn end(rest: &Rest) -> &'static str {
    match rest {
        Rest::TokenBudget(_)
        | Rest::TimeBudget(_)
        | Rest::MoneyBudget(_)
        | Rest::SameCall(_)
        | Rest::ContextNearlyFull(_) => stops::end(rest),
        Rest::Fresh => "nothing said yet",
        Rest::EndTurn => "the model stopped asking",
        Rest::MaxTokens => "cut at max_tokens",
        Rest::StopSequence(_) => "a stop sequence matched",
        Rest::Refusal => "the model declined",
        Rest::ContentFilter => "cut by a filter",
        Rest::ContextWindowExceeded => "the context window is full",
        Rest::CallInWords => "the call stands in words",
        Rest::EmptyAnswer => "the answer was empty",
        Rest::Other(_) => "ended for its own reason",
        Rest::TurnLimit(_) => "at the limit of model calls",
        Rest::RunsOnce => "as far as the settings say",
        Rest::Stopped => "stopped by you",
        Rest::Failed(_) => "the model call failed",
        Rest::Interrupted => "interrupted",
        Rest::HostUnavailable(_) => "the tool host is not there",
        Rest::NotConfigured => "no endpoint is set",
    }
}

fn try_next(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Authentication => "Check the key in the settings.",
        FailureKind::Permission => {
            "The key may not do this. Ask whoever runs the account; some organisations forbid calls from a browser."
        }
        FailureKind::NotFound => "Check the base URL and the model’s name in the settings.",
        FailureKind::InvalidRequest => {
            "The endpoint does not take this request. Compare its words with the request in the inspector."
        }
        FailureKind::ContextOverflow => {
            "The messages are longer than this model reads. Begin a new session, or choose a model that reads more."
        }
        FailureKind::TooLarge => "The request has too many bytes. Begin a new session, or keep results shorter.",
        FailureKind::RateLimit => "Too many requests. Wait a little, then try again.",
        FailureKind::Overloaded => "The service is busy. Wait a little, then try again.",
        FailureKind::Server => "The service failed. Try again; if it lasts, look at its status page.",
        FailureKind::Unreachable => {
            "Check the network and the base URL. A browser says the same when an endpoint does not admit web pages (CORS)."
        }
        FailureKind::Incomplete => "The answer broke off before its end and was not kept. Try again.",
        FailureKind::NotBegun => {
            "No answer began in time. A model that is still being loaded needs longer: try again, or allow a longer wait."
        }
        FailureKind::Stalled => "The answer began, then nothing more came, and the wait was given up. Try again.",
        FailureKind::Undecodable => "Part of the answer is broken, so none of it was kept. Try again.",
        FailureKind::TooLong => "Part of the answer is longer than is read here. Ask for less at a time.",
        FailureKind::NotThisDialect => {
            "What came is not what this dialect sends. Check the base URL and the dialect in the settings."
        }
    }
}

pub(super) fn run_would(step: &Step<()>, limit: u32) -> String {
    match step {
        Step::Rest(Rest::TurnLimit(_)) => format!("Allows {limit} more model calls and goes on"),
        Step::Rest(Rest::Failed(_)) => "Tries the model call again".to_owned(),
        Step::Rest(Rest::TokenBudget(_) | Rest::TimeBudget(_) | Rest::MoneyBudget(_)) => {
            "Allows as much again and goes on".to_owned()
        }
        Step::Rest(
            Rest::Stopped
            | Rest::Interrupted
            | Rest::HostUnavailable(_)
            | Rest::RunsOnce
            | Rest::SameCall(_)
            | Rest::ContextNearlyFull(_),
        ) => "Goes on from here".to_owned(),
        Step::Rest(_) => "Write a message first".to_owned(),
        Step::Prepare | Step::CallModel(_) | Step::Settle(_) | Step::RunTool(_) | Step::WriteBack | Step::Wait(_) => {
            "Goes on until the model stops asking".to_owned()
        }
    }
}

pub(super) fn bridge_status(status: &BridgeStatus) -> String {
    match status {
        BridgeStatus::None => "no bridge here".to_owned(),
        BridgeStatus::Connecting(1) => "connecting".to_owned(),
        BridgeStatus::Connecting(attempt) => format!("connecting, attempt {attempt}"),
        BridgeStatus::Ready { cwd } => format!("ready in {cwd}"),
        BridgeStatus::Gone => "gone".to_owned(),
        BridgeStatus::NoLink => "opened without its link".to_owned(),
        BridgeStatus::NewBridge => "a new one".to_owned(),
        BridgeStatus::Elsewhere => "in another tab".to_owned(),
    }
}

pub(super) fn bridge_notice(status: &BridgeStatus) -> Option<Told> {
    match status {
        BridgeStatus::Connecting(_) | BridgeStatus::Ready { .. } => None,
        BridgeStatus::None => Some(Told::new(
            "This page was not served by host-bridge, so there is no shell.",
            "You can be the tool yourself; the practice model works. For a real shell, start host-bridge and open its link.",
        )),
        BridgeStatus::Gone => Some(Told::new(
            "The host bridge does not answer. Everything here is kept.",
            "It is tried again by itself. If it has ended, start host-bridge and open the link it prints.",
        )),
        BridgeStatus::NoLink => Some(Told::new(
            "This tab was opened without the host bridge’s link.",
            "Open the link that host-bridge printed in this browser; this tab then goes on with it.",
        )),
        BridgeStatus::NewBridge => Some(Told::new(
            "The host bridge is a new one and does not know this tab.",
            "Open the link that host-bridge printed in this browser; this tab then goes on with it.",
        )),
        BridgeStatus::Elsewhere => Some(Told::new(
            "Another tab of this browser works with the host bridge.",
            "A run in this tab takes it back.",
        )),
    }
}

pub(super) fn store_notice(status: &StoreStatus) -> Option<Told> {
    match status {
        StoreStatus::Keeping => None,
        StoreStatus::NotKeeping(why) => Some(Told::new(
            format!("Sessions are not being kept: {why}"),
            "They last until this tab is closed. A private window or a full disk can be the cause.",
        )),
    }
}

pub(super) fn read_only() -> Told {
    Told::new(
        "Another tab writes this session, so this one only shows it.",
        "Go on in the other tab, or close it and load this page again.",
    )
}

pub(super) fn unopened(why: &Unreadable) -> Told {
    match why {
        Unreadable::Missing => {
            Told::new("That session is not in the store.", "It may have been deleted in another tab.")
        }
        Unreadable::LaterFormat(format) => Told::new(
            format!("That session was written by a later Loopglass (format {format})."),
            "It is kept as it is. Open it with that version.",
        ),
        Unreadable::Damaged(number, fault) => Told::new(
            format!("Record {number} of that session cannot be read: {fault}"),
            "It is kept as it is. Begin a new session, or open another.",
        ),
        Unreadable::Refused(why) => Told::new(
            format!("The browser did not read that session: {why}"),
            "Load the page again and open it once more.",
        ),
        Unreadable::Unfetched => unfetched(),
    }
}

pub(super) fn unfetched() -> Told {
    Told::new(
        "A part of this page could not be fetched.",
        "Check that the bridge (or the server of these files) still runs, then try again. If it serves a newer page by now, load the page again. Nothing recorded is lost.",
    )
}
