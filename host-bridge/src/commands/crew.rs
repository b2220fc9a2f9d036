//! Supervisors: some are always started and waiting, so that starting them is not part of a call's time.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::net::UnixStream;
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::time::timeout;

use crate::environment::{self, Variable};
use crate::sandbox::{Bubble, Plan, enter};
use crate::supervisor::ARGUMENT;
use crate::supervisor::ceilings::Ceilings;

/// Where supervisors come from.
pub(super) struct Crew {
    environment: Vec<Variable>,
    sandbox: Option<Bubble>,
    /// What a command may use at most.
    pub(super) ceilings: Ceilings,
    waiting: Mutex<Vec<Supervisor>>,
    is_dismissed: AtomicBool,
}

/// How many wait: one for the next call, and one for the call after it, so that its time is not that of a start either.
const WAITING: usize = 2;
/// How long one that has been dismissed may take to go.
const FAREWELL: Duration = Duration::from_secs(1);

/// A supervisor that has been given no order yet.
pub(super) struct Supervisor {
    pub(super) child: Child,
    pub(super) control: UnixStream,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
    /// The sandbox it is in.
    sandbox: Option<Plan>,
}

impl Crew {
    /// Nobody waits yet. Commands get what of `environment` is for them.
    pub(super) fn new(
        environment: impl Iterator<Item = Variable>,
        sandbox: Option<Bubble>,
        ceilings: Ceilings,
    ) -> Self {
        Self {
            environment: environment::for_commands(environment),
            sandbox,
            ceilings,
            waiting: Mutex::default(),
            is_dismissed: AtomicBool::new(false),
        }
    }

    /// One that waits, or a new one.
    pub(super) fn take(&self) -> io::Result<Supervisor> {
        let plan = self.plan()?;
        while let Some(mut supervisor) = self.waiting().pop() {
            // Somebody may have killed it while it waited, or put a secret where its sandbox hides none.
            if supervisor.sandbox == plan && matches!(supervisor.child.try_wait(), Ok(None)) {
                return Ok(supervisor);
            }
        }
        self.start(plan)
    }

    /// Sees to it that enough wait.
    pub(super) fn replenish(&self) {
        // Not under the lock: a call would wait for the start after all.
        while self.waiting().len() < WAITING && !self.is_dismissed.load(Ordering::Relaxed) {
            match self.plan().and_then(|plan| self.start(plan)) {
                Ok(supervisor) => self.waiting().push(supervisor),
                Err(error) => return tracing::warn!(%error, "cannot start a supervisor"),
            }
        }
    }

    /// Lets go of those that wait, and starts no more to wait. Returns when they are gone, with what they were started in.
    pub(super) async fn dismiss(&self) {
        self.is_dismissed.store(true, Ordering::Relaxed);
        let waiting = std::mem::take(&mut *self.waiting());
        // Each ends by itself once nobody can give it an order any more.
        let mut leaving: Vec<Child> = waiting.into_iter().map(|supervisor| supervisor.child).collect();
        let all = async {
            for child in &mut leaving {
                let _ = child.wait().await;
            }
        };
        let _ = timeout(FAREWELL, all).await;
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Supervisor>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sandbox of a supervisor that starts now.
    fn plan(&self) -> io::Result<Option<Plan>> {
        self.sandbox.as_ref().map(Bubble::plan).transpose()
    }

    fn start(&self, plan: Option<Plan>) -> io::Result<Supervisor> {
        let (ours, theirs) = StdUnixStream::pair()?;
        ours.set_nonblocking(true)?;
        // The link still leads to this program when its file has been replaced.
        let program =
            if cfg!(target_os = "linux") { PathBuf::from("/proc/self/exe") } else { std::env::current_exe()? };
        let mut command = Command::new(program);
        if let (Some(bubble), Some(plan)) = (&self.sandbox, &plan) {
            command.arg(enter::ARGUMENT).arg(bubble.program()).args(&plan.arguments).arg("--");
        }
        let mut child = command
            .arg(ARGUMENT)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let missing = || io::Error::other("a supervisor without pipes");
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        Ok(Supervisor { child, control: UnixStream::from_std(ours)?, stdout, stderr, sandbox: plan })
    }
}
