//! Stop reasons by the names that Messages gives them, in both dialects.

use crate::message::StopReason;

const NAMES: [(&str, StopReason); 8] = [
    ("end_turn", StopReason::EndTurn),
    ("tool_use", StopReason::ToolUse),
    ("max_tokens", StopReason::MaxTokens),
    ("stop_sequence", StopReason::StopSequence(None)),
    ("pause_turn", StopReason::PauseTurn),
    ("refusal", StopReason::Refusal),
    ("content_filter", StopReason::ContentFilter),
    ("model_context_window_exceeded", StopReason::ContextWindowExceeded),
];

/// The name of a stop reason; what it is not known by is told as it came.
pub fn name(reason: &StopReason) -> &str {
    if let StopReason::Other(name) = reason {
        return name;
    }
    let same = |known: &StopReason| std::mem::discriminant(known) == std::mem::discriminant(reason);
    NAMES.iter().find(|(_, known)| same(known)).map_or("", |(name, _)| name)
}

/// The stop reason of a name.
pub fn read(name: &str) -> StopReason {
    let known = NAMES.iter().find(|(known, _)| *known == name);
    known.map_or_else(|| StopReason::Other(name.to_owned()), |(_, reason)| reason.clone())
}
