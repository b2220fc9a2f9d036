//! How a run is set: the knobs of a session. Recorded as a fact, so that a replay means the same; the key is not here.

use serde::{Deserialize, Serialize};

use crate::message::Usage;
use crate::tool::{Blacklist, OutputRule, ToolSpec, WordingSet};

/// The wire format a session speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Chat Completions, and what is compatible with it.
    OpenAi,
}

/// How an endpoint wants its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Auth {
    /// `x-api-key`.
    XApiKey,
    /// `Authorization: Bearer`.
    Bearer,
    /// No key.
    None,
}

/// The name of the parameter that limits the answer's length in Chat Completions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenLimitName {
    /// `max_tokens`.
    #[default]
    MaxTokens,
    /// `max_completion_tokens`.
    MaxCompletionTokens,
    /// The endpoint takes neither: no limit is sent.
    Omitted,
}

/// What an assistant message with calls and no text carries as `content` in Chat Completions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmptyContent {
    /// `null`.
    #[default]
    Null,
    /// `""`.
    EmptyString,
    /// The field is left out.
    Omitted,
}

/// Which ids of calls an endpoint takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallIdShape {
    /// Letters, digits, `_` and `-`.
    #[default]
    Plain,
    /// Exactly nine letters and digits (Mistral).
    NineCharacters,
}

/// In which order an endpoint takes the roles of `messages`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleOrder {
    /// A user may speak after results, and twice in a row.
    #[default]
    Free,
    /// User and assistant take turns, and after results the assistant speaks (Mistral, strict chat templates).
    Alternating,
}

/// Where the system prompt goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemPlace {
    /// Where the dialect has it: the field `system`, or a message of that role.
    #[default]
    System,
    /// Into a first exchange of user and assistant, for models that know no such role.
    FirstExchange,
}

/// What becomes of a model's reasoning when a conversation is sent back to the endpoint it came from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasoningSent {
    /// It goes back as it came.
    #[default]
    AsItCame,
    /// It is left out: the endpoint refuses it.
    LeftOut,
    /// It is left out and thinking is switched off, because the endpoint wants every turn to have it and some have none.
    SwitchedOff,
}

/// What is known of an endpoint, as data.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Profile {
    /// A short name: `anthropic`, `openai`, `practice-anthropic`, `llama-cpp`, `custom-openai`, …
    pub id: String,
    /// The dialect it speaks.
    pub dialect: Dialect,
    /// How it wants its key.
    pub auth: Auth,
    /// How it calls the limit on the answer's length.
    #[serde(default)]
    pub token_limit: TokenLimitName,
    /// What it accepts where an answer has calls and no text.
    #[serde(default)]
    pub empty_content: EmptyContent,
    /// Whether `stream_options: {include_usage: true}` is sent with a streamed Chat Completions request.
    #[serde(default)]
    pub stream_usage: bool,
    /// Whether `reasoning_content` is sent back on assistant messages, `""` where there was none (DeepSeek wants it).
    #[serde(default)]
    pub echo_reasoning: bool,
    /// The highest limit on the answer's length that it takes, in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_cap: Option<u32>,
    /// Which ids of calls it takes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub call_ids: CallIdShape,
    /// In which order it takes the roles.
    #[serde(default, skip_serializing_if = "is_default")]
    pub role_order: RoleOrder,
    /// Where it takes the system prompt.
    #[serde(default, skip_serializing_if = "is_default")]
    pub system_place: SystemPlace,
    /// What becomes of its own reasoning.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reasoning: ReasoningSent,
    /// Whether it refuses texts that end the answer: they are not sent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub refuses_stop: bool,
    /// Whether it refuses to stream: the answer is asked for in one piece.
    #[serde(default, skip_serializing_if = "is_default")]
    pub refuses_stream: bool,
}

impl Profile {
    /// An endpoint of which only the dialect is known; it wants no key.
    pub fn new(id: impl Into<String>, dialect: Dialect) -> Profile {
        Profile {
            id: id.into(),
            dialect,
            auth: Auth::None,
            token_limit: TokenLimitName::default(),
            empty_content: EmptyContent::default(),
            stream_usage: false,
            echo_reasoning: false,
            token_cap: None,
            call_ids: CallIdShape::default(),
            role_order: RoleOrder::default(),
            system_place: SystemPlace::default(),
            reasoning: ReasoningSent::default(),
            refuses_stop: false,
            refuses_stream: false,
        }
    }

    /// Whether it is the practice model: a script for each model's name, not an AI.
    pub fn is_practice(&self) -> bool {
        self.id.starts_with("practice-")
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// When tools are run. The lesson steps "no tools", "one call", "one turn" are settings of this knob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunTools {
    /// Calls are shown and refused; nothing runs.
    Never,
    /// Only the first call of the first answer runs; its result goes to the person, not to the model.
    Once,
    /// One turn: every call of the first answer runs and is written back; the model is not called again.
    OneTurn,
    /// Until the model stops asking.
    Loop,
}

/// Whether the request offers tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferTools {
    /// The host's tools, as it announced them.
    Host,
    /// The host's tools with those for commands in the background, where it has them.
    WithBackground,
    /// The lesson's own schema, pinned.
    Pinned,
    /// None: `tools` is left out.
    Off,
}

/// Every limit of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Model calls for one user message. The last one's tools still run and are stored.
    pub model_calls: u32,
    /// Automatic retries of one model call, before anything of its answer was shown.
    pub retries: u32,
    /// How long the first byte of an answer may take, in milliseconds.
    pub first_byte_ms: u64,
    /// How long an answer may be silent after its first byte, in milliseconds.
    pub idle_ms: u64,
    /// How long a command may run, in milliseconds.
    pub command_ms: u64,
    /// What one user message may cost. Looked at before each model call.
    #[serde(default, skip_serializing_if = "Budget::is_none")]
    pub budget: Budget,
    /// After so many times the same call in a row a person is asked whether it goes on. 0: never.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub same_calls: u32,
    /// How many tokens the model reads, where it is known: the run pauses before they are full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u64>,
}

/// What one user message may cost; `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Tokens in and out, of all its model calls together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Time in which the model or a tool worked, in milliseconds. A person who is asked may take their time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Money, in millionths of the unit the price is given in. Counts only where the price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<u64>,
}

impl Budget {
    /// Whether nothing is limited.
    pub fn is_none(&self) -> bool {
        *self == Budget::default()
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What money is counted in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Currency {
    /// US dollars.
    #[default]
    Usd,
    /// Chinese yuan.
    Cny,
}

/// What an endpoint takes for a million tokens, in millionths of a unit of money.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// Input that was not cached.
    pub input: u64,
    /// Output, reasoning included.
    pub output: u64,
    /// Input read from the cache; `None`: as other input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<u64>,
    /// Input written to the cache; `None`: as other input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<u64>,
    /// The unit.
    #[serde(default, skip_serializing_if = "is_default")]
    pub currency: Currency,
}

impl Price {
    /// What an answer cost, in millionths of a unit, rounded up.
    pub fn of(&self, usage: &Usage) -> u64 {
        let read = usage.cache_read_tokens.unwrap_or(0);
        let written = usage.cache_write_tokens.unwrap_or(0);
        let plain = usage.input_tokens.unwrap_or(0).saturating_sub(read).saturating_sub(written);
        let parts = [
            (plain, self.input),
            (read, self.cache_read.unwrap_or(self.input)),
            (written, self.cache_write.unwrap_or(self.input)),
            (usage.output_tokens.unwrap_or(0), self.output),
        ];
        let whole: u128 = parts.iter().map(|(tokens, price)| u128::from(*tokens) * u128::from(*price)).sum();
        u64::try_from(whole.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            model_calls: 50,
            retries: 2,
            first_byte_ms: 300_000,
            idle_ms: 120_000,
            command_ms: 120_000,
            budget: Budget::default(),
            same_calls: 5,
            context_window: None,
        }
    }
}

/// The knobs of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// What is known of the endpoint.
    pub profile: Profile,
    /// Where it is, as the person gave it (`https://api.anthropic.com`, `http://localhost:8080/v1`).
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// The system prompt; `{cwd}` is filled with the host's working directory. Empty: none is sent.
    pub system: String,
    /// The limit on one answer's length, in tokens. `None`: not sent, where the dialect allows that.
    pub max_tokens: Option<u32>,
    /// Texts that end the answer.
    #[serde(default)]
    pub stop_sequences: Vec<String>,
    /// Whether the answer is streamed.
    pub stream: bool,
    /// Which tools the request offers.
    pub offer_tools: OfferTools,
    /// The schema that `OfferTools::Pinned` sends.
    #[serde(default)]
    pub pinned_tools: Vec<ToolSpec>,
    /// When tools are run.
    pub run_tools: RunTools,
    /// Limits.
    pub limits: Limits,
    /// What the endpoint takes, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// How output becomes the content the model reads.
    pub output: OutputRule,
    /// The words results are told in.
    pub wording: WordingSet,
    /// A lesson's list of forbidden substrings. Never a boundary.
    pub blacklist: Blacklist,
}
