//! The words a result is told in: what the model reads, never what a person reads.
//!
//! A lesson's texts are exactly those of its tutorial; the default set tells more: the exit code, what ran before the
//! timeout, what to send instead.

use serde::{Deserialize, Serialize};

use crate::host::{Ended, Standing, Status, Verdict};
use crate::message::{CallKey, ToolResult};
use crate::tool::{Codes, Collector, Cut, Join, Layer, Outcome, OutputRule, ParseFault, ValidateFault};

/// Which words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WordingSet {
    /// Ours.
    #[default]
    Default,
    /// The Messages lessons' (L2, L3, L5), also used for L1, which gives none of its own.
    MessagesLesson,
    /// The Chat Completions lesson's (L4).
    ChatLesson,
}

/// Why a call does not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal<'a> {
    /// Its arguments are not JSON.
    Parse(ParseFault),
    /// They do not fit the schema, or there is no such tool; the names of those there are.
    Validate(ValidateFault, Vec<&'a str>),
    /// The lesson's blacklist holds this part of the command.
    Blacklisted(&'static str),
    /// The host's policy says no, and why.
    Policy(String),
    /// A person said no.
    Denied,
    /// The session is set to run nothing.
    ToolsNeverRun,
}

impl WordingSet {
    /// How output becomes text in this set. The lessons put stdout before stderr, keep the head, mark nothing and touch
    /// nothing.
    pub fn output_rule(self) -> OutputRule {
        let lesson = |cap| OutputRule { cap, cut: Cut::Head, join: Join::StdoutThenStderr, codes: Codes::Kept };
        match self {
            WordingSet::Default => OutputRule::default(),
            WordingSet::MessagesLesson => lesson(50_000),
            WordingSet::ChatLesson => lesson(5_000),
        }
    }

    /// Whether results are sent with `is_error`: the lessons know no such field.
    pub fn tells_errors(self) -> bool {
        self == WordingSet::Default
    }

    /// The result of a call that was refused.
    pub fn refusal(self, call: CallKey, refusal: &Refusal<'_>) -> ToolResult {
        let (content, outcome) = match refusal {
            Refusal::Parse(fault) => {
                let hint = if self == WordingSet::Default {
                    ". Send a JSON object, for example {\"command\": \"ls\"}."
                } else {
                    ""
                };
                (format!("Error: invalid tool arguments - {}{hint}", fault.reason), Outcome::Refused(Layer::Parse))
            }
            Refusal::Validate(fault, names) => (self.misfit(fault, names), Outcome::Refused(Layer::Validate)),
            Refusal::Blacklisted(_) => {
                let content = match self {
                    WordingSet::Default | WordingSet::MessagesLesson => "Error: Dangerous command blocked",
                    WordingSet::ChatLesson => "Error: command contains dangerous keywords.",
                };
                (content.to_owned(), Outcome::Refused(Layer::Authorise))
            }
            Refusal::Policy(why) => (format!("Error: Not allowed here: {why}"), Outcome::Refused(Layer::Authorise)),
            Refusal::Denied => ("Error: Denied by the user; nothing was run.".to_owned(), Outcome::Denied),
            Refusal::ToolsNeverRun => {
                ("Error: Tools are shown but not run in this session.".to_owned(), Outcome::NotRun)
            }
        };
        error(call, content, outcome)
    }

    fn misfit(self, fault: &ValidateFault, names: &[&str]) -> String {
        let detail = match fault {
            ValidateFault::UnknownTool(name) => {
                let name = quoted(name);
                return match (self, names) {
                    (WordingSet::ChatLesson, _) => format!("Error: unknown tool {name}"),
                    (WordingSet::Default | WordingSet::MessagesLesson, []) => {
                        format!("Error: unknown tool {name}. There are no tools here.")
                    }
                    (WordingSet::Default | WordingSet::MessagesLesson, names) => {
                        format!("Error: unknown tool {name}. The tools are: {}", names.join(", "))
                    }
                };
            }
            ValidateFault::Missing(field) if field == "command" => return "Error: missing command.".to_owned(),
            ValidateFault::Missing(field) => format!("{field} is missing"),
            ValidateFault::NotAnObject(found) => format!("they must be an object, not {found}"),
            ValidateFault::WrongKind { field, expected, found } => format!("{field} must be {expected}, not {found}"),
            ValidateFault::Unexpected(field) => format!("{} is not a parameter of this tool", quoted(field)),
            ValidateFault::NoBackground => "commands cannot go on in the background here".to_owned(),
        };
        format!("Error: invalid tool arguments - {detail}")
    }

    /// The result of a call that the run left behind: not run, or running when the page or the host was lost.
    pub fn closing_result(self, call: CallKey, outcome: Outcome) -> ToolResult {
        let content = match outcome {
            Outcome::Unknown => "Error: Interrupted while it ran; its outcome is unknown and it may have had effects.",
            _ => "Error: Not run: the user stopped or went on before its turn came.",
        };
        error(call, content.to_owned(), outcome)
    }

    /// The result of a call that was handed to a host.
    pub fn ended(self, call: CallKey, ended: &Ended, output: &Collector, timeout_ms: u64) -> ToolResult {
        let (text, left_out) = output.told();
        let (outcome, content) = match self {
            WordingSet::Default => default_words(ended, &text, timeout_ms),
            WordingSet::MessagesLesson => lesson_words(ended, text, &MESSAGES, timeout_ms),
            WordingSet::ChatLesson => lesson_words(ended, text, &CHAT, timeout_ms),
        };
        ToolResult {
            call,
            content,
            is_error: outcome.failed_layer().is_some() || ended.status == Status::Answered(Verdict::Error),
            outcome,
            duration_ms: ended.duration_ms,
            output_bytes: output.total_bytes(),
            // After a timeout the lessons tell nothing of the output.
            left_out: left_out.filter(|_| self == WordingSet::Default || ended.status != Status::TimedOut),
            original_content: None,
        }
    }
}

/// The longest name that a model made up and is told again, in characters.
const QUOTED: usize = 200;

fn quoted(name: &str) -> String {
    match name.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

fn error(call: CallKey, content: String, outcome: Outcome) -> ToolResult {
    ToolResult {
        call,
        content,
        is_error: true,
        outcome,
        duration_ms: 0,
        output_bytes: 0,
        left_out: None,
        original_content: None,
    }
}

fn outcome_of(status: &Status) -> Outcome {
    match status {
        Status::Exited(code) => Outcome::Exited(*code),
        Status::Signalled(signal) => Outcome::Signalled(*signal),
        Status::TimedOut => Outcome::TimedOut,
        Status::Stopped => Outcome::Stopped,
        Status::CannotStart(_) => Outcome::CannotStart,
        Status::Lost(_) => Outcome::Unknown,
        Status::Answered(_) => Outcome::Answered,
        Status::Background { standing: Standing::Started, .. } => Outcome::Background,
        Status::Background { .. } | Status::Listed => Outcome::Told,
    }
}

fn default_words(ended: &Ended, text: &str, timeout_ms: u64) -> (Outcome, String) {
    let first_line = match &ended.status {
        Status::TimedOut => format!("Error: Timeout ({})", seconds(timeout_ms)),
        Status::Stopped => {
            format!("Error: Stopped by the user after {}; it may have had effects.", seconds(ended.duration_ms))
        }
        Status::CannotStart(why) => format!("Error: {why}"),
        Status::Lost(why) => format!("Error: The connection was lost while it ran ({why}); its outcome is unknown."),
        Status::Exited(_) | Status::Signalled(_) | Status::Answered(_) | Status::Background { .. } | Status::Listed => {
            String::new()
        }
    };
    let last_line = match &ended.status {
        Status::Exited(code) if text.is_empty() => format!("(no output, exit code {code})"),
        Status::Exited(code) => format!("(exit code {code})"),
        Status::Signalled(signal) => format!("(ended by signal {signal})"),
        Status::Answered(_) if text.is_empty() => "(no output)".to_owned(),
        Status::Background { id, standing } => background(id, standing, text),
        Status::Listed if text.is_empty() => "(no commands in the background)".to_owned(),
        Status::Listed => String::new(),
        Status::TimedOut | Status::Stopped | Status::CannotStart(_) | Status::Lost(_) | Status::Answered(_) => {
            String::new()
        }
    };
    let leftovers = match ended.leftovers.as_slice() {
        [] => String::new(),
        names => format!("(killed because it was still running at the end: {})", names.join(", ")),
    };
    let lines = [first_line.as_str(), text, leftovers.as_str(), last_line.as_str()];
    let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    (outcome_of(&ended.status), lines.join("\n"))
}

/// What is said of a command in the background after its new output.
fn background(id: &str, standing: &Standing, output: &str) -> String {
    let ended = match standing {
        Standing::Started => {
            return format!(
                "(started in the background as {id}; bash_read with this id gives its output, bash_kill ends it, \
                 bash_list tells of all)"
            );
        }
        Standing::Running => "is still running".to_owned(),
        Standing::Ended(status) => match &**status {
            Status::Exited(code) => format!("has ended with exit code {code}"),
            Status::Signalled(signal) => format!("was ended by signal {signal}"),
            Status::Stopped => "was stopped".to_owned(),
            Status::Lost(why) => format!("has ended, and nobody saw how ({why})"),
            Status::TimedOut
            | Status::CannotStart(_)
            | Status::Answered(_)
            | Status::Background { .. }
            | Status::Listed => "has ended".to_owned(),
        },
    };
    let nothing = if output.is_empty() { "no new output; " } else { "" };
    format!("({nothing}{id} {ended})")
}

/// What a lesson says where it says anything of its own.
struct LessonWords {
    no_output: &'static str,
    timeout: fn(u64) -> String,
    cannot_start: fn(&str) -> String,
}

const MESSAGES: LessonWords = LessonWords {
    no_output: "(no output)",
    timeout: |ms| format!("Error: Timeout ({})", seconds(ms)),
    cannot_start: |why| format!("Error: {why}"),
};

const CHAT: LessonWords = LessonWords {
    no_output: "执行完成，但没有输出。",
    timeout: |_| "Error: command execution timed out.".to_owned(),
    cannot_start: |why| format!("Error: an unexpected error occurred - {why}"),
};

fn lesson_words(ended: &Ended, text: String, words: &LessonWords, timeout_ms: u64) -> (Outcome, String) {
    let content = match &ended.status {
        Status::TimedOut => (words.timeout)(timeout_ms),
        Status::CannotStart(why) => (words.cannot_start)(why),
        Status::Exited(_) | Status::Signalled(_) | Status::Answered(_) if text.is_empty() => words.no_output.to_owned(),
        Status::Exited(_) | Status::Signalled(_) | Status::Answered(_) => text,
        // The lessons have no stop button, no connection to lose and no background; ours are told in our words.
        Status::Stopped | Status::Lost(_) | Status::Background { .. } | Status::Listed => {
            default_words(ended, &text, timeout_ms).1
        }
    };
    (outcome_of(&ended.status), content)
}

/// `120s`, `1.5s`.
fn seconds(ms: u64) -> String {
    if ms.is_multiple_of(1000) { format!("{}s", ms / 1000) } else { format!("{}.{}s", ms / 1000, ms % 1000 / 100) }
}

#[cfg(test)]
mod tests {
    use super::{Refusal, WordingSet};
    use crate::host::{Ended, Standing, Status, Stream};
    use crate::message::CallKey;
    use crate::tool::{Collector, ParseFault, ValidateFault};

    const CALL: CallKey = CallKey { fact: 1, index: 0 };

    #[track_caller]
    fn check_ended(wording: WordingSet, status: Status, output: &str, expected: &str) {
        let mut collector = Collector::new(wording.output_rule());
        collector.push(Stream::Stdout, output.as_bytes());
        let ended = Ended { status, duration_ms: 12_000, leftovers: Vec::new() };
        assert_eq!(wording.ended(CALL, &ended, &collector, 120_000).content, expected);
    }

    #[test]
    fn the_default_words_tell_everything() {
        let set = WordingSet::Default;
        check_ended(set, Status::Exited(0), "a\n", "a\n(exit code 0)");
        check_ended(set, Status::Exited(1), "", "(no output, exit code 1)");
        check_ended(set, Status::Signalled(11), "a", "a\n(ended by signal 11)");
        check_ended(set, Status::TimedOut, "so far", "Error: Timeout (120s)\nso far");
        check_ended(
            set,
            Status::Stopped,
            "so far",
            "Error: Stopped by the user after 12s; it may have had effects.\nso far",
        );
        check_ended(set, Status::CannotStart("no such directory".into()), "", "Error: no such directory");
    }

    #[test]
    fn what_goes_on_in_the_background_is_told_with_its_id() {
        let background = |standing| Status::Background { id: "bg-1".into(), standing };
        let ended = |status| background(Standing::Ended(Box::new(status)));
        for set in [WordingSet::Default, WordingSet::MessagesLesson] {
            check_ended(
                set,
                background(Standing::Started),
                "",
                "(started in the background as bg-1; bash_read with this id gives its output, bash_kill ends it, \
                 bash_list tells of all)",
            );
            check_ended(set, background(Standing::Running), "", "(no new output; bg-1 is still running)");
            check_ended(set, background(Standing::Running), "a\n", "a\n(bg-1 is still running)");
            check_ended(set, ended(Status::Exited(3)), "a", "a\n(bg-1 has ended with exit code 3)");
            check_ended(set, ended(Status::Signalled(9)), "", "(no new output; bg-1 was ended by signal 9)");
            check_ended(set, ended(Status::Stopped), "a", "a\n(bg-1 was stopped)");
            check_ended(set, Status::Listed, "", "(no commands in the background)");
            check_ended(set, Status::Listed, "bg-1 runs: make", "bg-1 runs: make");
        }
    }

    #[test]
    fn the_lessons_words_are_exactly_theirs() {
        let set = WordingSet::MessagesLesson;
        check_ended(set, Status::Exited(1), "a\n", "a");
        check_ended(set, Status::Exited(0), "", "(no output)");
        check_ended(set, Status::TimedOut, "so far", "Error: Timeout (120s)");
        check_ended(set, Status::CannotStart("gone".into()), "", "Error: gone");
        let set = WordingSet::ChatLesson;
        check_ended(set, Status::Exited(0), " ", "执行完成，但没有输出。");
        check_ended(set, Status::TimedOut, "so far", "Error: command execution timed out.");
        check_ended(set, Status::CannotStart("gone".into()), "", "Error: an unexpected error occurred - gone");
    }

    #[track_caller]
    fn check_refused(wording: WordingSet, refusal: Refusal<'_>, expected: &str) {
        assert_eq!(wording.refusal(CALL, &refusal).content, expected);
    }

    #[test]
    fn refusals_are_told_in_the_words_of_the_set() {
        let tools = || vec!["bash"];
        let fault = || ParseFault { reason: "EOF".into() };
        check_refused(WordingSet::ChatLesson, Refusal::Parse(fault()), "Error: invalid tool arguments - EOF");
        check_refused(
            WordingSet::Default,
            Refusal::Parse(fault()),
            "Error: invalid tool arguments - EOF. Send a JSON object, for example {\"command\": \"ls\"}.",
        );
        let missing = || ValidateFault::Missing("command".into());
        check_refused(WordingSet::ChatLesson, Refusal::Validate(missing(), tools()), "Error: missing command.");
        let unknown = || ValidateFault::UnknownTool("zsh".into());
        check_refused(WordingSet::ChatLesson, Refusal::Validate(unknown(), tools()), "Error: unknown tool zsh");
        let listed = "Error: unknown tool zsh. The tools are: bash";
        check_refused(WordingSet::Default, Refusal::Validate(unknown(), tools()), listed);
        let no_tools = "Error: unknown tool zsh. There are no tools here.";
        check_refused(WordingSet::Default, Refusal::Validate(unknown(), Vec::new()), no_tools);
        let made_up = Refusal::Validate(ValidateFault::UnknownTool("中".repeat(1_000_000)), tools());
        check_refused(WordingSet::ChatLesson, made_up, &format!("Error: unknown tool {}…", "中".repeat(200)));
        let nothing_behind = "Error: invalid tool arguments - commands cannot go on in the background here";
        let no_background = Refusal::Validate(ValidateFault::NoBackground, tools());
        check_refused(WordingSet::Default, no_background, nothing_behind);
        check_refused(WordingSet::Default, Refusal::Blacklisted("sudo"), "Error: Dangerous command blocked");
        check_refused(
            WordingSet::ChatLesson,
            Refusal::Blacklisted("rm"),
            "Error: command contains dangerous keywords.",
        );
        check_refused(WordingSet::MessagesLesson, Refusal::Denied, "Error: Denied by the user; nothing was run.");
    }
}
