//! Why a session rests and what to do, in English.

use agent_loop::{FailureKind, Rest};

use super::stops;
use crate::words::Told;

pub(super) fn rest(rest: &Rest) -> Told {
    match rest {
        Rest::TokenBudget(_)
        | Rest::TimeBudget(_)
        | Rest::MoneyBudget(_)
        | Rest::SameCall(_)
        | Rest::PauseLimit(_)
        | Rest::ContextNearlyFull(_) => stops::rest(rest).unwrap_or_else(|| Told::new("", "")),
        Rest::Fresh => Told::new(super::WORDS.messages.fresh, super::WORDS.messages.fresh_next),
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
            Told::new("The answer was empty: no words and no call.", "Run asks once more; or say something.")
        }
        Rest::Other(reason) => {
            Told::new(format!("The answer ended with {reason:?} and without a call."), "Say more to go on.")
        }
        Rest::TurnLimit(limit) => Told::new(
            match limit {
                1 => "This message has taken its one model call.".to_owned(),
                limit => format!("This message has taken its {limit} model calls."),
            },
            "The last results are stored. Run allows as many calls again; a new message starts counting anew.",
        ),
        Rest::RunsOnce => Told::new(
            "As far as the settings say: the model is not called again.",
            "Run goes on from here; the settings say how far.",
        ),
        // What it reached is told where the log is at hand: words/rests.rs.
        Rest::Stopped => Told::new("You stopped it.", ""),
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
