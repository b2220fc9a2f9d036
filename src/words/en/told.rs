//! What happened and what to do next, in English.

use agent_loop::{Rest, Step};

use crate::app::{BridgeStatus, StoreStatus};
use crate::run::store::Unreadable;
use crate::words::Told;

pub(super) fn end(rest: &Rest) -> &'static str {
    match rest {
        Rest::TokenBudget(_) => "the token budget is spent",
        Rest::TimeBudget(_) => "the time budget is spent",
        Rest::MoneyBudget(_) => "the money budget is spent",
        Rest::SameCall(_) => "the same call again and again",
        Rest::PauseLimit(_) => "paused again and again",
        Rest::ContextNearlyFull(_) => "the context window is nearly full",
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

pub(super) fn run_would(step: &Step<()>, limit: u32) -> String {
    match step {
        Step::Rest(Rest::TurnLimit(_)) => match limit {
            1 => "Allows one more model call and goes on".to_owned(),
            limit => format!("Allows {limit} more model calls and goes on"),
        },
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
            | Rest::PauseLimit(_)
            | Rest::EmptyAnswer
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
        BridgeStatus::Ready { cwd, sandbox: Some(true) } => format!("ready in {cwd}, in a sandbox"),
        BridgeStatus::Ready { cwd, sandbox: Some(false) } => format!("ready in {cwd}, no sandbox"),
        BridgeStatus::Ready { cwd, sandbox: None } => format!("ready in {cwd}"),
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
    Told::new("This session is open in another tab, so here it can only be read.", "Go on there, or take it over.")
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
