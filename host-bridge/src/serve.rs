//! From the command line to a listening server, and to its end.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, fs};

use axum::Router;
use bridge_protocol::frames::{NoSandbox, Sandbox};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Semaphore;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::activity::Busy;
use crate::approval::Approval;
use crate::args::Args;
use crate::audit::Entry;
use crate::bridge::{Bridge, Parts};
use crate::config::{self, ConfigError, Found};
use crate::page::Page;
use crate::policy::{Confirm, Policy, Terminal};
use crate::relay::{Relay, Sources, UpstreamError, Upstreams};
use crate::sandbox::{self, Bubble, Network, When};
use crate::stall::Stall;
use crate::supervisor::ceilings::Ceilings;
use crate::{audit, door, launch};

/// How long a connection may take to send the head of a request, also between two requests.
const HEAD_TIMEOUT: Duration = Duration::from_secs(4);
/// For how many pings a peer may leave what is sent to it.
const STALLED: u32 = 3;
/// The most bytes of a head.
const HEAD_BYTES: usize = 32 * 1024;
/// The most headers of a request.
const HEADERS: usize = 64;
/// The most connections at once.
const CONNECTIONS: usize = 128;
/// How long open commands and sockets may take to end when the bridge ends.
const FAREWELL: Duration = Duration::from_secs(3);

/// Why the bridge cannot start. Each is one line for the person who started it.
#[derive(Debug)]
pub enum StartError {
    /// A directory that was named is not there, or is none.
    Directory(&'static str, PathBuf, io::Error),
    /// The port is taken, or may not be used.
    Port(u16, io::Error),
    /// The person's configuration is wrong.
    Config(ConfigError),
    /// So is what it, the environment or a flag says of the relay.
    Relay(UpstreamError),
    /// Other machines could reach it, and nobody said that they may.
    Reachable(Ipv4Addr),
    /// Questions are to be asked on a terminal, and there is none.
    NoTerminal,
    /// A sandbox is required, and there can be none.
    NoSandbox(NoSandbox),
    /// The operating system refused something every program gets.
    System(&'static str, String),
}

/// Runs a bridge until it is told to end.
/// `secrets` are those that were set of the variables that the relay is made from.
pub fn run(args: Args, secrets: BTreeMap<String, String>) -> Result<(), StartError> {
    tracing_subscriber::registry()
        .with(tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false))
        // Other crates' logs quote requests, and with them the token.
        .with(tracing_subscriber::filter::Targets::new().with_target("host_bridge", args.level()))
        .init();
    if !args.host.is_loopback() && !args.dangerously_reachable {
        return Err(StartError::Reachable(args.host));
    }
    let workspace = directory("workspace", args.workspace.clone())?;
    let page = args.page.clone().map_or(Ok(Page::Embedded), |dir| directory("page", dir).map(Page::Folder))?;
    let Found { config, left } = config::read(args.config.as_deref(), &workspace).map_err(StartError::Config)?;
    if let Some(left) = left {
        let left = left.display();
        let _ = writeln!(io::stderr(), "host-bridge: {left} lies in the workspace, so it is not read");
    }
    let sources = Sources {
        environment: secrets,
        file: config.relay,
        addresses: args.relay.clone(),
        keys: args.relay_key.clone(),
    };
    let relay = Relay::new(Upstreams::new(sources).map_err(StartError::Relay)?)
        .map_err(|error| StartError::System("cannot use the certificates of this machine", error.to_string()))?;
    let terminal = match args.confirm {
        Confirm::Page => None,
        Confirm::Terminal => Some(Terminal::new().ok_or(StartError::NoTerminal)?),
    };
    let path = std::env::var("PATH").unwrap_or_default();
    let approval = Approval::new(Policy::new(config.policy, workspace.clone(), path), terminal);
    let ceilings = Ceilings { memory: args.max_memory, processes: args.max_processes, file_size: args.max_file_size };
    let network = if args.sandbox_network { Network::Open } else { Network::Off };
    let configuration = args.config.as_deref().and_then(|path| path.canonicalize().ok());
    let sandbox = sandbox::find(args.sandbox, network, workspace.clone(), configuration);
    if let (When::Require, Sandbox::Off { why }) = (args.sandbox, &sandbox.told) {
        return Err(StartError::NoSandbox(why.clone()));
    }
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_dumpable(false)
        .map_err(|error| StartError::System("cannot hide its memory from other programs", error.to_string()))?;
    let (grace, ping) = (args.grace, args.ping);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| StartError::System("cannot start its threads", error.to_string()))?;
    let guests = args.allow_origin.clone();
    let scratch = sandbox.bubble.as_ref().map(Bubble::scratch);
    let parts =
        Parts { workspace, grace, ping, page, relay, approval, guests, sandbox, ceilings, audit: audit::folder() };
    let outcome = runtime.block_on(listen(args, parts));
    // A thread that is blocked must not keep the program.
    runtime.shutdown_timeout(Duration::from_millis(200));
    // Said here, since whoever else knows the folder may not have let go of it.
    if let Some(scratch) = scratch {
        scratch.remove();
    }
    outcome
}

async fn listen(args: Args, parts: Parts) -> Result<(), StartError> {
    let listener =
        TcpListener::bind((args.host, args.port)).await.map_err(|error| StartError::Port(args.port, error))?;
    let port = listener.local_addr().map_err(|error| StartError::Port(args.port, error))?.port();
    let bridge = Bridge::new(SocketAddrV4::new(args.host, port), parts).map_err(|error| {
        let what = "cannot open the audit log in the user's state directory (XDG_STATE_HOME can name another)";
        StartError::System(what, error.to_string())
    })?;
    let workspace = bridge.commands.workspace().to_string_lossy().into_owned();
    let sandbox = bridge.sandbox.clone();
    bridge.audit.write(&Entry::Started { version: env!("CARGO_PKG_VERSION"), port, workspace, sandbox });
    let mut ends = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()]
        .map(|kind| signal(kind).map_err(|error| StartError::System("cannot listen for Ctrl-C", error.to_string())))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;

    bridge.commands.warm_up();
    let _ = writeln!(io::stderr(), "host-bridge: sandbox {}", sandbox::Line(&bridge.sandbox));
    // The one line on stdout. Whoever closed stdout does not want it.
    let _ = writeln!(io::stdout(), "{}/#token={}", bridge.authority.origin(), bridge.token.reveal());
    if !bridge.page.exists() {
        let _ = writeln!(io::stderr(), "host-bridge: built without its page; `cargo xtask build` builds both");
    } else if !args.no_open {
        launch::browse(&bridge);
    }

    let router = door::router(bridge.clone());
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let activity = bridge.activity.clone();
    let mut idle = pin!(async move {
        match args.idle_exit {
            Some(long) => activity.idle(long).await,
            None => std::future::pending().await,
        }
    });
    let [interrupt, terminate, hangup] = ends.as_mut_slice() else { return Ok(()) };
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    let _ = stream.set_nodelay(true);
                    let stream = Stall::new(stream, bridge.ping * STALLED);
                    serve(stream, router.clone(), &connections, bridge.activity.begin());
                }
                // Out of descriptors, most likely: let some go.
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            () = &mut idle => {
                let _ = writeln!(io::stderr(), "host-bridge: nobody was there for the time of --idle-exit, so it ends");
                break;
            }
            _ = interrupt.recv() => break,
            _ = terminate.recv() => break,
            _ = hangup.recv() => break,
        }
    }
    drop(listener);
    // The supervisors end their commands even if this process does not get to the end of this function.
    let farewell = async {
        bridge.commands.shut_down().await;
        bridge.goodbye.cancel();
        tokio::join!(bridge.commands.audience().empty(), bridge.commands.dismiss());
    };
    tokio::select! {
        _ = tokio::time::timeout(FAREWELL, farewell) => {}
        _ = interrupt.recv() => {}
    }
    bridge.audit.write(&Entry::Stopped);
    Ok(())
}

/// Serves one connection, for as long as it speaks.
fn serve(stream: Stall<TcpStream>, router: Router, connections: &Arc<Semaphore>, busy: Busy) {
    let Ok(permit) = connections.clone().try_acquire_owned() else { return };
    tokio::spawn(async move {
        let served = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(HEAD_BYTES)
            .max_headers(HEADERS)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
            .with_upgrades()
            .await;
        if let Err(error) = served {
            tracing::debug!(%error, "a connection ended badly");
        }
        drop((permit, busy));
    });
}

fn directory(what: &'static str, path: PathBuf) -> Result<PathBuf, StartError> {
    match path.canonicalize() {
        Ok(found) if fs::read_dir(&found).is_ok() => Ok(found),
        Ok(found) => match fs::read_dir(&found) {
            Ok(_) => Ok(found),
            Err(error) => Err(StartError::Directory(what, path, error)),
        },
        Err(error) => Err(StartError::Directory(what, path, error)),
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(what, path, error) => write!(f, "the {what} {} cannot be used: {error}", path.display()),
            Self::Port(port, error) if error.kind() == io::ErrorKind::AddrInUse => {
                write!(f, "port {port} is taken; is another bridge running? --port 0 takes any free one")
            }
            Self::Port(port, error) => write!(f, "port {port} cannot be used: {error}"),
            Self::Config(error) => error.fmt(f),
            Self::Relay(error) => error.fmt(f),
            Self::Reachable(host) => write!(
                f,
                "--host {host} can be reached by other machines, and whoever reads the token on the way can run commands as \
                 you; an SSH tunnel to 127.0.0.1 is the safe way (--dangerously-reachable takes the risk)"
            ),
            Self::NoTerminal => {
                f.write_str("--confirm terminal needs a terminal on stdin and stderr; start it from one")
            }
            Self::NoSandbox(why) => write!(f, "--sandbox require cannot be kept: {}", sandbox::Reason(why)),
            Self::System(what, error) => write!(f, "{what}: {error}"),
        }
    }
}

impl std::error::Error for StartError {}
