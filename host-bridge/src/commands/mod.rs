//! The calls, from the bridge's side.
//!
//! A call id starts at most one process for as long as this bridge runs: asking again attaches to the call. A call goes
//! on without a viewer, until the grace is over.

mod answer;
mod audience;
mod background;
mod call;
mod crew;
pub mod spool;
#[cfg(target_os = "linux")]
mod stragglers;
pub mod tool;

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridge_protocol::frames::{BackgroundCommand, Limits, Loss, Outcome, Refusal, is_call_id};
use serde_json::Value;

pub use audience::{Audience, Viewer};
pub use call::Call;
pub use spool::Spool;

use crate::sandbox::Bubble;
use crate::supervisor::ceilings::Ceilings;
use answer::About;
use background::Background;
use crew::Crew;
use tool::Order;

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
/// How many calls that have ended are remembered with all that can be said of them; of older ones, that they were.
const REMEMBERED: usize = 1000;
const TIMEOUT: Duration = Duration::from_secs(120);
const MAX_TIMEOUT: Duration = Duration::from_secs(60 * 60);
/// A command in the background has no limit; a supervisor wants one.
const NO_TIMEOUT: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

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
    background: Background,
    book: Mutex<Book>,
}

/// What came of asking for a call.
pub struct Asked {
    /// The call.
    pub call: Arc<Call>,
    /// The command in the background that it has started.
    pub background: Option<Arc<Call>>,
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
    /// The ids of the calls that have ended and are remembered, oldest first.
    ended: VecDeque<String>,
    /// The hashes of the ids of those that are not.
    forgotten: HashSet<u64>,
    hasher: RandomState,
    is_closing: bool,
}

impl Book {
    /// Keeps of the oldest calls no more than that their ids were used.
    fn forget_oldest(&mut self) {
        while self.ended.len() > REMEMBERED {
            let Some(id) = self.ended.pop_front() else { return };
            self.forgotten.insert(self.hasher.hash_one(&id));
            if let Some(call) = self.calls.remove(&id) {
                self.kept.retain(|kept| !Arc::ptr_eq(kept, &call));
            }
        }
    }
}

impl Commands {
    /// No calls yet, and nobody there. They run in sandboxes, where there can be some, and below these ceilings.
    pub fn new(workspace: PathBuf, grace: Duration, sandbox: Option<Bubble>, ceilings: Ceilings) -> Arc<Self> {
        Arc::new(Self {
            workspace,
            grace,
            crew: Crew::new(std::env::vars_os(), sandbox, ceilings),
            audience: Arc::new(Audience::default()),
            background: Background::default(),
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

    /// The commands in the background.
    pub fn in_background(&self) -> Vec<BackgroundCommand> {
        self.background.list()
    }

    /// Starts a call, or finds the one of this id when it wants the same.
    pub fn run(self: &Arc<Self>, wanted: Wanted) -> Result<Asked, Refusal> {
        if !is_call_id(&wanted.call) {
            return Err(Refusal::BadArguments { detail: "the call id is empty, too long or unreadable".to_owned() });
        }
        let mut book = self.book();
        if let Some(call) = book.calls.get(&wanted.call) {
            let is_same = call.wanted().tool == wanted.tool && call.wanted().arguments == wanted.arguments;
            let found = Asked { call: call.clone(), background: None };
            return if is_same { Ok(found) } else { Err(Refusal::IdConflict) };
        }
        if book.forgotten.contains(&book.hasher.hash_one(&wanted.call)) {
            return Err(Refusal::UnknownCall);
        }
        let order = Order::of(&wanted.tool, &wanted.arguments)?;
        let timeout = wanted.timeout_ms.unwrap_or(millis(TIMEOUT));
        if timeout == 0 || timeout > millis(MAX_TIMEOUT) {
            let detail = format!("timeout_ms must be 1 to {}", millis(MAX_TIMEOUT));
            return Err(Refusal::BadArguments { detail });
        }
        if book.is_closing {
            return Err(Refusal::ShuttingDown);
        }
        let is_running = |call: &&Arc<Call>| !call.channel().is_over();
        if order.command().is_some() && book.calls.values().filter(is_running).count() >= RUNNING {
            return Err(Refusal::TooManyRunning { limit: RUNNING as u64 });
        }
        let call = Arc::new(Call::new(wanted.clone(), RING, self.audience.clone()));
        let about = match order {
            Order::Run(command) => {
                book.calls.insert(wanted.call, call.clone());
                drop(book);
                tokio::spawn(self.clone().conduct(call.clone(), command, timeout));
                return Ok(Asked { call, background: None });
            }
            Order::Start(command) => {
                let name = |number: &usize| format!("bg-{number}");
                let id = (1..).find(|number| !book.calls.contains_key(&name(number))).as_ref().map(name);
                let wanted = Wanted { call: id.unwrap_or_default(), ..wanted.clone() };
                let started = Arc::new(Call::new(wanted.clone(), RING, self.audience.clone()));
                self.background.add(started.clone(), &command)?;
                book.calls.insert(wanted.call, started.clone());
                tokio::spawn(self.clone().conduct(started.clone(), command, millis(NO_TIMEOUT)));
                About::Start(started)
            }
            Order::List => About::List,
            Order::Read(id) => About::Read(id),
            Order::Kill(id) => About::Kill(id),
        };
        book.calls.insert(wanted.call, call.clone());
        drop(book);
        let background = match &about {
            About::Start(started) => Some(started.clone()),
            About::List | About::Read(_) | About::Kill(_) => None,
        };
        tokio::spawn(self.clone().answer(call.clone(), about));
        Ok(Asked { call, background })
    }

    /// A call that was run before.
    pub fn find(&self, call: &str) -> Option<Arc<Call>> {
        self.book().calls.get(call).cloned()
    }

    /// Called when nobody has been there for the whole grace. What is in the background needs nobody.
    pub fn abandon(&self) {
        let is_watched = |call: &&Arc<Call>| self.background.find(&call.wanted().call).is_err();
        for call in self.book().calls.values().filter(|call| !call.channel().is_over()).filter(is_watched) {
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

    /// Leaves nothing that waits to run a command. No call may be open any more.
    pub async fn dismiss(&self) {
        self.crew.dismiss().await;
    }

    async fn conduct(self: Arc<Self>, call: Arc<Call>, command: String, timeout_ms: u64) {
        call.conduct(&self.crew, command, self.workspace.clone(), timeout_ms).await;
        // The end is to be told first.
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.crew.replenish();
        self.keep_within_bounds(call);
    }

    /// Keeps the output of a call that has ended, and lets go of older output for it.
    fn keep_within_bounds(&self, call: Arc<Call>) {
        let mut book = self.book();
        book.ended.push_back(call.wanted().call.clone());
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
        book.forget_oldest();
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
