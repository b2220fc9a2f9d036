//! Plain `practice`: picks a script from the user's words, and otherwise says what it is.

use super::{Group, Scenario, hello_py, list_files, memory, several_calls, state_machine};
use crate::{conversation::Conversation, reply::Reply};

pub(super) fn pick(conversation: &Conversation<'_>) -> Option<Reply> {
    if !several_calls::commands_in(conversation.words).is_empty() {
        return several_calls::run(conversation);
    }
    let about_hello =
        |words: &str| words.to_ascii_lowercase().contains("hello.py") || words.contains("Hello, Agent Harness");
    let goes_on = ["break", "repair", "fix", "run it", "弄坏", "修", "运行它", "再运行"];
    if about_hello(conversation.words)
        || (conversation.mentions(&goes_on) && conversation.earlier.iter().any(|words| about_hello(words)))
    {
        return hello_py::hello_py(conversation);
    }
    if memory::asks_for_name(conversation) || memory::name_in(conversation.words).is_some() {
        return memory::memory(conversation);
    }
    if conversation.mentions(&["step by step", "state machine", "一步一步", "一步步", "分步", "状态机"]) {
        return state_machine::state_machine(conversation);
    }
    if conversation.mentions(&["parallel", "at once", "several calls", "并行", "同时"]) {
        return several_calls::parallel(conversation);
    }
    list_files::list_files(conversation)
}

/// What a script says to words it has no answer for: that it is one, and what it can do.
pub(super) fn introduce(scenario: &Scenario, conversation: &Conversation<'_>) -> Reply {
    let tasks: String = super::scenarios()
        .iter()
        .filter(|known| known.group == Group::Tasks && known.id != "practice")
        .map(|known| {
            let example = conversation.language.of(known.prompt).replace('\n', " ⏎ ");
            format!("- `{}`: {example}\n", known.id)
        })
        .collect();
    let here = if scenario.id == "practice" {
        String::new()
    } else {
        let example = conversation.language.of(scenario.prompt);
        conversation.say(
            "This scenario, `{0}`, understands for example: {1}\n\n",
            "当前场景 `{0}` 能听懂的例如：{1}\n\n",
            &[scenario.id, example],
        )
    };
    conversation.tell(
        "I am a practice model: a script, not an AI. I have no script for these words.\n\n{0}What I can do (as a model \
         id, or by such words to plain `practice`):\n\n{1}\nOther model ids, `practice/stop-…`, `practice/fault-…` and the \
         broken calls, show how a turn can end or fail.",
        "我是练习模型：一段脚本，不是 AI。这句话我没有对应的脚本。\n\n{0}我会做的事（用作模型名，或对 `practice` 这样说）：\
         \n\n{1}\n其他模型名（`practice/stop-…`、`practice/fault-…` 和各种错误调用）演示一轮可以怎样结束或失败。",
        &[&here, &tasks],
    )
}
