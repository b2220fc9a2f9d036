//! Lesson 5: a task of several turns, one call each, in which later calls depend on earlier results; `turn_count` and
//! `transition_reason` have something to show. It ends by itself.

use super::{
    list_files::did_not_work,
    quote::{is_note, transcript},
};
use crate::{
    conversation::{Conversation, Outcome},
    reply::Reply,
};

/// How many files are looked into.
const FILES: usize = 2;

/// Any words will do: the task is always the same.
pub(super) fn state_machine(conversation: &Conversation<'_>) -> Option<Reply> {
    let steps = &conversation.steps;
    if let Some(refused) = steps.iter().find(|step| step.outcome == Outcome::Refused) {
        return Some(did_not_work(conversation, refused));
    }
    let files: Vec<&str> = steps
        .get(1)
        .map(|step| {
            step.result.lines().map(str::trim).filter(|line| !line.is_empty() && !line.ends_with('/') && !is_note(line))
        })
        .into_iter()
        .flatten()
        .take(FILES)
        .collect();
    let reply = match (steps.len(), files.get(steps.len().wrapping_sub(2))) {
        (0, _) => conversation.ask_for(conversation.say("First: where am I?", "第一步：我在哪里？", &[]), ["pwd"]),
        (1, _) => {
            conversation.ask_for(conversation.say("Second: what is here?", "第二步：这里有什么？", &[]), ["ls -1p"])
        }
        (nth, Some(file)) if steps.get(1).is_some_and(|step| step.outcome == Outcome::Fine) => conversation.ask_for(
            conversation.say(
                "Step {0}: how long is {1}?",
                "第 {0} 步：{1} 有多少行？",
                &[&(nth + 1).to_string(), file],
            ),
            [format!("wc -l -- {}", quoted_for_shell(file)).as_str()],
        ),
        (2, _) => conversation.ask_for(
            conversation.say(
                "Third: there is no file to look into, so I ask how much room is used.",
                "第三步：没有文件可看，那就看看占了多少空间。",
                &[],
            ),
            ["du -sk ."],
        ),
        _ => conversation.tell(
            "Done after {0} calls, one in each turn; each result decided the next call:\n\n{1}",
            "完成，一共 {0} 次调用，每轮一次；每个结果决定下一次调用：\n\n{1}",
            &[&steps.len().to_string(), &transcript(conversation, steps)],
        ),
    };
    Some(reply)
}

fn quoted_for_shell(name: &str) -> String {
    format!("'{}'", name.replace('\'', "'\\''"))
}
