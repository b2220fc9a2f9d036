//! What a refusal teaches about an endpoint: one change of its profile, made once, shown, and remembered.
//!
//! Pure. The loop asks only after a refused request, and sends again only where the change makes another request.

use serde::{Deserialize, Serialize};

use crate::settings::{
    CallIdShape, Dialect, EmptyContent, Profile, ReasoningSent, RoleOrder, Settings, SystemPlace, TokenLimitName,
};
use crate::wire::failure::{FailureKind, ModelFailure};
use crate::wire::sent::{streams, token_limit};

/// One thing that was learnt about an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quirk {
    /// How it calls the limit on the answer's length.
    TokenLimit(TokenLimitName),
    /// The highest limit it takes, in tokens.
    TokenCap(u32),
    /// It refuses `stream_options`.
    NoStreamUsage,
    /// It refuses to stream.
    NoStream,
    /// It refuses texts that end the answer.
    NoStop,
    /// What it takes where an answer has calls and no text.
    EmptyContent(EmptyContent),
    /// It wants `reasoning_content` on every answer.
    EchoReasoning,
    /// What becomes of its own reasoning.
    Reasoning(ReasoningSent),
    /// Which ids of calls it takes.
    CallIds(CallIdShape),
    /// In which order it takes the roles.
    RoleOrder(RoleOrder),
    /// Where it takes the system prompt.
    SystemPlace(SystemPlace),
}

impl Profile {
    /// The profile with this in it.
    pub fn taught(&self, quirk: Quirk) -> Profile {
        let mut taught = self.clone();
        match quirk {
            Quirk::TokenLimit(name) => taught.token_limit = name,
            Quirk::TokenCap(cap) => taught.token_cap = Some(cap),
            Quirk::NoStreamUsage => taught.stream_usage = false,
            Quirk::NoStream => taught.refuses_stream = true,
            Quirk::NoStop => taught.refuses_stop = true,
            Quirk::EmptyContent(content) => taught.empty_content = content,
            Quirk::EchoReasoning => taught.echo_reasoning = true,
            Quirk::Reasoning(reasoning) => {
                taught.reasoning = reasoning;
                taught.echo_reasoning = false;
            }
            Quirk::CallIds(shape) => taught.call_ids = shape,
            Quirk::RoleOrder(order) => taught.role_order = order,
            Quirk::SystemPlace(place) => taught.system_place = place,
        }
        taught
    }
}

/// What this failure of a request made with these settings teaches. `known` are the quirks learnt about the endpoint
/// before, so that nothing is tried twice. `None`: nothing.
pub fn learn(settings: &Settings, failure: &ModelFailure, known: &[Quirk]) -> Option<Quirk> {
    let profile = &settings.profile;
    // Some endpoints answer so where they cannot stream. A script of the practice model that answers so says nothing of
    // the others, which stand at the same address.
    if failure.error_type.as_deref() == Some(EMPTY_BODY) {
        return (streams(settings) && !profile.is_practice()).then_some(Quirk::NoStream);
    }
    if !matches!(failure.kind, FailureKind::InvalidRequest | FailureKind::ContextOverflow) {
        return None;
    }
    let words = format!("{}\n{}", failure.error_type.as_deref().unwrap_or_default(), failure.message).to_lowercase();
    let words = words.as_str();
    let asked = token_limit(settings);
    let cap = asked.and_then(|asked| lower_cap(words, asked));
    if failure.kind == FailureKind::ContextOverflow || cap.is_some() {
        return cap.map(Quirk::TokenCap);
    }
    let quirk = match profile.dialect {
        Dialect::Anthropic => None,
        Dialect::OpenAi => of_chat_completions(profile, asked.is_some(), words, known),
    };
    let quirk = quirk.or_else(|| of_reasoning(profile, words)).or_else(|| of_both(settings, words))?;
    (profile.taught(quirk) != *profile && !known.contains(&quirk)).then_some(quirk)
}

/// The name given to an answer with nothing in its body.
pub(crate) const EMPTY_BODY: &str = "empty_body";

/// The ways to say that a parameter or a field is not taken.
const REFUSED: &[&str] = &[
    "support",
    "unrecognized",
    "unknown",
    "unexpected",
    "extra",
    "not permitted",
    "not allowed",
    "invalid",
    "no longer",
    "deprecated",
    "instead",
    "not accept",
    "cannot be used",
    "can't be used",
    "not available",
    "no such",
    "not a valid",
    "must not",
    "forbidden",
    "additional properties",
    "不支持",
    "未知",
    "无效",
];

/// The ways to say that a value is too high.
const TOO_HIGH: &[&str] = &[
    "too large",
    "too high",
    "too big",
    "too many",
    "at most",
    "maximum",
    "range",
    "less than",
    "smaller than",
    "lower than",
    "exceed",
    "no more than",
    "greater than",
    "larger than",
    "cannot be larger",
    "between",
    ">",
    "<=",
    "≤",
    "超过",
    "最大",
    "范围",
];

fn says(words: &str, list: &[&str]) -> bool {
    list.iter().any(|phrase| words.contains(phrase))
}

fn of_chat_completions(profile: &Profile, sends_limit: bool, words: &str, known: &[Quirk]) -> Option<Quirk> {
    let names_old = words.contains("max_tokens");
    let names_new = words.contains("max_completion_tokens");
    if sends_limit && (names_old || names_new) && says(words, REFUSED) {
        let other = match profile.token_limit {
            TokenLimitName::MaxTokens => TokenLimitName::MaxCompletionTokens,
            TokenLimitName::MaxCompletionTokens => TokenLimitName::MaxTokens,
            TokenLimitName::Omitted => return None,
        };
        // Both names were refused: then neither is sent.
        let was_flipped = known.iter().any(|quirk| matches!(quirk, Quirk::TokenLimit(_)));
        return Some(Quirk::TokenLimit(if was_flipped { TokenLimitName::Omitted } else { other }));
    }
    if profile.stream_usage && says(words, &["stream_options", "include_usage"]) {
        return Some(Quirk::NoStreamUsage);
    }
    let names_ids = says(words, &["tool call id", "tool_call_id", "tool_call.id", "toolcallid", "function call id"]);
    if names_ids && says(words, &["length of 9", "9 char", "a-z, a-z, 0-9", "a-za-z0-9"]) {
        return Some(Quirk::CallIds(CallIdShape::NineCharacters));
    }
    let names_order =
        says(words, &["after role 'tool'", "after role tool", "after role \"tool\"", "roles must alternate"])
            || (words.contains("role") && says(words, &["alternate", "alternating", "alternation"]));
    if names_order {
        return Some(Quirk::RoleOrder(RoleOrder::Alternating));
    }
    if says(words, &["system role", "system message", "role 'system'", "role system", "developer instruction"])
        && says(words, REFUSED)
        || words.contains("developer instruction is not enabled")
    {
        return Some(Quirk::SystemPlace(SystemPlace::FirstExchange));
    }
    if words.contains("reasoning_content") && !profile.echo_reasoning && says(words, WANTED) {
        return Some(Quirk::EchoReasoning);
    }
    if words.contains("content") && !words.contains("reasoning") && says(words, EMPTY_REFUSED) {
        let was_changed = known.iter().any(|quirk| matches!(quirk, Quirk::EmptyContent(_)));
        return Some(Quirk::EmptyContent(match profile.empty_content {
            _ if was_changed => EmptyContent::Omitted,
            EmptyContent::EmptyString => EmptyContent::Null,
            EmptyContent::Null | EmptyContent::Omitted => EmptyContent::EmptyString,
        }));
    }
    None
}

/// The ways to say that a field is missing.
const WANTED: &[&str] =
    &["must be passed", "passed back", "missing", "required", "must be provided", "must include", "缺少", "必须"];

/// The ways to say that `content` may not be what it is where an answer has none.
const EMPTY_REFUSED: &[&str] = &[
    "null",
    "none",
    "nil",
    "empty",
    "missing",
    "required",
    "string",
    "str type",
    "blank",
    "invalid type",
    "nonetype",
    "为空",
    "缺少",
];

fn of_reasoning(profile: &Profile, words: &str) -> Option<Quirk> {
    let is_anthropic = profile.dialect == Dialect::Anthropic;
    let wants_thinking = words.contains("thinking")
        && says(words, &["expected", "must start with", "must be the first", "must be passed", "passed back"])
        && !says(words, &["signature", "cannot be modified"]);
    if is_anthropic && wants_thinking {
        return Some(Quirk::Reasoning(ReasoningSent::SwitchedOff));
    }
    let names_it = says(words, &["thinking", "reasoning", "thought_signature"]);
    // A level of effort is none of ours.
    let refuses_it = says(words, REFUSED) || says(words, &["signature", "cannot be modified", "disabled"]);
    let is_ours = !says(words, &["reasoning_effort", "reasoning.effort", "budget_tokens", "missing a thought"]);
    (names_it && refuses_it && is_ours).then_some(Quirk::Reasoning(ReasoningSent::LeftOut))
}

fn of_both(settings: &Settings, words: &str) -> Option<Quirk> {
    let names = |name: &str| {
        ["'", "\"", "`", "."].iter().any(|quote| words.contains(&format!("{quote}{name}")))
            || words.contains(&format!("parameter: {name}"))
            || words.contains(&format!("{name}:"))
            || words.contains(&format!("parameter {name}"))
            || words.contains(&format!("argument {name}"))
    };
    let is_refused = says(words, REFUSED);
    if is_refused
        && !settings.stop_sequences.is_empty()
        && (names("stop") || words.contains("stop_sequences") || words.contains("stop sequence"))
    {
        return Some(Quirk::NoStop);
    }
    let names_stream = names("stream") || words.contains("streaming") || words.contains("stream=true");
    (is_refused && names_stream && streams(settings) && !words.contains("stream_options")).then_some(Quirk::NoStream)
}

/// The limit that the words allow where they call the one that was sent too high: the highest number that is lower, or,
/// where a context window has to hold the messages as well, what these leave of it.
fn lower_cap(words: &str, asked: u32) -> Option<u32> {
    let names_limit = says(
        words,
        &[
            "max_tokens",
            "max_completion_tokens",
            "max_output_tokens",
            "completion tokens",
            "output tokens",
            "in the completion",
        ],
    );
    if !names_limit || !says(words, TOO_HIGH) {
        return None;
    }
    let numbers: Vec<u32> = words
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|digits| digits.parse::<u32>().ok())
        .filter(|number| *number > 1)
        .collect();
    if says(words, &["context length", "context limit", "context window", "context size"]) {
        if !numbers.contains(&asked) {
            return None;
        }
        let after = |phrase: &str| {
            let rest = words.get(words.find(phrase)? + phrase.len()..)?;
            rest.trim_start().split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok()
        };
        let window = ["length is", "length of", "limit is", "limit of", "window is", "window of", "size is", "> "];
        let window = window.into_iter().find_map(after)?;
        let input = numbers.iter().filter(|number| **number < window && **number != asked).max()?;
        // A little is left for what the endpoint counts beside the messages.
        let left = window.saturating_sub(*input).saturating_sub(window / 64 + 8);
        return (left >= USEFUL && left < asked).then_some(left);
    }
    numbers.into_iter().filter(|number| *number < asked).max().filter(|cap| *cap >= USEFUL)
}

/// The shortest limit under which an answer is still worth asking for, in tokens.
const USEFUL: u32 = 64;
