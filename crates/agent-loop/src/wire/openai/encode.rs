//! Writes the head of a request, its messages and its tail.

use serde_json::{Map, Value, json};

use crate::message::{Block, Message, Role, ToolCall};
use crate::settings::{EmptyContent, Settings, SystemPlace, TokenLimitName};
use crate::tool::ToolSpec;
use crate::wire::form::{Form, Place};
use crate::wire::ids::{CallIds, id_of_result, legal_name};
use crate::wire::json::{object_text, push_quoted, written};
use crate::wire::sent::{is_blank, is_own, is_sent, stop_sequences, streams, token_limit};

/// The body up to the `[` of `messages`, and the system message, which is sent first and stored nowhere.
pub(crate) fn head(settings: &Settings, system: &str) -> String {
    let mut head = String::from("{\"model\":");
    push_quoted(&mut head, &settings.model);
    head.push_str(",\"messages\":[");
    if !is_blank(system) {
        let (before, after) = match settings.profile.system_place {
            SystemPlace::System => ("{\"role\":\"system\",\"content\":", "},"),
            SystemPlace::FirstExchange => {
                ("{\"role\":\"user\",\"content\":", "},{\"role\":\"assistant\",\"content\":\"Understood.\"},")
            }
        };
        head.push_str(before);
        push_quoted(&mut head, system);
        head.push_str(after);
    }
    head
}

/// The body from the `]` of `messages`.
pub(crate) fn tail(settings: &Settings, tools: &[&ToolSpec]) -> String {
    let mut tail = String::from("]");
    if !tools.is_empty() {
        let tools = tools.iter().map(|tool| {
            let function =
                json!({ "name": legal_name(&tool.name), "description": tool.description, "parameters": tool.input_schema });
            json!({ "type": "function", "function": function })
        });
        tail.push_str(",\"tools\":");
        tail.push_str(&Value::Array(tools.collect()).to_string());
    }
    let name = match settings.profile.token_limit {
        TokenLimitName::MaxTokens => Some(",\"max_tokens\":"),
        TokenLimitName::MaxCompletionTokens => Some(",\"max_completion_tokens\":"),
        TokenLimitName::Omitted => None,
    };
    if let (Some(limit), Some(name)) = (token_limit(settings), name) {
        tail.push_str(name);
        tail.push_str(&limit.to_string());
    }
    let stop_sequences = stop_sequences(settings);
    if !stop_sequences.is_empty() {
        tail.push_str(",\"stop\":");
        tail.push_str(&json!(stop_sequences).to_string());
    }
    if streams(settings) {
        tail.push_str(",\"stream\":true");
        if settings.profile.stream_usage {
            tail.push_str(",\"stream_options\":{\"include_usage\":true}");
        }
    }
    tail.push('}');
    tail
}

/// One message: a row of the array, or one for each result it holds and one for its words. `ids` are those of the
/// calls it makes or answers.
pub(crate) fn message(message: &Message, form: &Form, ids: &CallIds<'_>) -> String {
    let texts: Vec<&str> = message
        .blocks
        .iter()
        .filter(|block| is_sent(block, message, form))
        .filter_map(|block| if let Block::Text { text } = block { Some(&**text) } else { None })
        .collect();
    let mut words = texts.join("\n");
    if message.role == Role::User {
        let mut rows: Vec<String> = message
            .tool_results()
            .enumerate()
            .map(|(nth, result)| {
                let mut row = String::from("{\"role\":\"tool\",\"tool_call_id\":");
                push_quoted(&mut row, id_of_result(ids, nth, result.call));
                row.push_str(",\"content\":");
                push_quoted(&mut row, if is_blank(&result.content) { "(no output)" } else { &result.content });
                row.push('}');
                row
            })
            .collect();
        if !words.is_empty() {
            let mut row = String::from("{\"role\":\"user\",\"content\":");
            push_quoted(&mut row, &words);
            row.push('}');
            rows.push(row);
        }
        return rows.join(",");
    }

    if form.place == Place::Last {
        words.truncate(words.trim_end().len());
    }
    let calls: Vec<&ToolCall> = message.tool_calls().collect();
    let mut out = String::from("{\"role\":\"assistant\"");
    match form.profile.empty_content {
        _ if !words.is_empty() => {
            out.push_str(",\"content\":");
            push_quoted(&mut out, &words);
        }
        EmptyContent::Null => out.push_str(",\"content\":null"),
        EmptyContent::EmptyString => out.push_str(",\"content\":\"\""),
        EmptyContent::Omitted => {}
    }
    let mut fields = Map::new();
    for block in message.blocks.iter().filter(|block| is_sent(block, message, form)) {
        if let Block::Thinking { raw: Value::Object(raw), .. } | Block::Opaque { raw: Value::Object(raw) } = block {
            fields.extend(raw.clone());
            fields.retain(|key, _| !matches!(key.as_str(), "role" | "content" | "tool_calls"));
        }
    }
    if form.profile.echo_reasoning {
        fields.entry("reasoning_content").or_insert_with(|| "".into());
    }
    push_fields(&mut out, &fields);
    if !calls.is_empty() {
        out.push_str(",\"tool_calls\":[");
        for (nth, call) in calls.into_iter().enumerate() {
            if nth > 0 {
                out.push(',');
            }
            let mut extra = match &call.extra {
                Some(Value::Object(extra)) if is_own(message, form) => extra.clone(),
                _ => Map::new(),
            };
            out.push_str("{\"id\":");
            push_quoted(&mut out, ids.get(nth).map_or("unknown", |(_, id)| id));
            out.push_str(",\"type\":\"function\",\"function\":{\"name\":");
            push_quoted(&mut out, &legal_name(&call.name));
            out.push_str(",\"arguments\":");
            push_quoted(&mut out, &object_text(&call.arguments));
            if let Some(Value::Object(inside)) = extra.shift_remove("function") {
                push_fields(&mut out, &inside);
            }
            out.push('}');
            push_fields(&mut out, &extra);
            out.push('}');
        }
        out.push(']');
    }
    out.push('}');
    out
}

fn push_fields(out: &mut String, fields: &Map<String, Value>) {
    for (key, value) in fields {
        out.push(',');
        push_quoted(out, key);
        out.push(':');
        out.push_str(&written(value));
    }
}
