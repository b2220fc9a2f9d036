//! Words that the model wrote and nobody got: a server that looks for tool calls in what its model writes keeps one back
//! that is never closed, and tells the answer as if it had ended.

use crate::message::{Answer, Block, StopReason};

/// Fewer tokens than these are not missed: templates cost some.
const MISSED: u64 = 64;

/// How many tokens were written of which nothing is in the answer, where that is worth a word. No token is less than a
/// byte; reasoning that is counted and not shown is no loss.
pub fn missing_words(answer: &Answer) -> Option<u64> {
    let shown = |block: &Block| match block {
        Block::Text { text } => Some(text.len()),
        // Calls are no loss, and neither is what is hidden on purpose.
        Block::Thinking { .. } | Block::ToolUse(_) | Block::Opaque { .. } | Block::ToolResult(_) => None,
    };
    let shown: usize = answer.blocks.iter().map(shown).sum::<Option<usize>>()?;
    let hidden = answer.usage.reasoning_tokens.unwrap_or(0);
    let written = answer.usage.output_tokens?.saturating_sub(hidden);
    let missing = written.saturating_sub(shown as u64);
    let ended_well = matches!(answer.stop_reason, StopReason::EndTurn | StopReason::ToolUse | StopReason::Other(_));
    (ended_well && missing >= MISSED).then_some(written)
}
