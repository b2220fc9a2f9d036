//! Puts an answer together from the chunks of a stream, or from a whole body.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::calls::{Calls, Grown};
use super::quick::{self, News};
use crate::message::{Answer, Block, StopReason, Usage};
use crate::wire::decoder::Progress;
use crate::wire::deltas::Deltas;
use crate::wire::failure::ModelFailure;
use crate::wire::json::{self, text};
use crate::wire::outline::Outline;

/// What stands of the answer. Only the choice of index 0 counts.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    outline: Outline,
    /// In the order of arrival; a block's place is its place here.
    parts: Vec<Part>,
    calls: Calls,
    /// Fields of the message that we do not know.
    fields: Map<String, Value>,
    /// `[DONE]` has come.
    done: bool,
}

#[derive(Debug)]
enum Part {
    Words {
        voice: Voice,
        text: String,
    },
    Thinking {
        text: String,
        /// The fields it came in, to be sent back.
        raw: Map<String, Value>,
    },
    /// A call; it stands among the calls.
    Call,
}

/// Which field the words came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Voice {
    /// `content`.
    Answer,
    /// `refusal`.
    Refusal,
}

impl Assembler {
    /// Takes the kind of chunk that a stream consists of, if this is one and nothing in it is unusual. It means
    /// exactly what [`Assembler::take`] would make of it, for a fraction of the work.
    pub(crate) fn take_quickly(&mut self, data: &[u8], deltas: &mut Deltas<'_>) -> bool {
        if !self.outline.is_named() {
            return false;
        }
        match quick::read(data) {
            Some(News::Nothing) => true,
            Some(News::Text(more)) => {
                self.grow_words(Voice::Answer, &more, deltas);
                true
            }
            Some(News::Reasoning(more)) => {
                self.grow_thinking(&[("reasoning_content", &more)], &more, deltas);
                true
            }
            Some(News::Arguments { index, json }) => match self.calls.grow(index, &json) {
                Some(place) => {
                    deltas.arguments(place, &json);
                    true
                }
                None => false,
            },
            None => false,
        }
    }

    /// Takes one chunk, or a whole body.
    pub(crate) fn take(&mut self, body: &Value, deltas: &mut Deltas<'_>) -> Result<(), ModelFailure> {
        self.count(body.get("usage"));
        self.count(body.get("x_groq").and_then(|groq| groq.get("usage")));
        let Some(choices) = body.get("choices").and_then(Value::as_array) else { return Ok(()) };
        self.outline.name(body);
        let is_first = |choice: &&Value| choice.get("index").and_then(json::number).unwrap_or(0) == 0;
        let Some(choice) = choices.iter().find(is_first) else { return Ok(()) };
        // Moonshot
        self.count(choice.get("usage"));
        let told = |key: &str| choice.get(key).filter(|value| value.as_object().is_some_and(|told| !told.is_empty()));
        // Some servers put a whole message into a stream, or repeat it there at the end.
        let whole = told("message").filter(|_| self.parts.is_empty());
        let message = told("delta").or(whole);
        if let Some(message) = message {
            self.count(message.get("usage"));
            self.grow(message, deltas);
            // In a whole message no entry continues another.
            let take = if told("delta").is_some() { Calls::take } else { Calls::open };
            self.grow_calls(message, take, deltas);
        } else {
            // The older completions.
            self.grow_words(Voice::Answer, text(choice, "text"), deltas);
        }
        for told in [Some(choice), message, Some(body)].into_iter().flatten() {
            self.outline.end(text(told, "finish_reason"))?;
        }
        Ok(())
    }

    /// `[DONE]` has come: nothing more will. It does not make an answer whole.
    pub(crate) fn done(&mut self) {
        self.done = true;
    }

    /// How far the answer has come.
    pub(crate) fn progress(&self) -> Progress {
        match (self.done, &self.outline.stop_reason) {
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
        let block = |(place, part): (usize, &Part)| match part {
            Part::Words { text, .. } => Some(Block::Text { text: text.as_str().into() }),
            Part::Thinking { text, raw } => {
                Some(Block::Thinking { text: text.as_str().into(), raw: raw.clone().into() })
            }
            Part::Call => self.calls.at(place).map(Block::ToolUse),
        };
        self.parts.iter().enumerate().filter_map(block).collect()
    }

    /// The answer, if its end was told.
    pub(crate) fn finish(self) -> Option<Answer> {
        let mut blocks = self.blocks();
        if !self.fields.is_empty() {
            blocks.push(Block::Opaque { raw: self.fields.into() });
        }
        let refusal = self.parts.into_iter().find_map(|part| match part {
            Part::Words { voice: Voice::Refusal, text } => Some(text),
            _ => None,
        });
        let mut outline = self.outline;
        let stop_reason = match outline.stop_reason.clone()? {
            StopReason::EndTurn | StopReason::ToolUse if refusal.is_some() => StopReason::Refusal,
            reason => reason,
        };
        outline.stop_details = refusal.map(Value::String);
        Some(outline.answer(blocks, stop_reason))
    }

    /// Takes everything of a message or a delta but its calls.
    fn grow(&mut self, message: &Value, deltas: &mut Deltas<'_>) {
        let reasoning = ["reasoning_content", "reasoning"].map(|key| (key, text(message, key)));
        let told: Vec<_> = reasoning.into_iter().filter(|(_, words)| !words.is_empty()).collect();
        if let Some((_, shown)) = told.first() {
            self.grow_thinking(&told, shown, deltas);
        }
        if let Some(details) =
            message.get("reasoning_details").and_then(Value::as_array).filter(|list| !list.is_empty())
        {
            let words = |detail| ["text", "summary"].map(|key| text(detail, key)).concat();
            let shown = if told.is_empty() { details.iter().map(words).collect() } else { String::new() };
            let raw = self.grow_thinking(&[], &shown, deltas);
            if let Some(known) = raw.and_then(|raw| {
                raw.entry("reasoning_details").or_insert_with(|| Value::Array(Vec::new())).as_array_mut()
            }) {
                details.iter().for_each(|detail| join_detail(known, detail));
            }
        }
        match message.get("content") {
            Some(Value::String(words)) => self.grow_words(Voice::Answer, words, deltas),
            // Mistral and others send parts.
            Some(content @ (Value::Array(_) | Value::Object(_))) => {
                let parts = content.as_array().map_or(std::slice::from_ref(content), Vec::as_slice);
                for part in parts {
                    match text(part, "type") {
                        "thinking" => {
                            let inner = part.get("thinking").and_then(Value::as_array).into_iter().flatten();
                            let words: String = inner.map(|part| text(part, "text")).collect();
                            let words = if words.is_empty() { text(part, "thinking").to_owned() } else { words };
                            self.grow_thinking(&[], &words, deltas);
                        }
                        "refusal" => self.grow_words(Voice::Refusal, text(part, "refusal"), deltas),
                        _ => self.grow_words(Voice::Answer, part.as_str().unwrap_or(text(part, "text")), deltas),
                    }
                }
            }
            _ => {}
        }
        self.grow_words(Voice::Refusal, text(message, "refusal"), deltas);
        for (key, value) in message.as_object().into_iter().flatten() {
            let is_empty = match value {
                Value::Null => true,
                Value::String(text) => text.is_empty(),
                Value::Array(list) => list.is_empty(),
                Value::Object(fields) => fields.is_empty(),
                Value::Bool(_) | Value::Number(_) => false,
            };
            let is_known = match key.as_str() {
                "reasoning_content" | "reasoning" => value.is_string(),
                "reasoning_details" => value.is_array(),
                key => KNOWN.contains(&key),
            };
            if !is_empty && !is_known {
                match (self.fields.get_mut(key), value) {
                    (Some(Value::String(known)), Value::String(more)) => known.push_str(more),
                    (Some(Value::Array(known)), Value::Array(more)) => known.extend(more.iter().cloned()),
                    _ => {
                        self.fields.insert(key.clone(), value.clone());
                    }
                }
            }
        }
    }

    fn grow_calls(&mut self, message: &Value, take: TakeCall, deltas: &mut Deltas<'_>) {
        for entry in calls_of(message) {
            let place = self.parts.len();
            let Some(grown) = take(&mut self.calls, &entry, place) else { continue };
            if grown.named {
                deltas.tool_use(grown.call.place, &grown.call.id, &grown.call.name);
            }
            deltas.arguments(grown.call.place, &grown.arguments);
            if grown.call.place == place {
                self.parts.push(Part::Call);
            }
        }
    }

    fn grow_words(&mut self, voice: Voice, more: &str, deltas: &mut Deltas<'_>) {
        if more.is_empty() {
            return;
        }
        let known =
            self.parts.iter().position(|part| matches!(part, Part::Words { voice: known, .. } if *known == voice));
        let place = known.unwrap_or(self.parts.len());
        if known.is_none() {
            self.parts.push(Part::Words { voice, text: String::new() });
        }
        if let Some(Part::Words { text, .. }) = self.parts.get_mut(place) {
            text.push_str(more);
            deltas.text(place, more);
        }
    }

    /// Adds reasoning: `shown` to what can be read, `fields` to what is sent back.
    fn grow_thinking(
        &mut self,
        fields: &[(&str, &str)],
        shown: &str,
        deltas: &mut Deltas<'_>,
    ) -> Option<&mut Map<String, Value>> {
        let known = self.parts.iter().position(|part| matches!(part, Part::Thinking { .. }));
        let place = known.unwrap_or(self.parts.len());
        if known.is_none() {
            self.parts.push(Part::Thinking { text: String::new(), raw: Map::new() });
        }
        let Some(Part::Thinking { text, raw }) = self.parts.get_mut(place) else { return None };
        text.push_str(shown);
        deltas.thinking(place, shown);
        for (key, more) in fields {
            match raw.get_mut(*key) {
                Some(Value::String(known)) => known.push_str(more),
                _ => {
                    raw.insert((*key).to_owned(), (*more).into());
                }
            }
        }
        Some(raw)
    }

    /// Takes a snapshot: later counts replace earlier ones, except that a zero tells nothing.
    fn count(&mut self, usage: Option<&Value>) {
        let Some(usage) = usage.filter(|usage| usage.is_object()) else { return };
        let count = |path: &str| usage.pointer(path).and_then(json::number);
        let first = |paths: &[&str]| paths.iter().find_map(|path| count(path));
        let snapshot = [
            (&mut self.outline.usage.input_tokens, first(&["/prompt_tokens", "/input_tokens"])),
            (&mut self.outline.usage.output_tokens, first(&["/completion_tokens", "/output_tokens"])),
            (
                &mut self.outline.usage.reasoning_tokens,
                first(&["/completion_tokens_details/reasoning_tokens", "/output_tokens_details/reasoning_tokens"]),
            ),
            (
                &mut self.outline.usage.cache_read_tokens,
                first(&["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens"]),
            ),
            (
                &mut self.outline.usage.cache_write_tokens,
                first(&[
                    "/prompt_tokens_details/cache_write_tokens",
                    "/prompt_tokens_details/cache_creation_input_tokens",
                ]),
            ),
        ];
        for (known, told) in snapshot {
            *known = told.filter(|told| *told > 0 || known.is_none()).or(*known);
        }
    }
}

/// How an entry of `tool_calls` is taken, with the place of the block that it may open.
type TakeCall = for<'a> fn(&'a mut Calls, &Value, usize) -> Option<Grown<'a>>;

/// The fields of a message that are read elsewhere, or say nothing that goes back.
const KNOWN: &[&str] = &[
    "role",
    "content",
    "refusal",
    "tool_calls",
    "function_call",
    "annotations",
    "audio",
    "name",
    "usage",
    "finish_reason",
    "index",
];

/// The calls in a message or a delta, the one of the old `function_call` among them.
fn calls_of(message: &Value) -> impl Iterator<Item = Cow<'_, Value>> {
    let calls = match message.get("tool_calls") {
        Some(Value::Array(calls)) => calls.as_slice(),
        // One alone.
        Some(call @ Value::Object(_)) => std::slice::from_ref(call),
        _ => &[],
    };
    // Where both stand, they are the same.
    let legacy = message.get("function_call").filter(|call| call.is_object() && calls.is_empty());
    let legacy = legacy.map(|call| Cow::Owned(serde_json::json!({ "function": call })));
    calls.iter().filter(|call| call.is_object()).map(Cow::Borrowed).chain(legacy)
}

/// Adds a fragment of `reasoning_details`: it continues the last entry if that has the same type and index.
fn join_detail(known: &mut Vec<Value>, fragment: &Value) {
    let same = |last: &&mut Value| ["type", "index"].into_iter().all(|key| last.get(key) == fragment.get(key));
    match (known.last_mut().filter(same).and_then(Value::as_object_mut), fragment.as_object()) {
        (Some(last), Some(fields)) => {
            for (key, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
                match (last.get_mut(key), value) {
                    (Some(Value::String(known)), Value::String(more))
                        if matches!(key.as_str(), "text" | "summary" | "data") =>
                    {
                        known.push_str(more);
                    }
                    _ => {
                        last.insert(key.clone(), value.clone());
                    }
                }
            }
        }
        _ => known.push(fragment.clone()),
    }
}
