//! Puts an answer together from the events of a stream, or from a whole body.

use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;

use super::block::{Part, Slot};
use super::event::{Kind, kind, kind_of_delta};
use crate::message::{Answer, Block, CallKey, StopReason, Usage};
use crate::wire::decoder::Progress;
use crate::wire::deltas::Deltas;
use crate::wire::failure::ModelFailure;
use crate::wire::json::{self, text};
use crate::wire::outline::Outline;

/// What stands of the answer.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    outline: Outline,
    slots: Vec<Slot>,
    /// `message_stop` has come.
    stopped: bool,
}

impl Assembler {
    /// Takes the kind of event that a stream consists of, if this is one and nothing in it is unusual. It means
    /// exactly what [`Assembler::take`] would make of it, for a fraction of the work.
    pub(crate) fn take_quickly(&mut self, data: &[u8], deltas: &mut Deltas<'_>) -> bool {
        let Ok(data) = std::str::from_utf8(data) else { return false };
        let Ok(Quick { kind: "content_block_delta", index, delta }) = serde_json::from_str(data) else { return false };
        let Some(place) = self.slots.iter().rposition(|slot| slot.index == index) else { return false };
        let Some(slot) = self.slots.get_mut(place) else { return false };
        let QuickDelta { kind, text, thinking, partial_json } = delta;
        match (&mut slot.part, kind, text, thinking, partial_json) {
            (Part::Text(text), "text_delta", Some(more), None, None) => {
                text.push_str(&more.0);
                deltas.text(place, &more.0);
                true
            }
            (Part::Thinking { text, .. }, "thinking_delta", None, Some(more), None) => {
                text.push_str(&more.0);
                deltas.thinking(place, &more.0);
                true
            }
            (Part::Call { json, .. }, "input_json_delta", None, None, Some(more)) => {
                json.push_str(&more.0);
                deltas.arguments(place, &more.0);
                true
            }
            _ => false,
        }
    }

    /// Takes one event, or a whole message. `name` is its `event` field, for servers that leave `type` out of the data.
    pub(crate) fn take(&mut self, name: &str, event: Value, deltas: &mut Deltas<'_>) -> Result<(), ModelFailure> {
        let index = event.get("index").and_then(json::number);
        let mut event = event;
        let kind = kind(name, &event);
        let mut part = |key: &str| event.get_mut(key).map(Value::take).unwrap_or_default();
        match kind {
            Kind::MessageStart => {
                let message = part("message");
                self.outline.name(&message);
                self.count(message.get("usage"));
                if let Some(Value::Array(content)) = message.get("content") {
                    content.iter().for_each(|block| self.start(None, block.clone(), deltas));
                }
            }
            Kind::BlockStart => self.start(index, part("content_block"), deltas),
            Kind::BlockDelta => self.grow(index, &part("delta"), deltas),
            Kind::MessageDelta => {
                let delta = part("delta");
                for told in [&delta, &event] {
                    self.count(told.get("usage"));
                    self.end(told)?;
                }
            }
            Kind::MessageStop => {
                self.end(&event)?;
                self.stopped = true;
            }
            Kind::Message => self.take_whole(event, deltas)?,
            Kind::Other => return Ok(()),
        }
        self.outline.recognised = true;
        Ok(())
    }

    fn take_whole(&mut self, mut message: Value, deltas: &mut Deltas<'_>) -> Result<(), ModelFailure> {
        let content = match message.get_mut("content").map(Value::take) {
            Some(Value::Array(content)) => content,
            Some(Value::String(words)) => vec![serde_json::json!({ "type": "text", "text": words })],
            _ => Vec::new(),
        };
        self.outline.name(&message);
        // A stream that ends with the whole message has told it already.
        if self.slots.is_empty() {
            content.into_iter().for_each(|block| self.start(None, block, deltas));
        }
        self.count(message.get("usage"));
        self.end(&message)
    }

    /// How far the answer has come.
    pub(crate) fn progress(&self) -> Progress {
        match (self.stopped, &self.outline.stop_reason) {
            (true, _) => Progress::Ended,
            (false, Some(_)) => Progress::Terminated,
            (false, None) => Progress::Open,
        }
    }

    /// Whether anything of this dialect has come.
    pub(crate) fn recognised(&self) -> bool {
        self.outline.recognised
    }

    /// The tokens as far as they were counted.
    pub(crate) fn usage(&self) -> Usage {
        self.outline.usage
    }

    /// The blocks as far as they stand.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut key = CallKey { fact: 0, index: 0 };
        self.slots.iter().map(|slot| slot.block(&mut key)).collect()
    }

    /// The answer, if its end was told. Blocks of words that stayed empty are left out: the service sends them and
    /// refuses them.
    pub(crate) fn finish(self) -> Option<Answer> {
        if self.progress() == Progress::Open {
            return None;
        }
        let mut blocks = self.blocks();
        blocks.retain(|block| !matches!(block, Block::Text { text } if text.is_empty()));
        // A server that stops without a reason gives none.
        let reason = self.outline.stop_reason.clone().unwrap_or_else(|| StopReason::Other(String::new()));
        Some(self.outline.answer(blocks, reason))
    }

    /// The block that a delta grows: the last one of its index, because some gateways count every block as 0. Where it
    /// does not fit that one, the last one that it fits.
    fn place(&self, index: Option<u64>, kind: &str) -> Option<usize> {
        let is_named = |slot: &Slot| index.is_none_or(|index| slot.index == index);
        let place = self.slots.iter().rposition(|slot| is_named(slot) && slot.takes(kind));
        // Words may begin a block that nobody opened; a piece of arguments cannot.
        let is_misplaced = matches!(kind, "input_json_delta" | "signature_delta") || self.slots.iter().any(is_named);
        let fits = |slot: &Slot| slot.takes(kind) && !matches!(slot.part, Part::Opaque { .. });
        place.or_else(|| self.slots.iter().rposition(fits).filter(|_| is_misplaced))
    }

    fn start(&mut self, index: Option<u64>, block: Value, deltas: &mut Deltas<'_>) {
        let index = index.unwrap_or_else(|| self.slots.last().map_or(0, |slot| slot.index.saturating_add(1)));
        let slot = Slot::new(index, block);
        let place = match self.slots.last() {
            // Out of order. A used index opens another block, after all others.
            Some(last) if index < last.index && self.slots.iter().all(|slot| slot.index != index) => {
                self.slots.iter().position(|slot| slot.index > index).unwrap_or(self.slots.len())
            }
            _ => self.slots.len(),
        };
        match &slot.part {
            Part::Text(text) => deltas.text(place, text),
            Part::Thinking { text, .. } => deltas.thinking(place, text),
            Part::Call { id, name, input, .. } => {
                deltas.tool_use(place, id, name);
                if input.as_object().is_some_and(|fields| !fields.is_empty()) {
                    deltas.arguments(place, &json::written(input));
                }
            }
            Part::Opaque { .. } => {}
        }
        self.slots.insert(place, slot);
    }

    fn grow(&mut self, index: Option<u64>, delta: &Value, deltas: &mut Deltas<'_>) {
        let kind = kind_of_delta(delta);
        if self.place(index, kind).is_none() {
            // A server that opens no blocks.
            let kind = match kind {
                "text_delta" => "text",
                "thinking_delta" => "thinking",
                _ => return,
            };
            self.start(index, serde_json::json!({ "type": kind }), deltas);
        }
        let Some(place) = self.place(index, kind) else { return };
        if let Some(slot) = self.slots.get_mut(place) {
            slot.grow(kind, delta, place, deltas);
        }
    }

    fn end(&mut self, told: &Value) -> Result<(), ModelFailure> {
        self.outline.end(text(told, "stop_reason"))?;
        let matched = text(told, "stop_sequence");
        if let (Some(StopReason::StopSequence(known)), false) = (&mut self.outline.stop_reason, matched.is_empty()) {
            *known = Some(matched.to_owned());
        }
        if let Some(details) = told.get("stop_details").filter(|details| !details.is_null()) {
            self.outline.stop_details = Some(details.clone());
        }
        Ok(())
    }

    /// Takes a snapshot. A later one replaces an earlier one, input and output each as a whole: some servers tell the
    /// true split between fresh and cached input only at the end. One that is all zeros tells nothing.
    fn count(&mut self, usage: Option<&Value>) {
        let usage = usage.unwrap_or(&Value::Null);
        let count = |key: &str| usage.get(key).and_then(json::number);
        let input = count("input_tokens");
        let read = count("cache_read_input_tokens");
        let written = count("cache_creation_input_tokens");
        let parts = [input, read, written];
        let total: u64 = parts.into_iter().flatten().fold(0, u64::saturating_add);
        if parts.iter().any(Option::is_some) && (total > 0 || self.outline.usage.input_tokens.is_none()) {
            self.outline.usage.input_tokens = Some(total);
            self.outline.usage.cache_read_tokens = read;
            self.outline.usage.cache_write_tokens = written;
        }
        let output = count("output_tokens").filter(|output| *output > 0 || self.outline.usage.output_tokens.is_none());
        let details = usage.get("output_tokens_details").unwrap_or(&Value::Null);
        let reasoning = ["reasoning_tokens", "thinking_tokens"].iter().find_map(|key| json::number(details.get(*key)?));
        self.outline.usage.reasoning_tokens = reasoning.or(self.outline.usage.reasoning_tokens);
        self.outline.usage.output_tokens = output.or(self.outline.usage.output_tokens);
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Quick<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    index: u64,
    #[serde(borrow)]
    delta: QuickDelta<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuickDelta<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(borrow)]
    text: Option<Fragment<'a>>,
    #[serde(borrow)]
    thinking: Option<Fragment<'a>>,
    #[serde(borrow)]
    partial_json: Option<Fragment<'a>>,
}

#[derive(Deserialize)]
struct Fragment<'a>(#[serde(borrow)] Cow<'a, str>);
