//! The command line.

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};
use tracing::level_filters::LevelFilter;

use crate::audit::LogArgs;
use crate::door::Guest;
use crate::policy::Confirm;
use crate::relay::VARIABLES;
use crate::sandbox::When;
use crate::supervisor::ceilings::size;
use crate::wire::Wire;

/// What a person can say when starting the bridge.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "host-bridge",
    args_override_self = true,
    version,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    about = "Serves the Loopglass page and runs its commands on this machine.",
    long_about = "Serves the Loopglass page and runs its commands on this machine.\n\n\
        It prints one link and opens it in your browser. Whoever has the link can run commands as you, so keep it to \
        yourself; the next start has a new one. The bridge listens on this machine only. Ctrl-C ends it and every \
        command it started.",
    after_help = "Examples:\n  host-bridge                          work in the current directory\n  \
        host-bridge --workspace ~/play       work somewhere else\n  \
        host-bridge --port 0 --no-open       any free port, no browser\n  \
        host-bridge log                      what happened so far\n  \
        host-bridge wire decode --dialect openai answer.sse\n                                       \
        what the page makes of a captured answer"
)]
pub struct Args {
    /// The directory that commands start in.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub workspace: PathBuf,

    /// The port; 0 takes any free one. Browsers keep sessions per port.
    #[arg(long, value_name = "N", default_value_t = 7464)]
    pub port: u16,

    /// The address to listen on, an IPv4 address of this machine.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address)]
    pub host: Ipv4Addr,

    /// Allow --host to be an address that other machines can reach. The token then crosses the network unencrypted, and
    /// whoever reads it can run commands as you.
    #[arg(long)]
    pub dangerously_reachable: bool,

    /// End when nobody has been there and nothing has run for so long.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub idle_exit: Option<Duration>,

    /// Let the page of this https origin use the bridge too, such as https://pages.example. It needs the token as well.
    /// Can be given several times.
    #[arg(long, value_name = "ORIGIN", value_parser = Guest::new)]
    pub allow_origin: Vec<Guest>,

    /// Print the link, but open no browser.
    #[arg(long)]
    pub no_open: bool,

    /// How long commands go on when no page is connected.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub grace: Duration,

    /// How often a page is asked whether it is still there; one that misses it twice in a row is let go.
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = interval)]
    pub ping: Duration,

    /// Serve the page from this folder instead of the one built in, for work on the page.
    #[arg(long, value_name = "DIR")]
    pub page: Option<PathBuf>,

    /// Read the configuration from this file instead of loopglass/host-bridge.toml in the user's configuration directory.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Relay model calls of the page to this service, as /relay/NAME/... Can be given several times.
    #[arg(long, value_name = "NAME=URL", value_parser = pair)]
    pub relay: Vec<(String, String)>,

    /// Take the key for the service NAME from this environment variable.
    #[arg(long, value_name = "NAME=VARIABLE", value_parser = pair)]
    pub relay_key: Vec<(String, String)>,

    /// Who is asked about commands: page, or terminal for the page and this terminal as well.
    #[arg(long, value_name = "WHERE", value_enum, default_value = "page", hide_possible_values = true)]
    pub confirm: Confirm,

    /// Run commands in a sandbox, by bubblewrap on Linux: off, auto (where there can be one) or require. In it a command
    /// writes only in the workspace and a /tmp of the bridge's own, finds no keys and has no network.
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", hide_possible_values = true)]
    pub sandbox: When,

    /// Leave commands in a sandbox the network of this machine.
    #[arg(long)]
    pub sandbox_network: bool,

    /// The most memory that each process of a command may map: 512M, 2G.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,

    /// The most processes and threads that a command may have at once, besides what runs as you already. On Linux, and not
    /// for root.
    #[arg(long, value_name = "N")]
    pub max_processes: Option<u64>,

    /// The largest file that a command may write: 100M, 1G.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_file_size: Option<u64>,

    /// How much to say on stderr: off, error, warn, info, debug or trace. RUST_LOG says the same.
    #[arg(long, value_name = "LEVEL")]
    pub log: Option<LevelFilter>,

    /// What to do instead of serving.
    #[command(subcommand)]
    pub instead: Option<Instead>,
}

/// What else the program can do.
#[derive(Debug, Clone, Subcommand)]
pub enum Instead {
    /// Decode a captured answer, or encode messages, as the page does.
    #[command(subcommand, arg_required_else_help = false, disable_help_subcommand = true)]
    Wire(Wire),
    /// Show what happened at the bridges of this user, oldest first.
    Log(LogArgs),
}

impl Args {
    /// The variables of the environment that the relay is made from.
    pub fn variables(&self) -> Vec<&str> {
        VARIABLES.into_iter().chain(self.relay_key.iter().map(|(_, variable)| variable.as_str())).collect()
    }

    /// How much to log.
    pub fn level(&self) -> LevelFilter {
        let from_environment = || std::env::var("RUST_LOG").ok()?.parse().ok();
        self.log.or_else(from_environment).unwrap_or(LevelFilter::WARN)
    }
}

fn address(text: &str) -> Result<Ipv4Addr, String> {
    match text.parse::<Ipv4Addr>() {
        // A page has to say one name, and this is every name at once.
        Ok(address) if address.is_unspecified() => Err("name one address; this one stands for all".to_owned()),
        Ok(address) => Ok(address),
        Err(_) => Err("not an IPv4 address such as 127.0.0.1".to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a length of time".to_owned())
}

/// Long enough to be measured, short enough to be added to a time.
fn interval(text: &str) -> Result<Duration, String> {
    match seconds(text)? {
        long if (Duration::from_millis(50)..=Duration::from_secs(24 * 60 * 60)).contains(&long) => Ok(long),
        _ => Err("not between 0.05 s and a day".to_owned()),
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("two words with = between them are needed".to_owned()),
    }
}
