//! The gate of this page: where a pause holds the run, and where a person allows a command.
//!
//! Grants live here and nowhere else: never in a fact, never in storage. An approval in the log is history.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use agent_loop::host::{Offer, Offered};
use agent_loop::tool::{Arguments, parse_arguments};
use agent_loop::wire::Request;
use agent_loop::{
    CallKey, Gate, ModelSeam, Producer, ResultSeam, Review, Session, Stage, ToolCall, ToolHost, ToolResult, ToolSeam,
};
use futures_util::FutureExt;
use futures_util::future::{self, Either, LocalBoxFuture, select};
use leptos::prelude::*;
use serde_json::Value;

use crate::app::Ask;
use crate::run::actions::Approval;
use crate::run::bell::Bell;
use crate::run::breakpoints::{Breakpoints, Moment, Place};
use crate::run::question::Desk;
use crate::run::runner::How;

/// The gate. Clones are the same gate.
#[derive(Clone)]
pub struct PageGate(Rc<Inner>);

struct Inner {
    desk: Desk<Approval>,
    stage: RwSignal<Option<Stage>>,
    is_pausing: Cell<bool>,
    pause: Bell,
    held: Bell,
    grants: RefCell<HashSet<Grant>>,
    breakpoints: RwSignal<Breakpoints>,
    held_at: RwSignal<Option<Moment>>,
    /// Where a breakpoint held last: the run passes there when it goes on.
    passed: Cell<Option<(Moment, CallKey)>>,
    is_stepping: Cell<bool>,
}

/// "Allow for this session": this command text, of this tool, on this host, in this directory, in the background or not.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Grant {
    host: String,
    cwd: String,
    tool: String,
    command: String,
    background: bool,
}

impl PageGate {
    /// A gate that asks in `ask` and lights the check in `stage` while it does. Nothing is granted.
    pub fn new(
        ask: RwSignal<Option<Ask>, LocalStorage>,
        stage: RwSignal<Option<Stage>>,
        breakpoints: RwSignal<Breakpoints>,
        held_at: RwSignal<Option<Moment>>,
    ) -> PageGate {
        PageGate(Rc::new(Inner {
            desk: Desk::new(ask),
            stage,
            is_pausing: Cell::new(false),
            pause: Bell::default(),
            held: Bell::default(),
            grants: RefCell::default(),
            breakpoints,
            held_at,
            passed: Cell::new(None),
            is_stepping: Cell::new(false),
        }))
    }

    /// Holds the run at the next seam.
    pub fn pause(&self) {
        self.0.is_pausing.set(true);
        self.0.pause.ring();
    }

    /// Lets it pass again. A person who steps is held after each step anyway.
    pub fn go_on(&self, how: How) {
        self.0.is_stepping.set(how == How::Step);
        self.0.held_at.set(None);
        self.0.is_pausing.set(false);
        self.0.pause.hush();
        self.0.held.hush();
    }

    /// Done when the run is held at a seam. Nothing is in flight there.
    pub async fn held(&self) {
        self.0.held.rung().await;
    }

    /// Answers the question that is on show.
    pub fn answer(&self, approval: Approval) {
        self.0.desk.answer(approval);
    }

    /// The gate as the loop meets it, in front of this host.
    pub fn before(&self, host: Rc<dyn ToolHost>, session: &Session) -> HostGate {
        HostGate { gate: self.clone(), host, session: session.clone() }
    }

    /// Whether the run is to be held at this place, which has this name for ever.
    fn breaks(&self, place: Place<'_>, name: CallKey) -> bool {
        let here = Some((place.moment, name));
        if self.0.passed.get() == here {
            return false;
        }
        let holds = !self.0.is_stepping.get() && self.0.breakpoints.with_untracked(|set| set.hold(place));
        if holds {
            self.0.passed.set(here);
            self.0.held_at.set(Some(place.moment));
        }
        holds
    }

    /// Holds here, for good: whoever drives the loop lets it go.
    async fn hold<T>(&self) -> T {
        self.0.held.ring();
        future::pending().await
    }
}

/// The gate in front of one host.
pub struct HostGate {
    gate: PageGate,
    host: Rc<dyn ToolHost>,
    session: Session,
}

impl HostGate {
    /// Whether a breakpoint holds the run at a call.
    fn breaks_at(&self, moment: Moment, call: &ToolCall, command: &str) -> bool {
        let state = self.session.state();
        let before = state.messages.iter().rev().take_while(|message| message.producer != Producer::Person);
        let first = before.flat_map(|message| message.tool_calls()).map(|call| call.key).min();
        let is_first = first == Some(call.key);
        self.gate.breaks(Place { moment, turn: state.turn_count, is_first, command }, call.key)
    }
}

impl Gate for HostGate {
    fn before_model(&self, _: &Request) -> LocalBoxFuture<'static, ModelSeam> {
        let gate = self.gate.clone();
        let state = self.session.state();
        let answers = state.forgotten.iter().chain(&state.messages).filter(|message| message.origin.is_some()).count();
        let name = CallKey { fact: answers, index: 0 };
        let is_first = state.model_calls == 0;
        let place = Place { moment: Moment::BeforeModel, turn: state.turn_count, is_first, command: "" };
        let holds = gate.0.is_pausing.get() || gate.breaks(place, name);
        async move { if holds { gate.hold().await } else { ModelSeam::Go } }.boxed_local()
    }

    fn before_tool(
        &self,
        call: &ToolCall,
        arguments: &Arguments,
        review: &Review,
    ) -> LocalBoxFuture<'static, ToolSeam> {
        let gate = self.gate.clone();
        let Offered { host, cwd, .. } = match self.host.offer() {
            Offer::Ready(offered) => offered,
            Offer::Connecting | Offer::Gone(_) => Offered::default(),
        };
        let call = call.clone();
        let command = command_of(arguments);
        let background = arguments.is_background();
        let breaks = self.breaks_at(Moment::BeforeTool, &call, &command);
        let why = match review {
            Review::Ask(why) => Some(why.clone()),
            Review::Allow | Review::Deny(_) => None,
        };
        async move {
            if gate.0.is_pausing.get() || breaks {
                return gate.hold().await;
            }
            let Some(why) = why else { return ToolSeam::Run };
            let grant = Grant {
                host: host.clone(),
                cwd: cwd.clone(),
                tool: call.name.clone(),
                command: command.clone(),
                background,
            };
            if gate.0.grants.borrow().contains(&grant) {
                return ToolSeam::Run;
            }
            gate.0.stage.try_set(Some(Stage::Check));
            let asked = gate.0.desk.ask(Ask::Command { call, command, why, host, cwd, background });
            let answer = match select(Box::pin(asked), Box::pin(gate.0.pause.rung())).await {
                Either::Left((answer, _)) => answer,
                // A question is a seam: a pause takes it back, and it is asked again when the run goes on.
                Either::Right(((), asked)) => {
                    drop(asked);
                    return gate.hold().await;
                }
            };
            match answer {
                Some(Approval::Once) => ToolSeam::Run,
                Some(Approval::ForThisSession) => {
                    gate.0.grants.borrow_mut().insert(grant);
                    ToolSeam::Run
                }
                Some(Approval::Edit(arguments)) => ToolSeam::Edit(arguments),
                Some(Approval::Deny) => ToolSeam::Deny,
                None => ToolSeam::Stop,
            }
        }
        .boxed_local()
    }

    fn after_tool(&self, call: &ToolCall, _: &ToolResult) -> LocalBoxFuture<'static, ResultSeam> {
        let gate = self.gate.clone();
        let arguments = parse_arguments(&call.arguments).unwrap_or_default();
        let command = arguments.get("command").and_then(Value::as_str).unwrap_or(&call.arguments);
        let breaks = self.breaks_at(Moment::AfterTool, call, command);
        async move { if breaks { gate.hold().await } else { ResultSeam::Keep } }.boxed_local()
    }
}

/// Exactly what would run: the command, or for tools that take none their arguments as JSON.
pub fn command_of(arguments: &Arguments) -> String {
    match arguments.command() {
        Some(command) => command.to_owned(),
        None => Value::Object(arguments.as_object().clone()).to_string(),
    }
}
