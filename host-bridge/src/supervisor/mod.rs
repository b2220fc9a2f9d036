//! The small process around each command, which leaves nothing of it behind.
//!
//! It is this same program, executed with [`ARGUMENT`]: one thread, no runtime, so that it may wait for any child
//! without taking one from somebody else. It is the subreaper of its command: whatever forks, changes its session or
//! loses its parent becomes its child, and it ends when there are none. It obeys the bridge, the timeout, and the end of
//! its line to the bridge, so that a bridge that is killed takes its commands with it.
//!
//! Only direct children are signalled, and only this process reaps them: so none of their ids can belong to another
//! process by then. What is deeper in the tree becomes a direct child when its parent is gone.

pub mod ceilings;
pub mod orders;
pub mod tree;

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use bridge_protocol::frames::{Leftover, Refusal, Status};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, kill, killpg, sigaction};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{AccessFlags, Pid, access, setsid};

use crate::sandbox::enter;
use ceilings::Ceilings;
use orders::{Cause, MARK, Order, Report};

/// The argument that makes this program a supervisor.
pub const ARGUMENT: &str = "--supervise-one-command";

/// How long a tree has between the signal that asks and the one that does not.
const TIMEOUT_GRACE: Duration = Duration::from_millis(1000);
const STOP_GRACE: Duration = Duration::from_millis(500);
const FINISH_GRACE: Duration = Duration::from_millis(300);
/// How often a tree that is being ended is looked at.
const LOOK: Duration = Duration::from_millis(10);
/// How long killing is tried before what is left is reported as having survived.
const KILLING: Duration = Duration::from_secs(5);
/// The most processes that are told of by name.
const MOST_NAMED: usize = 100;

/// Supervises one command, then returns. `outputs` are there in a sandbox.
pub fn main(outputs: impl Iterator<Item = OsString>) -> ExitCode {
    match supervise(outputs.collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn supervise(outputs: Vec<OsString>) -> io::Result<()> {
    setsid()?;
    become_subreaper()?;
    enter::take_up(&outputs)?;
    close_inherited();
    // In a sandbox nobody looks into it, nor speaks in its name: it holds the line to the bridge.
    #[cfg(target_os = "linux")]
    if !outputs.is_empty() {
        nix::sys::prctl::set_dumpable(false)?;
    }
    // The socket came as standard input; the command gets another one.
    let control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut line = Line { control, arrived: Vec::new(), reports: Vec::new(), is_open: true };
    line.report(&Report::Ready);
    line.flush();
    let shell = shell();
    let Some(Order::Start { command, cwd, timeout_ms, mark, ceilings }) = line.wait_for_order()? else { return Ok(()) };
    match start(&shell, command, cwd, mark, ceilings) {
        Ok(shell) => {
            line.report(&Report::Started { pid: shell.as_raw().unsigned_abs() });
            let timeout = Instant::now() + Duration::from_millis(timeout_ms);
            Tree { shell, timeout, status: None, phase: Phase::Running, leftovers: Vec::new(), asked: HashSet::new() }
                .watch(&mut line)
        }
        Err(why) => {
            line.report(&Report::CannotStart(why));
            line.flush();
            Ok(())
        }
    }
}

/// Where bash is. Looked for before there is an order, since nobody waits yet.
fn shell() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // A relative entry would mean another place in the workspace.
    let places = std::env::split_paths(&path).filter(|place| place.is_absolute()).map(|place| place.join("bash"));
    let is_program = |place: &PathBuf| place.is_file() && access(place, AccessFlags::X_OK).is_ok();
    places.into_iter().find(is_program).unwrap_or_else(|| PathBuf::from("/bin/bash"))
}

fn start(shell: &Path, command: String, cwd: PathBuf, mark: String, ceilings: Ceilings) -> Result<Pid, Refusal> {
    let os = |error: io::Error| Refusal::Os { detail: error.to_string() };
    if !cwd.is_dir() {
        return Err(Refusal::WorkspaceGone { path: cwd.to_string_lossy().into_owned() });
    }
    let _ = SigSet::empty().thread_set_mask();
    outlive_signals();
    let mut shell = Command::new(shell);
    shell
        .arg0("bash")
        // The `--` is for a command that starts with a dash.
        .args(["--noprofile", "--norc", "-c", "--", &command])
        .current_dir(cwd)
        .env(MARK, mark)
        .stdin(Stdio::null())
        .process_group(0);
    let limits = ceilings.now();
    if !limits.is_empty() {
        #[expect(unsafe_code, reason = "only between fork and exec can a process limit its child and not itself")]
        // SAFETY: the limits are set by system calls alone, which may be made there.
        unsafe {
            shell.pre_exec(move || limits.set());
        }
    }
    let child = shell.spawn().map_err(os)?;
    // From here on a signal does not even wake the supervisor. Not before: the command would inherit the mask.
    let _ = SigSet::all().thread_block();
    // The pipes must end when the last process of the tree lets go of them.
    let null = || Ok::<OwnedFd, io::Error>(std::fs::File::options().write(true).open("/dev/null")?.into());
    null()
        .and_then(|null| Ok(nix::unistd::dup2_stdout(&null)?))
        .and_then(|()| null())
        .and_then(|null| Ok(nix::unistd::dup2_stderr(&null)?))
        .map_err(os)?;
    Ok(Pid::from_raw(i32::try_from(child.id()).map_err(|_| Refusal::Os { detail: "no process id".to_owned() })?))
}

/// From here on, a signal meant for the command does not end its supervisor. By a handler, which the command's `exec`
/// takes back, where a mask or an ignored signal would be inherited; and before there is a command that could send one.
fn outlive_signals() {
    extern "C" fn nothing(_: i32) {}
    let action = SigAction::new(SigHandler::Handler(nothing), SaFlags::SA_RESTART, SigSet::empty());
    let ends_a_process = [
        Signal::SIGHUP,
        Signal::SIGINT,
        Signal::SIGQUIT,
        Signal::SIGTERM,
        Signal::SIGUSR1,
        Signal::SIGUSR2,
        Signal::SIGALRM,
        Signal::SIGVTALRM,
        Signal::SIGPROF,
        Signal::SIGXCPU,
        Signal::SIGXFSZ,
    ];
    for signal in ends_a_process {
        #[expect(unsafe_code, reason = "the OS takes a handler as a bare function; this one does nothing at all")]
        // SAFETY: an empty handler touches nothing, so it may run at any moment.
        let _ = unsafe { sigaction(signal, &action) };
    }
}

/// The supervisor's end of the socket pair.
struct Line {
    control: UnixStream,
    arrived: Vec<u8>,
    /// Reports that have not been sent.
    reports: Vec<u8>,
    is_open: bool,
}

impl Line {
    /// Waits for the next order; `None` when there will be none.
    fn wait_for_order(&mut self) -> io::Result<Option<Order>> {
        loop {
            if let Some(order) = orders::take_line(&mut self.arrived) {
                return order.map(Some);
            }
            if !self.is_open {
                return Ok(None);
            }
            self.read();
        }
    }

    /// Reads what is there, blocking when nothing is.
    fn read(&mut self) {
        let mut buffer = [0; 16 * 1024];
        match self.control.read(&mut buffer) {
            Ok(len) if len > 0 => self.arrived.extend(buffer.iter().take(len)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(_) | Err(_) => self.is_open = false,
        }
    }

    /// Puts down a report. The last ones of a command go out together: the bridge is woken once.
    fn report(&mut self, report: &Report) {
        self.reports.extend(orders::line(report).unwrap_or_default());
    }

    /// Sends the reports, to a bridge that may be gone.
    fn flush(&mut self) {
        let _ = self.control.write_all(&self.reports);
        self.reports.clear();
    }
}

/// The command's processes.
struct Tree {
    shell: Pid,
    timeout: Instant,
    status: Option<Status>,
    phase: Phase,
    leftovers: Vec<Leftover>,
    /// Who has been asked to end.
    asked: HashSet<i32>,
}

#[derive(Debug, Clone, Copy)]
enum Phase {
    Running,
    /// Asked to end.
    Asking {
        cause: Cause,
        until: Instant,
    },
    /// Made to end.
    Killing {
        cause: Cause,
        until: Instant,
    },
}

impl Tree {
    /// Watches until the tree is gone.
    fn watch(mut self, line: &mut Line) -> io::Result<()> {
        let wakeup = ChildWatch::new()?;
        let survivors = loop {
            if self.reap(line) {
                break Vec::new();
            }
            let now = Instant::now();
            match self.phase {
                Phase::Running if self.status.is_none() && now >= self.timeout => {
                    self.ask(Cause::Timeout, TIMEOUT_GRACE);
                    continue;
                }
                Phase::Running => {}
                Phase::Asking { cause, until } if now >= until => {
                    self.phase = Phase::Killing { cause, until: now + KILLING };
                    continue;
                }
                Phase::Asking { .. } => self.ask_children(),
                Phase::Killing { until, .. } if now >= until => break tree::descendants(),
                Phase::Killing { .. } => {
                    self.name_leftovers();
                    tree::children().for_each(|child| {
                        signal(child, Signal::SIGKILL);
                    });
                }
            }
            let wait = match self.phase {
                Phase::Running if self.status.is_none() => self.timeout.saturating_duration_since(now),
                Phase::Running => Duration::from_secs(60),
                Phase::Asking { .. } | Phase::Killing { .. } => LOOK,
            };
            line.flush();
            if wakeup.wait(line, wait)? {
                self.obey(line);
            }
        };
        // Without a subreaper, what the shell left in its group is nobody's child, but still in the group.
        #[cfg(not(target_os = "linux"))]
        let _ = killpg(self.shell, Signal::SIGKILL);
        let cause = match self.phase {
            Phase::Running => Cause::Itself,
            Phase::Asking { cause, .. } | Phase::Killing { cause, .. } => cause,
        };
        for survivor in survivors {
            self.leftovers.retain(|leftover| leftover.pid != survivor.pid);
            self.leftovers.push(Leftover { survived: true, ..survivor });
        }
        line.report(&Report::Ended { cause, leftovers: self.leftovers });
        line.flush();
        Ok(())
    }

    /// Takes in every child that has ended; true when there is none left.
    fn reap(&mut self, line: &mut Line) -> bool {
        loop {
            let (pid, status) = match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(pid, code)) => (pid, Status::Code(code)),
                Ok(WaitStatus::Signaled(pid, signal, _)) => (pid, Status::Signal(signal as i32)),
                Ok(WaitStatus::StillAlive) => return false,
                Ok(_) | Err(Errno::EINTR) => continue,
                // ECHILD: nobody is left to wait for.
                Err(_) => return true,
            };
            if pid == self.shell {
                self.status = Some(status);
                line.report(&Report::Exited(status));
            }
        }
    }

    /// Does what the bridge orders, or has no more chance to order.
    fn obey(&mut self, line: &mut Line) {
        line.read();
        while let Some(order) = orders::take_line(&mut line.arrived) {
            match order {
                Ok(Order::Finish) if self.status.is_some() => self.ask(Cause::Itself, FINISH_GRACE),
                Ok(Order::Stop) => self.ask(Cause::Order, STOP_GRACE),
                Ok(Order::Finish | Order::Start { .. }) | Err(_) => {}
            }
        }
        if !line.is_open {
            self.ask(Cause::Order, STOP_GRACE);
        }
    }

    /// Begins to end the tree, unless that has begun.
    fn ask(&mut self, cause: Cause, grace: Duration) {
        if !matches!(self.phase, Phase::Running) {
            return;
        }
        // What is ended after the shell has ended by itself does not change how it ended.
        let cause = if self.status.is_some() { Cause::Itself } else { cause };
        self.phase = Phase::Asking { cause, until: Instant::now() + grace };
        // Before anybody is asked: afterwards there may be nobody left to be named.
        self.name_leftovers();
        if self.status.is_none() {
            // The shell has not been reaped, so its group is still its own.
            let _ = killpg(self.shell, Signal::SIGTERM);
            self.asked.insert(self.shell.as_raw());
        }
        self.ask_children();
    }

    /// Asks every child that has not been asked yet, and wakes it: a stopped process hears nothing.
    fn ask_children(&mut self) {
        let unasked: Vec<Pid> = tree::children().filter(|child| self.asked.insert(child.as_raw())).collect();
        if !unasked.is_empty() {
            self.name_leftovers();
        }
        for child in unasked {
            signal(child, Signal::SIGTERM);
            signal(child, Signal::SIGCONT);
        }
    }

    /// Writes down who lives besides the shell and has to be ended.
    fn name_leftovers(&mut self) {
        if self.leftovers.len() >= MOST_NAMED {
            return;
        }
        for found in tree::descendants() {
            let is_shell = self.status.is_none() && found.pid == self.shell.as_raw().unsigned_abs();
            if !is_shell && self.leftovers.iter().all(|named| named.pid != found.pid) {
                self.leftovers.push(found);
            }
        }
        self.leftovers.truncate(MOST_NAMED);
    }
}

/// Signals one child. Nothing that stands for more than one process is ever signalled.
/// Whether it was signalled.
fn signal(child: Pid, signal: Signal) -> bool {
    child.as_raw() > 1 && kill(child, signal).is_ok()
}

/// What wakes the supervisor: a child's end, or the bridge.
struct ChildWatch {
    #[cfg(target_os = "linux")]
    signals: nix::sys::signalfd::SignalFd,
}

impl ChildWatch {
    fn new() -> io::Result<Self> {
        Ok(Self {
            #[cfg(target_os = "linux")]
            signals: {
                use nix::sys::signalfd::{SfdFlags, SignalFd};
                let mut mask = SigSet::empty();
                mask.add(Signal::SIGCHLD);
                SignalFd::with_flags(&mask, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?
            },
        })
    }

    /// Waits for a child's end, the bridge, or the time; true when it was the bridge.
    fn wait(&self, line: &Line, wait: Duration) -> io::Result<bool> {
        #[cfg(not(target_os = "linux"))]
        let wait = wait.min(LOOK);
        // A whole millisecond more, so as not to wake just before the time.
        let wait = PollTimeout::try_from(wait + Duration::from_millis(1)).unwrap_or(PollTimeout::MAX);
        let mut fds = Vec::with_capacity(2);
        if line.is_open {
            fds.push(PollFd::new(line.control.as_fd(), PollFlags::POLLIN));
        }
        #[cfg(target_os = "linux")]
        fds.push(PollFd::new(self.signals.as_fd(), PollFlags::POLLIN));
        match poll(&mut fds, wait) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        #[cfg(target_os = "linux")]
        while matches!(self.signals.read_signal(), Ok(Some(_))) {}
        Ok(line.is_open && fds.first().and_then(PollFd::any).unwrap_or(false))
    }
}

#[cfg(target_os = "linux")]
fn become_subreaper() -> io::Result<()> {
    nix::sys::prctl::set_child_subreaper(true)?;
    // Its command may have stopped it. When the bridge is gone, nobody else wakes it.
    nix::sys::prctl::set_pdeathsig(Signal::SIGCONT)?;
    // `ps` would say "exe", after the path it was executed by.
    nix::sys::prctl::set_name(c"host-bridge-one")?;
    Ok(())
}

/// Without a subreaper, what leaves both the session's group and its parents is out of reach: docs/security.md says so.
#[cfg(not(target_os = "linux"))]
fn become_subreaper() -> io::Result<()> {
    Ok(())
}

/// Closes what whoever started the bridge had open, so that no command inherits it.
pub fn close_inherited() {
    let folder = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let open: Vec<i32> = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for descriptor in open.into_iter().filter(|descriptor| *descriptor > 2) {
        let _ = nix::unistd::close(descriptor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p33_only_one_process_is_ever_signalled() {
        // By default this signal is ignored: if it went out to many, nobody would be hurt.
        for (pid, expected) in [(0, false), (-1, false), (1, false), (-7, false), (i32::MIN, false)] {
            assert_eq!(signal(Pid::from_raw(pid), Signal::SIGURG), expected, "{pid}");
        }
        assert!(signal(nix::unistd::getpid(), Signal::SIGURG));
    }
}
