//! What all routes share: one start of the bridge.

use std::io;
use std::net::SocketAddrV4;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use bridge_protocol::frames::{Hello, PROTO, Sandbox};
use tokio_util::sync::CancellationToken;

use crate::activity::Activity;
use crate::approval::Approval;
use crate::audit::{Audit, Secrets};
use crate::commands::{Commands, limits, tool};
use crate::door::{Authority, Guest};
use crate::launch::Launch;
use crate::page::Page;
use crate::relay::Relay;
use crate::sandbox::Found;
use crate::supervisor::ceilings::Ceilings;
use crate::token::Token;

/// One start of the bridge.
pub struct Bridge {
    /// The name it answers to.
    pub authority: Authority,
    /// The secret of this start.
    pub token: Token,
    /// The page it serves.
    pub page: Page,
    /// The way its page is opened.
    pub launch: Launch,
    /// The way to services of models.
    pub relay: Relay,
    /// Which calls may run.
    pub approval: Approval,
    /// What happened.
    pub audit: Audit,
    /// The calls.
    pub commands: Arc<Commands>,
    /// How often a page is asked whether it is there.
    pub ping: Duration,
    /// Cancelled when every socket should say goodbye.
    pub goodbye: CancellationToken,
    /// Whether anybody is there.
    pub activity: Arc<Activity>,
    /// How many pages have connected so far.
    pub connections: AtomicU64,
    /// What holds commands in.
    pub sandbox: Sandbox,
    id: String,
}

/// What a bridge is made of.
pub struct Parts {
    /// Where commands start: an absolute path.
    pub workspace: PathBuf,
    /// How long commands go on without a page.
    pub grace: Duration,
    /// How often a page is asked whether it is there.
    pub ping: Duration,
    /// The page it serves.
    pub page: Page,
    /// The way to services of models.
    pub relay: Relay,
    /// Which calls may run.
    pub approval: Approval,
    /// The pages of other origins that may use it.
    pub guests: Vec<Guest>,
    /// What holds commands in.
    pub sandbox: Found,
    /// What they may use at most.
    pub ceilings: Ceilings,
    /// The folder of the audit log, if one is kept.
    pub audit: Option<PathBuf>,
}

impl Bridge {
    /// A bridge at this address; an error when the operating system gives no random bytes, or no room for the log.
    pub fn new(address: SocketAddrV4, parts: Parts) -> io::Result<Arc<Self>> {
        let Parts { workspace, grace, ping, page, relay, approval, guests, sandbox, ceilings, audit } = parts;
        // The id tells starts apart, and opens nothing.
        let id: String = Token::new().map_err(io::Error::other)?.reveal().chars().take(16).collect();
        let token = Token::new().map_err(io::Error::other)?;
        let secrets = Secrets::new(relay.upstreams().keys().chain([token.reveal()]).map(str::to_owned));
        Ok(Arc::new(Self {
            authority: Authority::new(address, guests),
            token,
            page,
            launch: Launch::default(),
            relay,
            approval,
            audit: Audit::new(audit, id.clone(), secrets)?,
            commands: Commands::new(workspace, grace, sandbox.bubble, ceilings),
            ping,
            goodbye: CancellationToken::new(),
            activity: Activity::new(),
            connections: AtomicU64::new(0),
            sandbox: sandbox.told,
            id,
        }))
    }

    /// How this bridge introduces itself.
    pub fn hello(&self) -> Hello {
        Hello {
            proto: PROTO,
            bridge: self.id.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            os: std::env::consts::OS.to_owned(),
            cwd: self.commands.workspace().to_string_lossy().into_owned(),
            tools: vec![tool::bash(&self.sandbox)],
            background: tool::with_background(&self.sandbox),
            limits: limits(self.commands.grace()),
            relay: self.relay.upstreams().told(),
            asks_on_terminal: self.approval.asks_on_terminal(),
            sandbox: Some(self.sandbox.clone()),
        }
    }
}
