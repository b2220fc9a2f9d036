//! Messages: events and fields as in the client `anthropic` 2.14.

use super::Turn;
use crate::{
    json_text::{fill, quoted},
    pacing::{Event, EventKind, pieces},
    reply::{Block, Stop},
    script,
};

pub(super) fn whole(turn: &Turn<'_>) -> String {
    let blocks: Vec<String> = turn
        .reply
        .blocks
        .iter()
        .enumerate()
        .map(|(nth, block)| {
            let content = match block {
                Block::Text(text) | Block::Refusal(text) => quoted(text),
                // Arguments that are no JSON cannot be told in a whole answer.
                Block::Call { arguments, .. } if is_json(arguments) => arguments.clone(),
                Block::Call { .. } | Block::ServerSearchResult { .. } => "{}".to_owned(),
                Block::ServerSearch { query } => fill(SEARCH_INPUT, &[&quoted(query)]),
            };
            block_json(turn, nth, block, &content)
        })
        .collect();
    message(turn, &blocks.join(","), &ended(&turn.reply.stop), turn.output_tokens)
}

pub(super) fn events(turn: &Turn<'_>) -> Vec<Event> {
    let running = r#""stop_reason":null,"stop_sequence":null,"stop_details":null"#;
    let start = fill(r#"{"type":"message_start","message":$}"#, &[&message(turn, "", running, 1)]);
    let mut events = vec![event(EventKind::Frame, "message_start", start)];
    for (index, block) in turn.reply.blocks.iter().enumerate() {
        let at = index.to_string();
        let empty = if matches!(block, Block::Text(_) | Block::Refusal(_)) { "\"\"" } else { "{}" };
        let opened = [at.as_str(), &block_json(turn, index, block, empty)];
        let start = fill(r#"{"type":"content_block_start","index":$,"content_block":$}"#, &opened);
        events.push(event(EventKind::Frame, "content_block_start", start));
        // The service pings after the first block has opened, and again wherever it likes.
        if index == 0 || matches!(block, Block::Call { .. }) {
            events.push(event(EventKind::Frame, "ping", r#"{"type":"ping"}"#.to_owned()));
        }
        let (kind, field, content) = match block {
            Block::Text(text) | Block::Refusal(text) => ("text_delta", "text", text.clone()),
            Block::Call { arguments, .. } => ("input_json_delta", "partial_json", arguments.clone()),
            Block::ServerSearch { query } => {
                ("input_json_delta", "partial_json", fill(SEARCH_INPUT, &[&quoted(query)]))
            }
            Block::ServerSearchResult { .. } => ("", "", String::new()),
        };
        let mut delta = |event_kind, piece: &str| {
            let template = r#"{"type":"content_block_delta","index":$,"delta":{"type":"$","$":$}}"#;
            let text = fill(template, &[&at, kind, field, &quoted(piece)]);
            events.push(event(event_kind, "content_block_delta", text));
        };
        // The first fragment of arguments is empty.
        if matches!(block, Block::Call { .. }) {
            delta(EventKind::Frame, "");
        }
        for piece in pieces(&content, &turn.request.ids) {
            delta(EventKind::Delta, piece);
        }
        let stop = fill(r#"{"type":"content_block_stop","index":$}"#, &[&at]);
        events.push(event(EventKind::Frame, "content_block_stop", stop));
    }
    let parts = [ended(&turn.reply.stop), usage(turn, turn.output_tokens)];
    let template = r#"{"type":"message_delta","delta":{$},"usage":$}"#;
    events.push(event(EventKind::Frame, "message_delta", fill(template, &parts.each_ref().map(String::as_str))));
    events.push(event(EventKind::Frame, "message_stop", r#"{"type":"message_stop"}"#.to_owned()));
    events
}

pub(super) fn models() -> String {
    let template =
        r#"{"type":"model","id":"$","display_name":$,"created_at":"1970-01-01T00:00:00Z","lifecycle":"active"}"#;
    let scenarios = script::scenarios();
    let data: Vec<String> =
        scenarios.iter().map(|scenario| fill(template, &[scenario.id, &quoted(scenario.title.en)])).collect();
    let id = |of: Option<&script::Scenario>| of.map_or("null".to_owned(), |scenario| quoted(scenario.id));
    let (first, last) = (id(scenarios.first()), id(scenarios.last()));
    fill(r#"{"data":[$],"has_more":false,"first_id":$,"last_id":$}"#, &[&data.join(","), &first, &last])
}

pub(super) fn event(kind: EventKind, name: &str, data: String) -> Event {
    Event { kind, text: format!("event: {name}\ndata: {data}\n\n") }
}

const SEARCH_INPUT: &str = r#"{"query":$}"#;

/// `content` is the inside of a list, `ended` of an object.
fn message(turn: &Turn<'_>, content: &str, ended: &str, output_tokens: usize) -> String {
    let template = r#"{"id":"$","type":"message","role":"assistant","model":$,"content":[$],$,"usage":$}"#;
    let id = turn.request.ids.message(turn.request.service);
    fill(template, &[&id, &quoted(turn.model), content, ended, &usage(turn, output_tokens)])
}

fn usage(turn: &Turn<'_>, output_tokens: usize) -> String {
    let template =
        r#"{"input_tokens":$,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":$}"#;
    fill(template, &[&turn.request.input_tokens.to_string(), &output_tokens.to_string()])
}

fn ended(stop: &Stop) -> String {
    let null = || "null".to_owned();
    let (reason, sequence, details) = match stop {
        Stop::EndTurn | Stop::ContentFilter => ("end_turn", null(), null()),
        Stop::ToolUse => ("tool_use", null(), null()),
        Stop::MaxTokens => ("max_tokens", null(), null()),
        Stop::Sequence(sequence) => ("stop_sequence", quoted(sequence), null()),
        Stop::PauseTurn => ("pause_turn", null(), null()),
        Stop::Refusal(why) => {
            let template = r#"{"type":"refusal","category":"general_harms","explanation":$}"#;
            ("refusal", null(), fill(template, &[&quoted(why)]))
        }
        Stop::ContextWindow => ("model_context_window_exceeded", null(), null()),
    };
    fill(r#""stop_reason":"$","stop_sequence":$,"stop_details":$"#, &[reason, &sequence, &details])
}

/// A block with this text or input, as JSON.
fn block_json(turn: &Turn<'_>, nth: usize, block: &Block, content: &str) -> String {
    match block {
        Block::Text(_) | Block::Refusal(_) => fill(r#"{"type":"text","text":$}"#, &[content]),
        Block::Call { name, .. } => {
            let id = turn.request.ids.call("toolu_01", nth);
            fill(r#"{"type":"tool_use","id":"$","name":$,"input":$}"#, &[&id, &quoted(name), content])
        }
        Block::ServerSearch { .. } => {
            let id = turn.request.ids.call("srvtoolu_01", nth);
            fill(r#"{"type":"server_tool_use","id":"$","name":"web_search","input":$}"#, &[&id, content])
        }
        Block::ServerSearchResult { tool_use_id } => {
            fill(r#"{"type":"web_search_tool_result","tool_use_id":$,"content":[]}"#, &[&quoted(tool_use_id)])
        }
    }
}

fn is_json(arguments: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(arguments).is_ok()
}
