//! Edits from what a person typed: the parts of a message that can be changed, and the message with them changed. Pure.

use agent_loop::{Block, Message};

/// What a part of a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Words.
    Text,
    /// A call's arguments, JSON text.
    Arguments,
    /// What the model reads as a result.
    Result,
}

/// The parts of a message that a person can change, in order. Reasoning and what only its provider knows are none.
pub fn parts(blocks: &[Block]) -> Vec<(Part, String)> {
    blocks
        .iter()
        .filter_map(|block| match block {
            Block::Text { text } => Some((Part::Text, text.to_string())),
            Block::ToolUse(call) => Some((Part::Arguments, call.arguments.clone())),
            Block::ToolResult(result) => Some((Part::Result, result.content.clone())),
            Block::Thinking { .. } | Block::Opaque { .. } => None,
        })
        .collect()
}

/// The blocks of a message with these texts for its parts; each original is kept. `None`: nothing is changed.
pub fn changed(message: &Message, texts: &[String]) -> Option<Vec<Block>> {
    let mut texts = texts.iter();
    let mut blocks = message.blocks.clone();
    for block in &mut blocks {
        match block {
            Block::Text { text } => {
                if let Some(typed) = texts.next() {
                    *text = typed.as_str().into();
                }
            }
            Block::ToolUse(call) => {
                if let Some(typed) = texts.next().filter(|typed| **typed != call.arguments) {
                    let before = std::mem::replace(&mut call.arguments, typed.clone());
                    call.original_arguments.get_or_insert(before);
                }
            }
            Block::ToolResult(result) => {
                if let Some(typed) = texts.next().filter(|typed| **typed != result.content) {
                    let before = std::mem::replace(&mut result.content, typed.clone());
                    result.original_content.get_or_insert(before);
                }
            }
            Block::Thinking { .. } | Block::Opaque { .. } => {}
        }
    }
    (blocks != message.blocks).then_some(blocks)
}

#[cfg(test)]
mod tests {
    use agent_loop::{Block, CallKey, Message, Outcome, Producer, Role, ToolCall, ToolResult};
    use serde_json::json;

    use super::{Part, changed, parts};

    const KEY: CallKey = CallKey { fact: 1, index: 0 };

    fn text(text: &str) -> Block {
        Block::Text { text: text.into() }
    }

    fn call(arguments: &str, before: Option<&str>) -> Block {
        Block::ToolUse(ToolCall {
            key: KEY,
            id: "i".to_owned(),
            name: "bash".to_owned(),
            arguments: arguments.to_owned(),
            extra: None,
            original_arguments: before.map(str::to_owned),
        })
    }

    fn result(content: &str, before: Option<&str>) -> Block {
        Block::ToolResult(ToolResult {
            call: KEY,
            content: content.to_owned(),
            is_error: false,
            outcome: Outcome::Exited(0),
            duration_ms: 1,
            output_bytes: 1,
            original_content: before.map(str::to_owned),
            left_out: None,
        })
    }

    #[track_caller]
    fn check(blocks: Vec<Block>, texts: &[&str], expected: Option<Vec<Block>>) {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        assert_eq!(changed(&Message::new(Role::Assistant, Producer::Model, blocks), &texts), expected);
    }

    #[test]
    fn what_was_typed_takes_the_place_of_what_stood_there() {
        let thinking = || Block::Thinking { text: "hm".into(), raw: json!({}) };
        let blocks = || vec![thinking(), text("a"), call("{}", None), result("r", None)];
        let expected = vec![(Part::Text, "a".into()), (Part::Arguments, "{}".into()), (Part::Result, "r".into())];
        assert_eq!(parts(&blocks()), expected);
        check(blocks(), &["a", "{}", "r"], None);
        check(blocks(), &[], None);
        let edited = vec![thinking(), text("b"), call("{", Some("{}")), result("s", Some("r"))];
        check(blocks(), &["b", "{", "s"], Some(edited.clone()));
        // The first original stays the original.
        let again = vec![thinking(), text("b"), call("[]", Some("{}")), result("t", Some("r"))];
        check(edited, &["b", "[]", "t"], Some(again));
    }
}
