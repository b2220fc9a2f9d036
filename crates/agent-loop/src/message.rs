//! What is talked about: messages, their blocks, calls and results, in one shape for every provider.
//!
//! A provider's own blocks (thinking with its signature, unknown kinds) are kept raw beside the neutral ones and go
//! back unchanged to the provider they came from, and to no other.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::settings::Dialect;
use crate::tool::Outcome;
use crate::wire::FormCache;

/// Who speaks, in the neutral sense. A message of tool results has the role of the user; the Chat Completions
/// encoder gives each of its results the role `tool`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A person, or the harness on a person's behalf.
    User,
    /// The model.
    Assistant,
}

/// Who really made a message: the role says how the model sees it, the producer says where it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Producer {
    /// Typed by a person.
    Person,
    /// Answered by a model.
    Model,
    /// Written by the loop itself.
    Harness,
    /// Brought back by a tool host.
    Host,
}

/// One entry of `messages`. Immutable once sealed: an edit makes a new message that keeps the original.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// How the model sees it.
    pub role: Role,
    /// Who made it.
    pub producer: Producer,
    /// Its content, in order.
    pub blocks: Vec<Block>,
    /// For an answer: where it came from and how it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Calls that came in an answer that must not run (cut by a limit, refused): shown, never sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<ToolCall>,
    /// What stood here before a person edited it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<Rc<Message>>,
    /// Its serialised forms, filled when it is first sent in each.
    #[serde(skip)]
    pub forms: FormCache,
}

impl Message {
    /// A message with just a role, a producer and blocks.
    pub fn new(role: Role, producer: Producer, blocks: Vec<Block>) -> Message {
        Message {
            role,
            producer,
            blocks,
            origin: None,
            dropped: Vec::new(),
            original: None,
            forms: FormCache::default(),
        }
    }

    /// A plain text message of a person.
    pub fn person(text: impl Into<Rc<str>>) -> Message {
        Message::new(Role::User, Producer::Person, vec![Block::Text { text: text.into() }])
    }

    /// The calls this message asks for, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.blocks.iter().filter_map(|block| if let Block::ToolUse(call) = block { Some(call) } else { None })
    }

    /// The results this message carries, in order.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.blocks.iter().filter_map(|block| if let Block::ToolResult(result) = block { Some(result) } else { None })
    }

    /// The text blocks joined by line breaks: what a lesson calls the answer.
    pub fn extract_text(&self) -> String {
        let texts: Vec<&str> = self
            .blocks
            .iter()
            .filter_map(|block| if let Block::Text { text } = block { Some(&**text) } else { None })
            .collect();
        texts.join("\n")
    }
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// Words.
    Text {
        /// The words, shared by the fact that brought them and every message that is made of it: an answer may be long.
        text: Rc<str>,
    },
    /// A model's reasoning.
    Thinking {
        /// What can be read of it; may be empty. Shared as words are.
        text: Rc<str>,
        /// What goes back to its provider: the whole block for Messages, the message's own fields
        /// (`reasoning_content`, …) for Chat Completions.
        raw: Value,
    },
    /// The model asks for a tool.
    ToolUse(ToolCall),
    /// What came of a call.
    ToolResult(ToolResult),
    /// A block (Messages) or message fields (Chat Completions) that we do not know, kept as they came.
    Opaque {
        /// As it came.
        raw: Value,
    },
}

/// Names a call within a session, whatever id the model gave it: the number of the fact that brought it, and its place
/// among the calls of that fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallKey {
    /// Number of the `Answered` fact, or of the `Edited` one where a person added the call.
    pub fact: usize,
    /// Place among its calls, from 0.
    pub index: usize,
}

/// A request of the model to run a tool. Only data until it has been parsed, validated and authorised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Its name within the session.
    pub key: CallKey,
    /// `tool_use.id` or `tool_calls[].id`, as it came; made up by the fold where it was empty or used twice in one answer.
    pub id: String,
    /// The tool's name, as it came.
    pub name: String,
    /// The arguments as JSON text, as it came; not necessarily JSON.
    pub arguments: String,
    /// Fields of the call that we do not know, replayed to the same provider (`extra_content`, …).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Value>,
    /// The arguments before a person edited them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_arguments: Option<String>,
}

/// What came of a call: exactly one for each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call it answers.
    pub call: CallKey,
    /// What the model reads. Never empty.
    pub content: String,
    /// Sent as `is_error` where the dialect has it and the wording set tells it.
    pub is_error: bool,
    /// What really happened.
    pub outcome: Outcome,
    /// How long it ran, in milliseconds; 0 when no process started.
    #[serde(default)]
    pub duration_ms: u64,
    /// Bytes of output in all, of which `content` may show only a part.
    #[serde(default)]
    pub output_bytes: u64,
    /// What of the output is not in `content`, because there was too much of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// The content before a person edited it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_content: Option<String>,
}

/// A cut: what of an output the model did not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// How many characters it read before the cut.
    pub head: usize,
    /// How many bytes were left out.
    pub bytes: u64,
    /// How many characters it read after the cut.
    pub tail: usize,
}

/// Where an answer came from and how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The dialect it was spoken in.
    pub dialect: Dialect,
    /// The endpoint profile's id.
    pub profile: String,
    /// The model's own name, as the answer gave it.
    pub model: String,
    /// The answer's id (`msg_…`, `chatcmpl-…`).
    pub id: String,
    /// Why the model stopped.
    pub stop_reason: StopReason,
    /// Tokens, as the endpoint counted them.
    pub usage: Usage,
    /// From sending the request to the last byte, in milliseconds.
    pub duration_ms: u64,
}

/// A model's answer, decoded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Its blocks in the order of their index. The keys of its calls are given by the fold.
    pub blocks: Vec<Block>,
    /// Why the model stopped.
    pub stop_reason: StopReason,
    /// `stop_details` of a refusal, or its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_details: Option<Value>,
    /// Tokens: the last snapshot the endpoint sent.
    pub usage: Usage,
    /// The model's own name.
    pub model: String,
    /// The answer's id.
    pub id: String,
    /// From sending the request to the last byte, in milliseconds.
    #[serde(default)]
    pub duration_ms: u64,
    /// From sending the request to the first byte of the body, in milliseconds; `None` in logs that did not tell it yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_byte_ms: Option<u64>,
}

/// `stop_reason` (Messages) or `finish_reason` (Chat Completions), in one set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// `end_turn`, `stop`: the model asks for nothing more.
    EndTurn,
    /// `tool_use`, `tool_calls`, `function_call`.
    ToolUse,
    /// `max_tokens`, `length`.
    MaxTokens,
    /// `stop_sequence`, with the one that matched where it is told.
    StopSequence(Option<String>),
    /// `pause_turn`: a server-side tool wants to go on.
    PauseTurn,
    /// `refusal`.
    Refusal,
    /// `content_filter`.
    ContentFilter,
    /// `model_context_window_exceeded`.
    ContextWindowExceeded,
    /// Anything else, as it came.
    Other(String),
}

impl StopReason {
    /// Whether the calls of an answer that ended so are never run: they may be unfinished, or were declined.
    pub fn bars_calls(&self) -> bool {
        match self {
            StopReason::EndTurn | StopReason::ToolUse | StopReason::StopSequence(_) | StopReason::Other(_) => false,
            StopReason::MaxTokens
            | StopReason::PauseTurn
            | StopReason::Refusal
            | StopReason::ContentFilter
            | StopReason::ContextWindowExceeded => true,
        }
    }
}

/// Token counts of one answer, as the endpoint gave them. `None`: not told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// All input tokens, cached ones included.
    pub input_tokens: Option<u64>,
    /// Output tokens, reasoning included.
    pub output_tokens: Option<u64>,
    /// Input tokens read from the provider's cache.
    pub cache_read_tokens: Option<u64>,
    /// Input tokens written to the provider's cache.
    pub cache_write_tokens: Option<u64>,
    /// What of the output was reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
}
