//! Several calls in one answer: the user's own `$ command` lines, or three of ours.

use super::quote::transcript;
use crate::{conversation::Conversation, reply::Reply};

/// Understands a message that holds lines of the form `$ command`.
pub(super) fn run(conversation: &Conversation<'_>) -> Option<Reply> {
    let commands = commands_in(conversation.words);
    (!commands.is_empty()).then(|| all_at_once(conversation, &commands))
}

/// Runs the user's commands if there are any.
pub(super) fn parallel(conversation: &Conversation<'_>) -> Option<Reply> {
    let mut commands = commands_in(conversation.words);
    if commands.is_empty() {
        commands.extend(["pwd", "ls -1p", "echo done"]);
    }
    Some(all_at_once(conversation, &commands))
}

/// The commands of a message, one for each line `$ command`.
pub(super) fn commands_in(words: &str) -> Vec<&str> {
    words
        .lines()
        .filter_map(|line| line.trim().strip_prefix("$ "))
        .map(str::trim)
        .filter(|command| !command.is_empty())
        .collect()
}

/// Asks for what has no result yet: everything at first, and the rest if the request allows one call at a time.
fn all_at_once(conversation: &Conversation<'_>, commands: &[&str]) -> Reply {
    let left = commands.get(conversation.steps.len()..).unwrap_or_default();
    if !left.is_empty() {
        let text = match left.len() {
            1 => conversation.say("I ask for this command.", "我请求运行这条命令。", &[]),
            number => conversation.say("I ask for {0} commands.", "我请求运行 {0} 条命令。", &[&number.to_string()]),
        };
        return conversation.ask_for(text, left.iter().copied());
    }
    conversation.tell(
        "This is what came back, in order:\n\n{0}",
        "按顺序，返回的结果是：\n\n{0}",
        &[&transcript(conversation, &conversation.steps)],
    )
}
