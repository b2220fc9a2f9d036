//! The services' own names for why an answer ended, which no language translates.

use std::borrow::Cow;

use agent_loop::{Dialect, StopReason};

/// `stop_reason` as Messages names it, `finish_reason` as Chat Completions does.
pub fn stop_reason(reason: &StopReason, dialect: Dialect) -> Cow<'_, str> {
    let (messages, chat) = match reason {
        StopReason::EndTurn => ("end_turn", "stop"),
        StopReason::ToolUse => ("tool_use", "tool_calls"),
        StopReason::MaxTokens => ("max_tokens", "length"),
        StopReason::StopSequence(_) => ("stop_sequence", "stop"),
        StopReason::PauseTurn => ("pause_turn", "pause_turn"),
        StopReason::Refusal => ("refusal", "refusal"),
        StopReason::ContentFilter => ("content_filter", "content_filter"),
        StopReason::ContextWindowExceeded => ("model_context_window_exceeded", "length"),
        StopReason::Other(name) => return Cow::Borrowed(name),
    };
    Cow::Borrowed(match dialect {
        Dialect::Anthropic => messages,
        Dialect::OpenAi => chat,
    })
}
