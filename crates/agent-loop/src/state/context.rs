//! How full the model's context window is, and what can be done about it: what is sent can be made less, and every
//! original is kept.

use std::rc::Rc;

use crate::fact::Edit;
use crate::message::{Answer, Block, Message, Origin, Producer, Role, ToolResult};

/// From so many hundredths of the window on it is nearly full.
const NEARLY_FULL: u64 = 90;
/// How many bytes of text make a token, where no endpoint has counted yet: a low guess, so that the pause comes early.
const BYTES_A_TOKEN: u64 = 3;
/// A result that is made shorter keeps so many characters of its beginning and of its end.
const KEPT_AT_EACH_END: usize = 300;
/// Fewer characters than these are not left out: the words that say so would be as long.
const WORTH_LEAVING_OUT: usize = 100;

/// The tokens that the next request is expected to have, and the window they must fit in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    /// Tokens: what the endpoint counted last, and a guess for what was added since.
    pub used: u64,
    /// How many the model reads.
    pub window: u64,
}

impl Context {
    /// How full the window is with these messages, of which an endpoint counted the first `counted.0` as `counted.1` tokens.
    pub(super) fn of(messages: &[Rc<Message>], counted: Option<(usize, u64)>, window: u64) -> Context {
        let (from, counted) = counted.unwrap_or((0, 0));
        let added: usize = messages.iter().skip(from).flat_map(|message| &message.blocks).map(length).sum();
        Context { used: counted.saturating_add(added as u64 / BYTES_A_TOKEN), window }
    }

    pub(super) fn is_nearly_full(self) -> bool {
        self.used.saturating_mul(100) >= self.window.saturating_mul(NEARLY_FULL)
    }
}

/// The fewest tokens a count is believed of: some servers tell a 0 or a 1.
const BELIEVED: u64 = 512;
/// The most and the usual bytes of text in a token, for the least and the likely number of tokens in a text.
const BYTES_AT_MOST: u64 = 8;
const BYTES_USUALLY: u64 = 4;

/// The tokens of input that the endpoint counted, where that is less than it was sent: local servers cut the beginning
/// off without a word. `messages` are those that were sent; the first `counted.0` of them were counted before.
pub(super) fn cut_input(
    messages: &[Rc<Message>],
    counted: Option<(usize, u64)>,
    profile: &str,
    answer: &Answer,
) -> Option<u64> {
    let told = answer.usage.input_tokens.filter(|told| *told >= BELIEVED)?;
    // Of another model's tokens nothing can be said.
    let of_same_model = |origin: &&Origin| origin.profile == profile && origin.model == answer.model;
    let before = counted.and_then(|(length, _)| {
        let last = length.checked_sub(1)?;
        Some((last, messages.get(last)?.origin.as_ref().filter(of_same_model)?.usage.input_tokens?))
    });
    let (from, before) = before.unwrap_or((0, 0));
    let is_plain = |block: &&Block| !matches!(block, Block::Thinking { .. } | Block::Opaque { .. });
    let added: usize =
        messages.iter().skip(from).flat_map(|message| &message.blocks).filter(is_plain).map(length).sum();
    let at_least = before.saturating_add(added as u64 / BYTES_AT_MOST);
    let likely = before.saturating_add(added as u64 / BYTES_USUALLY);
    let less_by_a_tenth = |than: u64| told.saturating_mul(10) < than.saturating_mul(9);
    let wall = told.checked_next_power_of_two().unwrap_or(u64::MAX);
    let at_wall = wall >= 2048 && wall - told <= 8;
    (less_by_a_tenth(at_least) || (at_wall && less_by_a_tenth(likely))).then_some(told)
}

/// The bytes of a block that a model reads.
fn length(block: &Block) -> usize {
    match block {
        Block::Text { text } => text.len(),
        Block::ToolUse(call) => call.name.len() + call.arguments.len(),
        Block::ToolResult(result) => result.content.len(),
        Block::Thinking { raw, .. } | Block::Opaque { raw } => raw.to_string().len(),
    }
}

/// The places at which an exchange ends and the next begins: where a person speaks, but for the first. Everything before
/// one of them can be left out and what stays is whole.
pub fn whole_exchanges(messages: &[Rc<Message>]) -> Vec<usize> {
    let speaks = |message: &Rc<Message>| message.role == Role::User && message.producer == Producer::Person;
    messages.iter().enumerate().skip(1).filter(|(_, message)| speaks(message)).map(|(place, _)| place).collect()
}

/// The edits that make every long result shorter, but for those of the last turn, which no model has read yet.
pub fn shorter_results(messages: &[Rc<Message>]) -> Vec<Edit> {
    let old = messages.iter().enumerate().take(messages.len().saturating_sub(2));
    old.filter_map(|(place, message)| {
        let blocks: Vec<Block> = message.blocks.iter().map(shortened).collect();
        (blocks != message.blocks).then_some(Edit::Message { message: place, blocks })
    })
    .collect()
}

fn shortened(block: &Block) -> Block {
    let Block::ToolResult(result) = block else { return block.clone() };
    let characters = result.content.chars().count();
    let left_out = characters.saturating_sub(2 * KEPT_AT_EACH_END);
    if left_out < WORTH_LEAVING_OUT {
        return block.clone();
    }
    let content = format!(
        "{}\n[… {left_out} characters left out …]\n{}",
        result.content.chars().take(KEPT_AT_EACH_END).collect::<String>(),
        result.content.chars().skip(characters - KEPT_AT_EACH_END.min(characters)).collect::<String>(),
    );
    let original = result.original_content.clone().unwrap_or_else(|| result.content.clone());
    Block::ToolResult(ToolResult { content, original_content: Some(original), ..result.clone() })
}
