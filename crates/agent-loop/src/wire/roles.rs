//! The order of roles that strict endpoints want: user and assistant take turns, and after results the assistant speaks.
//!
//! Comes after the repair of pairs, so every call has its results directly after it.

use std::rc::Rc;

use crate::message::{Block, Message, Producer, Role};
use crate::wire::repair::Repair;

/// Stands between results and what a person said while the tools ran.
const NOTED: &str = "OK.";

/// Stands between two answers.
const GO_ON: &str = "Continue.";

/// The messages in strict order. Idempotent; messages that have it already are kept as they are.
pub(crate) fn alternate(messages: Vec<Rc<Message>>, repairs: &mut Vec<Repair>) -> Vec<Rc<Message>> {
    let mut kept: Vec<Rc<Message>> = Vec::with_capacity(messages.len());
    for (place, message) in messages.into_iter().enumerate() {
        let (results, words) = parted(message);
        for message in [results, words].into_iter().flatten() {
            let Some(last) = kept.last_mut() else {
                kept.push(message);
                continue;
            };
            match (last.role, message.role) {
                (Role::User, Role::User) if has_results(last) => {
                    kept.push(said(Role::Assistant, NOTED));
                    repairs.push(Repair::AnswerAdded { message: place });
                    kept.push(message);
                }
                (Role::User, Role::User) => {
                    let blocks = last.blocks.iter().chain(&message.blocks).cloned().collect();
                    *last = Rc::new(Message::new(Role::User, last.producer, blocks));
                    repairs.push(Repair::MessagesJoined { message: place });
                }
                (Role::Assistant, Role::Assistant) => {
                    kept.push(said(Role::User, GO_ON));
                    repairs.push(Repair::UserMessageAdded { message: place });
                    kept.push(message);
                }
                (Role::User, Role::Assistant) | (Role::Assistant, Role::User) => kept.push(message),
            }
        }
    }
    kept
}

/// Its results and its words as messages of their own, where it has both.
fn parted(message: Rc<Message>) -> (Option<Rc<Message>>, Option<Rc<Message>>) {
    let is_result = |block: &Block| matches!(block, Block::ToolResult(_));
    let is_word = |block: &Block| matches!(block, Block::Text { text } if !text.trim().is_empty());
    if message.role == Role::Assistant || !has_results(&message) || !message.blocks.iter().any(is_word) {
        return (Some(message), None);
    }
    let (results, words) = message.blocks.iter().cloned().partition(is_result);
    let part = |blocks| Some(Rc::new(Message::new(Role::User, message.producer, blocks)));
    (part(results), part(words))
}

fn has_results(message: &Message) -> bool {
    message.tool_results().next().is_some()
}

fn said(role: Role, words: &str) -> Rc<Message> {
    Rc::new(Message::new(role, Producer::Harness, vec![Block::Text { text: words.into() }]))
}
