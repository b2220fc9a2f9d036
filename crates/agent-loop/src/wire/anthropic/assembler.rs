//! Puts an answer together from the events of a stream, or from a whole body.

use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;

use super::block::{Part, Slot};
use crate::message::{Answer, Block, CallKey, StopReason, Usage};
use crate::wire::decoder::{Deltas, Progress};
use crate::wire::failure::ModelFailure;
use crate::wire::json::text;
use crate::wire::stop_reason;

/// What stands of the answer.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    id: String,
    model: String,
    slots: Vec<Slot>,
    stop_reason: Option<StopReason>,
    stop_details: Option<Value>,
    usage: Usage,
    /// `message_stop` has come.
    stopped: bool,
    recognised: bool,
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

    /// Takes one event. `name` is its `event` field, for servers that leave `type` out of the data.
    pub(crate) fn take(&mut self, name: &str, event: Value, deltas: &mut Deltas<'_>) -> Result<(), ModelFailure> {
        let kind = Some(text(&event, "type")).filter(|kind| !kind.is_empty()).unwrap_or(name).to_owned();
        let index = event.get("index").and_then(Value::as_u64);
        let mut event = event;
        let mut part = |key: &str| event.get_mut(key).map(Value::take).unwrap_or_default();
        match kind.as_str() {
            "message_start" => {
                let message = part("message");
                self.id = text(&message, "id").to_owned();
                self.model = text(&message, "model").to_owned();
                self.count(message.get("usage"));
            }
            "content_block_start" => self.start(index, part("content_block"), deltas),
            "content_block_delta" => self.grow(index, &part("delta"), deltas),
            "content_block_stop" => {}
            "message_delta" => {
                self.count(event.get("usage"));
                self.end(event.get("delta").unwrap_or(&Value::Null))?;
            }
            "message_stop" => self.stopped = true,
            // `ping`, and whatever else will come.
            _ => return Ok(()),
        }
        self.recognised = true;
        Ok(())
    }

    /// Takes a whole body.
    pub(crate) fn take_whole(&mut self, body: Value) -> Result<(), ModelFailure> {
        let mut body = body;
        let content = match body.get_mut("content").map(Value::take) {
            Some(Value::Array(content)) => content,
            Some(Value::String(words)) => vec![serde_json::json!({ "type": "text", "text": words })],
            // An answer without content that says why it ended is an empty one.
            None | Some(Value::Null) if body.get("stop_reason").is_some_and(Value::is_string) => Vec::new(),
            _ => return Ok(()),
        };
        self.recognised = true;
        self.id = text(&body, "id").to_owned();
        self.model = text(&body, "model").to_owned();
        self.slots.extend(content.into_iter().zip(0..).map(|(block, index)| Slot::new(index, block)));
        self.count(body.get("usage"));
        self.end(&body)
    }

    /// How far the answer has come.
    pub(crate) fn progress(&self) -> Progress {
        match (self.stopped, &self.stop_reason) {
            (true, _) => Progress::Ended,
            (false, Some(_)) => Progress::Terminated,
            (false, None) => Progress::Open,
        }
    }

    /// Whether anything of this dialect has come.
    pub(crate) fn recognised(&self) -> bool {
        self.recognised
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
        Some(Answer {
            blocks,
            // A server that stops without a reason gives none.
            stop_reason: self.stop_reason.unwrap_or_else(|| StopReason::Other(String::new())),
            stop_details: self.stop_details,
            usage: self.usage,
            model: self.model,
            id: self.id,
            duration_ms: 0,
        })
    }

    /// The block that an event is about: the last one of its index, because some gateways count every block as 0; the
    /// last one of all where there is no index.
    fn place(&self, index: Option<u64>) -> Option<usize> {
        match index {
            Some(index) => self.slots.iter().rposition(|slot| slot.index == index),
            None => self.slots.len().checked_sub(1),
        }
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
                    deltas.arguments(place, &input.to_string());
                }
            }
            Part::Opaque { .. } => {}
        }
        self.slots.insert(place, slot);
    }

    fn grow(&mut self, index: Option<u64>, delta: &Value, deltas: &mut Deltas<'_>) {
        if self.place(index).is_none() {
            // A server that opens no blocks.
            let kind = match text(delta, "type") {
                "text_delta" => "text",
                "thinking_delta" => "thinking",
                _ => return,
            };
            self.start(index, serde_json::json!({ "type": kind }), deltas);
        }
        let Some(place) = self.place(index) else { return };
        if let Some(slot) = self.slots.get_mut(place) {
            slot.grow(delta, place, deltas);
        }
    }

    fn end(&mut self, told: &Value) -> Result<(), ModelFailure> {
        if let Some(reason) = stop_reason::read(text(told, "stop_reason")) {
            self.stop_reason = Some(match reason? {
                StopReason::StopSequence(_) => {
                    let matched = text(told, "stop_sequence");
                    StopReason::StopSequence((!matched.is_empty()).then(|| matched.to_owned()))
                }
                reason => reason,
            });
        }
        if let Some(details) = told.get("stop_details").filter(|details| !details.is_null()) {
            self.stop_details = Some(details.clone());
        }
        Ok(())
    }

    /// Takes a snapshot. A later one replaces an earlier one, input and output each as a whole: some servers tell the
    /// true split between fresh and cached input only at the end. One that is all zeros tells nothing.
    fn count(&mut self, usage: Option<&Value>) {
        let count = |key: &str| usage?.get(key)?.as_u64();
        let input = count("input_tokens");
        let read = count("cache_read_input_tokens");
        let written = count("cache_creation_input_tokens");
        let parts = [input, read, written];
        let total: u64 = parts.into_iter().flatten().fold(0, u64::saturating_add);
        if parts.iter().any(Option::is_some) && (total > 0 || self.usage.input_tokens.is_none()) {
            self.usage.input_tokens = Some(total);
            self.usage.cache_read_tokens = read;
            self.usage.cache_write_tokens = written;
        }
        let output = count("output_tokens").filter(|output| *output > 0 || self.usage.output_tokens.is_none());
        self.usage.output_tokens = output.or(self.usage.output_tokens);
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
