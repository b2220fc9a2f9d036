//! The one tool: what it says of itself, and what it accepts.

use bridge_protocol::frames::{Refusal, Tool};
use serde_json::{Value, json};

/// The longest command, in bytes: Linux takes no longer single argument (MAX_ARG_STRLEN, with its closing NUL).
pub const MAX_COMMAND: usize = 128 * 1024 - 1;

const NAME: &str = "bash";

/// As a model is told about it.
pub fn bash() -> Tool {
    Tool {
        name: NAME.to_owned(),
        description: "Run a shell command. Every command starts in the workspace directory in a new bash; a changed \
                      directory or variable does not last. There is no terminal and no input, and what is still \
                      running when the shell ends is stopped."
            .to_owned(),
        input_schema: json!({
            "type": "object",
            "properties": { "command": { "type": "string", "description": "The command, for bash -c." } },
            "required": ["command"],
        }),
    }
}

/// The command of a call, or why it is none. The page has checked the same; the bridge trusts no page.
pub fn command(tool: &str, arguments: &Value) -> Result<String, Refusal> {
    let bad = |detail: &str| Refusal::BadArguments { detail: detail.to_owned() };
    if tool != NAME {
        return Err(Refusal::UnknownTool);
    }
    let arguments = arguments.as_object().ok_or_else(|| bad("the arguments are not an object"))?;
    let command = arguments.get("command").ok_or_else(|| bad("`command` is missing"))?;
    let command = command.as_str().ok_or_else(|| bad("`command` is not a string"))?;
    if command.trim().is_empty() {
        return Err(bad("`command` is empty"));
    }
    if command.contains('\0') {
        return Err(bad("`command` holds a NUL character, which no command can"));
    }
    if command.len() > MAX_COMMAND {
        return Err(Refusal::BadArguments { detail: format!("`command` is longer than {MAX_COMMAND} bytes") });
    }
    Ok(command.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tool: &str, arguments: Value, expected: Result<&str, &str>) {
        let told = command(tool, &arguments).map_err(|refusal| match refusal {
            Refusal::BadArguments { detail } => detail,
            other => format!("{other:?}"),
        });
        assert_eq!(told.as_deref().map_err(String::as_str), expected, "{tool} {arguments}");
    }

    #[test]
    fn only_a_command_is_a_command() {
        check("bash", json!({"command": "ls"}), Ok("ls"));
        check("bash", json!({"command": "ls", "why": "to see"}), Ok("ls"));
        check("sh", json!({"command": "ls"}), Err("UnknownTool"));
        check("", json!({"command": "ls"}), Err("UnknownTool"));
        check("bash", json!({}), Err("`command` is missing"));
        check("bash", json!(null), Err("the arguments are not an object"));
        check("bash", json!(["ls"]), Err("the arguments are not an object"));
        check("bash", json!("ls"), Err("the arguments are not an object"));
        check("bash", json!({"command": 3}), Err("`command` is not a string"));
        check("bash", json!({"command": null}), Err("`command` is not a string"));
        check("bash", json!({"command": ["ls"]}), Err("`command` is not a string"));
        check("bash", json!({"command": ""}), Err("`command` is empty"));
        check("bash", json!({"command": " \n"}), Err("`command` is empty"));
        check("bash", json!({"command": "a\0b"}), Err("`command` holds a NUL character, which no command can"));
        check("bash", json!({"command": "x".repeat(MAX_COMMAND + 1)}), Err("`command` is longer than 131071 bytes"));
    }
}
