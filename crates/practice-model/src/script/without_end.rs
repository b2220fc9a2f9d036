//! Lesson 4's limit, and its neighbour: calls without end, so that a harness must stop by itself.

use super::list_files::did_not_work;
use crate::{
    conversation::{Conversation, Outcome},
    reply::Reply,
};

/// Asks for another command, and another.
pub(super) fn turn_limit(conversation: &Conversation<'_>) -> Option<Reply> {
    let nth = (conversation.steps.len() + 1).to_string();
    Some(again(conversation, &format!("echo \"call {nth}\""), &nth))
}

/// Asks for the very same command, and again.
pub(super) fn repeat(conversation: &Conversation<'_>) -> Option<Reply> {
    let nth = (conversation.steps.len() + 1).to_string();
    Some(again(conversation, "echo again", &nth))
}

fn again(conversation: &Conversation<'_>, command: &str, nth: &str) -> Reply {
    match conversation.steps.last() {
        Some(step) if step.outcome == Outcome::Refused => did_not_work(conversation, step),
        _ => conversation.ask_for(
            conversation.say("Call {0}. I never stop by myself.", "第 {0} 次调用。我不会自己停下。", &[nth]),
            [command],
        ),
    }
}
