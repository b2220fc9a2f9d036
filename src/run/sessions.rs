//! The sessions of this tab: which one is on show, and what happens with each of its facts.

mod remembered;
mod summary;
mod title;
mod tree;

use std::cell::Cell;
use std::rc::Rc;

use agent_loop::host::Offered;
use agent_loop::session::OpenError;
use agent_loop::{CallKey, Clock, Fact, LoopState, Sealed, Session, Stage};
use leptos::prelude::*;
use leptos::task::spawn_local;

pub use self::summary::summary;
use self::title::title;
pub use self::tree::{root, tree};
use crate::app::{Activity, App, Compared, HostChoice, Parent, Selection, SessionCard};
use crate::run::bridge;
use crate::run::clock::BrowserClock;
use crate::run::runner::{self, How};
use crate::run::settings::at_home;
use crate::run::store::{Lease, Store, Stored, Unreadable, Write};

/// How long a session's lease is waited for before the session is shown for reading only, in milliseconds.
const LEASE_MS: u64 = 500;

/// Opens the store and shows the session this tab had last, or else the newest, or a new one. Where this browser has kept
/// none, the new one is there when this returns, so that the page is drawn once: what is said before the store answers
/// waits in its queue.
pub fn begin(app: App) -> impl Future<Output = ()> {
    let store = Store::new(app.store);
    // Set once: this is the only place that makes one.
    let _ = app.tab().store.set(Rc::clone(&store));
    if !remembered::has_kept() {
        fresh(app);
        app.is_ready.set(true);
    }
    open_last(app, store)
}

/// Shows the session this tab had last, once the store answers, but for one that is already being used.
async fn open_last(app: App, store: Rc<Store>) {
    store.open().await;
    let cards = store.cards().await;
    let known = app.sessions.get_untracked();
    if known.iter().any(|card| !card.title.is_empty()) || (cards.is_empty() && !known.is_empty()) {
        // It is being used; whatever another tab has kept since stands below it.
        app.sessions.update(|known| known.extend(cards));
        return;
    }
    let last = match remembered::session() {
        Some(id) => cards.iter().find(|card| card.id == id).or(cards.first().filter(|_| !known.is_empty())),
        None => cards.first(),
    };
    let last = last.map(|card| card.id.clone());
    app.sessions.set(cards);
    match last {
        Some(id) => {
            open(app, id).await;
            if app.session_id.get_untracked().is_empty() {
                fresh(app);
            }
        }
        None => fresh(app),
    }
    app.is_ready.set(true);
}

/// Shows a new, empty session. It comes into the store with its first message.
pub fn fresh(app: App) {
    let id = BrowserClock.fresh_id();
    let now_ms = BrowserClock.now_ms();
    let tab = app.tab();
    tab.openings.set(tab.openings.get() + 1);
    tab.lease.replace(Lease::ask(&id));
    app.read_only.set(false);
    forget_fresh(app);
    let card = SessionCard { id: id.clone(), title: String::new(), changed_ms: now_ms, parent: None };
    app.sessions.update(|cards| cards.insert(0, card));
    show(app, id, Session::new(now_ms), Kept::No);
}

/// Opens a stored session and shows it. Starts nothing. One that cannot be opened stays as it is, and the page says why.
pub async fn open(app: App, id: String) {
    let lease = Lease::ask(&id);
    open_under(app, id, lease).await;
}

async fn open_under(app: App, id: String, lease: Option<Lease>) {
    let tab = app.tab();
    let opening = tab.openings.get() + 1;
    tab.openings.set(opening);
    let Some(store) = tab.store() else { return };
    store.flush().await;
    let is_mine = match &lease {
        Some(lease) => lease.is_granted_within(LEASE_MS).await,
        None => true,
    };
    let found = store.read(&id).await.and_then(|Stored { facts, draft }| {
        let stored = facts.len();
        let opened = Session::open(facts, draft, BrowserClock.now_ms());
        opened
            .map(|session| (session, stored))
            .map_err(|OpenError::LaterFormat(format)| Unreadable::LaterFormat(format))
    });
    if tab.openings.get() != opening || app.activity.get_untracked() != Activity::Idle {
        return;
    }
    let (session, stored) = match found {
        Ok(found) => found,
        Err(why) => {
            app.unopened.set(Some(why));
            let shown = app.session_id.get_untracked();
            if !app.sessions.with_untracked(|cards| cards.iter().any(|card| card.id == shown)) {
                // The one on show was deleted while this one was read.
                fresh(app);
            }
            return;
        }
    };
    app.unopened.set(None);
    app.read_only.set(!is_mine);
    if is_mine {
        let session_id: Rc<str> = id.as_str().into();
        for (number, fact) in session.facts().into_iter().enumerate().skip(stored) {
            store.write(Write::Fact(Rc::clone(&session_id), number, fact));
        }
        store.write(Write::NoDraft(session_id));
    } else {
        open_when_granted(app, &id, lease.as_ref());
    }
    tab.lease.replace(lease);
    forget_fresh(app);
    adopt(app, &session);
    let was_left = is_mine && has_left_run(app, &id, &session);
    show(app, id, session, Kept::Yes);
    if was_left {
        runner::begin(app, How::TakeUp);
    }
}

/// Opens the session anew, to be written, when the other tab has let go of it or is gone: what it wrote last is read.
fn open_when_granted(app: App, id: &str, lease: Option<&Lease>) {
    let Some(lease) = lease else { return };
    let id = id.to_owned();
    lease.when_granted(move || {
        if app.session_id.try_get_untracked().as_ref() == Some(&id) {
            let tab = app.tab();
            tab.link.hurry();
            // The lease goes along: another tab may be waiting for it.
            let lease = tab.lease.take();
            spawn_local(open_under(app, id, lease));
        }
    });
}

/// Lets go of the session on show, which another tab has asked for; this one shows it as it is and waits for it.
pub async fn hand_over(app: App) {
    let tab = app.tab();
    let id = app.session_id.get_untracked();
    // From here on nothing is added.
    app.read_only.set(true);
    if let Some(store) = tab.store() {
        store.flush().await;
    }
    if app.session_id.with_untracked(|shown| *shown != id) {
        return;
    }
    // Back first, then in line again behind the tab that asked.
    tab.lease.replace(None);
    let lease = Lease::ask(&id);
    open_when_granted(app, &id, lease.as_ref());
    tab.lease.replace(lease);
}

/// Whether a command of this session, and not of the one it branched off, was under way when the page went.
fn has_left_run(app: App, id: &str, session: &Session) -> bool {
    let state = session.state();
    let Some((call, _)) = state.left_run().filter(|(_, left)| left.host == bridge::NAME) else { return false };
    let of_parent = app.sessions.with_untracked(|cards| {
        let parent = cards.iter().find(|card| card.id == id).and_then(|card| card.parent.as_ref());
        parent.map_or(0, |parent| parent.facts)
    });
    began(session, call.key).is_some_and(|(number, _)| number >= of_parent)
}

/// The fact that the last run of a call began with: its number and its time.
fn began(session: &Session, call: CallKey) -> Option<(usize, u64)> {
    let is_start = |fact: &Fact| matches!(fact, Fact::ToolStarted { call: of, .. } if *of == call);
    let facts = session.facts();
    let number = facts.iter().rposition(|sealed| is_start(&sealed.fact))?;
    Some((number, facts.get(number)?.at_ms))
}

/// Deletes a stored session; one that another tab has open stays. If it is on show, a new one takes its place, unless a
/// person has gone to another meanwhile; and if they have set it going meanwhile, it stays.
pub async fn delete(app: App, id: String) {
    let tab = app.tab();
    let openings = tab.openings.get();
    let is_shown = || app.session_id.with_untracked(|shown| *shown == id);
    let lease = if is_shown() { None } else { Lease::ask(&id) };
    if let Some(lease) = &lease
        && !lease.is_granted_within(LEASE_MS).await
    {
        return;
    }
    if let Some(store) = tab.store() {
        let mut parted: Vec<String> = Vec::new();
        let next = |parted: &[String]| {
            app.sessions.with_untracked(|cards| {
                cards.iter().filter_map(|card| branch_of(card, &id)).find(|(branch, _)| !parted.contains(branch))
            })
        };
        // Asked again after each: a person can branch off while one is copied.
        while let Some((branch, shared)) = next(&parted) {
            if store.part(&branch, shared).await.is_err() {
                // What a branch shares with it cannot be copied: it stays.
                return;
            }
            parted.push(branch);
        }
        if is_shown() && app.activity.get_untracked() != Activity::Idle {
            return;
        }
        store.write(Write::Delete(id.as_str().into()));
    }
    app.sessions.update(|cards| cards.retain(|card| card.id != id));
    if is_shown() && tab.openings.get() == openings {
        fresh(app);
    } else if is_shown() {
        // Another is being opened. Until it is here, nothing can be written to what is no more.
        app.read_only.set(true);
    }
}

/// The id of a branch of this session, and how many facts it shares with it.
fn branch_of(card: &SessionCard, parent: &str) -> Option<(String, usize)> {
    card.parent.as_ref().filter(|of| of.id == parent).map(|of| (card.id.clone(), of.facts))
}

/// Shows a branch of the session on show, made of its first `n` facts. Starts nothing.
pub fn fork(app: App, n: usize) {
    let tab = app.tab();
    let now_ms = BrowserClock.now_ms();
    let (parent, of) = (app.session.get_untracked(), app.session_id.get_untracked());
    let session = parent.fork(n, now_ms);
    let shared = session.forked_from().map_or(0, |(_, shared)| shared);
    let id = BrowserClock.fresh_id();
    let known = app.sessions.with_untracked(|cards| cards.iter().find(|card| card.id == of).cloned());
    let title = known.map(|card| card.title).unwrap_or_default();
    let card =
        SessionCard { id: id.clone(), title, changed_ms: now_ms, parent: Some(Parent { id: of, facts: shared }) };
    tab.openings.set(tab.openings.get() + 1);
    tab.lease.replace(Lease::ask(&id));
    app.read_only.set(false);
    app.sessions.update(|cards| cards.insert(0, card.clone()));
    if let Some(store) = tab.store() {
        store.write(Write::Card(card));
        let session_id: Rc<str> = id.as_str().into();
        for (number, fact) in session.facts().into_iter().enumerate().skip(shared) {
            store.write(Write::Fact(Rc::clone(&session_id), number, fact));
        }
    }
    show(app, id, session, Kept::Yes);
}

/// Gives a session another name.
pub fn rename(app: App, id: &str, title: &str) {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() {
        return;
    }
    let mut renamed = None;
    app.sessions.update(|cards| {
        if let Some(card) = cards.iter_mut().find(|card| card.id == id) {
            card.title = title;
            renamed = Some(card.clone());
        }
    });
    if let (Some(card), Some(store)) = (renamed, app.tab().store()) {
        store.write(Write::Card(card));
    }
}

/// Reads another branch, to be shown beside the session on show.
pub async fn compare(app: App, id: String) {
    let tab = app.tab();
    let Some(store) = tab.store() else { return };
    store.flush().await;
    match store.read(&id).await {
        Ok(Stored { facts, .. }) => {
            let facts: Vec<Rc<Sealed>> = facts.into_iter().map(Rc::new).collect();
            let state = Rc::new(LoopState::fold(&facts));
            let title = app.sessions.with_untracked(|cards| {
                cards.iter().find(|card| card.id == id).map(|card| card.title.clone()).unwrap_or_default()
            });
            app.unopened.set(None);
            app.compared.set(Some(Compared { title, state }));
        }
        Err(why) => app.unopened.set(Some(why)),
    }
}

/// An empty session that is left is not in the store, so it goes from the list. (A stored one without a title is one
/// whose record is spoiled; it has no time either.)
fn forget_fresh(app: App) {
    app.sessions.update(|cards| cards.retain(|card| !card.title.is_empty() || card.changed_ms == 0));
}

/// Whether a session stands in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    No,
    Yes,
}

fn show(app: App, id: String, session: Session, kept: Kept) {
    let tab = app.tab();
    remembered::keep(&id);
    tab.live.forget();
    tab.link.forget_verdicts();
    app.ask.set(None);
    app.held.set(None);
    app.moment.set(None);
    app.compared.set(None);
    app.selection.set(Selection::Latest);
    app.facts.set(session.len());
    app.state.set(session.state());
    app.session_id.set(id.clone());
    let kept = Cell::new(kept);
    let id: Rc<str> = id.into();
    session.watch(Rc::new(move |number, sealed| {
        see(app, number, sealed);
        keep(app, &id, &kept, number, sealed);
    }));
    app.session.set(session);
}

/// What the page shows of a new fact.
fn see(app: App, number: usize, sealed: &Sealed) {
    let session = app.session.get_untracked();
    let state = session.state();
    let began_ms = match &sealed.fact {
        Fact::TakenUp { call } => began(&session, *call).map_or(sealed.at_ms, |(_, at_ms)| at_ms),
        _ => sealed.at_ms,
    };
    app.tab().live.fact(number, &sealed.fact, &state, began_ms);
    if app.activity.get_untracked() != Activity::Idle {
        let stage = match sealed.fact {
            Fact::Answered { .. } => Stage::Save,
            _ => Stage::of(&state.outlook()),
        };
        app.stage.set(Some(stage));
    }
    app.facts.set(number + 1);
    if app.moment.get_untracked().is_none() {
        app.state.set(state);
    }
}

/// What the store keeps of it.
fn keep(app: App, id: &Rc<str>, kept: &Cell<Kept>, number: usize, sealed: &Rc<Sealed>) {
    let tab = app.tab();
    if let Fact::Said { text } = &sealed.fact {
        let card = said(app, id, text, sealed.at_ms);
        remembered::keep_mark();
        if let Some(store) = tab.store() {
            store.write(Write::Card(card));
        }
    }
    let Some(store) = tab.store() else { return };
    match (kept.get(), &sealed.fact) {
        (Kept::Yes, _) => store.write(Write::Fact(Rc::clone(id), number, Rc::clone(sealed))),
        (Kept::No, Fact::Said { .. }) => {
            let facts = app.session.with_untracked(Session::facts);
            for (number, fact) in facts.into_iter().enumerate() {
                store.write(Write::Fact(Rc::clone(id), number, fact));
            }
            kept.set(Kept::Yes);
        }
        (Kept::No, _) => {}
    }
    if matches!(sealed.fact, Fact::Answered { .. } | Fact::CallFailed { .. } | Fact::Stopped { .. }) {
        store.write(Write::NoDraft(Rc::clone(id)));
    }
}

/// Moves the session to the top of the list, under a title if it has none.
fn said(app: App, id: &str, text: &str, at_ms: u64) -> SessionCard {
    let known = app.sessions.with_untracked(|cards| cards.iter().find(|card| card.id == id).cloned());
    let parent = known.as_ref().and_then(|card| card.parent.clone());
    let title = known.map(|card| card.title).filter(|title| !title.is_empty()).unwrap_or_else(|| title(text));
    let card = SessionCard { id: id.to_owned(), title, changed_ms: at_ms, parent };
    app.sessions.update(|cards| {
        cards.retain(|known| known.id != card.id);
        cards.insert(0, card.clone());
    });
    card
}

/// The knobs and the host that a session had are the ones to go on with.
fn adopt(app: App, session: &Session) {
    let state = session.state();
    let place = app.tab().place.clone();
    if let Some(settings) = &state.settings {
        let settings = at_home(settings, &place);
        // A key was typed for one address and goes to no other.
        if app.settings.with_untracked(|before| before.base_url != settings.base_url) {
            app.key.set(String::new());
        }
        app.settings.set(Rc::new(settings));
    }
    let Offered { host, .. } = &*state.offered;
    match host.as_str() {
        "you" => app.host.set(HostChoice::You),
        bridge::NAME if place.bridge => app.host.set(HostChoice::Bridge),
        _ => {}
    }
}
