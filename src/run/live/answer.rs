//! The answer that streams in: deltas joined as they come, and shown block by block once per frame.

use std::collections::BTreeMap;

use agent_loop::{Block, CallKey, Delta, ToolCall};
use leptos::prelude::*;
use serde_json::Value;

use crate::app::{DraftAnswer, DraftBlock, DraftKind};

/// The answer under way.
pub(super) struct Answering {
    draft: RwSignal<Option<DraftAnswer>>,
    waiting: BTreeMap<usize, Piece>,
    shown: Vec<DraftBlock>,
}

/// What of one block waits for a frame.
struct Piece {
    kind: Kind,
    text: String,
}

enum Kind {
    Text,
    Thinking,
    /// A call; its name, once known.
    ToolUse(Option<String>),
}

impl Answering {
    /// No answer is under way.
    pub(super) fn new(draft: RwSignal<Option<DraftAnswer>>) -> Answering {
        Answering { draft, waiting: BTreeMap::new(), shown: Vec::new() }
    }

    /// More of it was understood.
    pub(super) fn delta(&mut self, delta: &Delta) {
        let (index, kind, text) = match delta {
            Delta::Text { index, text } => (*index, Kind::Text, text.as_str()),
            Delta::Thinking { index, text } => (*index, Kind::Thinking, text.as_str()),
            Delta::ToolUse { index, name, .. } => (*index, Kind::ToolUse(Some(name.clone())), ""),
            Delta::Arguments { index, json } => (*index, Kind::ToolUse(None), json.as_str()),
        };
        let piece = self.waiting.entry(index).or_insert(Piece { kind: Kind::ToolUse(None), text: String::new() });
        match kind {
            Kind::ToolUse(None) => {}
            known => piece.kind = known,
        }
        piece.text.push_str(text);
    }

    /// Shows what came since the last frame.
    pub(super) fn show(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let blocks = match self.draft.with_untracked(|draft| draft.as_ref().map(|draft| draft.blocks)) {
            Some(blocks) => blocks,
            None => {
                let blocks = RwSignal::new(Vec::new());
                self.draft.set(Some(DraftAnswer { blocks }));
                blocks
            }
        };
        let before = self.shown.len();
        for (index, Piece { kind, text }) in std::mem::take(&mut self.waiting) {
            match self.shown.iter().find(|block| block.index == index) {
                Some(block) => {
                    if let (DraftKind::ToolUse(shown), Kind::ToolUse(Some(name))) = (&block.kind, kind)
                        && shown.with_untracked(|shown| *shown != name)
                    {
                        shown.set(name);
                    }
                    if !text.is_empty() {
                        block.text.update(|shown| shown.push_str(&text));
                    }
                }
                None => {
                    let kind = match kind {
                        Kind::Text => DraftKind::Text,
                        Kind::Thinking => DraftKind::Thinking,
                        Kind::ToolUse(name) => DraftKind::ToolUse(RwSignal::new(name.unwrap_or_default())),
                    };
                    let place = self.shown.partition_point(|block| block.index <= index);
                    self.shown.insert(place, DraftBlock { index, kind, text: RwSignal::new(text) });
                }
            }
        }
        if self.shown.len() > before {
            blocks.set(self.shown.clone());
        }
    }

    /// No answer is under way any more.
    pub(super) fn end(&mut self) {
        self.waiting.clear();
        if self.draft.with_untracked(Option::is_some) {
            self.draft.set(None);
        }
        // What was drawn of it may stay, and compares its words with those of the message once: after that they go. Who
        // has drawn them is not told; the signals stay valid, as small as can be.
        let shown = std::mem::take(&mut self.shown);
        let forget = move || {
            for block in shown {
                block.text.try_update_untracked(|text| *text = String::new());
            }
        };
        set_timeout(forget, std::time::Duration::ZERO);
    }

    /// What of it is shown, as blocks: for the eye, never to be sent.
    pub(super) fn blocks(&self) -> Vec<Block> {
        if self.draft.with_untracked(Option::is_none) {
            return Vec::new();
        }
        let block = |shown: &DraftBlock| {
            let text = shown.text.get_untracked();
            match &shown.kind {
                DraftKind::Text => Block::Text { text: text.into() },
                DraftKind::Thinking => Block::Thinking { text: text.into(), raw: Value::Null },
                DraftKind::ToolUse(name) => Block::ToolUse(ToolCall {
                    key: CallKey { fact: 0, index: shown.index },
                    id: String::new(),
                    name: name.get_untracked(),
                    arguments: text,
                    extra: None,
                    original_arguments: None,
                }),
            }
        };
        self.shown.iter().map(block).collect()
    }
}
