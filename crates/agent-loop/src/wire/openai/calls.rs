//! The calls of an answer while they grow, and the question which call a fragment belongs to.
//!
//! The protocol says: to the one with its `index`. Servers leave the index out, count every call as 0, repeat ids and
//! names in each fragment, send empty ids, send no ids at all, or put the last brace under the next index. So: a new
//! id opens a call, and so does a whole second object; what has neither id nor name goes to the call that is open.

use serde_json::{Map, Value};

use crate::message::{CallKey, ToolCall};
use crate::wire::json::{self, text};

/// The calls, in the order in which they were opened.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Call>);

/// A call as far as it stands.
#[derive(Debug, Default)]
pub(super) struct Call {
    index: Option<u64>,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    extra: Map<String, Value>,
    /// Its block's place in the answer.
    pub(super) place: usize,
}

/// What a fragment did.
pub(super) struct Grown<'a> {
    /// The call it belongs to.
    pub(super) call: &'a Call,
    /// Whether the call was opened by it, or its name or id became known.
    pub(super) named: bool,
    /// What it added to the arguments.
    pub(super) arguments: String,
}

/// What an entry says, wherever it says it.
struct Told<'a> {
    index: Option<u64>,
    id: &'a str,
    name: &'a str,
    arguments: String,
}

/// The fields of a call that are read.
const KNOWN: &[&str] = &["index", "id", "type", "function", "name", "arguments", "call_id", "tool_call_id"];

impl<'a> Told<'a> {
    /// The name and the arguments belong into `function`, the id and the index beside it; some servers mix that up.
    fn of(entry: &'a Value) -> Told<'a> {
        let function = entry.get("function").filter(|function| function.is_object()).unwrap_or(&Value::Null);
        let first = |texts: &[(&'a Value, &str)]| {
            texts.iter().map(|(value, key)| text(value, key)).find(|told| !told.is_empty()).unwrap_or_default()
        };
        let arguments = function.get("arguments").or_else(|| entry.get("arguments"));
        Told {
            index: entry.get("index").or_else(|| function.get("index")).and_then(json::number),
            id: first(&[(entry, "id"), (function, "id"), (entry, "call_id"), (entry, "tool_call_id")]),
            name: first(&[(function, "name"), (entry, "name")]),
            arguments: match arguments {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Null) | None => String::new(),
                // llama.cpp and others send the object itself.
                Some(value) => json::written(value),
            },
        }
    }
}

impl Calls {
    /// Takes an entry of `tool_calls` in a delta. `place` is where a new call's block would stand.
    pub(super) fn take(&mut self, entry: &Value, place: usize) -> Option<Grown<'_>> {
        let told = Told::of(entry);
        match self.find(&told) {
            Some(at) => self.grown(at, told, entry),
            None => self.open(entry, place),
        }
    }

    /// Takes an entry that continues no other, as in a whole message.
    pub(super) fn open(&mut self, entry: &Value, place: usize) -> Option<Grown<'_>> {
        let told = Told::of(entry);
        self.0.push(Call { index: told.index, place, ..Call::default() });
        let grown = self.grown(self.0.len() - 1, told, entry)?;
        Some(Grown { named: true, ..grown })
    }

    fn grown(&mut self, at: usize, told: Told<'_>, entry: &Value) -> Option<Grown<'_>> {
        let Told { id, name, mut arguments, .. } = told;
        let call = self.0.get_mut(at)?;
        let mut named = false;
        for (field, told) in [(&mut call.id, id), (&mut call.name, name)] {
            if field.is_empty() && !told.is_empty() {
                told.clone_into(field);
                named = true;
            }
        }
        if !named && !name.is_empty() && arguments == call.arguments && is_whole(&arguments) {
            // The whole call once more.
            arguments.clear();
        }
        call.arguments.push_str(&arguments);
        let unknown = |key: &str| !KNOWN.contains(&key);
        call.extra.extend(told_fields(entry, unknown));
        let inside: Map<String, Value> = told_fields(entry.get("function").unwrap_or(&Value::Null), unknown).collect();
        if !inside.is_empty() {
            call.extra.insert("function".to_owned(), inside.into());
        }
        Some(Grown { call, named, arguments })
    }

    /// Takes a fragment of arguments alone; gives the place of the block it went to. `None`: there is no such call.
    pub(super) fn grow(&mut self, index: u64, json: &str) -> Option<usize> {
        let call = self.0.iter_mut().rev().find(|call| call.index == Some(index))?;
        call.arguments.push_str(json);
        Some(call.place)
    }

    /// The call whose block stands there, and its number among the calls.
    pub(super) fn at(&self, place: usize) -> Option<ToolCall> {
        let (number, call) = self.0.iter().enumerate().find(|(_, call)| call.place == place)?;
        Some(ToolCall {
            key: CallKey { fact: 0, index: number },
            id: call.id.clone(),
            name: call.name.clone(),
            arguments: if call.arguments.trim().is_empty() { "{}".to_owned() } else { call.arguments.clone() },
            extra: (!call.extra.is_empty()).then(|| call.extra.clone().into()),
            original_arguments: None,
        })
    }

    /// The call that a fragment continues. `None`: it opens another.
    fn find(&self, told: &Told<'_>) -> Option<usize> {
        let Told { index, id, name, arguments } = told;
        let (index, id, name) = (*index, *id, *name);
        let by_index = || index.and_then(|index| self.0.iter().rposition(|call| call.index == Some(index)));
        let by_id =
            || Some(id).filter(|id| !id.is_empty()).and_then(|id| self.0.iter().rposition(|call| call.id == id));
        let open = self.0.len().checked_sub(1);
        let at = match (by_index(), by_id()) {
            (Some(at), None) => at,
            // The same id under two indexes is one call only if nothing opens a second.
            (None, Some(at)) if index.is_none() || name.is_empty() => at,
            (None, Some(_)) => return None,
            // Under a used index, an older call's id may come back.
            (Some(_), Some(at)) if self.0.get(at)?.index == index => at,
            (Some(_), Some(_)) => return None,
            (None, None) if id.is_empty() && (name.is_empty() || index.is_none()) => open?,
            (None, None) => return None,
        };
        let call = self.0.get(at)?;
        let another_id = !id.is_empty() && !call.id.is_empty() && call.id != id;
        // Without an id, or with one that serves for all, a second object tells that a second call begins.
        let another_name = !call.name.is_empty() && call.name != name;
        let once_more = !id.is_empty() && *arguments == call.arguments;
        let second_object = !name.is_empty()
            && !once_more
            && (another_name || arguments.trim_start().starts_with('{'))
            && is_whole(&call.arguments);
        (!another_id && !second_object).then_some(at)
    }
}

fn is_whole(arguments: &str) -> bool {
    arguments.trim_end().ends_with('}') && serde_json::from_str::<Map<String, Value>>(arguments).is_ok()
}

fn told_fields(value: &Value, wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = (String, Value)> {
    let fields = value.as_object().into_iter().flatten();
    fields.filter(move |(key, value)| wanted(key) && !value.is_null()).map(|(key, value)| (key.clone(), value.clone()))
}
