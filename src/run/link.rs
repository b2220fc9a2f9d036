//! The link to the host bridge: one task owns the one socket and glues it to [`bridge_protocol::Client`], which knows what
//! a lost connection means for a call. This file decides only when to connect again.

mod backoff;
mod probe;
mod socket;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use agent_loop::{CallKey, Clock};
use bridge_protocol::client::{AlreadyUsed, CallEvent, Client, Ended, Event};
use bridge_protocol::frames::{
    BackgroundCommand, CLOSE_PROTO, CLOSE_REPLACED, Decision, Hello, Loss, Outcome, RelayTarget, Sandbox, Verdict,
};
use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_channel::oneshot;
use futures_util::future::{Either, pending, select};
use leptos::prelude::*;
use serde_json::Value;

use self::backoff::backoff_ms;
use self::probe::{Probe, probe};
use self::socket::{Closed, Heard, Socket};
use crate::app::BridgeStatus;
use crate::run::bell::Bell;
use crate::run::clock::BrowserClock;
use crate::run::token;

/// After so many failed attempts the page says that the bridge is gone, and goes on trying quietly.
const PATIENCE: u32 = 3;

/// How much longer than the bridge's own grace the page waits before it gives up on what runs there.
const GRACE_MARGIN_MS: u64 = 5_000;

/// How long room for more output is given back after output came, in milliseconds: about a frame. So at most a window of
/// output comes in a frame, however much a command writes, and the page has time for what else a frame holds.
const PACE_MS: u64 = 16;

/// The link. It lives as long as the page.
pub struct Link {
    origin: String,
    token: RefCell<Option<String>>,
    status: RwSignal<BridgeStatus>,
    background: RwSignal<Vec<BackgroundCommand>>,
    client: RefCell<Client>,
    calls: RefCell<HashMap<String, UnboundedSender<CallEvent>>>,
    /// The client may have something to send.
    work: Bell,
    /// Something has changed: try again now.
    hurry: Bell,
    /// The status has changed.
    moved: Bell,
    is_needed: Cell<bool>,
    grace_ms: Cell<u64>,
    relay: RefCell<Vec<RelayTarget>>,
    /// Reviews that the bridge has not answered, by their names; they go with their connection.
    reviews: RefCell<HashMap<String, oneshot::Sender<Verdict>>>,
    asks_on_terminal: Cell<bool>,
    sandbox: RefCell<Option<Sandbox>>,
    /// What the bridge's rules settled about calls.
    verdicts: RefCell<HashMap<CallKey, Verdict>>,
}

/// How the bridge can be reached now.
#[derive(Debug, Clone, PartialEq)]
pub enum Reach {
    /// It is being tried.
    Connecting,
    /// It can, and introduced itself so.
    Ready(Box<Hello>),
    /// It cannot, and why: for the model's ears.
    Gone(&'static str),
}

impl Link {
    /// A link to the bridge that serves this origin, which tells how it is in `status`, and its commands in the
    /// background in `background`.
    pub fn new(
        origin: String,
        token: Option<String>,
        status: RwSignal<BridgeStatus>,
        background: RwSignal<Vec<BackgroundCommand>>,
    ) -> Rc<Link> {
        Rc::new(Link {
            origin,
            token: RefCell::new(token),
            status,
            background,
            client: RefCell::default(),
            calls: RefCell::default(),
            work: Bell::default(),
            hurry: Bell::default(),
            moved: Bell::default(),
            is_needed: Cell::new(false),
            grace_ms: Cell::new(60_000),
            relay: RefCell::default(),
            asks_on_terminal: Cell::new(false),
            sandbox: RefCell::default(),
            reviews: RefCell::default(),
            verdicts: RefCell::default(),
        })
    }

    /// How the bridge can be reached now.
    pub fn reach(&self) -> Reach {
        if let Some(hello) = self.client.borrow().bridge() {
            return Reach::Ready(Box::new(hello.clone()));
        }
        match self.status.get_untracked() {
            BridgeStatus::Connecting(_) | BridgeStatus::Ready { .. } => Reach::Connecting,
            BridgeStatus::None => Reach::Gone("this page was not served by a host bridge"),
            BridgeStatus::Gone => Reach::Gone("the host bridge does not answer"),
            BridgeStatus::NoLink => Reach::Gone("this tab was opened without the host bridge's link"),
            BridgeStatus::NewBridge => Reach::Gone("the host bridge was restarted and its link has to be opened"),
            BridgeStatus::Elsewhere => Reach::Gone("another tab has the host bridge"),
        }
    }

    /// The token, for requests to the bridge itself.
    pub fn token(&self) -> Option<String> {
        self.token.borrow().clone()
    }

    /// What the bridge relays to, as it said when it was last reached.
    pub fn relay(&self) -> Vec<RelayTarget> {
        self.relay.borrow().clone()
    }

    /// Asks what the bridge's rules settle about a call. `None`: it is not there to answer, or goes before it has.
    pub async fn review(&self, key: CallKey, tool: &str, arguments: Value) -> Option<Verdict> {
        self.verdicts.borrow_mut().remove(&key);
        let name = BrowserClock.fresh_id();
        let (sender, answer) = oneshot::channel();
        if !self.client.borrow_mut().review(&name, tool, arguments) {
            return None;
        }
        self.reviews.borrow_mut().insert(name, sender);
        self.work.ring();
        let verdict = answer.await.ok()?;
        self.verdicts.borrow_mut().insert(key, verdict.clone());
        Some(verdict)
    }

    /// What the bridge's rules settled about a call, if it was asked.
    pub fn verdict(&self, key: CallKey) -> Option<Verdict> {
        self.verdicts.borrow().get(&key).cloned()
    }

    /// Whether the bridge asks about an allowed call again, on its own terminal.
    pub fn asks_on_terminal(&self) -> bool {
        self.asks_on_terminal.get()
    }

    /// What holds commands in, if the bridge said so.
    pub fn sandbox(&self) -> Option<Sandbox> {
        self.sandbox.borrow().clone()
    }

    /// Another session is on show, whose calls have the same keys.
    pub fn forget_verdicts(&self) {
        self.verdicts.borrow_mut().clear();
    }

    /// Runs a tool that a person has allowed, or that the bridge's rules allow, as they said in their review. The events
    /// end in exactly one [`CallEvent::Ended`].
    pub fn run(
        &self,
        call: &str,
        key: CallKey,
        tool: &str,
        arguments: Value,
        timeout_ms: u64,
    ) -> Result<UnboundedReceiver<CallEvent>, AlreadyUsed> {
        let is_settled = self.verdict(key).is_some_and(|verdict| verdict.decision == Decision::Allow);
        let run = if is_settled { Client::run_unasked } else { Client::run };
        run(&mut self.client.borrow_mut(), call, tool, arguments, Some(timeout_ms))?;
        Ok(self.listen(call))
    }

    /// Asks for the end of a call. It still ends with its event; a call that is over is not touched.
    pub fn cancel(&self, call: &str) {
        if self.calls.borrow().contains_key(call) {
            self.client.borrow_mut().cancel(call);
            // One that no bridge has heard of has ended with this.
            self.spread();
            self.work.ring();
        }
    }

    /// Asks for the end of a command in the background.
    pub fn stop_background(&self, id: &str) {
        self.client.borrow_mut().stop_background(id);
        self.work.ring();
    }

    /// Follows a call that this page ran before it was loaded anew, from its first output on. The events end in exactly one
    /// [`CallEvent::Ended`], also where the bridge does not know it.
    pub fn resume(&self, call: &str) -> Result<UnboundedReceiver<CallEvent>, AlreadyUsed> {
        self.client.borrow_mut().resume(call, 0)?;
        Ok(self.listen(call))
    }

    /// What is told of a call from here on.
    fn listen(&self, call: &str) -> UnboundedReceiver<CallEvent> {
        let (sender, events) = unbounded();
        self.calls.borrow_mut().insert(call.to_owned(), sender);
        self.work.ring();
        events
    }

    /// Tries to reach the bridge now.
    pub fn hurry(&self) {
        self.hurry.ring();
    }

    /// Tries now if the bridge is merely gone: a refused token stays refused, and another tab's link stays its own.
    pub fn retry(&self) {
        if self.status.get_untracked() == BridgeStatus::Gone {
            self.hurry.ring();
        }
    }

    /// Another tab was opened with this token: it is the one of the bridge that runs now.
    pub fn receive(&self, token: String) {
        if self.client.borrow().bridge().is_none() {
            token::keep(&token);
            self.token.replace(Some(token));
            self.hurry.ring();
        }
    }

    /// Whether a run needs the bridge: a needed link is taken back from another tab.
    pub fn need(&self, is_needed: bool) {
        self.is_needed.set(is_needed);
        if is_needed && self.status.get_untracked() == BridgeStatus::Elsewhere {
            self.hurry.ring();
        }
    }

    /// Done when the bridge is there or known not to be, or after `patience_ms`.
    pub async fn settled(&self, patience_ms: u64) {
        let settled = async {
            while self.reach() == Reach::Connecting {
                self.moved.rung().await;
            }
        };
        select(Box::pin(settled), BrowserClock.sleep(patience_ms)).await;
    }

    /// Leaves the bridge to another tab, until this one is asked to reach it.
    pub async fn stand_by(&self) {
        self.tell(BridgeStatus::Elsewhere);
        self.hurry.rung().await;
    }

    /// Keeps the link for as long as the page lives.
    pub async fn keep(self: Rc<Link>) {
        let mut failures = 0;
        let mut lost_at_ms = None;
        loop {
            let Some(token) = self.token() else {
                self.tell(BridgeStatus::NoLink);
                self.hurry.rung().await;
                continue;
            };
            if failures < PATIENCE {
                self.tell(BridgeStatus::Connecting(failures + 1));
            }
            let closed = self.converse(&token).await;
            if closed == Closed::AfterHello || closed == Closed::Replaced {
                failures = 0;
                lost_at_ms = Some(BrowserClock.now_ms());
            }
            if closed == Closed::Replaced && !self.is_needed.get() {
                self.stand_by().await;
                continue;
            }
            let is_new = match closed {
                Closed::OtherProto => true,
                Closed::Never => probe(&self.origin, &token).await == Probe::Refused,
                Closed::AfterHello | Closed::Replaced => false,
            };
            if is_new && self.token().as_deref() == Some(token.as_str()) {
                // What ran there has ended with the bridge that knew this token.
                self.give_up(Loss::NewBridge);
                self.tell(BridgeStatus::NewBridge);
                self.hurry.rung().await;
                failures = 0;
                continue;
            }
            failures = failures.saturating_add(1);
            let given_up_at = lost_at_ms.map(|lost: u64| lost + self.grace_ms.get() + GRACE_MARGIN_MS);
            if given_up_at.is_some_and(|at| BrowserClock.now_ms() > at) {
                lost_at_ms = None;
                self.give_up(Loss::GaveUp);
            }
            if failures >= PATIENCE {
                self.tell(BridgeStatus::Gone);
            }
            let pause = BrowserClock.sleep(backoff_ms(failures, js_sys::Math::random()));
            if let Either::Left(_) = select(Box::pin(self.hurry.rung()), pause).await {
                failures = 0;
            }
        }
    }

    /// One connection, from its opening to its end.
    async fn converse(&self, token: &str) -> Closed {
        let Some(mut socket) = Socket::open(&self.origin, token).await else { return Closed::Never };
        self.client.borrow_mut().opened();
        let mut closed = Closed::Never;
        let mut pause = None;
        loop {
            if self.spread() {
                closed = Closed::AfterHello;
            }
            while pause.is_none() {
                let Some(frame) = self.client.borrow_mut().next_frame() else { break };
                socket.send(frame).await;
            }
            let over = async {
                match &mut pause {
                    Some(pause) => pause.await,
                    None => pending().await,
                }
            };
            let asked = select(Box::pin(self.work.rung()), Box::pin(over));
            let heard = match select(Box::pin(socket.hear()), asked).await {
                Either::Left((heard, _)) => Some(heard),
                Either::Right(_) => None,
            };
            match heard {
                Some(Heard::Text(text)) => {
                    self.client.borrow_mut().text(&text);
                    pause = None;
                }
                Some(Heard::Bytes(bytes)) => {
                    self.client.borrow_mut().binary(&bytes);
                    // A hidden tab draws nothing, and its timers hardly run.
                    if pause.is_none() && !document().hidden() {
                        pause = Some(BrowserClock.sleep(PACE_MS));
                    }
                }
                Some(Heard::End(code)) => {
                    self.client.borrow_mut().closed();
                    self.reviews.borrow_mut().clear();
                    return match code {
                        CLOSE_REPLACED => Closed::Replaced,
                        CLOSE_PROTO => Closed::OtherProto,
                        _ => closed,
                    };
                }
                None => pause = None,
            }
        }
    }

    /// Tells everybody what the client has to say; whether the bridge has introduced itself.
    fn spread(&self) -> bool {
        let mut is_ready = false;
        loop {
            let Some(event) = self.client.borrow_mut().next_event() else { return is_ready };
            match event {
                Event::Ready(hello) => {
                    is_ready = true;
                    self.grace_ms.set(hello.limits.grace_ms);
                    self.relay.replace(hello.relay);
                    self.asks_on_terminal.set(hello.asks_on_terminal);
                    let sandbox = hello.sandbox.as_ref().map(|sandbox| matches!(sandbox, Sandbox::On { .. }));
                    self.sandbox.replace(hello.sandbox);
                    self.tell(BridgeStatus::Ready { cwd: hello.cwd, sandbox });
                }
                Event::Reviewed { review, verdict } => {
                    if let Some(asked) = self.reviews.borrow_mut().remove(&review) {
                        // Who asked may have stopped waiting.
                        let _ = asked.send(verdict);
                    }
                }
                // The bridge closes the socket on this; its code says the same.
                Event::OtherProto { .. } => {}
                Event::Background(commands) => self.background.set(commands),
                Event::Call { call, event } => self.pass_on(call, event),
                Event::Problem(problem) => web_sys::console::warn_1(&problem.into()),
            }
        }
    }

    /// Every open call is lost, and why.
    fn give_up(&self, why: Loss) {
        self.client.borrow_mut().give_up();
        loop {
            let Some(event) = self.client.borrow_mut().next_event() else { return };
            if let Event::Call { call, event } = event {
                let event = match event {
                    // The client does not know why there will be no connection.
                    CallEvent::Ended(ended) if ended.outcome == (Outcome::Lost { why: Loss::GaveUp }) => {
                        CallEvent::Ended(Ended { outcome: Outcome::Lost { why: why.clone() }, ..ended })
                    }
                    other => other,
                };
                self.pass_on(call, event);
            }
        }
    }

    fn pass_on(&self, call: String, event: CallEvent) {
        let is_end = matches!(event, CallEvent::Ended(_));
        if let Some(listener) = self.calls.borrow().get(&call) {
            // Who asked for it may be gone.
            let _ = listener.unbounded_send(event);
        }
        if is_end {
            self.calls.borrow_mut().remove(&call);
        }
    }

    fn tell(&self, status: BridgeStatus) {
        if self.status.get_untracked() != status {
            self.status.set(status);
        }
        self.moved.ring();
    }
}
