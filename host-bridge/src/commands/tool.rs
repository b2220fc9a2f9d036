//! The tools: what they say of themselves, and what they accept. `bash` alone is what every page is offered; the others
//! are about commands that go on in the background, for pages whose person has switched that on.

use bridge_protocol::frames::{Refusal, Sandbox, Tool};
use serde_json::{Map, Value, json};

/// The longest command, in bytes: Linux takes no longer single argument (MAX_ARG_STRLEN, with its closing NUL).
pub const MAX_COMMAND: usize = 128 * 1024 - 1;

const BASH: &str = "bash";
const LIST: &str = "bash_list";
const READ: &str = "bash_read";
const KILL: &str = "bash_kill";

/// What a call asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// To run a command to its end.
    Run(String),
    /// To start one that goes on in the background.
    Start(String),
    /// To list the commands in the background.
    List,
    /// To read what the command of this id has written since it was read last.
    Read(String),
    /// To end the command of this id.
    Kill(String),
}

impl Order {
    /// The order of a call, or why it is none. The page has checked the same; the bridge trusts no page.
    pub fn of(tool: &str, arguments: &Value) -> Result<Self, Refusal> {
        let arguments = || arguments.as_object().ok_or_else(|| bad("the arguments are not an object"));
        match tool {
            BASH => {
                let arguments = arguments()?;
                let command = command(arguments)?;
                match arguments.get("background") {
                    None | Some(Value::Bool(false)) => Ok(Self::Run(command)),
                    Some(Value::Bool(true)) => Ok(Self::Start(command)),
                    Some(_) => Err(bad("`background` is not a boolean")),
                }
            }
            LIST => arguments().map(|_| Self::List),
            READ => id(arguments()?).map(Self::Read),
            KILL => id(arguments()?).map(Self::Kill),
            _ => Err(Refusal::UnknownTool),
        }
    }

    /// The command that it starts.
    pub fn command(&self) -> Option<&str> {
        match self {
            Self::Run(command) | Self::Start(command) => Some(command),
            Self::List | Self::Read(_) | Self::Kill(_) => None,
        }
    }

    /// What it does, in one text.
    pub fn told(&self) -> String {
        match self {
            Self::Run(command) | Self::Start(command) => command.clone(),
            Self::List => LIST.to_owned(),
            Self::Read(id) => format!("{READ} {id}"),
            Self::Kill(id) => format!("{KILL} {id}"),
        }
    }
}

fn bad(detail: &str) -> Refusal {
    Refusal::BadArguments { detail: detail.to_owned() }
}

fn command(arguments: &Map<String, Value>) -> Result<String, Refusal> {
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

fn id(arguments: &Map<String, Value>) -> Result<String, Refusal> {
    let id = arguments.get("id").ok_or_else(|| bad("`id` is missing"))?;
    id.as_str().map(str::to_owned).ok_or_else(|| bad("`id` is not a string"))
}

/// As a model is told about it.
pub fn bash(sandbox: &Sandbox) -> Tool {
    let held = match sandbox {
        Sandbox::On { network: false } => {
            " It runs in a sandbox: it can write only in the workspace and in /tmp, and there is no network."
        }
        Sandbox::On { network: true } => " It runs in a sandbox: it can write only in the workspace and in /tmp.",
        Sandbox::Off { .. } => "",
    };
    Tool {
        name: BASH.to_owned(),
        description: format!(
            "Run a shell command. Every command starts in the workspace directory in a new bash; a changed directory or \
             variable does not last. There is no terminal and no input, and what is still running when the shell ends is \
             stopped.{held}"
        ),
        input_schema: json!({
            "type": "object",
            "properties": { "command": { "type": "string", "description": "The command, for bash -c." } },
            "required": ["command"],
        }),
    }
}

/// The same, and the tools for commands in the background.
pub fn with_background(sandbox: &Sandbox) -> Vec<Tool> {
    let mut bash = bash(sandbox);
    bash.description.push_str(
        " With `background` the call is answered at once with an id, and the command goes on until it ends, is killed, \
         or the host ends.",
    );
    if let Sandbox::On { network: false } = sandbox {
        bash.description.push_str(" No other command can connect to it.");
    }
    if let Some(properties) = bash.input_schema.get_mut("properties").and_then(Value::as_object_mut) {
        let background = json!({
            "type": "boolean",
            "description": "true: go on in the background, for servers and other long work.",
        });
        properties.insert("background".to_owned(), background);
    }
    let about_one = |name: &str, description: &str| Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema: json!({
            "type": "object",
            "properties": { "id": { "type": "string", "description": "The id, such as bg-1." } },
            "required": ["id"],
        }),
    };
    vec![
        bash,
        Tool {
            name: LIST.to_owned(),
            description: "List the commands in the background: id, state, bytes of output, command.".to_owned(),
            input_schema: json!({ "type": "object", "properties": {} }),
        },
        about_one(
            READ,
            "Read what a command in the background has written since it was last read, and whether it still runs. \
             It does not wait.",
        ),
        about_one(KILL, "End a command in the background with everything it started, and read the rest of its output."),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tool: &str, arguments: Value, expected: Result<Order, &str>) {
        let told = Order::of(tool, &arguments).map_err(|refusal| match refusal {
            Refusal::BadArguments { detail } => detail,
            other => format!("{other:?}"),
        });
        assert_eq!(
            told.as_ref().map_err(String::as_str),
            expected.as_ref().map_err(|text| *text),
            "{tool} {arguments}"
        );
    }

    #[test]
    fn only_a_command_is_a_command() {
        let ls = || Ok(Order::Run("ls".to_owned()));
        check("bash", json!({"command": "ls"}), ls());
        check("bash", json!({"command": "ls", "why": "to see"}), ls());
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

    #[test]
    fn only_a_boolean_says_whether_it_goes_on_in_the_background() {
        let asked = |background: Value| json!({"command": "ls", "background": background});
        check("bash", asked(json!(true)), Ok(Order::Start("ls".to_owned())));
        check("bash", asked(json!(false)), Ok(Order::Run("ls".to_owned())));
        for other in [json!(null), json!("true"), json!(1), json!([true]), json!({})] {
            check("bash", asked(other), Err("`background` is not a boolean"));
        }
        check("bash", json!({"background": true}), Err("`command` is missing"));
    }

    #[test]
    fn a_command_in_the_background_is_named_by_its_id() {
        check("bash_list", json!({}), Ok(Order::List));
        check("bash_list", json!(null), Err("the arguments are not an object"));
        check("bash_read", json!({"id": "bg-1"}), Ok(Order::Read("bg-1".to_owned())));
        check("bash_kill", json!({"id": "bg-1"}), Ok(Order::Kill("bg-1".to_owned())));
        check("bash_read", json!({}), Err("`id` is missing"));
        check("bash_kill", json!({"id": 1}), Err("`id` is not a string"));
    }
}
