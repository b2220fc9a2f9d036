//! Whether the sandbox holds: at every start one is made, and what it must deny is tried in it.
//!
//! What counts is what is seen outside: no file that was written inside is there, and nobody has connected. That a tool is
//! installed says nothing: distributions and containers forbid what it needs in many ways.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::unistd::{AccessFlags, access};
use serde::{Deserialize, Serialize};

use super::{Bubble, Network, enter};
use crate::token::Token;

/// The argument that makes this program try, inside. After it: a port of this machine, and files to write.
pub const ARGUMENT: &str = "--try-sandbox";

/// How long a trial may take: it is a matter of milliseconds.
const LONG: Duration = Duration::from_secs(10);

/// What could be done inside.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Done {
    written: Vec<PathBuf>,
    connected: bool,
}

/// Tries, inside.
pub fn main(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let port = arguments.next().and_then(|port| port.to_str()?.parse::<u16>().ok());
    let written = arguments.map(PathBuf::from).filter(|file| fs::write(file, "").is_ok()).collect();
    let connected = port.is_some_and(|port| TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok());
    match serde_json::to_writer(io::stdout(), &Done { written, connected }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Makes a sandbox and tries it; why it is none, in a few words.
pub(super) fn run(bubble: &Bubble) -> Result<(), String> {
    let system = |error: io::Error| error.to_string();
    let plan = bubble.plan().map_err(system)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(system)?;
    listener.set_nonblocking(true).map_err(system)?;
    let port = listener.local_addr().map_err(system)?.port();
    let files = targets(bubble.workspace());
    let child = Command::new("/proc/self/exe")
        .arg(enter::ARGUMENT)
        .arg(bubble.program())
        .args(&plan.arguments)
        .args(["--", ARGUMENT, &port.to_string()])
        .args(&files)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(system)?;
    let tried = wait(child);
    // Whatever was said inside: this is what is true.
    let written: Vec<&PathBuf> = files.iter().filter(|file| fs::remove_file(file).is_ok()).collect();
    let connected = listener.accept().is_ok();
    let (status, told, complaint) = tried.map_err(system)?;
    let done: Done = match serde_json::from_str(&told) {
        Ok(done) if status.success() => done,
        Ok(_) | Err(_) => {
            let complaint = complaint.lines().next().unwrap_or_default().trim();
            return Err(if complaint.is_empty() {
                format!("bubblewrap ended with {status}")
            } else {
                complaint.to_owned()
            });
        }
    };
    match (written.is_empty() && done.written.is_empty(), connected || done.connected, bubble.network()) {
        (false, _, _) => Err("a file outside of the workspace could be written in it".to_owned()),
        (true, true, Network::Off) => Err("a service of this machine could be reached from it".to_owned()),
        (true, false, Network::Off) | (true, _, Network::Open) => Ok(()),
    }
}

/// Files that do not exist, outside of the workspace, where this process may write; and one that it may hardly.
fn targets(workspace: &Path) -> Vec<PathBuf> {
    let name: String = Token::new().map(|token| token.reveal().chars().take(16).collect()).unwrap_or_default();
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let neighbour = workspace.parent().map(Path::to_path_buf);
    // What is written there is allowed, and is not written outside.
    let is_its_own = |folder: &PathBuf| folder.starts_with("/tmp") || folder.starts_with("/var/tmp");
    let may_write = |folder: &PathBuf| access(folder, AccessFlags::W_OK).is_ok();
    home.into_iter()
        .chain(neighbour)
        .filter(may_write)
        .chain([PathBuf::from("/")])
        .filter(|folder| !folder.starts_with(workspace) && !is_its_own(folder))
        .map(|folder| folder.join(format!(".loopglass-{name}")))
        .collect()
}

/// Waits for its end: how it ended, and what it said on both streams, which is little.
fn wait(mut child: Child) -> io::Result<(ExitStatus, String, String)> {
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if began.elapsed() > LONG {
            child.kill()?;
            child.wait()?;
            return Err(io::Error::other("it did not come to an end"));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let (mut told, mut complaint) = (String::new(), String::new());
    child.stdout.take().map(|mut stdout| stdout.read_to_string(&mut told)).transpose()?;
    child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut complaint)).transpose()?;
    Ok((status, told, complaint))
}
