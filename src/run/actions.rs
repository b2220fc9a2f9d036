//! The actions behind the buttons. Each does nothing where its button should not be there: while another run is under
//! way, or in a tab that only reads.

use std::rc::Rc;

use agent_loop::host::Verdict;
use agent_loop::{Block, Clock, Edit, Fact, Settings};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::{Activity, App, Ask, HostChoice, Selection};
use crate::run::clock::BrowserClock;
use crate::run::prices::{Book, Written};
use crate::run::runner::{self, How};
use crate::run::you::Typed;
use crate::run::{handover, preferences, sessions};

/// A person's answer to "Allow this command?".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Approval {
    /// Run it.
    Once,
    /// Run it, and the same command text on the same host again without asking: in this tab, until reload.
    ForThisSession,
    /// Run these arguments (JSON text) instead; they are asked about again.
    Edit(String),
    /// Do not run it.
    Deny,
}

/// Sends a message and runs. While a run is under way, the message waits its turn in it.
pub fn send(app: App, text: String) {
    say(app, text);
    // A message that may not be sent rests at once, and why is for a person to read before Run.
    if !app.session.with_untracked(|session| session.state().is_resting()) {
        runner::begin(app, How::Run);
    }
}

/// Says something without running: Step takes it from there. While a run is under way, it waits its turn in it.
pub fn say(app: App, text: String) {
    if text.trim().is_empty() || !app.may_act_now() {
        return;
    }
    let session = app.session.get_untracked();
    if app.activity.get_untracked() == Activity::Idle {
        runner::record_knobs(app, &session);
    }
    session.record(BrowserClock.now_ms(), Fact::Said { text });
}

/// Takes back what waits in line at this place, if it is still that.
pub fn withdraw(app: App, place: usize, text: &str) {
    let session = app.session.get_untracked();
    if app.may_act_now() && session.state().queued.get(place).is_some_and(|queued| queued == text) {
        session.record(BrowserClock.now_ms(), Fact::Withdrawn { place });
    }
}

/// Run: goes on until there is nothing to do. At a rest that can go on, this is what sets it going; at the turn limit
/// it allows as many model calls again; after a failure it tries again. While a pause waits for a seam, it takes it back.
pub fn run(app: App) {
    if app.activity.get_untracked() == Activity::Pausing {
        app.tab().gate.go_on(How::Run);
        app.activity.set(Activity::Running);
        return;
    }
    runner::begin(app, How::Run);
}

/// Allows a resting session this much more and goes on.
pub fn extend(app: App, more: Fact) {
    if app.activity.get_untracked() == Activity::Idle && app.may_act_now() {
        app.session.get_untracked().record(BrowserClock.now_ms(), more);
        runner::begin(app, How::Run);
    }
}

/// Step: exactly one step.
pub fn step(app: App) {
    runner::begin(app, How::Step);
}

/// Lets the run go at the next seam.
pub fn pause(app: App) {
    if app.activity.get_untracked() == Activity::Running {
        app.activity.set(Activity::Pausing);
        app.tab().gate.pause();
    }
}

/// Stops the run and what it runs. A session that is paused is stopped where it stands.
pub fn stop(app: App) {
    match app.activity.get_untracked() {
        Activity::Running | Activity::Pausing => {
            app.activity.set(Activity::Stopping);
            if let Some(stop) = app.tab().stop.borrow().as_ref() {
                stop.press();
            }
        }
        Activity::Stopping => {}
        Activity::Idle => {
            let session = app.session.get_untracked();
            if !session.state().is_resting() && app.may_act_now() {
                session.record(BrowserClock.now_ms(), Fact::Stopped { draft: Vec::new() });
            }
        }
    }
}

/// Answers "Allow this command?". Only the question that was on show (its call) is answered.
pub fn approve(app: App, approval: Approval) {
    if app.ask.with_untracked(|ask| matches!(ask, Some(Ask::Command { .. }))) {
        app.tab().gate.answer(approval);
    }
}

/// The answer a person wrote as the model.
pub fn answer_as_model(app: App, typed: String) {
    if app.ask.with_untracked(|ask| matches!(ask, Some(Ask::Answer { .. }))) {
        app.tab().you_model.answer(typed);
    }
}

/// The result a person typed as the tool.
pub fn type_result(app: App, content: String, verdict: Verdict) {
    if app.ask.with_untracked(|ask| matches!(ask, Some(Ask::Result { .. }))) {
        app.tab().you.answer(Typed { content, verdict });
    }
}

/// Changes a message, a call's arguments or a result while nobody runs the session; the original is kept.
pub fn edit(app: App, edit: Edit) {
    if app.activity.get_untracked() == Activity::Idle && app.may_act_now() {
        app.session.get_untracked().record(BrowserClock.now_ms(), Fact::Edited { edit });
    }
}

/// Changes what the next request is made of beside its messages, while nobody runs the session; what it was is kept.
pub fn edit_settings(app: App, settings: Rc<Settings>) {
    if app.activity.get_untracked() != Activity::Idle || !app.may_act_now() {
        return;
    }
    let session = app.session.get_untracked();
    runner::record_knobs(app, &session);
    if session.state().settings.as_ref() != Some(&settings) {
        app.settings.set(Rc::clone(&settings));
        session.record(BrowserClock.now_ms(), Fact::Edited { edit: Edit::Settings { settings } });
    }
}

/// Shows the session as it was after so many of its facts, or (`None`) as it is now. A run goes on meanwhile.
pub fn look_at(app: App, moment: Option<usize>) {
    let session = app.session.get_untracked();
    let moment = moment.map(|n| n.max(1)).filter(|n| *n < session.len());
    if app.moment.get_untracked() != moment {
        app.moment.set(moment);
        // The inspector goes along.
        app.selection.set(Selection::Latest);
        app.state.set(session.at(moment.unwrap_or(usize::MAX)));
    }
}

/// A new branch of the first `n` facts of the session on show. Starts nothing, and touches no file.
pub fn fork(app: App, n: usize) {
    if app.activity.get_untracked() == Activity::Idle {
        sessions::fork(app, n);
    }
}

/// Runs on from an entry of `messages` in a new branch, with its blocks changed to these if they are.
pub fn run_on_from(app: App, place: usize, blocks: Option<Vec<Block>>) {
    if app.activity.get_untracked() != Activity::Idle {
        return;
    }
    let session = app.session.get_untracked();
    let n = session.brought(place);
    // What was left out since stands there again.
    let message = place + session.state().forgotten.len() - session.at(n).forgotten.len();
    sessions::fork(app, n);
    if let Some(blocks) = blocks {
        edit(app, Edit::Message { message, blocks });
    }
    runner::begin(app, How::Run);
}

/// Gives a session another name.
pub fn rename(app: App, id: &str, title: &str) {
    sessions::rename(app, id, title);
}

/// Shows another branch beside the session on show.
pub fn compare(app: App, id: String) {
    spawn_local(sessions::compare(app, id));
}

/// A new, empty session; the one on show stays in the store.
pub fn new_session(app: App) {
    let is_fresh = app.state.with_untracked(|state| state.messages.is_empty()) && !app.read_only.get_untracked();
    if app.activity.get_untracked() == Activity::Idle && !is_fresh {
        sessions::fresh(app);
    }
}

/// Opens a stored session. Starts nothing.
pub fn open_session(app: App, id: String) {
    let is_shown = app.session_id.with_untracked(|shown| *shown == id);
    if app.activity.get_untracked() == Activity::Idle && !is_shown {
        spawn_local(sessions::open(app, id));
    }
}

/// Asks the tab that writes the session on show to let go of it. It comes when it is at rest there.
pub fn take_over(app: App) {
    app.session_id.with_untracked(|id| handover::ask(id));
}

/// Deletes a stored session; not one that is being run, here or in another tab.
pub fn delete_session(app: App, id: String) {
    let is_shown = app.session_id.with_untracked(|shown| *shown == id);
    if !is_shown || (app.activity.get_untracked() == Activity::Idle && !app.read_only.get_untracked()) {
        spawn_local(sessions::delete(app, id));
    }
}

/// Changes the knobs: recorded when the next run begins, and kept for new sessions.
pub fn configure(app: App, settings: Rc<Settings>) {
    preferences::keep_settings(&settings);
    app.settings.set(settings);
}

/// Writes down what a model of an endpoint takes: counted by the next run, and kept.
pub fn write_price(app: App, profile: &str, model: &str, price: Written) {
    let mut book = Book::read(&app.prices.get_untracked());
    book.write(profile, model, price);
    let text = book.text();
    preferences::keep_prices(&text);
    app.prices.set(text);
}

/// Chooses a tool host, for the next run.
pub fn choose_host(app: App, host: HostChoice) {
    app.host.set(host);
}

/// Ends a command in the background.
pub fn stop_background(app: App, id: &str) {
    app.tab().link.stop_background(id);
}

/// Tries to reach the bridge now.
pub fn reconnect(app: App) {
    app.tab().link.hurry();
}
