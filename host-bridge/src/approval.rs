//! Whether a call that a page sends may run: by the rules, by the page's word that a person allowed it, or, with
//! `--confirm terminal`, by the person at the bridge's own terminal.

use std::collections::{HashMap, hash_map};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bridge_protocol::frames::{Decision, Reason, Refusal, ToPage, Verdict};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::audit::{Entry, without_keys};
use crate::bridge::Bridge;
use crate::commands::tool::Order;
use crate::commands::{Call, Viewer, Wanted};
use crate::policy::{Answer, Policy, Terminal};

/// How much of a command is written down, in characters.
const WRITTEN: usize = 4096;

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

    /// Whether what a person allowed is asked about again on the terminal.
    pub fn asks_on_terminal(&self) -> bool {
        self.terminal.is_some()
    }

    /// What the rules settle about a call; about one that is none, that it is asked about.
    pub fn review(&self, tool: &str, arguments: &Value) -> Verdict {
        match Order::of(tool, arguments) {
            Ok(order) => self.decide(&order),
            Err(_) => Verdict { decision: Decision::Ask, reason: Reason::NoRule },
        }
    }

    /// To look at what was allowed before, and to end it, needs no further question.
    fn decide(&self, order: &Order) -> Verdict {
        match order.command() {
            Some(command) => self.policy.decide(command),
            None => Verdict { decision: Decision::Allow, reason: Reason::Background },
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
    if bridge.commands.find(&wanted.call).is_some() {
        let found = bridge.commands.run(wanted)?;
        viewer.attach(found.call, 0);
        return Ok(());
    }
    let order = Order::of(&wanted.tool, &wanted.arguments)?;
    let verdict = bridge.approval.decide(&order);
    let decided = Decided { call: wanted.call.clone(), order, verdict };
    match (decided.verdict.decision, asked) {
        (Decision::Deny, _) => {
            let rule = match &decided.verdict.reason {
                Reason::Rule { rule } => rule.clone(),
                Reason::ReadOnly | Reason::Background | Reason::NotSimple | Reason::NoRule => String::new(),
            };
            decided.write_down(bridge, "nobody", false);
            return Err(Refusal::Denied { rule });
        }
        (Decision::Ask, Asked::Nobody) => {
            decided.write_down(bridge, "nobody", false);
            return Err(Refusal::NotAsked);
        }
        (Decision::Ask, Asked::Person) => match &bridge.approval.terminal {
            Some(terminal) => {
                let waiting = Waiting { wanted, viewer: viewer.clone(), answers: answers.clone() };
                return ask(bridge, terminal, waiting, decided);
            }
            None => decided.write_down(bridge, "person", true),
        },
        (Decision::Allow, Asked::Person) => decided.write_down(bridge, "person", true),
        (Decision::Allow, Asked::Nobody) => decided.write_down(bridge, "nobody", true),
    }
    viewer.attach(start(bridge, wanted)?, 0);
    Ok(())
}

/// A call about which the rules have settled something.
struct Decided {
    call: String,
    order: Order,
    verdict: Verdict,
}

impl Decided {
    fn write_down(self, bridge: &Bridge, asked: &'static str, runs: bool) {
        let command: String = without_keys(&self.order.told()).chars().take(WRITTEN).collect();
        let background = matches!(self.order, Order::Start(_));
        bridge.audit.write(&Entry::Decided {
            call: self.call,
            command,
            background,
            verdict: self.verdict,
            asked,
            runs,
        });
    }
}

/// Starts a call.
fn start(bridge: &Arc<Bridge>, wanted: Wanted) -> Result<Arc<Call>, Refusal> {
    let asked = bridge.commands.run(wanted)?;
    asked.background.into_iter().for_each(|started| follow(bridge, started));
    follow(bridge, asked.call.clone());
    Ok(asked.call)
}

/// Writes down the end of a call when it has come.
fn follow(bridge: &Arc<Bridge>, call: Arc<Call>) {
    let name = call.wanted().call.clone();
    let (bridge, ended, busy) = (bridge.clone(), call, bridge.activity.begin());
    tokio::spawn(async move {
        let _busy = busy;
        ended.over().await;
        let end = ended.channel().end().map(serde_json::to_value).and_then(Result::ok);
        let mut end = end.unwrap_or_default();
        if let Some(fields) = end.as_object_mut() {
            fields.remove("type");
            fields.remove("call");
        }
        bridge.audit.write(&Entry::Ended { call: name, end });
    });
}

/// Asks at the terminal. A call that is sent again while it waits is the same question, and its newest page hears the
/// answer.
fn ask(bridge: &Arc<Bridge>, terminal: &Terminal, waiting: Waiting, decided: Decided) -> Result<(), Refusal> {
    let call = waiting.wanted.call.clone();
    match bridge.approval.waiting().entry(call.clone()) {
        hash_map::Entry::Occupied(mut asked) => {
            let before = &asked.get().wanted;
            if before.tool != waiting.wanted.tool || before.arguments != waiting.wanted.arguments {
                return Err(Refusal::IdConflict);
            }
            asked.insert(waiting);
            return Ok(());
        }
        hash_map::Entry::Vacant(place) => {
            place.insert(waiting);
        }
    }
    let (bridge, terminal) = (bridge.clone(), terminal.clone());
    tokio::spawn(async move {
        let awaited = { (bridge.clone(), call.clone()) };
        let how = if matches!(decided.order, Order::Start(_)) { ", in the background" } else { "" };
        let answer = terminal.ask(decided.order.told(), how, move || awaited.0.approval.is_awaited(&awaited.1)).await;
        let Some(Waiting { wanted, viewer, answers }) = bridge.approval.waiting().remove(&call) else { return };
        // Without its page nothing runs: a page that comes back sends the call again.
        let runs = answer == Answer::Yes && !viewer.replaced.is_cancelled();
        decided.write_down(&bridge, "terminal", runs);
        let started = if runs { start(&bridge, wanted) } else { Err(Refusal::NotConfirmed) };
        match started {
            Ok(found) => viewer.attach(found, 0),
            Err(why) => drop(answers.try_send(ToPage::Refused { call, why })),
        }
    });
    Ok(())
}
