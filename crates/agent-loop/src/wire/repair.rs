//! The repair pass: what must be true of `messages` before an endpoint accepts them, made true for what is sent.
//!
//! Every call has exactly one result, directly after it, in the order of the calls and before any words; no result is
//! without its call; no message is empty; the first and the last message are the user's. Pure, and idempotent; the
//! messages themselves stay as they are. Where nothing is to be repaired, a message costs a glance and a pointer.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::message::{Block, Message, Producer, Role, StopReason, ToolCall, ToolResult};
use crate::settings::{Dialect, RoleOrder};
use crate::tool::Outcome;
use crate::wire::form::Form;
use crate::wire::roles::alternate;
use crate::wire::sent::{has_content, is_own};

/// Something the choke point changed in what is sent; the message itself stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// A call had no result; this much was told in its place.
    ResultAdded {
        /// Place of the message that calls.
        message: usize,
    },
    /// A result had no call, or its call had one already, and was left out.
    ResultDropped {
        /// Place of the message that held it.
        message: usize,
    },
    /// Results did not stand directly after their calls, in the order of the calls and before any words; they do now.
    ResultsMoved {
        /// Place of the message that calls.
        message: usize,
    },
    /// A message was empty and was left out.
    MessageDropped {
        /// Its place.
        message: usize,
    },
    /// A call of a tool that the service runs itself has no result and waits for none any more; it was left out.
    ServerCallDropped {
        /// Place of the message that held it.
        message: usize,
    },
    /// The history ended with an answer, or began with one, or was empty; a short user message was put there.
    UserMessageAdded {
        /// The place before which it stands.
        message: usize,
    },
    /// A strict endpoint wants the assistant to speak between results and words; a short answer was put there.
    AnswerAdded {
        /// The place before which it stands, counted in what is sent.
        message: usize,
    },
    /// A strict endpoint takes no two user messages in a row; this one was joined to the one before.
    MessagesJoined {
        /// Its place, counted in what is sent.
        message: usize,
    },
}

/// What a call without a result is told to have had.
const INTERRUPTED: &str = "Error: Interrupted; the command may have partly run.";

/// Stands after an answer that is to be continued.
const CONTINUE: &str = "Continue.";

/// Stands before an answer that begins a history.
const BEGIN: &str = "(Earlier messages were left out.)";

/// The messages as they are sent in this form, and what was changed.
pub(crate) fn repair(messages: &[Rc<Message>], form: &Form) -> (Vec<Rc<Message>>, Vec<Repair>) {
    let mut kept = Vec::with_capacity(messages.len() + 1);
    let mut repairs = Vec::new();

    // Empty messages go first, so that none stands between a call and its result.
    let mut told = Vec::with_capacity(messages.len());
    for (place, message) in messages.iter().enumerate() {
        let message = match without_dangling(message, messages.get(place + 1), form) {
            Some(stripped) => {
                repairs.push(Repair::ServerCallDropped { message: place });
                Rc::new(stripped)
            }
            None => Rc::clone(message),
        };
        if has_content(&message, form) {
            told.push((place, message));
        } else {
            repairs.push(Repair::MessageDropped { message: place });
        }
    }

    let mut rest = told.as_slice();
    while let Some(((place, message), after)) = rest.split_first() {
        let run = after.iter().take_while(|(_, next)| next.role == Role::User).count();
        let calls = message.role == Role::Assistant && message.tool_calls().next().is_some();
        if message.role == Role::Assistant {
            kept.push(Rc::clone(message));
        } else {
            repairs.extend(message.tool_results().map(|_| Repair::ResultDropped { message: *place }));
            kept.extend(without_results(message, form));
        }
        rest = after;
        if calls {
            let (answers, more) = after.split_at(run);
            pair(*place, message, answers, form, &mut kept, &mut repairs);
            rest = more;
        }
    }

    if form.profile.role_order == RoleOrder::Alternating {
        kept = alternate(kept, &mut repairs);
    }
    if kept.first().is_some_and(|first| first.role == Role::Assistant) {
        kept.insert(0, user(BEGIN));
        repairs.push(Repair::UserMessageAdded { message: 0 });
    }
    let waits_for_user = |last: &Rc<Message>| {
        // A paused turn is taken up by sending it back as it is.
        let goes_on = is_paused(last) && form.profile.dialect == Dialect::Anthropic && is_own(last, form);
        last.role == Role::Assistant && !goes_on
    };
    if kept.last().is_none_or(waits_for_user) {
        kept.push(user(CONTINUE));
        repairs.push(Repair::UserMessageAdded { message: messages.len() });
    }
    (kept, repairs)
}

/// Appends the results of the calls of `asking`, taken from the user messages that follow it, and what else those hold.
fn pair(
    place: usize,
    asking: &Message,
    answers: &[(usize, Rc<Message>)],
    form: &Form,
    kept: &mut Vec<Rc<Message>>,
    repairs: &mut Vec<Repair>,
) {
    let holds_results = |message: &Message| message.tool_results().next().is_some();
    if let Some(((_, first), others)) = answers.split_first()
        && answers_exactly(first, asking)
        && !others.iter().any(|(_, other)| holds_results(other))
    {
        kept.extend(answers.iter().map(|(_, message)| Rc::clone(message)));
        return;
    }

    let mut found: Vec<(usize, Option<&ToolResult>)> = answers
        .iter()
        .flat_map(|(place, message)| message.tool_results().map(|result| (*place, Some(result))))
        .collect();
    let mut order = Vec::new();
    let mut blocks: Vec<Block> = asking
        .tool_calls()
        .map(|call| {
            let own = found.iter().position(|(_, result)| result.is_some_and(|result| result.call == call.key));
            let taken = own.and_then(|own| Some((own, found.get_mut(own)?.1.take()?)));
            match taken {
                Some((own, result)) => {
                    order.push(own);
                    Block::ToolResult(result.clone())
                }
                None => {
                    repairs.push(Repair::ResultAdded { message: place });
                    Block::ToolResult(interrupted(call))
                }
            }
        })
        .collect();
    let first = answers.first().filter(|(_, first)| holds_results(first));
    let stand_first = first.is_some_and(|(at, first)| {
        let leading = first.blocks.iter().take_while(|block| matches!(block, Block::ToolResult(_))).count();
        order.iter().all(|own| *own < leading && found.get(*own).is_some_and(|(holder, _)| holder == at))
    });
    let stay = order.is_empty() || (stand_first && order.is_sorted());
    if !stay {
        repairs.push(Repair::ResultsMoved { message: place });
    }
    repairs
        .extend(found.iter().filter(|(_, left)| left.is_some()).map(|(at, _)| Repair::ResultDropped { message: *at }));

    let words = first.map(|(_, first)| first.blocks.iter().filter(|block| !matches!(block, Block::ToolResult(_))));
    blocks.extend(words.into_iter().flatten().cloned());
    kept.push(Rc::new(Message::new(Role::User, Producer::Harness, blocks)));
    let others = answers.get(usize::from(first.is_some())..).unwrap_or_default();
    kept.extend(others.iter().filter_map(|(_, message)| without_results(message, form)));
}

/// The message without the calls of the service's own tools that have no result, where it holds such: the service
/// refuses them, but for those of the paused turn that is to be taken up. The answer after that one has their results.
/// One with calls gets results for these, and is not taken up as it is; of another endpoint's turn none of it is sent.
fn without_dangling(message: &Message, next: Option<&Rc<Message>>, form: &Form) -> Option<Message> {
    let is_last_pause = next.is_none() && is_paused(message) && message.tool_calls().next().is_none();
    let is_of_here =
        form.profile.dialect == Dialect::Anthropic && message.role == Role::Assistant && is_own(message, form);
    if !is_of_here || is_last_pause {
        return None;
    }
    let text = |block: &Block, key: &str| match block {
        Block::Opaque { raw } => raw.get(key).and_then(Value::as_str).unwrap_or_default().to_owned(),
        _ => String::new(),
    };
    let next = next.filter(|next| next.role == Role::Assistant && is_paused(message));
    let is_dangling = |block: &Block| {
        let id = text(block, "id");
        let mut blocks = message.blocks.iter().chain(next.iter().flat_map(|next| &next.blocks));
        text(block, "type").ends_with("_tool_use") && !blocks.any(|other| text(other, "tool_use_id") == id)
    };
    message.blocks.iter().any(is_dangling).then(|| {
        let mut stripped = message.clone();
        stripped.blocks.retain(|block| !is_dangling(block));
        stripped
    })
}

fn is_paused(message: &Message) -> bool {
    message.origin.as_ref().is_some_and(|origin| origin.stop_reason == StopReason::PauseTurn)
}

/// Whether the message begins with exactly one result for each call, in order, and holds no other.
fn answers_exactly(message: &Message, asking: &Message) -> bool {
    let leading = message.blocks.iter().map_while(|block| match block {
        Block::ToolResult(result) => Some(result.call),
        _ => None,
    });
    asking.tool_calls().map(|call| call.key).eq(leading)
        && message.tool_results().count() == asking.tool_calls().count()
}

/// The message without its results, if anything else of it is sent.
fn without_results(message: &Rc<Message>, form: &Form) -> Option<Rc<Message>> {
    if message.tool_results().next().is_none() {
        return Some(Rc::clone(message));
    }
    let mut stripped = (**message).clone();
    stripped.blocks.retain(|block| !matches!(block, Block::ToolResult(_)));
    has_content(&stripped, form).then(|| Rc::new(stripped))
}

fn interrupted(call: &ToolCall) -> ToolResult {
    ToolResult {
        call: call.key,
        content: INTERRUPTED.to_owned(),
        is_error: true,
        outcome: Outcome::Unknown,
        duration_ms: 0,
        output_bytes: 0,
        left_out: None,
        original_content: None,
    }
}

fn user(words: &str) -> Rc<Message> {
    Rc::new(Message::new(Role::User, Producer::Harness, vec![Block::Text { text: words.into() }]))
}
