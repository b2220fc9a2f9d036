//! The names endpoints give to the reason why a model stopped.
//!
//! One table for both dialects: gateways let the names of one leak into the other.

use crate::message::StopReason;
use crate::wire::failure::{FailureKind, ModelFailure};

/// Reads `stop_reason` or `finish_reason`. `None`: it says nothing yet. An error: the endpoint says that the answer
/// failed, in the place where it should say how it ended.
pub(crate) fn read(name: &str) -> Option<Result<StopReason, ModelFailure>> {
    let failed = |kind| Some(Err(ModelFailure { error_type: Some(name.to_owned()), ..ModelFailure::new(kind, "") }));
    Some(Ok(match name.to_ascii_lowercase().as_str() {
        "" | "null" | "none" => return None,
        "error" | "network_error" | "server_error" => return failed(FailureKind::Server),
        "abort" | "aborted" | "cancelled" | "canceled" => return failed(FailureKind::Incomplete),
        // DeepSeek
        "insufficient_system_resource" => return failed(FailureKind::Overloaded),
        "end_turn" | "stop" | "eos" | "eos_token" => StopReason::EndTurn,
        "tool_use" | "tool_calls" | "tool_call" | "function_call" => StopReason::ToolUse,
        "max_tokens" | "length" | "model_length" | "max_output_tokens" => StopReason::MaxTokens,
        "stop_sequence" => StopReason::StopSequence(None),
        "pause_turn" => StopReason::PauseTurn,
        "refusal" => StopReason::Refusal,
        // Gemini's and Zhipu's names for it come through some gateways.
        "content_filter" | "safety" | "recitation" | "prohibited_content" | "blocklist" | "spii" | "sensitive" => {
            StopReason::ContentFilter
        }
        "model_context_window_exceeded" | "context_length_exceeded" => StopReason::ContextWindowExceeded,
        _ => StopReason::Other(name.to_owned()),
    }))
}
