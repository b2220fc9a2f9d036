//! `tools`, `tool_choice` and `parallel_tool_calls`.

use super::{
    flag,
    place::{Place, bad_name, empty_array, parameter, told, unknown_value, wrong_type},
    sent,
};
use crate::{
    Fields,
    refusal::Refused,
    request::{Tools, is_tool_name, takes_command},
    tokens::{FRAME, weight},
};
use serde_json::Value;

pub(super) struct Offered {
    pub(super) tools: Tools,
    pub(super) weight: usize,
}

pub(super) fn read(fields: &Fields) -> Refused<Offered> {
    let mut offered = Offered { tools: Tools::default(), weight: 0 };
    match sent(fields, "tools") {
        None => {
            let asks = |name: &&str| sent(fields, name).is_some_and(|value| value.as_str() != Some("none"));
            return match ["tool_choice", "parallel_tool_calls"].into_iter().find(asks) {
                None => Ok(offered),
                Some(name) => {
                    let message = "Invalid value for '$': '$' is only allowed when 'tools' are specified.";
                    Err(parameter(name, None, message))
                }
            };
        }
        Some(Value::Array(list)) if list.is_empty() => return Err(empty_array("tools")),
        Some(Value::Array(list)) => {
            for (nth, tool) in list.iter().enumerate() {
                read_tool(Place { list: "tools", nth, inner: None }, tool, &mut offered.tools)?;
                offered.weight += FRAME + weight(&tool.to_string());
            }
        }
        Some(value) => return Err(wrong_type("tools", "an array of objects", value)),
    }
    choose(sent(fields, "tool_choice"), &mut offered.tools)?;
    if fields.contains_key("parallel_tool_calls") {
        offered.tools.one_at_a_time = !flag(fields, "parallel_tool_calls")?;
    }
    Ok(offered)
}

fn read_tool(place: Place, tool: &Value, tools: &mut Tools) -> Refused<()> {
    match tool.get("type") {
        Some(Value::String(kind)) if kind == "function" => {}
        Some(Value::String(kind)) if kind == "custom" => return Ok(()),
        Some(Value::String(kind)) => return Err(unknown_value(place, "type", kind, "'function' and 'custom'")),
        Some(value) => return Err(place.wrong_type("type", "a string", value)),
        None => return Err(place.missing("type")),
    }
    let Some(function) = tool.get("function") else { return Err(place.missing("function")) };
    let name = match function.get("name") {
        Some(Value::String(name)) => name,
        Some(value) => return Err(place.wrong_type("function.name", "a string", value)),
        None => return Err(place.missing("function.name")),
    };
    if !is_tool_name(name, 64) {
        return Err(bad_name(place));
    }
    let parameters = function.get("parameters");
    if parameters.is_some_and(|schema| schema.get("type").and_then(Value::as_str) != Some("object")) {
        let message =
            format!("Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"'.");
        return Err(place.told("function.parameters", Some("invalid_function_parameters"), message));
    }
    if tools.shell.is_none() && parameters.is_some_and(takes_command) {
        tools.shell = Some(name.clone());
    }
    tools.names.push(name.clone());
    Ok(())
}

fn choose(choice: Option<&Value>, tools: &mut Tools) -> Refused<()> {
    match choice {
        None => {}
        Some(Value::String(word)) => match word.as_str() {
            "auto" => {}
            "required" => tools.required = true,
            "none" => tools.shell = None,
            word => {
                let message = format!("Invalid value: '{word}'. Supported values are: 'none', 'auto', and 'required'.");
                return Err(told("tool_choice", Some("invalid_value"), message));
            }
        },
        Some(Value::Object(object)) => {
            let named = object.get("function").and_then(|function| function.get("name")).and_then(Value::as_str);
            if let Some(name) = named.filter(|name| !tools.names.iter().any(|known| known == name)) {
                let message = format!("Tool choice '{name}' not found in 'tools' parameter.");
                return Err(told("tool_choice", None, message));
            }
            tools.required = true;
        }
        Some(value) => return Err(wrong_type("tool_choice", "a string or an object", value)),
    }
    Ok(())
}
