//! Whether a call that a page sends may run: by the rules, by the page's word that a person allowed it, or, with
//! `--confirm terminal`, by the person at the bridge's own terminal.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bridge_protocol::frames::{Decision, Reason, Refusal, ToPage, Verdict};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::bridge::Bridge;
use crate::commands::{Viewer, Wanted, tool};
use crate::policy::{Answer, Policy, Terminal};

/// Who was asked before a call was sent, as the page says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// A person, who allowed it.
    Person,
    /// Nobody: the rules have to allow it.
    Nobody,
}

/// Where calls are let through.
pub struct Approval {
    policy: Policy,
    terminal: Option<Terminal>,
    waiting: Mutex<HashMap<String, Waiting>>,
}

/// A call that waits for an answer at the terminal, and the page that waits for the call.
struct Waiting {
    wanted: Wanted,
    viewer: Arc<Viewer>,
    answers: mpsc::Sender<ToPage>,
}

impl Approval {
    /// By these rules, and with questions on this terminal, if there is to be one.
    pub fn new(policy: Policy, terminal: Option<Terminal>) -> Self {
        Self { policy, terminal, waiting: Mutex::default() }
    }

    /// What the rules settle about a call; about one that is none, that it is asked about.
    pub fn review(&self, tool: &str, arguments: &Value) -> Verdict {
        match tool::command(tool, arguments) {
            Ok(command) => self.policy.decide(&command),
            Err(_) => Verdict { decision: Decision::Ask, reason: Reason::NoRule },
        }
    }

    /// Forgets a call that waits for an answer; whether there was one.
    pub fn withdraw(&self, call: &str) -> bool {
        self.waiting().remove(call).is_some()
    }

    /// Whether the page that waits for this call is still there.
    fn is_awaited(&self, call: &str) -> bool {
        self.waiting().get(call).is_some_and(|waiting| !waiting.viewer.replaced.is_cancelled())
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<String, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a call that may run, or finds the one of its id; says why not; or asks at the terminal first, and then what
/// comes of it is told later.
pub fn run(
    bridge: &Arc<Bridge>,
    viewer: &Arc<Viewer>,
    answers: &mpsc::Sender<ToPage>,
    wanted: Wanted,
    asked: Asked,
) -> Result<(), Refusal> {
    // What runs already, or has run, is not asked about again.
    if bridge.commands.find(&wanted.call).is_none() {
        let command = tool::command(&wanted.tool, &wanted.arguments)?;
        let Verdict { decision, reason } = bridge.approval.policy.decide(&command);
        match (decision, asked) {
            (Decision::Deny, _) => {
                let rule = if let Reason::Rule { rule } = reason { rule } else { String::new() };
                return Err(Refusal::Denied { rule });
            }
            (Decision::Ask, Asked::Nobody) => return Err(Refusal::NotAsked),
            (Decision::Ask, Asked::Person) => {
                if let Some(terminal) = &bridge.approval.terminal {
                    let waiting = Waiting { wanted, viewer: viewer.clone(), answers: answers.clone() };
                    return ask(bridge, terminal, waiting, command);
                }
            }
            (Decision::Allow, _) => {}
        }
    }
    let found = bridge.commands.run(wanted)?;
    viewer.attach(found, 0);
    Ok(())
}

/// Asks at the terminal. A call that is sent again while it waits is the same question, and its newest page hears the
/// answer.
fn ask(bridge: &Arc<Bridge>, terminal: &Terminal, waiting: Waiting, command: String) -> Result<(), Refusal> {
    let call = waiting.wanted.call.clone();
    match bridge.approval.waiting().entry(call.clone()) {
        Entry::Occupied(mut asked) => {
            let before = &asked.get().wanted;
            if before.tool != waiting.wanted.tool || before.arguments != waiting.wanted.arguments {
                return Err(Refusal::IdConflict);
            }
            asked.insert(waiting);
            return Ok(());
        }
        Entry::Vacant(place) => {
            place.insert(waiting);
        }
    }
    let (bridge, terminal) = (bridge.clone(), terminal.clone());
    tokio::spawn(async move {
        let awaited = { (bridge.clone(), call.clone()) };
        let answer = terminal.ask(command, move || awaited.0.approval.is_awaited(&awaited.1)).await;
        let Some(Waiting { wanted, viewer, answers }) = bridge.approval.waiting().remove(&call) else { return };
        // Without its page nothing runs: a page that comes back sends the call again.
        let started = match answer {
            Answer::Yes if !viewer.replaced.is_cancelled() => bridge.commands.run(wanted),
            Answer::Yes | Answer::No => Err(Refusal::NotConfirmed),
        };
        match started {
            Ok(found) => viewer.attach(found, 0),
            Err(why) => drop(answers.try_send(ToPage::Refused { call, why })),
        }
    });
    Ok(())
}
