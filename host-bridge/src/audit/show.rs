//! `host-bridge log`: the audit log for a person, or as it is for a program.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use clap::Parser;
use serde_json::{Map, Value};

use super::{files, folder};
use crate::plain::plain;

/// What can be said to `host-bridge log`.
#[derive(Debug, Clone, Parser)]
#[command(name = "host-bridge log", about = "Shows what happened at the bridges of this user, oldest first.")]
pub struct LogArgs {
    /// How many entries, from the end.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100)]
    pub entries: usize,

    /// As it is written: one JSON object a line.
    #[arg(long)]
    pub json: bool,

    /// Where the log is, instead of loopglass in the user's state directory.
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// Prints the last entries.
pub fn print(args: LogArgs, to: &mut impl Write) -> io::Result<()> {
    let Some(folder) = args.folder.or_else(folder) else { return Ok(()) };
    let mut last = VecDeque::new();
    for file in files(&folder) {
        for line in BufReader::new(File::open(file)?).split(b'\n') {
            last.push_back(line?);
            if last.len() > args.entries {
                last.pop_front();
            }
        }
    }
    for line in last {
        // A line that a crash has cut short says nothing.
        let Ok(Value::Object(fields)) = serde_json::from_slice(&line) else { continue };
        if args.json {
            to.write_all(&line)?;
            to.write_all(b"\n")?;
        } else {
            writeln!(to, "{}", told(fields))?;
        }
    }
    Ok(())
}

/// One entry as a line: when, what, and the rest as it comes.
fn told(mut fields: Map<String, Value>) -> String {
    fields.remove("bridge");
    let word = |value: Option<Value>| match value {
        Some(Value::String(text)) => plain(&text),
        Some(other) => plain(&other.to_string()),
        None => "?".to_owned(),
    };
    let (at, event) = (fields.remove("at"), fields.remove("event"));
    let head = format!("{} {:<12}", word(at), word(event));
    fields.into_iter().fold(head, |line, (name, value)| format!("{line} {}={}", plain(&name), word(Some(value))))
}
