//! The calls, from the bridge's side.
//!
//! A call id starts at most one process for as long as this bridge runs: asking again attaches to the call. A call goes
//! on without a viewer, until the grace is over.

mod audience;
mod call;
mod crew;
pub mod spool;
#[cfg(target_os = "linux")]
mod stragglers;
pub mod tool;

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridge_protocol::frames::{Limits, Loss, Outcome, Refusal, is_call_id};
use serde_json::Value;

pub use audience::{Audience, Viewer};
pub use call::Call;
pub use spool::Spool;

use crew::Crew;

/// How much of a call's output can be sent again.
const RING: usize = 1024 * 1024;
/// How much a viewer may be sent before it has said that it took something.
pub const WINDOW: u64 = 256 * 1024;
/// How many calls may run at once.
const RUNNING: usize = 16;
/// How much output of calls that have ended is kept, all together: in memory, and in files.
const KEPT_MEMORY: usize = 16 * 1024 * 1024;
const KEPT_FILES: u64 = 256 * 1024 * 1024;
/// And in how many files, each of which is an open descriptor.
const FILES: usize = 32;
const TIMEOUT: Duration = Duration::from_secs(120);
const MAX_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// The bounds this bridge keeps.
pub fn limits(grace: Duration) -> Limits {
    Limits {
        timeout_ms: millis(TIMEOUT),
        max_timeout_ms: millis(MAX_TIMEOUT),
        grace_ms: millis(grace),
        window: WINDOW,
        ring: RING as u64,
        command: tool::MAX_COMMAND as u64,
        running: RUNNING as u64,
    }
}

/// All calls of one start of the bridge.
pub struct Commands {
    workspace: PathBuf,
    grace: Duration,
    crew: Crew,
    audience: Arc<Audience>,
    book: Mutex<Book>,
}

/// What a page asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// The id of the call.
    pub call: String,
    /// The name of the tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Value,
    /// How long it may run.
    pub timeout_ms: Option<u64>,
}

#[derive(Default)]
struct Book {
    calls: HashMap<String, Arc<Call>>,
    /// Ended calls whose output is still kept, oldest first.
    kept: VecDeque<Arc<Call>>,
    is_closing: bool,
}

impl Commands {
    /// No calls yet, and nobody there.
    pub fn new(workspace: PathBuf, grace: Duration) -> Arc<Self> {
        Arc::new(Self {
            workspace,
            grace,
            crew: Crew::new(std::env::vars_os()),
            audience: Arc::new(Audience::default()),
            book: Mutex::default(),
        })
    }

    /// The directory every command starts in.
    pub fn workspace(&self) -> &Path {
        &self.workspace
    }

    /// How long commands go on without a viewer.
    pub fn grace(&self) -> Duration {
        self.grace
    }

    /// Who is watching.
    pub fn audience(&self) -> &Arc<Audience> {
        &self.audience
    }

    /// Makes the first call as quick as the others.
    pub fn warm_up(&self) {
        self.crew.replenish();
    }

    /// Starts a call, or finds the one of this id when it wants the same.
    pub fn run(self: &Arc<Self>, wanted: Wanted) -> Result<Arc<Call>, Refusal> {
        if !is_call_id(&wanted.call) {
            return Err(Refusal::BadArguments { detail: "the call id is empty, too long or unreadable".to_owned() });
        }
        let mut book = self.book();
        if let Some(call) = book.calls.get(&wanted.call) {
            let is_same = call.wanted().tool == wanted.tool && call.wanted().arguments == wanted.arguments;
            return if is_same { Ok(call.clone()) } else { Err(Refusal::IdConflict) };
        }
        let command = tool::command(&wanted.tool, &wanted.arguments)?;
        let timeout = wanted.timeout_ms.unwrap_or(millis(TIMEOUT));
        if timeout == 0 || timeout > millis(MAX_TIMEOUT) {
            let detail = format!("timeout_ms must be 1 to {}", millis(MAX_TIMEOUT));
            return Err(Refusal::BadArguments { detail });
        }
        if book.is_closing {
            return Err(Refusal::ShuttingDown);
        }
        if book.calls.values().filter(|call| !call.channel().is_over()).count() >= RUNNING {
            return Err(Refusal::TooManyRunning { limit: RUNNING as u64 });
        }
        let call = Arc::new(Call::new(wanted.clone(), RING, self.audience.clone()));
        book.calls.insert(wanted.call, call.clone());
        drop(book);
        tokio::spawn(self.clone().conduct(call.clone(), command, timeout));
        Ok(call)
    }

    /// A call that was run before.
    pub fn find(&self, call: &str) -> Option<Arc<Call>> {
        self.book().calls.get(call).cloned()
    }

    /// Called when nobody has been there for the whole grace.
    pub fn abandon(&self) {
        for call in self.book().calls.values().filter(|call| !call.channel().is_over()) {
            call.stop(Outcome::Lost { why: Loss::Abandoned { after_ms: millis(self.grace) } });
        }
    }

    /// Ends every call, and takes no more. Returns when they are gone.
    pub async fn shut_down(&self) {
        let open: Vec<Arc<Call>> = {
            let mut book = self.book();
            book.is_closing = true;
            book.calls.values().filter(|call| !call.channel().is_over()).cloned().collect()
        };
        for call in &open {
            call.stop(Outcome::Lost { why: Loss::BridgeEnded });
        }
        for call in &open {
            call.over().await;
        }
    }

    async fn conduct(self: Arc<Self>, call: Arc<Call>, command: String, timeout_ms: u64) {
        call.conduct(&self.crew, command, self.workspace.clone(), timeout_ms).await;
        // The end is to be told first.
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.crew.replenish();
        let mut book = self.book();
        book.kept.push_back(call);
        let mut memory: usize = book.kept.iter().map(|call| call.channel().kept() + call.spool().memory()).sum();
        let mut files: Vec<u64> = book.kept.iter().filter_map(|call| call.spool().file_bytes()).collect();
        files.reverse();
        while memory > KEPT_MEMORY || files.len() > FILES || files.iter().sum::<u64>() > KEPT_FILES {
            let Some(oldest) = book.kept.pop_front() else { break };
            memory = memory.saturating_sub(oldest.channel().kept() + oldest.spool().memory());
            if oldest.spool().file_bytes().is_some() {
                files.pop();
            }
            oldest.channel().drop_output();
            oldest.spool().drop_output();
        }
        book.kept.retain(|call| call.channel().bytes() > 0);
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
