//! `tools` and `tool_choice`.

use crate::{
    refusal::Refusal,
    request::{Tools, is_tool_name, takes_command},
    tokens::{FRAME, weight},
};
use serde_json::Value;

pub(super) struct Offered {
    pub(super) tools: Tools,
    pub(super) weight: usize,
}

pub(super) fn read(offered: Option<&Value>, choice: Option<&Value>) -> Result<Offered, Refusal> {
    let mut tools = Tools::default();
    let mut total = 0;
    match offered {
        None => {}
        Some(Value::Array(list)) => {
            for (nth, tool) in list.iter().enumerate() {
                let name = read_tool(nth, tool)?;
                if tools.names.iter().any(|known| known == name) {
                    return Err(Refusal::invalid("tools: Tool names must be unique."));
                }
                if tools.shell.is_none() && runs_commands(tool) {
                    tools.shell = Some(name.to_owned());
                }
                tools.names.push(name.to_owned());
                total += FRAME + weight(&tool.to_string());
            }
        }
        Some(_) => return Err(Refusal::invalid("tools: Input should be a valid list")),
    }
    if let Some(choice) = choice {
        choose(choice, &mut tools)?;
    }
    Ok(Offered { tools, weight: total })
}

fn read_tool(nth: usize, tool: &Value) -> Result<&str, Refusal> {
    let Some(fields) = tool.as_object() else {
        return Err(Refusal::invalid(format!("tools.{nth}: Input should be a valid dictionary")));
    };
    let custom = match fields.get("type") {
        None => true,
        Some(Value::String(kind)) => kind == "custom",
        Some(_) => return Err(Refusal::invalid(format!("tools.{nth}.type: Input should be a valid string"))),
    };
    let Some(name) = fields.get("name").and_then(Value::as_str) else {
        return Err(Refusal::invalid(format!("tools.{nth}.custom.name: Field required")));
    };
    if !is_tool_name(name, 128) {
        return Err(Refusal::invalid(format!(
            "tools.{nth}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
        )));
    }
    if custom {
        let Some(schema) = fields.get("input_schema") else {
            return Err(Refusal::invalid(format!("tools.{nth}.custom.input_schema: Field required")));
        };
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(Refusal::invalid(format!("tools.{nth}.custom.input_schema.type: Input should be 'object'")));
        }
    }
    Ok(name)
}

/// A custom tool says so in its schema; of the service's own, `bash_20250124` and its kin take a `command`.
fn runs_commands(tool: &Value) -> bool {
    tool.get("input_schema").is_some_and(takes_command)
        || tool.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("bash_"))
}

fn choose(choice: &Value, tools: &mut Tools) -> Result<(), Refusal> {
    match choice.get("type").and_then(Value::as_str) {
        Some("none") => tools.shell = None,
        Some("auto" | "any" | "tool") if tools.names.is_empty() => {
            return Err(Refusal::invalid("tool_choice: tool_choice may only be specified while providing tools."));
        }
        Some("auto") => {}
        Some("any") => tools.required = true,
        Some("tool") => {
            let name = choice.get("name").and_then(Value::as_str).unwrap_or_default();
            if !tools.names.iter().any(|known| known == name) {
                return Err(Refusal::invalid(format!("tool_choice: Tool '{name}' not found in provided tools")));
            }
            tools.required = true;
        }
        _ => {
            return Err(Refusal::invalid(
                "tool_choice: Input tag found using 'type' does not match any of the expected tags: 'auto', 'any', \
                 'tool', 'none'",
            ));
        }
    }
    tools.one_at_a_time = choice.get("disable_parallel_tool_use") == Some(&Value::Bool(true));
    Ok(())
}
