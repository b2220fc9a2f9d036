//! `tools` and `tool_choice`.

use super::{DICTIONARY, LIST, Place, REQUIRED, STRING, wrong};
use crate::{
    refusal::Refused,
    request::{Tools, is_tool_name, takes_command},
    tokens::{FRAME, weight},
};
use serde_json::Value;

pub(super) struct Offered {
    pub(super) tools: Tools,
    pub(super) weight: usize,
}

pub(super) fn read(offered: Option<&Value>, choice: Option<&Value>) -> Refused<Offered> {
    let mut tools = Tools::default();
    let mut total = 0;
    match offered {
        None => {}
        Some(Value::Array(list)) => {
            for (nth, tool) in list.iter().enumerate() {
                let name = read_tool(Place { list: "tools", nth, block: None }, tool)?;
                if tools.names.iter().any(|known| known == name) {
                    return Err(wrong("tools", "Tool names must be unique."));
                }
                if tools.shell.is_none() && runs_commands(tool) {
                    tools.shell = Some(name.to_owned());
                }
                tools.names.push(name.to_owned());
                total += FRAME + weight(&tool.to_string());
            }
        }
        Some(_) => return Err(wrong("tools", LIST)),
    }
    if let Some(choice) = choice {
        choose(choice, &mut tools)?;
    }
    Ok(Offered { tools, weight: total })
}

fn read_tool(place: Place, tool: &Value) -> Refused<&str> {
    if !tool.is_object() {
        return Err(place.wrong("", DICTIONARY));
    }
    let custom = match tool.get("type") {
        None => true,
        Some(Value::String(kind)) => kind == "custom",
        Some(_) => return Err(place.wrong("type", STRING)),
    };
    let Some(name) = tool.get("name").and_then(Value::as_str) else {
        return Err(place.wrong("custom.name", REQUIRED));
    };
    if !is_tool_name(name, 128) {
        return Err(place.wrong("custom.name", "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"));
    }
    if custom {
        match tool.get("input_schema") {
            None => return Err(place.wrong("custom.input_schema", REQUIRED)),
            Some(schema) if schema.get("type").and_then(Value::as_str) != Some("object") => {
                return Err(place.wrong("custom.input_schema.type", "Input should be 'object'"));
            }
            Some(_) => {}
        }
    }
    Ok(name)
}

/// A custom tool says so in its schema; of the service's own, `bash_20250124` and its kin take a `command`.
fn runs_commands(tool: &Value) -> bool {
    tool.get("input_schema").is_some_and(takes_command)
        || tool.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("bash_"))
}

fn choose(choice: &Value, tools: &mut Tools) -> Refused<()> {
    let kind = choice.get("type").and_then(Value::as_str).unwrap_or_default();
    match kind {
        "none" => tools.shell = None,
        "auto" | "any" | "tool" if tools.names.is_empty() => {
            return Err(wrong("tool_choice", "tool_choice may only be specified while providing tools."));
        }
        "auto" => {}
        "any" => tools.required = true,
        "tool" => {
            let name = choice.get("name").and_then(Value::as_str).unwrap_or_default();
            if !tools.names.iter().any(|known| known == name) {
                return Err(wrong("tool_choice", &format!("Tool '{name}' not found in provided tools")));
            }
            tools.required = true;
        }
        _ => {
            return Err(wrong(
                "tool_choice",
                "Input tag found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'",
            ));
        }
    }
    tools.one_at_a_time = choice.get("disable_parallel_tool_use") == Some(&Value::Bool(true));
    Ok(())
}
