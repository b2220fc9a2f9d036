//! Budgets, repeated calls and a full context window, in English.

use agent_loop::{Hint, Rest};

use crate::words::stops::Stops;
use crate::words::{Told, count, duration, money};

pub(in crate::words) const STOPS: Stops = Stops {
    how_much: |rest| match rest {
        Rest::TurnLimit(_) => Some("Model calls more"),
        Rest::TokenBudget(_) => Some("Tokens more"),
        Rest::TimeBudget(_) => Some("Seconds more"),
        Rest::MoneyBudget(_) => Some("Money more"),
        _ => None,
    },
    go_on_with: "Continue with this much more",
    go_on_anyway: "Continue anyway",
    same_call: |times| format!("The model has asked for the same call {times} times in a row."),
    hint: |hint| match hint {
        Hint::InputCut(told) => format!(
            "The endpoint counted {} tokens of input, and it was sent more: it may have cut the beginning off without a word. With Ollama, raise OLLAMA_CONTEXT_LENGTH, or num_ctx in a Modelfile.",
            count(told)
        ),
        Hint::WordsMissing(written) => format!(
            "The model wrote {} tokens, and hardly any of them are in the answer: the server may have kept back a tool call that was not closed. Check its chat template and tool parser.",
            count(written)
        ),
    },
    forget: |entries| format!("Leave out the oldest exchange ({entries} entries)"),
    shorten: |results| match results {
        1 => "Shorten 1 long result".to_owned(),
        results => format!("Shorten {results} long results"),
    },
    summarise: "New session with a summary",
    kept: "Nothing is lost: what is left out or shortened stays in the log, and its original can be read.",
    context: |used, window| format!("about {} of {} tokens", count(used), count(window)),
    summary_head: "This continues an earlier session. What happened there:",
    summary_asked: "I asked",
    summary_answered: "You answered",
    forgotten: |entries| match entries {
        1 => "1 older entry is no longer sent".to_owned(),
        entries => format!("{entries} older entries are no longer sent"),
    },
};

pub(super) fn rest(rest: &Rest) -> Option<Told> {
    Some(match rest {
        Rest::TokenBudget(limit) => Told::new(
            match limit {
                1 => "This message has spent its one token.".to_owned(),
                limit => format!("This message has spent its {} tokens.", count(*limit)),
            },
            "The last results are stored. Run allows as many again; a new message starts counting anew.",
        ),
        Rest::TimeBudget(limit) => Told::new(
            format!("Model and tools have worked {} for this message.", duration(*limit)),
            "The last results are stored. Run allows as long again; a new message starts counting anew.",
        ),
        Rest::MoneyBudget(limit) => Told::new(
            format!("This message has cost its budget of {}.", money(*limit)),
            "The last results are stored. Run allows as much again; a new message starts counting anew.",
        ),
        Rest::SameCall(times) => Told::new(
            format!("The model asked for the same call {times} times in a row."),
            "This one has not been executed. Run lets it go on; say something to lead it elsewhere.",
        ),
        Rest::PauseLimit(pauses) => Told::new(
            format!("The answer paused {pauses} times in a row for a tool of the service itself."),
            "Run lets it go on; say something to lead it elsewhere.",
        ),
        Rest::ContextNearlyFull(context) => Told::new(
            "The context window is nearly full.",
            format!(
                "The next request has about {} of {} tokens. Make it shorter, or continue until the endpoint refuses.",
                count(context.used),
                count(context.window)
            ),
        ),
        _ => return None,
    })
}
