//! What is sent: which blocks of a message in a given form, and which of the knobs.

use serde_json::Value;

use crate::message::{Block, Message, Origin, Role, StopReason};
use crate::settings::{Dialect, ReasoningSent, Settings};
use crate::wire::form::Form;
use crate::wire::json::text;

/// Whether the message came from the endpoint it would be sent to.
pub(crate) fn is_own(message: &Message, form: &Form) -> bool {
    let profile = &form.profile;
    message.origin.as_ref().is_some_and(|origin| origin.dialect == profile.dialect && origin.profile == profile.id)
}

/// Whether a block of the message is sent. Blank words are refused by the services, which send them themselves.
/// A provider's own blocks go back to it and to no other, and thinking only with its signature: whole or not at all.
pub(crate) fn is_sent(block: &Block, message: &Message, form: &Form) -> bool {
    match (block, message.role) {
        (Block::Text { text }, _) => !is_blank(text),
        (Block::ToolUse(_), Role::Assistant) | (Block::ToolResult(_), Role::User) => true,
        (Block::Thinking { raw, .. }, Role::Assistant) => {
            let is_cut = form.profile.dialect == Dialect::Anthropic
                && raw.get("type").and_then(Value::as_str) == Some("thinking")
                && text(raw, "signature").is_empty();
            !is_cut && is_own(message, form) && form.profile.reasoning == ReasoningSent::AsItCame
        }
        // The service would refuse a block without a type, which nobody but a sloppy server in between can have sent.
        (Block::Opaque { raw }, Role::Assistant) => {
            let is_legal = form.profile.dialect == Dialect::OpenAi || !text(raw, "type").is_empty();
            is_legal && is_own(message, form)
        }
        (Block::ToolUse(_) | Block::Thinking { .. } | Block::Opaque { .. }, Role::User)
        | (Block::ToolResult(_), Role::Assistant) => false,
    }
}

/// Whether the message is sent: whether anything of it is content. Thinking alone is none, and neither are the further
/// fields of a Chat Completions message. What came of a Messages answer before it was refused is not sent either: with
/// it in the history the service refuses what follows as well.
pub(crate) fn has_content(message: &Message, form: &Form) -> bool {
    let is_refused =
        |origin: &Origin| origin.dialect == Dialect::Anthropic && origin.stop_reason == StopReason::Refusal;
    if message.origin.as_ref().is_some_and(is_refused) {
        return false;
    }
    message.blocks.iter().any(|block| {
        let counts = match block {
            Block::Text { .. } | Block::ToolUse(_) | Block::ToolResult(_) => true,
            Block::Thinking { .. } => false,
            Block::Opaque { .. } => form.profile.dialect == Dialect::Anthropic,
        };
        counts && is_sent(block, message, form)
    })
}

/// The limit on the answer's length as it is sent: the person's, or the endpoint's where that is lower.
pub(crate) fn token_limit(settings: &Settings) -> Option<u32> {
    match (settings.max_tokens, settings.profile.token_cap) {
        (Some(limit), Some(cap)) => Some(limit.min(cap)),
        (limit, cap) => limit.or(cap.filter(|_| settings.profile.dialect == Dialect::Anthropic)),
    }
}

/// Whether a streamed answer is asked for.
pub(crate) fn streams(settings: &Settings) -> bool {
    settings.stream && !settings.profile.refuses_stream
}

/// The texts that end the answer, as they are sent: none that are empty, and for Messages none that are blank.
pub(crate) fn stop_sequences(settings: &Settings) -> Vec<&str> {
    let is_legal = |text: &&str| match settings.profile.dialect {
        Dialect::Anthropic => !is_blank(text),
        Dialect::OpenAi => !text.is_empty(),
    };
    if settings.profile.refuses_stop {
        return Vec::new();
    }
    settings.stop_sequences.iter().map(String::as_str).filter(is_legal).collect()
}

/// Whether there is nothing to read in a text.
pub(crate) fn is_blank(text: &str) -> bool {
    text.trim_start().is_empty()
}
