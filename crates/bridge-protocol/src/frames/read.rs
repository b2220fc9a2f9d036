//! Reading what a bridge sends, by hand.
//!
//! A tag inside the object makes serde buffer the frame and compile every type twice for it. The page pays for that
//! with each first load, and the frames are few; so the side that a page reads is read here, field by field.

use serde_json::{Map, Value};

use super::{
    BackgroundCommand, Decision, Hello, Leftover, Limits, Loss, Malformed, NoSandbox, Outcome, Reason, Refusal,
    RelayTarget, Sandbox, Standing, Status, ToPage, Tool, Verdict,
};

/// A control frame as an object, and the call it speaks of, if that much can be read.
pub(super) fn object(text: &str) -> Result<(Option<String>, Map<String, Value>), Malformed> {
    let malformed = |message| Malformed { call: None, message };
    match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => Ok((fields.get("call").and_then(Value::as_str).map(str::to_owned), fields)),
        Ok(_) => Err(malformed("not a JSON object".to_owned())),
        Err(error) => Err(malformed(format!("not JSON: {error}"))),
    }
}

/// The frame that these fields are, or what is wrong with them.
pub(super) fn to_page(fields: Map<String, Value>) -> Result<ToPage, String> {
    let mut fields = Fields(fields);
    Ok(match fields.text("type")?.as_str() {
        "hello" => ToPage::Hello(hello(&mut fields)?),
        "started" => ToPage::Started { call: fields.text("call")?, pid: fields.number("pid")? },
        "gap" => ToPage::Gap { call: fields.text("call")?, from: fields.number("from")?, to: fields.number("to")? },
        "exited" => ToPage::Exited { call: fields.text("call")?, status: status(&mut fields.object("status")?)? },
        "closed" => ToPage::Closed {
            call: fields.text("call")?,
            outcome: outcome(&mut fields.object("outcome")?)?,
            duration_ms: fields.number("duration_ms")?,
            cwd: fields.text("cwd")?,
            leftovers: if fields.has("leftovers") { fields.list("leftovers", leftover)? } else { Vec::new() },
            bytes: fields.number("bytes")?,
        },
        "refused" => ToPage::Refused { call: fields.text("call")?, why: refusal(&mut fields)? },
        "reviewed" => ToPage::Reviewed { review: fields.text("review")?, verdict: verdict(&mut fields)? },
        "background" => ToPage::Background { commands: fields.list("commands", background_command)? },
        "error" => ToPage::Error {
            call: if fields.has("call") { Some(fields.text("call")?) } else { None },
            message: fields.text("message")?,
        },
        other => return Err(unknown("type", other)),
    })
}

fn hello(fields: &mut Fields) -> Result<Hello, String> {
    let mut limits = fields.object("limits")?;
    Ok(Hello {
        proto: fields.number("proto")?,
        bridge: fields.text("bridge")?,
        version: fields.text("version")?,
        os: fields.text("os")?,
        cwd: fields.text("cwd")?,
        tools: fields.list("tools", tool)?,
        background: if fields.has("background") { fields.list("background", tool)? } else { Vec::new() },
        limits: Limits {
            timeout_ms: limits.number("timeout_ms")?,
            max_timeout_ms: limits.number("max_timeout_ms")?,
            grace_ms: limits.number("grace_ms")?,
            window: limits.number("window")?,
            ring: limits.number("ring")?,
            command: limits.number("command")?,
            running: limits.number("running")?,
        },
        relay: if fields.has("relay") { fields.list("relay", relay_target)? } else { Vec::new() },
        asks_on_terminal: fields.has("asks_on_terminal") && fields.value("asks_on_terminal")? == Value::Bool(true),
        sandbox: if fields.has("sandbox") { Some(sandbox(&mut fields.object("sandbox")?)?) } else { None },
    })
}

fn sandbox(fields: &mut Fields) -> Result<Sandbox, String> {
    Ok(match fields.text("state")?.as_str() {
        "on" => Sandbox::On { network: fields.value("network")? == Value::Bool(true) },
        "off" => Sandbox::Off {
            why: match fields.text("why")?.as_str() {
                "not_wanted" => NoSandbox::NotWanted,
                "other_system" => NoSandbox::OtherSystem,
                "no_bubblewrap" => NoSandbox::NoBubblewrap,
                "failed" => NoSandbox::Failed { detail: fields.text("detail")? },
                other => return Err(unknown("why", other)),
            },
        },
        other => return Err(unknown("state", other)),
    })
}

fn relay_target(fields: &mut Fields) -> Result<RelayTarget, String> {
    Ok(RelayTarget {
        name: fields.text("name")?,
        base_url: fields.text("base_url")?,
        dialect: fields.text("dialect")?,
        has_key: fields.value("has_key")? == Value::Bool(true),
        admits_pages: fields.value("admits_pages")? == Value::Bool(true),
        model: if fields.has("model") { Some(fields.text("model")?) } else { None },
    })
}

fn tool(fields: &mut Fields) -> Result<Tool, String> {
    Ok(Tool {
        name: fields.text("name")?,
        description: fields.text("description")?,
        input_schema: fields.value("input_schema")?,
    })
}

fn background_command(fields: &mut Fields) -> Result<BackgroundCommand, String> {
    Ok(BackgroundCommand {
        id: fields.text("id")?,
        command: fields.text("command")?,
        bytes: fields.number("bytes")?,
        end: if fields.has("end") { Some(outcome(&mut fields.object("end")?)?) } else { None },
    })
}

fn standing(fields: &mut Fields) -> Result<Standing, String> {
    Ok(match fields.text("standing")?.as_str() {
        "started" => Standing::Started,
        "running" => Standing::Running,
        "ended" => Standing::Ended { end: Box::new(outcome(&mut fields.object("end")?)?) },
        other => return Err(unknown("standing", other)),
    })
}

fn leftover(fields: &mut Fields) -> Result<Leftover, String> {
    Ok(Leftover {
        pid: fields.number("pid")?,
        command: fields.text("command")?,
        survived: fields.has("survived") && fields.value("survived")? == Value::Bool(true),
    })
}

fn status(fields: &mut Fields) -> Result<Status, String> {
    if fields.has("code") {
        fields.number("code").map(Status::Code)
    } else {
        fields.number("signal").map(Status::Signal)
    }
}

fn outcome(fields: &mut Fields) -> Result<Outcome, String> {
    Ok(match fields.text("kind")?.as_str() {
        "exited" => Outcome::Exited { code: fields.number("code")? },
        "signalled" => Outcome::Signalled { number: fields.number("number")? },
        "timed_out" => Outcome::TimedOut { after_ms: fields.number("after_ms")? },
        "stopped" => Outcome::Stopped,
        "background" => Outcome::Background { id: fields.text("id")?, standing: standing(fields)? },
        "listed" => Outcome::Listed,
        "cannot_start" => Outcome::CannotStart { why: refusal(fields)? },
        "lost" => Outcome::Lost { why: loss(fields)? },
        other => return Err(unknown("kind", other)),
    })
}

fn refusal(fields: &mut Fields) -> Result<Refusal, String> {
    Ok(match fields.text("why")?.as_str() {
        "id_conflict" => Refusal::IdConflict,
        "unknown_call" => Refusal::UnknownCall,
        "unknown_id" => Refusal::UnknownId { id: fields.text("id")? },
        "unknown_tool" => Refusal::UnknownTool,
        "bad_arguments" => Refusal::BadArguments { detail: fields.text("detail")? },
        "too_many_running" => Refusal::TooManyRunning { limit: fields.number("limit")? },
        "workspace_gone" => Refusal::WorkspaceGone { path: fields.text("path")? },
        "os" => Refusal::Os { detail: fields.text("detail")? },
        "shutting_down" => Refusal::ShuttingDown,
        "denied" => Refusal::Denied { rule: fields.text("rule")? },
        "not_asked" => Refusal::NotAsked,
        "not_confirmed" => Refusal::NotConfirmed,
        other => return Err(unknown("why", other)),
    })
}

fn verdict(fields: &mut Fields) -> Result<Verdict, String> {
    let decision = match fields.text("decision")?.as_str() {
        "allow" => Decision::Allow,
        "ask" => Decision::Ask,
        "deny" => Decision::Deny,
        other => return Err(unknown("decision", other)),
    };
    let reason = match fields.text("reason")?.as_str() {
        "rule" => Reason::Rule { rule: fields.text("rule")? },
        "read_only" => Reason::ReadOnly,
        "background" => Reason::Background,
        "not_simple" => Reason::NotSimple,
        "no_rule" => Reason::NoRule,
        other => return Err(unknown("reason", other)),
    };
    Ok(Verdict { decision, reason })
}

fn loss(fields: &mut Fields) -> Result<Loss, String> {
    Ok(match fields.text("why")?.as_str() {
        "new_bridge" => Loss::NewBridge,
        "forgotten" => Loss::Forgotten,
        "abandoned" => Loss::Abandoned { after_ms: fields.number("after_ms")? },
        "supervisor_died" => Loss::SupervisorDied,
        "bridge_ended" => Loss::BridgeEnded,
        "gave_up" => Loss::GaveUp,
        other => return Err(unknown("why", other)),
    })
}

fn unknown(name: &str, value: &str) -> String {
    format!("`{name}` is unknown: `{value}`")
}

/// The fields of an object that are not read yet.
struct Fields(Map<String, Value>);

impl Fields {
    /// Whether there is such a field; a null is none.
    fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    fn value(&mut self, name: &str) -> Result<Value, String> {
        self.0.remove(name).ok_or_else(|| format!("`{name}` is missing"))
    }

    fn text(&mut self, name: &str) -> Result<String, String> {
        match self.value(name)? {
            Value::String(text) => Ok(text),
            other => Err(format!("`{name}` must be a string, not {other}")),
        }
    }

    fn object(&mut self, name: &str) -> Result<Fields, String> {
        match self.value(name)? {
            Value::Object(fields) => Ok(Fields(fields)),
            other => Err(format!("`{name}` must be an object, not {other}")),
        }
    }

    fn number<N: TryFrom<i128>>(&mut self, name: &str) -> Result<N, String> {
        let value = self.value(name)?;
        let whole = value.as_u64().map(i128::from).or_else(|| value.as_i64().map(i128::from));
        whole
            .and_then(|whole| N::try_from(whole).ok())
            .ok_or_else(|| format!("`{name}` must be a whole number in its range, not {value}"))
    }

    fn list<T>(&mut self, name: &str, read: fn(&mut Fields) -> Result<T, String>) -> Result<Vec<T>, String> {
        let Value::Array(items) = self.value(name)? else { return Err(format!("`{name}` must be an array")) };
        items
            .into_iter()
            .map(|item| match item {
                Value::Object(fields) => read(&mut Fields(fields)),
                other => Err(format!("`{name}` must hold objects, not {other}")),
            })
            .collect()
    }
}
