//! Sets the loop going and lets it go: one run at a time.

use std::rc::Rc;

use agent_loop::{Clock, Env, Fact, Rest, Session, Step, Stop};
use futures_util::future::{Either, select};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::{Activity, App, HostChoice};
use crate::run::clock::BrowserClock;
use crate::run::route::ByAddress;
use crate::run::settings::endpoint;
use crate::run::store::Write;
use crate::run::tab::Tab;

/// How long the bridge may take to answer before a run goes on without it, in milliseconds.
const BRIDGE_MS: u64 = 5_000;

/// How long the store may take to write the message before it is sent, in milliseconds.
const STORE_MS: u64 = 1_000;

/// How often the answer under way is written down, in milliseconds.
const DRAFT_MS: u64 = 1_000;

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Until there is nothing to do.
    Run,
    /// One step.
    Step,
}

/// Sets the session on show going, if nobody runs it and there is something to do.
pub fn begin(app: App, how: How) {
    if app.activity.get_untracked() != Activity::Idle || app.read_only.get_untracked() {
        return;
    }
    let session = app.session.get_untracked();
    record_knobs(app, &session);
    if let Step::Rest(rest) = session.state().next_step() {
        if !rest.can_resume() {
            return;
        }
        app.activity.set(Activity::Running);
        resume(&session, &rest);
    }
    app.activity.set(Activity::Running);
    let stop = Stop::new();
    app.tab().stop.replace(Some(stop.clone()));
    spawn_local(async move {
        let tab = app.tab();
        drive(app, &tab, &session, how, stop).await;
        tab.stop.take();
        tab.link.need(false);
        app.stage.set(None);
        app.activity.set(Activity::Idle);
    });
}

/// Records the knobs, if they are others than the session's.
pub fn record_knobs(app: App, session: &Session) {
    let settings = app.settings.get_untracked();
    if session.state().settings.as_ref() != Some(&settings) {
        session.record(BrowserClock.now_ms(), Fact::Configured { settings });
    }
}

fn resume(session: &Session, rest: &Rest) {
    let now_ms = BrowserClock.now_ms();
    let state = session.state();
    if let Rest::TurnLimit(_) = rest
        && state.model_calls >= state.model_call_limit()
    {
        let model_calls = state.settings.as_ref().map_or(1, |settings| settings.limits.model_calls.max(1));
        session.record(now_ms, Fact::Extended { model_calls });
    }
    session.record(now_ms, Fact::Resumed);
}

/// Runs until the loop is done, or held by a pause at a seam, where nothing is in flight.
async fn drive(app: App, tab: &Rc<Tab>, session: &Session, how: How, stop: Stop) {
    tab.gate.go_on();
    let choice = app.host.get_untracked();
    let Some(host) = tab.hosts.get(choice) else { return };
    if choice == HostChoice::Bridge {
        tab.link.need(true);
        stop.or(tab.link.settled(BRIDGE_MS)).await;
    }
    if let Some(store) = tab.store() {
        stop.or(select(Box::pin(store.flush()), BrowserClock.sleep(STORE_MS))).await;
    }
    let Some(settings) = session.state().settings.clone() else { return };
    let env = Env {
        transport: &ByAddress,
        endpoint: &endpoint(&settings, &tab.place, tab.link.token(), &app.key.get_untracked()),
        host: &*host,
        gate: &tab.gate.before(Rc::clone(&host)),
        clock: &BrowserClock,
        stop,
        live: &tab.live,
    };
    let work = async {
        match how {
            How::Run => drop(agent_loop::agent_loop(session, &env).await),
            How::Step => drop(agent_loop::step(session, &env).await),
        }
    };
    let until = async {
        select(Box::pin(tab.gate.held()), Box::pin(keep_drafts(app, tab))).await;
    };
    match select(Box::pin(work), Box::pin(until)).await {
        Either::Left(_) | Either::Right(_) => {}
    }
}

/// Writes the answer under way down, so that a crash loses a second of it at most.
async fn keep_drafts(app: App, tab: &Rc<Tab>) {
    let id: Rc<str> = app.session_id.get_untracked().into();
    let mut kept = Vec::new();
    loop {
        BrowserClock.sleep(DRAFT_MS).await;
        let draft = tab.live.draft();
        if !draft.is_empty()
            && draft != kept
            && let Some(store) = tab.store()
        {
            store.write(Write::Draft(Rc::clone(&id), draft.clone()));
            kept = draft;
        }
    }
}
