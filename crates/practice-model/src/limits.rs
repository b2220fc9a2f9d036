//! Cuts a reply where the request's stop sequences and `max_tokens` say, and counts what is left.

use crate::{
    reply::{Block, Reply, Stop},
    request::Request,
    tokens::{FRAME, fitting, tokens, weight},
};

/// What a practice model writes where the request names no limit, in tokens.
const UNASKED: usize = 2_048;
/// What it writes at most, whatever larger number the request allows: more than a person types as a command, so that one
/// is never cut for a reason that no setting explains.
pub(crate) const OUTPUT_LIMIT: usize = 16_384;

/// The reply as far as it may go, and its tokens.
pub(crate) fn apply(reply: Reply, request: &Request) -> (Reply, usize) {
    let budget = 4 * request.max_tokens.unwrap_or(UNASKED).min(OUTPUT_LIMIT);
    let mut used = 0;
    let mut kept = Vec::new();
    for mut block in reply.blocks {
        let cut = cut(&mut block, budget.saturating_sub(used), &request.stop_sequences);
        used += block_weight(&block);
        if !is_empty(&block) {
            kept.push(block);
        }
        if let Some(stop) = cut {
            return (Reply { blocks: kept, stop }, tokens(used.min(budget)));
        }
    }
    (Reply { blocks: kept, stop: reply.stop }, tokens(used))
}

/// Shortens a block to what may be sent of it; `None` if all of it may.
fn cut(block: &mut Block, budget: usize, stop_sequences: &[String]) -> Option<Stop> {
    match block {
        Block::Text(text) | Block::Refusal(text) => {
            let room = fitting(text, budget).len();
            let matched = stop_sequences
                .iter()
                .filter_map(|sequence| text.find(sequence.as_str()).map(|at| (at, sequence)))
                .min_by_key(|(at, _)| *at);
            match matched {
                Some((at, sequence)) if at + sequence.len() <= room => {
                    text.truncate(at);
                    Some(Stop::Sequence(sequence.clone()))
                }
                _ if room < text.len() => {
                    text.truncate(room);
                    Some(Stop::MaxTokens)
                }
                _ => None,
            }
        }
        Block::Call { name, arguments } => {
            let Some(room) = budget.checked_sub(FRAME + weight(name)) else {
                name.clear();
                arguments.clear();
                return Some(Stop::MaxTokens);
            };
            let room = fitting(arguments, room).len();
            if room == arguments.len() {
                return None;
            }
            arguments.truncate(room);
            Some(Stop::MaxTokens)
        }
        Block::ServerSearch { .. } | Block::ServerSearchResult { .. } => None,
    }
}

fn is_empty(block: &Block) -> bool {
    match block {
        Block::Text(text) | Block::Refusal(text) => text.is_empty(),
        Block::Call { name, .. } => name.is_empty(),
        Block::ServerSearch { .. } | Block::ServerSearchResult { .. } => false,
    }
}

fn block_weight(block: &Block) -> usize {
    match block {
        Block::Text(text) | Block::Refusal(text) => weight(text),
        Block::Call { name, .. } if name.is_empty() => 0,
        Block::Call { name, arguments } => FRAME + weight(name) + weight(arguments),
        Block::ServerSearch { .. } | Block::ServerSearchResult { .. } => 0,
    }
}
