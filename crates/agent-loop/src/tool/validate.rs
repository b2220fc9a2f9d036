//! The second layer: are the arguments what the tool's schema asks for? Never starts a process.
//!
//! Knows the part of JSON Schema that tools use: `type`, `properties`, `required`, `enum`, `items`,
//! `additionalProperties: false`, `minLength`. What it does not know it lets pass; the host checks again.

use serde_json::{Map, Value};

use crate::tool::ToolSpec;

/// Arguments that fit their tool's schema. Made only by [`validate`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// The object itself.
    pub fn as_object(&self) -> &Map<String, Value> {
        &self.0
    }

    /// A text argument.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// The shell command, for tools that take one.
    pub fn command(&self) -> Option<&str> {
        self.text("command")
    }

    /// Whether the command is to go on in the background.
    pub fn is_background(&self) -> bool {
        self.0.get(BACKGROUND) == Some(&Value::Bool(true))
    }
}

/// Why arguments do not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValidateFault {
    /// No tool has this name.
    UnknownTool(String),
    /// They are not an object; the kind they are of instead.
    NotAnObject(&'static str),
    /// A required field is not there, or is `null` where the schema has no null; or the command is empty.
    Missing(String),
    /// A field is of the wrong kind: its path, what it should be, what it is.
    WrongKind {
        /// Where.
        field: String,
        /// What the schema asks for.
        expected: String,
        /// What came.
        found: &'static str,
    },
    /// A field that the schema does not allow.
    Unexpected(String),
    /// The command is to go on in the background, and this tool has no such thing: to run it as any other would keep the
    /// model waiting for an end that it does not expect.
    NoBackground,
}

/// The argument by which a command is to go on in the background.
const BACKGROUND: &str = "background";

/// Finds the tool and checks the arguments against its schema.
pub fn validate<'a>(
    name: &str,
    arguments: Value,
    tools: &[&'a ToolSpec],
) -> Result<(&'a ToolSpec, Arguments), ValidateFault> {
    let spec =
        tools.iter().find(|tool| tool.name == name).ok_or_else(|| ValidateFault::UnknownTool(name.to_owned()))?;
    let object = match arguments {
        Value::Object(object) => object,
        other => return Err(ValidateFault::NotAnObject(kind(&other))),
    };
    check_object(&object, &spec.input_schema, "")?;
    Ok((spec, Arguments(object)))
}

fn check_object(object: &Map<String, Value>, schema: &Value, path: &str) -> Result<(), ValidateFault> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    for name in required {
        let may_be_null = || {
            let schema = properties.and_then(|known| known.get(name));
            schema.is_none_or(|schema| check_value(&Value::Null, schema, "").is_ok())
        };
        let is_missing = match object.get(name) {
            None => true,
            Some(Value::Null) => !may_be_null(),
            // The lessons' rule. Any other text may be empty: the content of a file, for one.
            Some(Value::String(text)) => text.is_empty() && path.is_empty() && name == "command",
            Some(_) => false,
        };
        if is_missing {
            return Err(ValidateFault::Missing(join(path, name)));
        }
    }
    for (name, value) in object {
        match properties.and_then(|known| known.get(name)) {
            Some(schema) => check_value(value, schema, &join(path, name))?,
            None if schema.get("additionalProperties") == Some(&Value::Bool(false)) => {
                return Err(ValidateFault::Unexpected(join(path, name)));
            }
            None if path.is_empty() && name == BACKGROUND && *value != Value::Bool(false) => {
                return Err(ValidateFault::NoBackground);
            }
            None => {}
        }
    }
    Ok(())
}

fn check_value(value: &Value, schema: &Value, path: &str) -> Result<(), ValidateFault> {
    let wrong = |expected: String| ValidateFault::WrongKind { field: path.to_owned(), expected, found: kind(value) };
    let expected: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    // JSON Schema counts 3.0 among the integers.
    let is_integer = || value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0);
    let fits = |expected: &&str| *expected == kind(value) || (*expected == "integer" && is_integer());
    if !expected.is_empty() && !expected.iter().any(fits) {
        return Err(wrong(expected.join(" or ")));
    }
    if let Some(choices) = schema.get("enum").and_then(Value::as_array)
        && !choices.contains(value)
    {
        return Err(wrong(format!("one of {}", Value::Array(choices.clone()))));
    }
    if let (Value::String(text), Some(least)) = (value, schema.get("minLength").and_then(Value::as_u64))
        && (text.chars().count() as u64) < least
    {
        let expected = format!("a string of at least {least} characters");
        return Err(ValidateFault::WrongKind { field: path.to_owned(), expected, found: "a shorter one" });
    }
    match value {
        Value::Object(object) => check_object(object, schema, path),
        Value::Array(items) => match schema.get("items") {
            Some(of) => {
                items.iter().enumerate().try_for_each(|(n, item)| check_value(item, of, &format!("{path}[{n}]")))
            }
            None => Ok(()),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// JSON Schema's name for what a value is.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{ValidateFault, validate};
    use crate::tool::ToolSpec;

    #[track_caller]
    fn check(name: &str, arguments: Value, expected: Result<&str, ValidateFault>) {
        let schema = json!({
            "type": "object",
            "properties": {
                "command": {"type": "string"},
                "count": {"type": "integer"},
                "mode": {"enum": ["a", "b"]},
                "list": {"type": "array", "items": {"type": "string"}},
                "note": {"type": ["string", "null"], "minLength": 2},
                "inner": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
            },
            "required": ["command"],
            "additionalProperties": false,
        });
        let tools = [ToolSpec { name: "bash".into(), description: String::new(), input_schema: schema }];
        let found =
            validate(name, arguments, &[&tools[0]]).map(|(_, fit)| fit.command().unwrap_or_default().to_owned());
        assert_eq!(found, expected.map(str::to_owned));
    }

    #[test]
    fn arguments_are_what_the_schema_asks_for_or_the_fault_names_the_field() {
        let wrong = |field: &str, expected: &str, found| {
            Err(ValidateFault::WrongKind { field: field.into(), expected: expected.into(), found })
        };
        check("bash", json!({"command": "ls", "count": 3, "mode": "a", "list": ["x"]}), Ok("ls"));
        check("zsh", json!({"command": "ls"}), Err(ValidateFault::UnknownTool("zsh".into())));
        check("bash", json!([]), Err(ValidateFault::NotAnObject("array")));
        check("bash", json!(null), Err(ValidateFault::NotAnObject("null")));
        check("bash", json!({}), Err(ValidateFault::Missing("command".into())));
        check("bash", json!({"command": ""}), Err(ValidateFault::Missing("command".into())));
        check("bash", json!({"command": null}), Err(ValidateFault::Missing("command".into())));
        check("bash", json!({"command": "x", "inner": {"command": ""}}), Ok("x"));
        check("bash", json!({"command": "x", "inner": {}}), Err(ValidateFault::Missing("inner.command".into())));
        check("bash", json!({"command": "x", "note": null, "count": 3.0}), Ok("x"));
        let short = "a string of at least 2 characters";
        check("bash", json!({"command": "x", "note": "中"}), wrong("note", short, "a shorter one"));
        check("bash", json!({"command": 3}), wrong("command", "string", "number"));
        check("bash", json!({"command": ["ls"]}), wrong("command", "string", "array"));
        check("bash", json!({"command": "x", "count": 1.5}), wrong("count", "integer", "number"));
        check("bash", json!({"command": "x", "mode": "c"}), wrong("mode", "one of [\"a\",\"b\"]", "string"));
        check("bash", json!({"command": "x", "list": ["y", 1]}), wrong("list[1]", "string", "number"));
        check("bash", json!({"command": "x", "cmd": "y"}), Err(ValidateFault::Unexpected("cmd".into())));
    }

    #[test]
    fn a_tool_without_a_background_says_so_and_one_that_has_it_takes_a_boolean() {
        let plain = json!({"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]});
        let mut with_background = plain.clone();
        with_background["properties"]["background"] = json!({"type": "boolean"});
        let told = |schema: &Value, background: Value| {
            let spec = ToolSpec { name: "bash".into(), description: String::new(), input_schema: schema.clone() };
            let arguments = json!({"command": "ls", "background": background});
            validate("bash", arguments, &[&spec]).map(|(_, fit)| fit.is_background())
        };
        assert_eq!(told(&plain, json!(false)), Ok(false));
        for asked in [json!(true), json!("true"), json!(1), json!(null)] {
            assert_eq!(told(&plain, asked), Err(ValidateFault::NoBackground));
        }
        assert_eq!(told(&with_background, json!(true)), Ok(true));
        assert_eq!(told(&with_background, json!(false)), Ok(false));
        for (asked, found) in [(json!("true"), "string"), (json!(1), "number"), (json!(null), "null")] {
            let fault = ValidateFault::WrongKind { field: "background".into(), expected: "boolean".into(), found };
            assert_eq!(told(&with_background, asked), Err(fault));
        }
    }
}
