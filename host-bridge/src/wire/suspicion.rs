//! What about a complete answer is not as it should be, in words for whoever looks at its capture.

use agent_loop::wire::{holds_written_call, missing_words};
use agent_loop::{Answer, Block, StopReason};

use super::stop_names;

/// The warnings of an answer.
pub(super) fn of_answer(answer: &Answer) -> Vec<String> {
    let mut warnings = Vec::new();
    let reason = stop_names::name(&answer.stop_reason);
    let calls = answer.blocks.iter().filter(|block| matches!(block, Block::ToolUse(_))).count();
    let texts: Vec<&str> = answer
        .blocks
        .iter()
        .filter_map(|block| if let Block::Text { text } = block { Some(text.as_str()) } else { None })
        .collect();
    if calls > 0 && answer.stop_reason.bars_calls() {
        warnings.push(format!("The answer ended by {reason}: its calls are not run."));
    }
    if calls > 0 && matches!(answer.stop_reason, StopReason::EndTurn) {
        warnings.push(format!("The endpoint told {reason} although the answer calls tools; they are run."));
    }
    if calls == 0 && matches!(answer.stop_reason, StopReason::ToolUse) {
        warnings.push(format!("The endpoint told {reason}, but the answer calls no tool."));
    }
    if calls == 0 && holds_written_call(&texts.join("\n")) {
        warnings.push(
            "A tool call stands in the text: the server did not read it as one (chat template, --jinja, tool parser). \
             It is never run."
                .to_owned(),
        );
    }
    if let Some(tokens) = missing_words(answer) {
        warnings.push(format!(
            "The model wrote {tokens} tokens, and hardly any of them are in the answer: the server may have kept back a \
             tool call that was not closed (chat template, tool parser)."
        ));
    }
    if let StopReason::Other(name) = &answer.stop_reason {
        warnings.push(if name.is_empty() {
            "The endpoint told that the answer ended, and not why.".to_owned()
        } else {
            format!("The endpoint told a stop reason that is not known: {name}.")
        });
    }
    let is_blank = |block: &Block| matches!(block, Block::Text { text } if text.trim().is_empty());
    if answer.blocks.iter().all(is_blank) && answer.stop_reason == StopReason::EndTurn {
        warnings.push("The answer is empty.".to_owned());
    }
    warnings
}
