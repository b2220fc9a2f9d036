//! A real bridge, a real socket and a page's end of the conversation, for tests.
#![allow(dead_code)]

pub mod cuts;
pub mod door;
pub mod http;
pub mod page;
pub mod upstream;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A hang guard, far above what anything takes.
pub const LONG: Duration = Duration::from_secs(30);

const NOBODY: u32 = 65534;

/// Commands that leave a `sleep SLEEP` running, each in another way.
pub const ESCAPES: &[&str] = &[
    "sleep SLEEP",
    "sleep SLEEP & wait",
    "setsid sleep SLEEP & disown; wait; sleep SLEEP",
    "setsid setsid sleep SLEEP & sleep SLEEP",
    "nohup sh -c 'sleep SLEEP &' >/dev/null 2>&1 & sleep SLEEP",
    "set -m; sleep SLEEP & wait",
    "trap '' TERM INT HUP; sleep SLEEP & wait; sleep SLEEP",
    "(trap '' TERM; setsid sh -c \"trap '' TERM; sleep SLEEP; sleep SLEEP\") & wait; sleep SLEEP",
    "sleep SLEEP & kill -STOP $!; wait",
    "kill -STOP $$; sleep SLEEP",
    "sleep SLEEP & kill -STOP $PPID; wait",
    "sleep SLEEP | sleep SLEEP",
    "exec sleep SLEEP",
    "( ( ( sleep SLEEP & ) & ) & ) ; sleep SLEEP",
    "for i in 1 2 3 4 5 6 7 8; do (sleep SLEEP; sleep SLEEP) & done; wait",
    "env -i setsid /bin/sh -c 'exec >/dev/null 2>&1; cd /; sleep SLEEP & sleep SLEEP' & wait",
];

/// A running bridge on a workspace of its own; killed when dropped.
pub struct Bridge {
    pub child: Child,
    pub port: u16,
    pub token: String,
    pub workspace: TempDir,
    /// What it says on stderr.
    pub log: std::path::PathBuf,
    /// Its configuration and its state.
    pub elsewhere: TempDir,
}

impl Bridge {
    pub fn start() -> Self {
        Self::with(|_| {})
    }

    /// A bridge whose start `change` may change.
    pub fn with(change: impl FnOnce(&mut Command)) -> Self {
        Self::launch(Command::new(env!("CARGO_BIN_EXE_host-bridge")), tempfile::tempdir().unwrap(), change)
    }

    /// A bridge that may have so many open files.
    pub fn with_open_files(most: u32) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -n {most}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_host-bridge")]);
        Self::launch(command, tempfile::tempdir().unwrap(), |_| {})
    }

    /// A bridge that runs commands in a sandbox; `None`, and said, where this machine allows none.
    #[allow(clippy::print_stderr)]
    pub fn sandboxed(change: impl FnOnce(&mut Command)) -> Option<Self> {
        let bridge = Self::with(|command| {
            change(command.args(["--sandbox", "auto"]));
        });
        let told = read(&bridge.log);
        if told.contains("sandbox on") {
            return Some(bridge);
        }
        eprintln!("skipped, since there is no sandbox here: {told}");
        None
    }

    /// A bridge that does not run as root, with these further arguments; `None` where root cannot become somebody else.
    pub fn unprivileged(further: &[&str]) -> Option<Self> {
        let workspace = tempfile::tempdir().unwrap();
        if std::fs::metadata(workspace.path()).unwrap().uid() != 0 {
            return Some(Self::with(|command| {
                command.args(further);
            }));
        }
        // Nobody may not see where the program was built.
        let program = workspace.path().join("host-bridge");
        std::fs::copy(env!("CARGO_BIN_EXE_host-bridge"), &program).unwrap();
        std::os::unix::fs::chown(workspace.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        let mut command = Command::new("setpriv");
        command.arg(format!("--reuid={NOBODY}")).arg(format!("--regid={NOBODY}")).arg("--clear-groups");
        if !Command::new("setpriv").arg("--version").output().is_ok_and(|output| output.status.success()) {
            return None;
        }
        command.arg(program);
        Some(Self::launch(command, workspace, |command| {
            command.args(further);
        }))
    }

    fn launch(mut command: Command, workspace: TempDir, change: impl FnOnce(&mut Command)) -> Self {
        let elsewhere = tempfile::tempdir().unwrap();
        // Whoever has the workspace has this too.
        let owner = std::fs::metadata(workspace.path()).unwrap();
        std::os::unix::fs::chown(elsewhere.path(), Some(owner.uid()), Some(owner.gid())).unwrap();
        let log = elsewhere.path().join("stderr");
        command
            // Unless a test asks for one, all else is tried without a sandbox, which not every machine has.
            .args(["--sandbox", "off", "--port", "0", "--no-open", "--workspace"])
            .arg(workspace.path())
            // A developer's own configuration takes no part.
            .env("XDG_CONFIG_HOME", elsewhere.path().join("config"))
            .env("XDG_STATE_HOME", elsewhere.path().join("state"))
            // What one that is killed leaves behind goes with the test.
            .env("TMPDIR", elsewhere.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).unwrap());
        for variable in host_bridge::relay::VARIABLES {
            command.env_remove(variable);
        }
        change(&mut command);
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (address, token) = line.trim().split_once("/#token=").unwrap();
        let port = address.rsplit_once(':').unwrap().1.parse().unwrap();
        Self { child, port, token: token.to_owned(), workspace, log, elsewhere }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.workspace.path().join(name)
    }

    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.pid().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits for its end; its exit code.
    pub fn wait(&mut self) -> Option<i32> {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(began.elapsed() < LONG, "the bridge does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processes, zombies aside, with this text in their command line.
pub fn processes_with(text: &str) -> Vec<String> {
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            (pid != std::process::id() && line.contains(text)).then(|| format!("{pid} {line}"))
        })
        .collect()
}

/// Waits until no process has this text in its command line.
#[track_caller]
pub fn assert_gone(text: &str) {
    let began = Instant::now();
    loop {
        let left = processes_with(text);
        if left.is_empty() {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(10), "still there: {left:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until something is so.
pub async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < LONG, "never: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A `sleep` that can be told from every other one on this machine: its argument, in seconds.
pub fn long_sleep() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("99{}.{:04}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// How many processes are children of this one, zombies included.
pub fn children_of(pid: u32) -> Vec<String> {
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| {
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            let parent: u32 = stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()?;
            (parent == pid).then_some(stat)
        })
        .collect()
}

pub fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}
