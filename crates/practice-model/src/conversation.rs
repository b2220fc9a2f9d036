//! What a script is shown of a request: the user's last words, and what was called and came back since.

use crate::{
    json_text::{fill, quoted},
    reply::{Block, Reply},
    request::{Message, Part, Request, Role, paused_search},
    script::Words,
};
use serde_json::Value;

pub(crate) struct Conversation<'a> {
    pub(crate) request: &'a Request,
    /// The user's last words; where these only say "continue", the words before them.
    pub(crate) words: &'a str,
    /// The language the answer is given in.
    pub(crate) language: Language,
    /// What the user said before, oldest first.
    pub(crate) earlier: Vec<&'a str>,
    /// The calls since the user's last words, in order.
    pub(crate) steps: Vec<Step<'a>>,
    /// The id of the service's own search in which the turn was paused, if it is to be continued now.
    pub(crate) paused: Option<&'a str>,
}

/// A call and its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step<'a> {
    /// What was asked for; empty if the call had no `command` string.
    pub(crate) command: String,
    pub(crate) result: &'a str,
    pub(crate) outcome: Outcome,
}

/// How a call went, as far as a result's text tells: a harness need not send `is_error`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Fine,
    /// It ran and failed, or could not run.
    Failed,
    /// A person or a policy did not let it run.
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Chinese,
}

impl<'a> Conversation<'a> {
    pub(crate) fn of(request: &'a Request) -> Self {
        let mut said: Vec<(usize, &str)> = Vec::new();
        for (nth, message) in request.messages.iter().enumerate().filter(|(_, message)| message.role == Role::User) {
            let texts = message.parts.iter().filter_map(|part| match part {
                Part::Text(text) if !text.trim().is_empty() => Some((nth, text.as_str())),
                _ => None,
            });
            said.extend(texts);
        }
        let mut continued = None;
        while said.len() > 1
            && let Some((nth, _)) = said.pop_if(|(_, words)| only_says_continue(words))
        {
            continued = continued.max(Some(nth));
        }
        let (since, words) = said.pop().unwrap_or_default();
        let mut steps = steps(&request.messages, since);
        // Told to go on, the script asks again for what was refused.
        steps.retain(|(nth, step)| step.outcome != Outcome::Refused || Some(*nth) > continued);
        let earlier: Vec<&str> = said.into_iter().map(|(_, words)| words).collect();
        let language = language_of(words)
            .or_else(|| earlier.iter().rev().find_map(|words| language_of(words)))
            .unwrap_or(Language::English);
        Self {
            request,
            words,
            language,
            earlier,
            steps: steps.into_iter().map(|(_, step)| step).collect(),
            paused: request.messages.last().and_then(|last| paused_search(last, None)),
        }
    }

    /// One of two texts, in the conversation's language, with `{0}`, `{1}` … filled in.
    pub(crate) fn say(&self, english: &str, chinese: &str, parts: &[&str]) -> String {
        let mut rest = match self.language {
            Language::English => english,
            Language::Chinese => chinese,
        };
        let mut text = String::new();
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let filled = after.split_once('}').and_then(|(digits, tail)| Some((digits.parse::<usize>().ok()?, tail)));
            match filled {
                Some((nth, tail)) => {
                    text.push_str(parts.get(nth).copied().unwrap_or_default());
                    rest = tail;
                }
                None => {
                    text.push('{');
                    rest = after;
                }
            }
        }
        text.push_str(rest);
        text
    }

    /// The same as a whole answer.
    pub(crate) fn tell(&self, english: &str, chinese: &str, parts: &[&str]) -> Reply {
        Reply::text(self.say(english, chinese, parts))
    }

    /// Asks for commands, in one answer unless the request allows one call at a time (then for the first of them).
    /// Without a tool for that, says so.
    pub(crate) fn ask_for<'c>(&self, text: String, commands: impl IntoIterator<Item = &'c str>) -> Reply {
        let Some(shell) = &self.request.tools.shell else { return self.no_tool() };
        let at_most = if self.request.tools.one_at_a_time { 1 } else { usize::MAX };
        let calls = commands.into_iter().take(at_most).map(|command| Block::Call {
            name: shell.clone(),
            arguments: fill(r#"{"command":$}"#, &[&quoted(command)]),
        });
        Reply::calls(text, calls)
    }

    pub(crate) fn no_tool(&self) -> Reply {
        self.tell(
            "I would need a tool for this, and this request offers me none that takes a `command`. So nothing was \
             run, and I cannot know what is on your machine: a model only asks, and it can only ask for what `tools` \
             offers.",
            "这需要工具，但这次请求没有提供带 `command` 参数的工具。所以什么都没有运行，我也不知道你机器上有什么：\
             模型只能提出请求，而且只能请求 `tools` 里提供的工具。",
            &[],
        )
    }

    /// Whether the user's last words hold one of these (lower case; see [`mentions`]).
    pub(crate) fn mentions(&self, any: &[&str]) -> bool {
        mentions(self.words, any)
    }
}

impl Language {
    pub(crate) fn of(self, words: Words) -> &'static str {
        match self {
            Language::English => words.en,
            Language::Chinese => words.zh,
        }
    }
}

/// Whether the words hold one of these (lower case). Latin ones count as whole words, with or without a plural's "s".
pub(crate) fn mentions(words: &str, any: &[&str]) -> bool {
    let words = words.to_ascii_lowercase();
    let latin = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
    any.iter().any(|word| {
        words.match_indices(word).any(|(at, _)| {
            let (before, from) = words.split_at(at);
            let after = from.get(word.len()..).unwrap_or_default();
            let starts = !latin(word.chars().next()) || !latin(before.chars().next_back());
            let ends =
                !latin(word.chars().next_back()) || !latin(after.strip_prefix('s').unwrap_or(after).chars().next());
            starts && ends
        })
    })
}

/// The calls since a message, each with the place of the message that brought its result.
fn steps(messages: &[Message], since: usize) -> Vec<(usize, Step<'_>)> {
    let mut calls: Vec<(&str, &str)> = Vec::new();
    let mut steps = Vec::new();
    for (nth, message) in messages.iter().enumerate().skip(since) {
        for part in &message.parts {
            match part {
                Part::Call { id, arguments, .. } => calls.push((id, arguments)),
                Part::Result { id, text, error } => {
                    let Some(at) = calls.iter().rposition(|(call, _)| call == id) else { continue };
                    let (_, arguments) = calls.swap_remove(at);
                    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
                    let command = arguments.get("command").and_then(Value::as_str).unwrap_or_default().to_owned();
                    steps.push((nth, Step { command, result: text, outcome: outcome(text, *error) }));
                }
                _ => {}
            }
        }
    }
    steps
}

fn outcome(result: &str, error: bool) -> Outcome {
    let text = result.trim_start().to_ascii_lowercase();
    let says_error = text.starts_with("error:") || text.starts_with("error ");
    let refusals = ["denied by", "blocked", "dangerous", "not allowed", "not permitted", "not run", "rejected", "拒绝"];
    if says_error && refusals.iter().any(|word| text.lines().next().unwrap_or_default().contains(word)) {
        return Outcome::Refused;
    }
    let failures = [
        "traceback (most recent call last)",
        "syntaxerror:",
        "command not found",
        "no such file or directory",
        "permission denied",
        "(ended by signal",
    ];
    if error || says_error || failures.iter().any(|word| text.contains(word)) || tells_bad_exit(&text) {
        return Outcome::Failed;
    }
    Outcome::Fine
}

/// Whether the text tells an exit code other than 0, such as `[exit code: 1]` or `exited with status 2`.
fn tells_bad_exit(text: &str) -> bool {
    ["exit code", "exit status", "exit_code", "exited with", "退出码"].iter().any(|said| {
        text.split(said).skip(1).any(|after| {
            let after = after
                .trim_start_matches(|char: char| char == '：' || (char.is_ascii() && !char.is_ascii_alphanumeric()));
            let after =
                after.trim_start_matches("code").trim_start_matches("status").trim_start_matches([' ', ':', '=']);
            after.starts_with(|char: char| ('1'..='9').contains(&char))
        })
    })
}

/// Chinese if the words hold a Chinese character, English if they hold a Latin letter. Commands to run do not count.
fn language_of(words: &str) -> Option<Language> {
    let prose = || words.lines().filter(|line| !line.trim_start().starts_with("$ ")).flat_map(str::chars);
    if prose().any(|char| matches!(char, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'))
    {
        return Some(Language::Chinese);
    }
    prose().any(|char| char.is_ascii_alphabetic()).then_some(Language::English)
}

fn only_says_continue(words: &str) -> bool {
    let words = words.trim().trim_end_matches(['.', '!', '。', '！']).to_ascii_lowercase();
    ["continue", "please continue", "go on", "carry on", "proceed", "继续", "请继续", "接着", "接着做"]
        .contains(&words.as_str())
}

#[cfg(test)]
mod tests;
