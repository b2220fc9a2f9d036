//! Which files are here? One call, then an answer that quotes the real names: a list of one kind (lesson 1), or a table
//! of everything (lesson 3).

use super::quote::{is_note, quote};
use crate::{
    conversation::{Conversation, Outcome, Step},
    reply::Reply,
};

/// Kinds of files, by the words people use for them.
const KINDS: [(&[&str], &str, &str); 8] = [
    (&["python", ".py", "py"], "py", "Python"),
    (&["markdown", ".md"], "md", "Markdown"),
    (&["rust", ".rs"], "rs", "Rust"),
    (&["javascript", ".js"], "js", "JavaScript"),
    (&["json"], "json", "JSON"),
    (&["html"], "html", "HTML"),
    (&["shell script", ".sh", "脚本"], "sh", "shell"),
    (&["text file", ".txt", "文本"], "txt", "text"),
];

/// Understands any question about the files in the current directory.
pub(super) fn list_files(conversation: &Conversation<'_>) -> Option<Reply> {
    const ASKING: &[&str] = &[
        "list",
        "show",
        "which",
        "what",
        "see",
        "look",
        "find",
        "how many",
        "are there",
        "多少",
        "几个",
        "找",
        "查一下",
        "哪些",
        "列出",
        "看看",
        "看一下",
        "有什么",
        "查看",
        "显示",
        "有没有",
    ];
    const ASKED: &[&str] = &["file", "script", "directory", "directories", "folder", "here", "文件", "目录", "脚本"];
    let kind = KINDS.iter().find(|(words, ..)| conversation.mentions(words));
    let about_files = conversation.mentions(ASKED) || (kind.is_some() && conversation.mentions(&["list", "列出"]));
    if !(conversation.mentions(ASKING) && about_files) && conversation.words.trim() != "ls" {
        return None;
    }
    Some(match kind {
        Some((_, extension, name)) => list_kind(conversation, extension, name),
        None => table(conversation),
    })
}

fn list_kind(conversation: &Conversation<'_>, extension: &str, name: &str) -> Reply {
    let Some(step) = conversation.steps.last() else {
        let text = conversation.say(
            "I'll look for {0} files in the current directory.",
            "我来看看当前目录里有哪些 {0} 文件。",
            &[name],
        );
        return conversation
            .ask_for(text, [format!("find . -maxdepth 1 -type f -name '*.{extension}' | sort").as_str()]);
    };
    let suffix = format!(".{extension}");
    let names: Vec<&str> = step
        .result
        .lines()
        .map(|line| line.trim().trim_start_matches("./"))
        .filter(|line| line.ends_with(&suffix))
        .collect();
    if names.is_empty() {
        return match step.outcome {
            Outcome::Fine => conversation.tell(
                "There are no {0} files in the current directory: the command ran and found no name.",
                "当前目录里没有 {0} 文件：命令运行了，没有找到任何文件名。",
                &[name],
            ),
            Outcome::Failed | Outcome::Refused => did_not_work(conversation, step),
        };
    }
    let list: String = names.iter().map(|name| format!("- `{name}`\n")).collect();
    conversation.tell(
        "The {1} files in the current directory ({0}):\n\n{2}",
        "当前目录里有 {0} 个 {1} 文件：\n\n{2}",
        &[&names.len().to_string(), name, list.trim_end()],
    )
}

fn table(conversation: &Conversation<'_>) -> Reply {
    let Some(step) = conversation.steps.last() else {
        let text = conversation.say("I'll look into the current directory.", "我来看看当前目录。", &[]);
        return conversation.ask_for(text, ["ls -1p"]);
    };
    if step.outcome != Outcome::Fine {
        return did_not_work(conversation, step);
    }
    let names: Vec<&str> =
        step.result.lines().map(str::trim).filter(|line| !line.is_empty() && !is_note(line)).collect();
    if names.is_empty() {
        return conversation.tell(
            "The current directory is empty: the command ran and printed no name.",
            "当前目录是空的：命令运行了，没有输出任何文件名。",
            &[],
        );
    }
    let (file, directory) = (conversation.say("file", "文件", &[]), conversation.say("directory", "目录", &[]));
    let rows: String = names
        .iter()
        .map(|name| {
            let kind = if name.ends_with('/') { &directory } else { &file };
            format!("| {} | {kind} |\n", name.replace('|', "\\|"))
        })
        .collect();
    conversation.tell(
        "The current directory holds:\n\n| Name | Kind |\n| --- | --- |\n{0}",
        "当前目录下有：\n\n| 名称 | 类型 |\n| --- | --- |\n{0}",
        &[rows.trim_end()],
    )
}

/// What an honest answer says when the command did not do its work.
pub(super) fn did_not_work(conversation: &Conversation<'_>, step: &Step<'_>) -> Reply {
    let quoted = quote(conversation, step.result);
    match step.outcome {
        Outcome::Refused => conversation.tell(
            "The command was not run, so I do not know the answer. This came back instead:\n\n{0}",
            "命令没有运行，所以我不知道答案。返回的是：\n\n{0}",
            &[&quoted],
        ),
        Outcome::Failed | Outcome::Fine => conversation.tell(
            "The command failed, so I cannot give you an answer from it. This came back:\n\n{0}",
            "命令失败了，所以我无法据此回答。返回的是：\n\n{0}",
            &[&quoted],
        ),
    }
}
