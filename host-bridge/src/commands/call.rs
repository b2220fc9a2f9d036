//! One call, from its start to the end of its process tree.

use std::io;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use bridge_protocol::Channel;
use bridge_protocol::channel::Closing;
use bridge_protocol::frames::{Leftover, Loss, Outcome, Refusal, Status, Stream};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::Child;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::crew::{Crew, Supervisor};
use super::spool::Spool;
use super::{Audience, Wanted, millis};
use crate::supervisor::orders::{self, Cause, Order, Report};

/// After the shell's end, output that has been silent for this long is taken to be over.
const SILENCE: Duration = Duration::from_millis(100);
/// And is not waited for longer than this, however talkative a background process is.
const DRAIN: Duration = Duration::from_millis(1500);
/// How long the pipes of a tree that is gone may stay open, when something out of reach holds them.
const HELD_OPEN: Duration = Duration::from_millis(500);
/// How much longer than ordered a supervisor may take before it is told again, and before it is ended itself: a command
/// has our rights, and can stop its supervisor.
const NUDGE: Duration = Duration::from_millis(250);
const PATIENCE: Duration = Duration::from_secs(8);
const READ: usize = 64 * 1024;
/// The longest line a supervisor can mean to say.
const MOST_UNREAD: usize = 4 * 1024 * 1024;

/// One call.
pub struct Call {
    wanted: Wanted,
    channel: Mutex<Channel>,
    spool: Mutex<Spool>,
    audience: Arc<Audience>,
    /// What the call is to be told as, once somebody has ordered its end.
    stop: OnceLock<Outcome>,
    stop_is_ordered: Notify,
    begun: Notify,
    ended: Notify,
}

impl Call {
    pub(super) fn new(wanted: Wanted, ring: usize, audience: Arc<Audience>) -> Self {
        let channel = Mutex::new(Channel::new(wanted.call.clone(), ring));
        Self {
            wanted,
            channel,
            spool: Mutex::default(),
            audience,
            stop: OnceLock::new(),
            stop_is_ordered: Notify::new(),
            begun: Notify::new(),
            ended: Notify::new(),
        }
    }

    /// What the page asked for.
    pub fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// What its viewer is told.
    pub fn channel(&self) -> MutexGuard<'_, Channel> {
        self.channel.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its whole output.
    pub fn spool(&self) -> MutexGuard<'_, Spool> {
        self.spool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Orders the end of the call, which will be told as `outcome`. The first order counts.
    pub fn stop(&self, outcome: Outcome) {
        if self.stop.set(outcome).is_ok() {
            self.stop_is_ordered.notify_one();
        }
    }

    /// Waits until the process runs, or nothing will.
    pub(super) async fn begun(&self) {
        let mut begun = pin!(self.begun.notified());
        begun.as_mut().enable();
        let has_begun = {
            let channel = self.channel();
            channel.is_started() || channel.is_over()
        };
        if !has_begun {
            begun.await;
        }
    }

    /// Waits until the call has ended.
    pub async fn over(&self) {
        let mut ended = pin!(self.ended.notified());
        // Listening before looking: an end in between is heard.
        ended.as_mut().enable();
        if !self.channel().is_over() {
            ended.await;
        }
    }

    /// Runs the command to its end.
    pub(super) async fn conduct(&self, crew: &Crew, command: String, cwd: PathBuf, timeout_ms: u64) {
        let began = Instant::now();
        let told_cwd = cwd.to_string_lossy().into_owned();
        let end = match crew.take() {
            Ok(supervisor) => {
                let mark = format!("{}-{}", std::process::id(), supervisor.child.id().unwrap_or_default());
                let start = Order::Start { command, cwd, timeout_ms, mark: mark.clone(), ceilings: crew.ceilings };
                self.supervise(supervisor, start, Duration::from_millis(timeout_ms), &mark).await
            }
            Err(_) if !cwd.is_dir() => Err(Refusal::WorkspaceGone { path: told_cwd.clone() }),
            Err(error) => Err(Refusal::Os { detail: error.to_string() }),
        };
        match end {
            Ok(End { cause, status, leftovers }) => {
                if let Some(line) = status.and_then(|status| crew.ceilings.told(status)) {
                    self.write(Stream::Stderr, line.as_bytes());
                }
                let outcome = match (cause, status) {
                    (Some(Cause::Itself), Some(Status::Code(code))) => Outcome::Exited { code },
                    (Some(Cause::Itself), Some(Status::Signal(number))) => Outcome::Signalled { number },
                    (Some(Cause::Timeout), _) => Outcome::TimedOut { after_ms: timeout_ms },
                    (Some(Cause::Order), _) => self.stop.get().cloned().unwrap_or(Outcome::Stopped),
                    (Some(Cause::Itself), None) | (None, _) => Outcome::Lost { why: Loss::SupervisorDied },
                };
                tracing::debug!(call = self.wanted.call, ?outcome, "ended");
                let duration_ms = millis(began.elapsed());
                self.close(Closing { outcome, duration_ms, cwd: told_cwd, leftovers });
            }
            Err(why) => {
                tracing::info!(call = self.wanted.call, ?why, "could not start");
                self.refuse(why);
            }
        }
    }

    /// Writes some output.
    pub(super) fn write(&self, stream: Stream, bytes: &[u8]) {
        self.channel().push(stream, bytes);
        self.audience.tell();
        self.spool().append(bytes);
    }

    /// Ends the call: no output follows.
    pub(super) fn close(&self, closing: Closing) {
        self.channel().closed(closing);
        self.tell_end();
    }

    /// Ends the call: nothing ran.
    pub(super) fn refuse(&self, why: Refusal) {
        self.channel().refused(why);
        self.tell_end();
    }

    fn tell_end(&self) {
        self.begun.notify_waiters();
        self.ended.notify_waiters();
        self.audience.tell();
    }

    async fn supervise(
        &self,
        supervisor: Supervisor,
        start: Order,
        timeout: Duration,
        mark: &str,
    ) -> Result<End, Refusal> {
        let Supervisor { mut child, mut control, stdout, stderr, .. } = supervisor;
        let os = |error: io::Error| Refusal::Os { detail: error.to_string() };
        let line = orders::line(&start).map_err(os)?;
        let not_there = || Refusal::Os { detail: "the supervisor of the command did not start".to_owned() };
        control.write_all(&line).await.map_err(|_| not_there())?;
        let mut is_ready = false;
        wake(&child);
        let out_of_time = Instant::now() + timeout + NUDGE;
        // A command can stop its supervisor before that has said that it started it.
        let mut nudge_at = Instant::now() + NUDGE;
        let mut kill_at = out_of_time + PATIENCE;
        let mut pipes = Pipes { stdout: Some(stdout), stderr: Some(stderr), out: vec![0; READ], err: vec![0; READ] };
        let mut arrived = Vec::new();
        let mut stop_is_sent = false;
        let mut end = End { cause: None, status: None, leftovers: Vec::new() };
        // From the shell's end on: when its output counts as silent, and when it is not waited for any more.
        let mut silent_at: Option<Instant> = None;
        let mut drained_at: Option<Instant> = None;
        let mut buffer = [0; 4096];
        let is_dead = loop {
            let quiet = silent_at.zip(drained_at).map(|(silent, drained)| silent.min(drained));
            tokio::select! {
                read = control.read(&mut buffer) => match read {
                    Ok(len) if len > 0 && arrived.len() < MOST_UNREAD => arrived.extend(buffer.iter().take(len)),
                    Ok(_) | Err(_) => break true,
                },
                (stream, len) = pipes.read(), if pipes.are_open() => {
                    self.take(&mut pipes, stream, len);
                    silent_at = silent_at.map(|_| Instant::now() + SILENCE);
                }
                () = self.stop_is_ordered.notified(), if !stop_is_sent => {
                    stop_is_sent = true;
                    let _ = control.write_all(&orders::line(&Order::Stop).unwrap_or_default()).await;
                    wake(&child);
                    nudge_at = Instant::now() + NUDGE;
                    kill_at = kill_at.min(nudge_at + PATIENCE);
                }
                () = sleep_until(quiet.unwrap_or_else(Instant::now)), if quiet.is_some() => {
                    (silent_at, drained_at) = (None, None);
                    let _ = control.write_all(&orders::line(&Order::Finish).unwrap_or_default()).await;
                    nudge_at = Instant::now() + NUDGE;
                    kill_at = kill_at.min(nudge_at + PATIENCE);
                }
                () = sleep_until(nudge_at) => {
                    wake(&child);
                    nudge_at = Instant::now() + NUDGE;
                    if nudge_at > kill_at {
                        let is_over = end.status.is_some();
                        let cause = if stop_is_sent { Cause::Order } else { Cause::Timeout };
                        end.cause = Some(if is_over { Cause::Itself } else { cause });
                        let _ = child.start_kill();
                    }
                }
            }
            let mut is_over = false;
            while let Some(report) = orders::take_line::<Report>(&mut arrived) {
                match report {
                    Ok(Report::Ready) => is_ready = true,
                    Ok(Report::Started { pid }) => {
                        if !stop_is_sent {
                            nudge_at = out_of_time;
                        }
                        self.channel().started(pid);
                        self.begun.notify_waiters();
                        self.audience.tell();
                    }
                    Ok(Report::CannotStart(why)) => return Err(why),
                    Ok(Report::Exited(status)) => {
                        end.status = Some(status);
                        self.channel().exited(status);
                        self.audience.tell();
                        silent_at = Some(Instant::now() + SILENCE);
                        drained_at = Some(Instant::now() + DRAIN);
                    }
                    Ok(Report::Ended { cause, leftovers }) => {
                        end = End { cause: Some(cause), leftovers, ..end };
                        is_over = true;
                    }
                    Err(error) => tracing::warn!(%error, "a supervisor's report makes no sense"),
                }
            }
            if is_over {
                break false;
            }
        };
        if is_dead && !is_ready {
            return Err(not_there());
        }
        if is_dead {
            tracing::warn!(call = self.wanted.call, "a supervisor died before its command");
            #[cfg(target_os = "linux")]
            {
                end.leftovers = super::stragglers::end(child.id(), mark).await;
            }
        }
        // The tree is gone: what is in the pipes is all there will be.
        let mut patience = pin!(tokio::time::sleep(HELD_OPEN));
        while pipes.are_open() {
            tokio::select! {
                (stream, len) = pipes.read() => self.take(&mut pipes, stream, len),
                () = &mut patience => break,
            }
        }
        // The supervisor has nothing left to do, and tokio reaps it; nobody needs to wait for that.
        Ok(end)
    }

    fn take(&self, pipes: &mut Pipes, stream: Stream, len: usize) {
        let bytes = match stream {
            Stream::Stdout => pipes.out.get(..len),
            Stream::Stderr => pipes.err.get(..len),
        };
        match bytes {
            Some(bytes) if !bytes.is_empty() => self.write(stream, bytes),
            _ => pipes.close(stream),
        }
    }
}

/// Wakes a supervisor that its command has stopped. It has not been reaped, so that its id is its own.
fn wake(supervisor: &Child) {
    if let Some(pid) = supervisor.id().and_then(|pid| i32::try_from(pid).ok()).filter(|pid| *pid > 1) {
        let _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
    }
}

/// How a supervised command ended. Without a cause, nobody saw it.
struct End {
    cause: Option<Cause>,
    status: Option<Status>,
    leftovers: Vec<Leftover>,
}

/// What the command writes into.
struct Pipes {
    stdout: Option<tokio::process::ChildStdout>,
    stderr: Option<tokio::process::ChildStderr>,
    out: Vec<u8>,
    err: Vec<u8>,
}

impl Pipes {
    fn are_open(&self) -> bool {
        self.stdout.is_some() || self.stderr.is_some()
    }

    /// Waits for either stream: how many bytes are now in its buffer, 0 at its end.
    async fn read(&mut self) -> (Stream, usize) {
        tokio::select! {
            len = read(&mut self.stdout, &mut self.out) => (Stream::Stdout, len),
            len = read(&mut self.stderr, &mut self.err) => (Stream::Stderr, len),
        }
    }

    fn close(&mut self, stream: Stream) {
        match stream {
            Stream::Stdout => self.stdout = None,
            Stream::Stderr => self.stderr = None,
        }
    }
}

/// Reads a pipe that may be closed already; then it never returns.
async fn read(pipe: &mut Option<impl AsyncRead + Unpin>, buffer: &mut [u8]) -> usize {
    match pipe {
        // An error ends the pipe like its end does.
        Some(pipe) => pipe.read(buffer).await.unwrap_or(0),
        None => std::future::pending().await,
    }
}
