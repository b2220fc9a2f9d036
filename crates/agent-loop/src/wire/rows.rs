//! `messages` as the array it is in a dialect: what the page draws.

use std::ops::Range;
use std::rc::Rc;

use crate::message::{Block, Message, Role};
use crate::settings::Dialect;

/// One entry of the array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// `user`, `assistant` or `tool`.
    pub role: &'static str,
    /// Place of the message it is made from.
    pub message: usize,
    /// The blocks of that message which stand in it.
    pub blocks: Range<usize>,
}

/// The array. In Messages each message is an entry; in Chat Completions each result is one of its own.
pub fn rows(messages: &[Rc<Message>], dialect: Dialect) -> Vec<Row> {
    let mut rows = Vec::with_capacity(messages.len());
    for (place, message) in messages.iter().enumerate() {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        let row = |role, blocks| Row { role, message: place, blocks };
        if dialect == Dialect::Anthropic || message.role == Role::Assistant || message.blocks.is_empty() {
            rows.push(row(role, 0..message.blocks.len()));
            continue;
        }
        let is_result = |block: &Block| matches!(block, Block::ToolResult(_));
        let mut from = 0;
        for group in message.blocks.chunk_by(|a, b| !is_result(a) && !is_result(b)) {
            let role = if group.first().is_some_and(is_result) { "tool" } else { role };
            rows.push(row(role, from..from + group.len()));
            from += group.len();
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::message::{Block, CallKey, Message, Producer, Role, ToolResult};
    use crate::settings::Dialect;
    use crate::tool::Outcome;
    use std::rc::Rc;

    #[test]
    fn each_result_is_a_row_of_its_own_in_chat_completions() {
        let text = || Block::Text { text: "x".into() };
        let result = |index| {
            Block::ToolResult(ToolResult {
                call: CallKey { fact: 1, index },
                content: "y".to_owned(),
                is_error: false,
                outcome: Outcome::Exited(0),
                duration_ms: 0,
                output_bytes: 0,
                original_content: None,
                left_out: None,
            })
        };
        let messages = [
            Message::person("x"),
            Message::new(Role::Assistant, Producer::Model, vec![text(), text()]),
            Message::new(Role::User, Producer::Host, vec![result(0), result(1), text(), text()]),
            Message::new(Role::User, Producer::Person, vec![]),
        ]
        .map(Rc::new);
        let check = |dialect, expected: &[(&str, usize, std::ops::Range<usize>)]| {
            let seen: Vec<_> =
                rows(&messages, dialect).into_iter().map(|row| (row.role, row.message, row.blocks)).collect();
            assert_eq!(seen, expected);
        };
        check(Dialect::Anthropic, &[("user", 0, 0..1), ("assistant", 1, 0..2), ("user", 2, 0..4), ("user", 3, 0..0)]);
        check(
            Dialect::OpenAi,
            &[
                ("user", 0, 0..1),
                ("assistant", 1, 0..2),
                ("tool", 2, 0..1),
                ("tool", 2, 1..2),
                ("user", 2, 2..4),
                ("user", 3, 0..0),
            ],
        );
    }
}
