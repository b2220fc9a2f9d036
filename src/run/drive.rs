//! Drives the loop over a session: what a run does between its beginning and its end. A part of the page that comes with
//! the first run, because the loop, its wire and the practice model are in it.

use std::rc::Rc;

use agent_loop::stages::take_up;
use agent_loop::{Clock, Endpoint, Env, Fact, Session, Settings, Stop};
use futures_util::FutureExt;
use futures_util::future::{self, Either, LocalBoxFuture, select};
use leptos::prelude::*;

use crate::app::{App, HostChoice};
use crate::run::clock::BrowserClock;
use crate::run::learnt;
use crate::run::link::Reach;
use crate::run::live::Sending;
use crate::run::prices::Book;
use crate::run::relay::detour;
use crate::run::route::ByAddress;
use crate::run::runner::How;
use crate::run::settings::endpoint;
use crate::run::store::Write;
use crate::run::tab::Tab;

/// How long the bridge may take to answer before a run goes on without it, in milliseconds.
pub(super) const BRIDGE_MS: u64 = 5_000;

/// How long the store may take to write the message before it is sent, in milliseconds.
const STORE_MS: u64 = 1_000;

/// How often the answer under way is written down, in milliseconds.
const DRAFT_MS: u64 = 1_000;

/// The type of [`drive`].
pub type Drive = fn(App, Session, How, Stop) -> LocalBoxFuture<'static, ()>;

/// Runs until the loop is done, or held by a pause at a seam, where nothing is in flight.
pub fn drive(app: App, session: Session, how: How, stop: Stop) -> LocalBoxFuture<'static, ()> {
    let tab = app.tab();
    async move {
        match how {
            How::Run | How::Step => work(app, &tab, &session, how, stop).await,
            How::TakeUp => follow(&tab, &session, stop).await,
        }
    }
    .boxed_local()
}

/// Follows the command that was under way when the page was loaded anew, if the bridge is there and still knows it. Nothing
/// else is done: what the session stands at is for a person to go on with.
async fn follow(tab: &Rc<Tab>, session: &Session, stop: Stop) {
    let Some(host) = tab.hosts.get(HostChoice::Bridge) else { return };
    tab.link.need(true);
    let env = Env {
        transport: &ByAddress { detour: None, you: tab.you_model.clone() },
        endpoint: &Endpoint::default(),
        host: &*host,
        gate: &tab.gate.before(Rc::clone(&host), session),
        clock: &BrowserClock,
        stop,
        live: &tab.live,
    };
    let is_gone = async {
        tab.link.settled(BRIDGE_MS).await;
        if let Reach::Ready(_) = tab.link.reach() {
            future::pending::<()>().await;
        }
    };
    select(Box::pin(take_up(session, &env)), Box::pin(is_gone)).await;
}

async fn work(app: App, tab: &Rc<Tab>, session: &Session, how: How, stop: Stop) {
    tab.gate.go_on(how);
    let choice = app.host.get_untracked();
    let Some(host) = tab.hosts.get(choice) else { return };
    if choice == HostChoice::Bridge {
        tab.link.need(true);
    }
    // What it relays has to be known as well.
    if choice == HostChoice::Bridge || tab.place.bridge {
        stop.or(tab.link.settled(BRIDGE_MS)).await;
    }
    if let Some(store) = tab.store() {
        stop.or(select(Box::pin(store.flush()), BrowserClock.sleep(STORE_MS))).await;
    }
    record_price(app, session);
    let Some(settings) = session.state().settings.clone() else { return };
    learnt::recall(session);
    let known = session.state().quirks().len();
    let key = app.key.get_untracked();
    let detour = detour(&settings, &tab.place, &tab.link.relay(), &key).zip(tab.link.token());
    tab.live.by_way_of(
        detour.clone().map(|(detour, token)| -> Sending { Box::new(move |request| detour.of(request, &token)) }),
    );
    let env = Env {
        transport: &ByAddress { detour, you: tab.you_model.clone() },
        endpoint: &endpoint(&settings, &tab.place, tab.link.token(), &key),
        host: &*host,
        gate: &tab.gate.before(Rc::clone(&host), session),
        clock: &BrowserClock,
        stop,
        live: &tab.live,
    };
    let steps = async {
        match how {
            How::Run => drop(agent_loop::agent_loop(session, &env).await),
            How::Step => drop(agent_loop::step(session, &env).await),
            How::TakeUp => {}
        }
    };
    let until = async {
        select(Box::pin(tab.gate.held()), Box::pin(keep_drafts(app, tab))).await;
    };
    match select(Box::pin(steps), Box::pin(until)).await {
        Either::Left(_) | Either::Right(_) => {}
    }
    // What it knew before may have been forgotten meanwhile, on purpose.
    learnt::keep(&settings, session.state().quirks().get(known..).unwrap_or_default());
}

/// What the endpoint takes belongs to the knobs of a run: budgets and replays count by it.
fn record_price(app: App, session: &Session) {
    let Some(settings) = session.state().settings.clone() else { return };
    let price = Book::read(&app.prices.get_untracked()).price(&settings);
    if settings.price != price {
        let settings = Rc::new(Settings { price, ..(*settings).clone() });
        session.record(BrowserClock.now_ms(), Fact::Configured { settings: Rc::clone(&settings) });
        app.settings.set(settings);
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
