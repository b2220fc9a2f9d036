//! Cuts texts into deltas, and events into the chunks of a network.

use crate::{Chunk, ids::Ids};

/// One event of a stream, whole.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) kind: EventKind,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// Carries a piece of the answer: a moment passes before it.
    Delta,
    /// Opens, closes or accompanies.
    Frame,
}

/// The pieces in which a text is streamed: a few characters each, more of them the longer the text is.
pub(crate) fn pieces<'t>(text: &'t str, ids: &Ids) -> Vec<&'t str> {
    let length = text.chars().count();
    let size = length.div_ceil(48).max(5) as u64;
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let take = size / 2 + 1 + ids.roll(pieces.len(), size);
        let at = rest.char_indices().nth(take as usize).map_or(rest.len(), |(at, _)| at);
        let (piece, tail) = rest.split_at(at);
        pieces.push(piece);
        rest = tail;
    }
    pieces
}

/// The events as bytes with pauses. Now and then a border falls inside a character, and frames travel with a neighbour.
pub(crate) fn chunks(events: &[Event], ids: &Ids) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    for (nth, event) in events.iter().enumerate() {
        let bytes = event.text.as_bytes();
        let roll = ids.roll(nth, 26) as u32;
        match (event.kind, chunks.last_mut()) {
            (EventKind::Frame, Some(last)) if roll.is_multiple_of(2) => last.bytes.extend_from_slice(bytes),
            (_, None) => chunks.push(Chunk { pause_ms: 180 + 8 * roll, bytes: bytes.to_vec() }),
            (EventKind::Frame, Some(_)) => chunks.push(Chunk { pause_ms: 2, bytes: bytes.to_vec() }),
            (EventKind::Delta, Some(_)) => {
                let inside = event.text.char_indices().find(|(_, char)| char.len_utf8() > 1).map(|(at, _)| at + 1);
                match inside {
                    Some(at) if roll.is_multiple_of(3) => {
                        let (head, tail) = bytes.split_at(at);
                        chunks.push(Chunk { pause_ms: 15 + roll, bytes: head.to_vec() });
                        chunks.push(Chunk { pause_ms: 1, bytes: tail.to_vec() });
                    }
                    _ => chunks.push(Chunk { pause_ms: 15 + roll, bytes: bytes.to_vec() }),
                }
            }
        }
    }
    chunks
}
