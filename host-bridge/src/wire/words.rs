//! A decoded turn in words, for a terminal.

use std::fmt::Write;

use agent_loop::capture::{Turn, stop_name};
use agent_loop::wire::written_json;
use serde_json::Value;

/// For a terminal: control characters are shown as signs, so that a capture cannot speak to the terminal.
pub(super) fn words(turn: &Turn) -> String {
    let mut told = String::new();
    for block in &turn.content {
        let part = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
        let _ = match part("type") {
            "text" => writeln!(told, "{}\n", part("text").trim_end()),
            "thinking" => writeln!(told, "(thinking) {}\n", part("thinking").trim_end()),
            "tool_use" => match block.get("input") {
                Some(input) => writeln!(told, "call {}: {} {}\n", part("id"), part("name"), written_json(input)),
                None => writeln!(
                    told,
                    "call {}: {}, with unusable arguments ({}): {}\n",
                    part("id"),
                    part("name"),
                    part("input_error"),
                    part("arguments"),
                ),
            },
            _ => writeln!(told, "(kept as it came) {}\n", written_json(block)),
        };
    }
    let count = |tokens: Option<u64>| tokens.map_or("?".to_owned(), |tokens| tokens.to_string());
    let _ = match turn.stop_reason.as_ref().map(stop_name) {
        Some(reason) => writeln!(
            told,
            "complete: {}; tokens: {} in, {} out",
            if reason.is_empty() { "no reason told" } else { reason },
            count(turn.usage.input_tokens),
            count(turn.usage.output_tokens),
        ),
        None => writeln!(told, "not complete"),
    };
    if let Some(details) = &turn.stop_details {
        let _ = writeln!(told, "details: {}", written_json(details));
    }
    for warning in &turn.suspicions {
        let _ = writeln!(told, "warning: {warning}");
    }
    if turn.error.is_some() {
        let error = turn.error_json();
        let part = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default();
        let _ = writeln!(told, "error: {}: {}", part("kind"), part("message"));
    }
    told.chars().map(as_sign).collect()
}

fn as_sign(character: char) -> char {
    match character {
        '\n' | '\t' => character,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        // C1 controls, and the marks that turn the direction of writing.
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        other => other,
    }
}
