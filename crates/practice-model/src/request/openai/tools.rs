//! `tools`, `tool_choice` and `parallel_tool_calls`.

use super::{empty_array, flag, missing, wrong_type};
use crate::{
    Fields,
    refusal::Refusal,
    request::{Tools, is_tool_name, takes_command},
    tokens::{FRAME, weight},
};
use serde_json::Value;

pub(super) struct Offered {
    pub(super) tools: Tools,
    pub(super) weight: usize,
}

pub(super) fn read(fields: &Fields) -> Result<Offered, Refusal> {
    let mut offered = Offered { tools: Tools::default(), weight: 0 };
    match fields.get("tools") {
        None | Some(Value::Null) => {
            if let Some(name) = ["tool_choice", "parallel_tool_calls"].into_iter().find(|name| {
                !matches!(fields.get(*name), None | Some(Value::Null))
                    && fields.get(*name).and_then(Value::as_str) != Some("none")
            }) {
                return Err(Refusal::parameter(
                    name,
                    None,
                    format!("Invalid value for '{name}': '{name}' is only allowed when 'tools' are specified."),
                ));
            }
            return Ok(offered);
        }
        Some(Value::Array(list)) if list.is_empty() => return Err(empty_array("tools")),
        Some(Value::Array(list)) => {
            for (nth, tool) in list.iter().enumerate() {
                read_tool(nth, tool, &mut offered.tools)?;
                offered.weight += FRAME + weight(&tool.to_string());
            }
        }
        Some(value) => return Err(wrong_type("tools", "an array of objects", value)),
    }
    choose(fields.get("tool_choice"), &mut offered.tools)?;
    if fields.contains_key("parallel_tool_calls") {
        offered.tools.one_at_a_time = !flag(fields, "parallel_tool_calls")?;
    }
    Ok(offered)
}

fn read_tool(nth: usize, tool: &Value, tools: &mut Tools) -> Result<(), Refusal> {
    let path = format!("tools[{nth}]");
    match tool.get("type") {
        Some(Value::String(kind)) if kind == "function" => {}
        Some(Value::String(kind)) if kind == "custom" => return Ok(()),
        Some(Value::String(kind)) => {
            return Err(Refusal::parameter(
                format!("{path}.type"),
                Some("invalid_value"),
                format!("Invalid value: '{kind}'. Supported values are: 'function' and 'custom'."),
            ));
        }
        Some(value) => return Err(wrong_type(format!("{path}.type"), "a string", value)),
        None => return Err(missing(format!("{path}.type"))),
    }
    let Some(function) = tool.get("function") else { return Err(missing(format!("{path}.function"))) };
    let name = match function.get("name") {
        Some(Value::String(name)) => name,
        Some(value) => return Err(wrong_type(format!("{path}.function.name"), "a string", value)),
        None => return Err(missing(format!("{path}.function.name"))),
    };
    if !is_tool_name(name, 64) {
        return Err(Refusal::parameter(
            format!("{path}.function.name"),
            Some("invalid_value"),
            format!(
                "Invalid '{path}.function.name': string does not match pattern. Expected a string that matches the \
                 pattern '^[a-zA-Z0-9_-]+$', at most 64 characters long."
            ),
        ));
    }
    if let Some(schema) = function.get("parameters")
        && schema.get("type").and_then(Value::as_str) != Some("object")
    {
        return Err(Refusal::parameter(
            format!("{path}.function.parameters"),
            Some("invalid_function_parameters"),
            format!("Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"'."),
        ));
    }
    if tools.shell.is_none() && function.get("parameters").is_some_and(takes_command) {
        tools.shell = Some(name.clone());
    }
    tools.names.push(name.clone());
    Ok(())
}

fn choose(choice: Option<&Value>, tools: &mut Tools) -> Result<(), Refusal> {
    match choice {
        None | Some(Value::Null) => Ok(()),
        Some(Value::String(word)) => match word.as_str() {
            "auto" => Ok(()),
            "required" => {
                tools.required = true;
                Ok(())
            }
            "none" => {
                tools.shell = None;
                Ok(())
            }
            word => Err(Refusal::parameter(
                "tool_choice",
                Some("invalid_value"),
                format!("Invalid value: '{word}'. Supported values are: 'none', 'auto', and 'required'."),
            )),
        },
        Some(Value::Object(object)) => {
            let named = object.get("function").and_then(|function| function.get("name")).and_then(Value::as_str);
            match named {
                Some(name) if !tools.names.iter().any(|known| known == name) => Err(Refusal::parameter(
                    "tool_choice",
                    None,
                    format!("Tool choice '{name}' not found in 'tools' parameter."),
                )),
                _ => {
                    tools.required = true;
                    Ok(())
                }
            }
        }
        Some(value) => Err(wrong_type("tool_choice", "a string or an object", value)),
    }
}
