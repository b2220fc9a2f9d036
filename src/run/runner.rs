//! Sets the loop going and lets it go: one run at a time.

use agent_loop::{Clock, Fact, Session, Step, Stop};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::{Activity, App};
use crate::parts;
use crate::run::clock::BrowserClock;

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Until there is nothing to do.
    Run,
    /// One step.
    Step,
    /// Follows the command that was under way when the page was loaded anew, to its end, and no further.
    TakeUp,
}

/// Sets the session on show going, if nobody runs it and there is something to do.
pub fn begin(app: App, how: How) {
    if app.activity.get_untracked() != Activity::Idle || !app.may_act_now() {
        return;
    }
    let session = app.session.get_untracked();
    if how == How::TakeUp {
        // As a run that will be held at the next seam; Run takes that back.
        app.activity.set(Activity::Pausing);
        return drive(app, session, how);
    }
    record_knobs(app, &session);
    if let Step::Rest(rest) = session.state().outlook() {
        if !rest.can_resume() {
            return;
        }
        app.activity.set(Activity::Running);
        resume(&session);
    }
    app.activity.set(Activity::Running);
    drive(app, session, how);
}

fn drive(app: App, session: Session, how: How) {
    let stop = Stop::new();
    app.tab().stop.replace(Some(stop.clone()));
    spawn_local(async move {
        let tab = app.tab();
        let part = parts::run().await;
        app.unfetched.set(part.is_err());
        if let Ok(part) = part {
            (part.drive)(app, session, how, stop).await;
        }
        tab.stop.take();
        tab.link.need(false);
        app.stage.set(None);
        let goes_on = how == How::TakeUp && app.activity.get_untracked() == Activity::Running;
        app.activity.set(Activity::Idle);
        if goes_on {
            begin(app, How::Run);
        }
    });
}

/// Records the knobs, if they are others than the session's.
pub fn record_knobs(app: App, session: &Session) {
    let settings = app.settings.get_untracked();
    if session.state().settings.as_ref() != Some(&settings) {
        session.record(BrowserClock.now_ms(), Fact::Configured { settings });
    }
}

fn resume(session: &Session) {
    let now_ms = BrowserClock.now_ms();
    if let Some(more) = session.state().as_much_again() {
        session.record(now_ms, more);
    }
    session.record(now_ms, Fact::Resumed);
}
