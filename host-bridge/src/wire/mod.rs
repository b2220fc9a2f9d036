//! `host-bridge wire`: the page's decoder and encoder at the command line.
//!
//! A person with a captured answer, or with messages that an endpoint refuses, sees here what the page would make of
//! them. Nothing is decoded or repaired here: `agent_loop::wire` does that, and this is its edge to files and pipes.

mod blocks;
mod decode;
mod encode;
mod history;
mod words;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};

/// What `host-bridge wire` can do.
#[derive(Debug, Clone, Subcommand)]
pub enum Wire {
    /// Print the turn that a captured stream or body tells. Exit code 0: it is complete; 3: it was cut, or failed.
    Decode(Decode),
    /// Print the request body that would be sent for these messages, repaired as the page repairs them.
    Encode(Encode),
}

/// `host-bridge wire decode`.
#[derive(Debug, Clone, Args)]
pub struct Decode {
    /// The dialect the endpoint was spoken to in.
    #[arg(long, value_name = "DIALECT")]
    dialect: Dialect,

    /// Feed the decoder this many bytes at a time.
    #[arg(long, value_name = "N", default_value_t = 65_536, value_parser = clap::value_parser!(u64).range(1..))]
    chunk: u64,

    /// Print one JSON object: role, content, stop_reason, usage, warnings, error.
    #[arg(long)]
    json: bool,

    /// The capture; `-` is stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// `host-bridge wire encode`.
#[derive(Debug, Clone, Args)]
pub struct Encode {
    /// The dialect of the endpoint.
    #[arg(long, value_name = "DIALECT")]
    dialect: Dialect,

    /// The endpoint's profile, such as openai, deepseek or llama-cpp. Without it, the dialect's own service.
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,

    /// The model.
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,

    /// Messages as JSON, Anthropic-style: a list of {"role", "content"}, or a request body that holds it as "messages";
    /// `-` is stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// A dialect as people name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Dialect {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Chat Completions, and what is compatible with it.
    Openai,
}

impl From<Dialect> for agent_loop::Dialect {
    fn from(dialect: Dialect) -> agent_loop::Dialect {
        match dialect {
            Dialect::Anthropic => agent_loop::Dialect::Anthropic,
            Dialect::Openai => agent_loop::Dialect::OpenAi,
        }
    }
}

/// Why nothing could be printed: whoever called has to call differently.
#[derive(Debug)]
pub enum WireError {
    /// The file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// What the file holds is not messages; where and why.
    NotMessages(String),
    /// No profile of that name speaks the dialect; what there is.
    NoSuchProvider(String),
}

impl std::fmt::Display for WireError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WireError::Unreadable(file, error) => write!(f, "cannot read {}: {error}", file.display()),
            WireError::NotMessages(why) => write!(f, "not messages: {why}"),
            WireError::NoSuchProvider(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for WireError {}

/// Does it. The exit code of a complete answer or a printed body is 0, that of a cut or failed answer 3.
pub fn run(wire: &Wire) -> Result<ExitCode, WireError> {
    match wire {
        Wire::Decode(decode) => decode::run(decode),
        Wire::Encode(encode) => encode::run(encode),
    }
}

/// The file, or stdin for `-`.
fn open(file: &Path) -> Result<Box<dyn Read>, WireError> {
    if file == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let opened = File::open(file).map_err(|error| WireError::Unreadable(file.to_owned(), error))?;
    Ok(Box::new(opened))
}
