//! The commands in the background: calls of their own, which no page has to watch. They outlive the call that started
//! them, the page, and the grace; they end with the bridge.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bridge_protocol::frames::{BackgroundCommand, Outcome, Refusal, Standing, Stream, ToPage};

use super::Call;

/// How many run at once: half of all calls, so that the others are never kept out.
pub(super) const RUNNING_IN_BACKGROUND: usize = 8;
/// How many are listed, those that have ended included.
const LISTED: usize = 24;
/// How much of a command is listed, in characters.
const COMMAND: usize = 500;

/// The commands in the background, oldest first.
#[derive(Default)]
pub(super) struct Background(Mutex<Vec<Member>>);

struct Member {
    call: Arc<Call>,
    command: String,
    /// How much of its output has been read.
    read: u64,
}

/// What a command has written since it was last read.
pub(super) struct News {
    /// How it stood before its output was looked at: what has ended writes no more.
    pub(super) standing: Standing,
    /// How many bytes are not kept any more.
    pub(super) missing: u64,
    /// The others.
    pub(super) pieces: Vec<(Stream, Vec<u8>)>,
}

impl Background {
    /// A further one, unless as many as may run already do.
    pub(super) fn add(&self, call: Arc<Call>, command: &str) -> Result<(), Refusal> {
        let mut members = self.members();
        if members.iter().filter(|member| !member.call.channel().is_over()).count() >= RUNNING_IN_BACKGROUND {
            return Err(Refusal::TooManyRunning { limit: RUNNING_IN_BACKGROUND as u64 });
        }
        // At most a third of them run, so there is one that has ended.
        let ended = members.iter().position(|member| member.call.channel().is_over());
        if let Some(oldest) = ended.filter(|_| members.len() >= LISTED) {
            members.remove(oldest);
        }
        members.push(Member { call, command: command.chars().take(COMMAND).collect(), read: 0 });
        Ok(())
    }

    /// One that could not be started is none.
    pub(super) fn remove(&self, id: &str) {
        self.members().retain(|member| member.call.wanted().call != id);
    }

    /// The one of this id.
    pub(super) fn find(&self, id: &str) -> Result<Arc<Call>, Refusal> {
        let members = self.members();
        let found = members.iter().find(|member| member.call.wanted().call == id);
        found.map(|member| member.call.clone()).ok_or_else(|| Refusal::UnknownId { id: id.to_owned() })
    }

    /// What the one of this id has written since it was asked last.
    pub(super) fn news(&self, id: &str) -> Result<News, Refusal> {
        let mut members = self.members();
        let member = members.iter_mut().find(|member| member.call.wanted().call == id);
        let member = member.ok_or_else(|| Refusal::UnknownId { id: id.to_owned() })?;
        let channel = member.call.channel();
        let standing = match outcome(channel.end()) {
            Some(end) => Standing::Ended { end: Box::new(end) },
            None => Standing::Running,
        };
        let (missing, pieces) = channel.output_since(member.read);
        member.read = channel.bytes();
        Ok(News { standing, missing, pieces })
    }

    /// All of them, as a person is shown them.
    pub(super) fn list(&self) -> Vec<BackgroundCommand> {
        let member = |member: &Member| {
            let channel = member.call.channel();
            BackgroundCommand {
                id: member.call.wanted().call.clone(),
                command: member.command.clone(),
                bytes: channel.bytes(),
                end: outcome(channel.end()),
            }
        };
        self.members().iter().map(member).collect()
    }

    fn members(&self) -> MutexGuard<'_, Vec<Member>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn outcome(end: Option<&ToPage>) -> Option<Outcome> {
    match end? {
        ToPage::Closed { outcome, .. } => Some(outcome.clone()),
        ToPage::Refused { why, .. } => Some(Outcome::CannotStart { why: why.clone() }),
        _ => None,
    }
}
