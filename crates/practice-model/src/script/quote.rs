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
