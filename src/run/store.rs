//! Keeps sessions in the browser: one small store over IndexedDB.
//!
//! What is recorded is queued at once and written within 250 ms, in order, each batch in one transaction. A write that
//! fails stays queued; the page says that it is not keeping, and goes on.

mod database;
mod lease;
mod record;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use agent_loop::{Block, Clock, Sealed};
use futures_channel::oneshot;
use futures_util::future::{Either, select};
use leptos::prelude::*;
use leptos::task::spawn_local;

use self::database::Database;
pub use self::lease::Lease;
pub use self::record::{Stored, Unreadable, stored};
use crate::app::{SessionCard, StoreStatus};
use crate::run::clock::BrowserClock;

/// How long a recorded fact may wait in memory, in milliseconds: the batch is begun well before 250.
const FLUSH_MS: u64 = 200;

/// How long the database may take to open, in milliseconds. A browser whose storage hangs still gets a page.
const OPEN_MS: u64 = 5_000;

thread_local! {
    /// For the panic hook alone, which is given nothing and may own nothing.
    static OPENED: RefCell<Option<Rc<Store>>> = const { RefCell::new(None) };
}

/// The store of this origin.
pub struct Store {
    /// Empty until the browser has answered.
    database: OnceCell<Database>,
    status: RwSignal<StoreStatus>,
    queue: RefCell<Vec<Write>>,
    is_due: Cell<bool>,
    /// Also while it is being opened: who waits for what is written waits for that too.
    is_writing: Cell<bool>,
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
}

/// Something to be written.
#[derive(Debug, Clone)]
pub enum Write {
    /// A session as the list shows it.
    Card(SessionCard),
    /// A fact of a session, in its place.
    Fact(Rc<str>, usize, Rc<Sealed>),
    /// What of an answer has come; replaces the one before.
    Draft(Rc<str>, Vec<Block>),
    /// The draft has become a fact, or nothing.
    NoDraft(Rc<str>),
    /// The session and all that belongs to it goes.
    Delete(Rc<str>),
}

impl Store {
    /// A store that is yet to be opened; what is written meanwhile is queued.
    pub fn new(status: RwSignal<StoreStatus>) -> Rc<Store> {
        let store = Rc::new(Store {
            database: OnceCell::new(),
            status,
            queue: RefCell::default(),
            is_due: Cell::new(false),
            is_writing: Cell::new(true),
            waiting: RefCell::default(),
        });
        OPENED.with(|opened| opened.replace(Some(Rc::clone(&store))));
        store
    }

    /// Opens it, once. Where it cannot be opened, everything works and nothing is kept.
    pub async fn open(&self) {
        let opened = select(Box::pin(Database::open()), BrowserClock.sleep(OPEN_MS)).await;
        let why = match opened {
            Either::Left((Ok(database), _)) => self.database.set(database).err().map(|_| String::new()),
            Either::Left((Err(why), _)) => Some(why),
            Either::Right(_) => Some(format!("no answer for {} s", OPEN_MS / 1000)),
        };
        if let Some(why) = why {
            self.status.set(StoreStatus::NotKeeping(why));
            // Set once: this is the only place that opens it.
            let _ = self.database.set(Database::none());
            self.queue.take();
        }
        self.is_writing.set(false);
        self.flush().await;
    }

    /// The stored sessions, newest first.
    pub async fn cards(&self) -> Vec<SessionCard> {
        let Some(database) = self.database.get() else { return Vec::new() };
        let cards = database.cards().await.unwrap_or_else(|why| {
            self.status.set(StoreStatus::NotKeeping(why));
            Vec::new()
        });
        // There are few, and the standard sort alone is kilobytes of the page.
        cards.into_iter().fold(Vec::new(), |mut newest_first: Vec<SessionCard>, card| {
            let place = newest_first.partition_point(|other| other.changed_ms >= card.changed_ms);
            newest_first.insert(place, card);
            newest_first
        })
    }

    /// A session as it was stored.
    pub async fn read(&self, session: &str) -> Result<Stored, Unreadable> {
        match self.database.get() {
            Some(database) => database.read(session).await,
            None => Err(Unreadable::Missing),
        }
    }

    /// Gives a branch its own copy of the facts it shares, so that its parent can be deleted.
    pub async fn part(&self, branch: &str, shared: usize) -> Result<(), String> {
        self.flush().await;
        match self.database.get() {
            Some(database) => database.part(branch, shared).await,
            None => Ok(()),
        }
    }

    /// Queues a write; it is done within 250 ms.
    pub fn write(self: &Rc<Store>, write: Write) {
        if self.database.get().is_some_and(|database| !database.is_there()) {
            return;
        }
        self.queue.borrow_mut().push(write);
        if self.is_due.replace(true) {
            return;
        }
        let store = Rc::clone(self);
        spawn_local(async move {
            BrowserClock.sleep(FLUSH_MS).await;
            store.flush().await;
        });
    }

    /// Writes what is queued; done when it is written, or cannot be.
    pub async fn flush(&self) {
        self.is_due.set(false);
        if self.is_writing.replace(true) {
            // Who writes now takes what is queued meanwhile as well.
            let (sender, written) = oneshot::channel();
            self.waiting.borrow_mut().push(sender);
            // An error means that the writer is gone, which only the end of the page does.
            let _ = written.await;
            return;
        }
        loop {
            let batch = self.queue.take();
            if batch.is_empty() {
                break;
            }
            let Some(database) = self.database.get() else { break };
            match database.write(&batch).await {
                Ok(()) => self.tell(StoreStatus::Keeping),
                Err(why) => {
                    self.tell(StoreStatus::NotKeeping(why));
                    self.queue.borrow_mut().splice(0..0, batch);
                    break;
                }
            }
        }
        self.is_writing.set(false);
        for waiting in self.waiting.take() {
            // Who waited may have stopped waiting.
            let _ = waiting.send(());
        }
    }

    /// Hands what is queued to the browser without waiting for anything: the page may be gone the next moment. It stays
    /// queued as well; to write a thing twice changes nothing.
    pub fn hand_over(&self) {
        if let (Some(database), Ok(queue)) = (self.database.get(), self.queue.try_borrow()) {
            database.hand_over(&queue);
        }
    }

    fn tell(&self, status: StoreStatus) {
        if self.status.get_untracked() != status {
            self.status.set(status);
        }
    }
}

/// Saves what is queued: the page has crashed, and nothing of it runs any more.
pub fn save_on_panic() {
    OPENED.with(|opened| {
        // Whatever panicked may hold it.
        if let Ok(opened) = opened.try_borrow()
            && let Some(store) = opened.as_ref()
        {
            store.hand_over();
        }
    });
}
