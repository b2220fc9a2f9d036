//! The gate of this page: where a pause holds the run, and where a person allows a command.
//!
//! Grants live here and nowhere else: never in a fact, never in storage. An approval in the log is history.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use agent_loop::host::{Offer, Offered};
use agent_loop::tool::Arguments;
use agent_loop::wire::Request;
use agent_loop::{Gate, ModelSeam, ResultSeam, Review, Stage, ToolCall, ToolHost, ToolResult, ToolSeam};
use futures_util::FutureExt;
use futures_util::future::{self, Either, LocalBoxFuture, select};
use leptos::prelude::*;
use serde_json::Value;

use crate::app::Ask;
use crate::run::actions::Approval;
use crate::run::bell::Bell;
use crate::run::question::Desk;

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
}

/// "Allow for this session": this command text, of this tool, on this host, in this directory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Grant {
    host: String,
    cwd: String,
    tool: String,
    command: String,
}

impl PageGate {
    /// A gate that asks in `ask` and lights the check in `stage` while it does. Nothing is granted.
    pub fn new(ask: RwSignal<Option<Ask>, LocalStorage>, stage: RwSignal<Option<Stage>>) -> PageGate {
        PageGate(Rc::new(Inner {
            desk: Desk::new(ask),
            stage,
            is_pausing: Cell::new(false),
            pause: Bell::default(),
            held: Bell::default(),
            grants: RefCell::default(),
        }))
    }

    /// Holds the run at the next seam.
    pub fn pause(&self) {
        self.0.is_pausing.set(true);
        self.0.pause.ring();
    }

    /// Lets it pass again.
    pub fn go_on(&self) {
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
    pub fn before(&self, host: Rc<dyn ToolHost>) -> HostGate {
        HostGate { gate: self.clone(), host }
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
}

impl Gate for HostGate {
    fn before_model(&self, _: &Request) -> LocalBoxFuture<'static, ModelSeam> {
        let gate = self.gate.clone();
        async move { if gate.0.is_pausing.get() { gate.hold().await } else { ModelSeam::Go } }.boxed_local()
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
        let why = match review {
            Review::Ask(why) => Some(why.clone()),
            Review::Allow | Review::Deny(_) => None,
        };
        async move {
            if gate.0.is_pausing.get() {
                return gate.hold().await;
            }
            let Some(why) = why else { return ToolSeam::Run };
            let grant =
                Grant { host: host.clone(), cwd: cwd.clone(), tool: call.name.clone(), command: command.clone() };
            if gate.0.grants.borrow().contains(&grant) {
                return ToolSeam::Run;
            }
            gate.0.stage.try_set(Some(Stage::Check));
            let asked = gate.0.desk.ask(Ask::Command { call, command, why, host, cwd });
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

    fn after_tool(&self, _: &ToolCall, _: &ToolResult) -> LocalBoxFuture<'static, ResultSeam> {
        future::ready(ResultSeam::Keep).boxed_local()
    }
}

/// Exactly what would run: the command, or for tools that take none their arguments as JSON.
pub fn command_of(arguments: &Arguments) -> String {
    match arguments.command() {
        Some(command) => command.to_owned(),
        None => Value::Object(arguments.as_object().clone()).to_string(),
    }
}
