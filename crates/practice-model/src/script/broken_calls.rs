//! Lesson 4's checks: calls that a harness must refuse without starting a process. Each is tried once; the answer then
//! quotes what the harness fed back.

use super::quote::quote;
use crate::{
    Service,
    conversation::Conversation,
    reply::{Block, Reply},
};

/// The arguments that lesson 4 tries, in order.
const ARGUMENTS: [&str; 6] = ["{", "{}", r#"{"command":""}"#, r#"{"command":3}"#, "[]", "null"];

pub(super) fn bad_json(conversation: &Conversation<'_>) -> Option<Reply> {
    Some(once(conversation, "{"))
}

pub(super) fn no_arguments(conversation: &Conversation<'_>) -> Option<Reply> {
    Some(once(conversation, "{}"))
}

pub(super) fn empty_command(conversation: &Conversation<'_>) -> Option<Reply> {
    Some(once(conversation, r#"{"command":""}"#))
}

pub(super) fn number_command(conversation: &Conversation<'_>) -> Option<Reply> {
    Some(once(conversation, r#"{"command":3}"#))
}

pub(super) fn list_arguments(conversation: &Conversation<'_>) -> Option<Reply> {
    Some(once(conversation, "[]"))
}

pub(super) fn null_arguments(conversation: &Conversation<'_>) -> Option<Reply> {
    Some(once(conversation, "null"))
}

/// A tool that the request does not offer.
pub(super) fn unknown_tool(conversation: &Conversation<'_>) -> Option<Reply> {
    if conversation.request.tools.shell.is_none() {
        return Some(conversation.no_tool());
    }
    let offered = &conversation.request.tools.names;
    let name = ["read_file", "open_file", "practice_no_such_tool"]
        .into_iter()
        .find(|name| !offered.iter().any(|known| known == name))?;
    let arguments = r#"{"path":"app.py"}"#;
    Some(fed_back(conversation).unwrap_or_else(|| call(conversation, name, arguments)))
}

/// All of lesson 4's arguments, one after another.
pub(super) fn bad_arguments(conversation: &Conversation<'_>) -> Option<Reply> {
    let Some(shell) = &conversation.request.tools.shell else { return Some(conversation.no_tool()) };
    if let Some(arguments) = ARGUMENTS.get(conversation.steps.len()) {
        return Some(call(conversation, shell, arguments));
    }
    let lines: String = ARGUMENTS
        .iter()
        .zip(&conversation.steps)
        .map(|(arguments, step)| format!("`{arguments}`\n{}\n\n", quote(conversation, step.result)))
        .collect();
    Some(conversation.tell(
        "I sent broken arguments six times. Each came back as that call's result:\n\n{0}",
        "我发了六次错误的参数，每次都作为该次调用的结果返回：\n\n{0}",
        &[lines.trim_end()],
    ))
}

fn once(conversation: &Conversation<'_>, arguments: &str) -> Reply {
    let Some(shell) = &conversation.request.tools.shell else { return conversation.no_tool() };
    fed_back(conversation).unwrap_or_else(|| call(conversation, shell, arguments))
}

fn call(conversation: &Conversation<'_>, name: &str, arguments: &str) -> Reply {
    let mut text =
        conversation.say("I call `{0}` with the arguments `{1}`.", "我调用 `{0}`，参数是 `{1}`。", &[name, arguments]);
    if arguments == "{" && conversation.request.service == Service::AnthropicMessages {
        text.push_str(&conversation.say(
            " (In Messages only a stream can carry them: in a whole answer they become `{}`.)",
            "（在 Messages 里只有流式回答能带上它：在整体回答里会变成 `{}`。）",
            &[],
        ));
    }
    Reply::calls(text, [Block::Call { name: name.to_owned(), arguments: arguments.to_owned() }])
}

/// The end, once there is a result.
fn fed_back(conversation: &Conversation<'_>) -> Option<Reply> {
    let step = conversation.steps.last()?;
    Some(conversation.tell(
        "The harness did not hide the mistake from me; it fed this back as the result of my call:\n\n{0}\n\nA model can \
         correct itself with that. This scenario ends here.",
        "Harness 没有吞掉这个错误，而是把它作为这次调用的结果返回给我：\n\n{0}\n\n模型可以据此改正。本场景到此结束。",
        &[&quote(conversation, step.result)],
    ))
}
