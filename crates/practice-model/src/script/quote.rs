//! Quoting what a command really printed.

use crate::conversation::{Conversation, Step};

/// The result as a fenced block, its beginning only if it is long.
pub(super) fn quote(conversation: &Conversation<'_>, result: &str) -> String {
    const LINES: usize = 40;
    const CHARS: usize = 1600;
    let result = result.trim_end().trim_start_matches('\n');
    if result.is_empty() {
        return conversation.say("(no output)", "（没有输出）", &[]);
    }
    let mut shown: String = result.lines().take(LINES).collect::<Vec<_>>().join("\n");
    if let Some((at, _)) = shown.char_indices().nth(CHARS) {
        shown.truncate(at);
    }
    let longest_run = shown.split(|char| char != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest_run.max(2) + 1);
    let mut quoted = format!("{fence}\n{shown}\n{fence}");
    if shown.len() < result.len() {
        let left = (result.chars().count() - shown.chars().count()).to_string();
        quoted.push_str(&conversation.say(
            "\n(the beginning; {0} more characters came back)",
            "\n（这是开头；结果还有 {0} 个字符）",
            &[&left],
        ));
    }
    quoted
}

/// Each command with what came back for it, in order.
pub(super) fn transcript(conversation: &Conversation<'_>, steps: &[Step<'_>]) -> String {
    let parts: Vec<String> = steps
        .iter()
        .map(|step| {
            let first = step.command.lines().next().unwrap_or_default();
            let command = if first.contains('`') { format!("$ {first}") } else { format!("`$ {first}`") };
            format!("{command}\n{}", quote(conversation, step.result))
        })
        .collect();
    parts.join("\n\n")
}

/// What a program printed, without the lines that a harness adds about its end.
pub(super) fn printed(result: &str) -> &str {
    let mut printed = result.trim_end();
    while let Some((before, last)) = printed.rsplit_once('\n')
        && is_note(last)
    {
        printed = before;
    }
    printed
}

/// Whether a line is a harness's about the run, such as `(no output)` or `[exit code 0]`, and not the program's.
pub(super) fn is_note(line: &str) -> bool {
    let line = line.trim();
    let marked = line.starts_with(['(', '[', '<']) || line.starts_with("exit") || line.starts_with("执行完成");
    let about_the_run = ["exit", "output", "signal", "killed", "没有输出", "退出码"];
    marked && about_the_run.iter().any(|word| line.contains(word))
}
