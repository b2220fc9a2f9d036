//! The IndexedDB database: three stores of JSON text. `sessions` by id, `facts` by (session, number), `drafts` by session.

use std::rc::Rc;

use idb::event::VersionChangeEvent;
use idb::{DatabaseEvent, Error, Factory, KeyRange, ObjectStoreParams, Query, Transaction, TransactionMode};
use js_sys::Array;
use wasm_bindgen::JsValue;

use super::Write;
use super::record::{self, Stored, Unreadable};
use crate::app::SessionCard;
use crate::parts::{self, Unfetched};

const NAME: &str = "loopglass";
const VERSION: u32 = 1;
const SESSIONS: &str = "sessions";
const FACTS: &str = "facts";
const DRAFTS: &str = "drafts";
/// So many branches of branches are followed.
const DEEPEST: usize = 1_000;
const ALL: [&str; 3] = [SESSIONS, FACTS, DRAFTS];

/// The database, or none where the browser gives none.
pub(super) struct Database(Option<Rc<idb::Database>>);

impl Database {
    /// No database: nothing is read and nothing is written.
    pub(super) fn none() -> Database {
        Database(None)
    }

    /// Opens it, and makes its stores the first time. The error is the browser's own words.
    pub(super) async fn open() -> Result<Database, String> {
        let open = async {
            let mut request = Factory::new()?.open(NAME, Some(VERSION))?;
            request.on_upgrade_needed(|event| {
                // What cannot be made is missed by the first transaction, which says so.
                let _ = make_stores(&event);
            });
            let mut database = request.await?;
            // A later version of the page, in another tab, may need the place for itself.
            database.on_version_change(|event| {
                if let Some(database) = event.target().and_then(|target| idb::Database::try_from(target).ok()) {
                    database.close();
                }
            });
            database.transaction(&ALL, TransactionMode::ReadOnly)?;
            Ok(database)
        };
        open.await.map(|database| Database(Some(Rc::new(database)))).map_err(words)
    }

    /// Whether there is one.
    pub(super) fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// Every session's card.
    pub(super) async fn cards(&self) -> Result<Vec<SessionCard>, String> {
        let Some(database) = &self.0 else { return Ok(Vec::new()) };
        let read = async {
            let store = database.transaction(&[SESSIONS], TransactionMode::ReadOnly)?.object_store(SESSIONS)?;
            let keys = store.get_all_keys(None, None)?;
            let records = store.get_all(None, None)?;
            Ok((keys.await?, records.await?))
        };
        let (keys, records) = read.await.map_err(words)?;
        let card = |(key, record): (JsValue, JsValue)| {
            Some(record::card(key.as_string()?, &record.as_string().unwrap_or_default()))
        };
        Ok(keys.into_iter().zip(records).filter_map(card).collect())
    }

    /// A session's facts and draft.
    pub(super) async fn read(&self, session: &str) -> Result<Stored, Unreadable> {
        let Some(database) = &self.0 else { return Err(Unreadable::Missing) };
        let read = async {
            let transaction = database.transaction(&[DRAFTS], TransactionMode::ReadOnly)?;
            let draft = transaction.object_store(DRAFTS)?.get(JsValue::from_str(session))?;
            // A request tells only who waits for it by then.
            let draft = draft.await?;
            Ok((records(database, session, usize::MAX).await?, draft))
        };
        let (facts, draft) = read.await.map_err(|error| Unreadable::Refused(words(error)))?;
        let stored = parts::stored().await.map_err(|Unfetched| Unreadable::Unfetched)?;
        stored(&facts, draft.and_then(|record| record.as_string()))
    }

    /// Gives a branch its own copy of what it shares with its parent, which may then go.
    pub(super) async fn part(&self, branch: &str, shared: usize) -> Result<(), String> {
        let Some(database) = &self.0 else { return Ok(()) };
        let copy = async {
            let facts = records(database, branch, shared).await?;
            let transaction = database.transaction(&[FACTS], TransactionMode::ReadWrite)?;
            let store = transaction.object_store(FACTS)?;
            for (number, fact) in facts.iter().enumerate() {
                store.put(&JsValue::from_str(fact), Some(&key_of(branch, number)))?;
            }
            transaction.commit()?.await
        };
        match copy.await {
            Ok(result) if result.is_committed() => Ok(()),
            Ok(_) => Err("the transaction was aborted".to_owned()),
            Err(error) => Err(words(error)),
        }
    }

    /// Writes all of it, or nothing.
    pub(super) async fn write(&self, batch: &[Write]) -> Result<(), String> {
        let Some(database) = &self.0 else { return Ok(()) };
        let written = async { issue(database, batch)?.await };
        match written.await {
            Ok(result) if result.is_committed() => Ok(()),
            Ok(_) => Err("the transaction was aborted".to_owned()),
            Err(error) => Err(words(error)),
        }
    }

    /// Hands it to the browser, which finishes it without us.
    pub(super) fn hand_over(&self, batch: &[Write]) {
        if let Some(database) = &self.0
            && !batch.is_empty()
        {
            // Nobody is left to be told.
            let _ = issue(database, batch);
        }
    }
}

fn make_stores(event: &VersionChangeEvent) -> Result<(), Error> {
    let database = event.database()?;
    for name in ALL {
        if !database.store_names().iter().any(|known| known == name) {
            database.create_object_store(name, ObjectStoreParams::new())?;
        }
    }
    Ok(())
}

fn issue(database: &idb::Database, batch: &[Write]) -> Result<Transaction, Error> {
    let transaction = database.transaction(&ALL, TransactionMode::ReadWrite)?;
    let sessions = transaction.object_store(SESSIONS)?;
    let facts = transaction.object_store(FACTS)?;
    let drafts = transaction.object_store(DRAFTS)?;
    for write in batch {
        match write {
            Write::Card(card) => {
                let record = JsValue::from_str(&record::card_json(card));
                sessions.put(&record, Some(&JsValue::from_str(&card.id)))?;
            }
            Write::Fact(session, number, fact) => {
                facts.put(&JsValue::from_str(&record::json(fact)), Some(&key_of(session, *number)))?;
            }
            Write::Draft(session, blocks) => {
                drafts.put(&JsValue::from_str(&record::json(blocks)), Some(&JsValue::from_str(session)))?;
            }
            Write::NoDraft(session) => {
                drafts.delete(JsValue::from_str(session))?;
            }
            Write::Delete(session) => {
                sessions.delete(JsValue::from_str(session))?;
                drafts.delete(JsValue::from_str(session))?;
                facts.delete(facts_of(session)?)?;
            }
        }
    }
    // Said, not left to be guessed: the browser then finishes it even if the page goes now.
    transaction.commit()
}

/// The records of a session's first `until` facts. A branch holds only what is its own: the rest stands with those it
/// branched off.
async fn records(database: &idb::Database, session: &str, until: usize) -> Result<Vec<String>, Error> {
    let mut parts = Vec::new();
    let (mut session, mut until) = (session.to_owned(), until);
    loop {
        let transaction = database.transaction(&[SESSIONS, FACTS], TransactionMode::ReadOnly)?;
        let facts = transaction.object_store(FACTS)?;
        // Beyond 2^53 there is no fact.
        let before = Array::of2(&JsValue::from_str(&session), &JsValue::from_f64(until as f64));
        let own = KeyRange::bound(&Array::of1(&JsValue::from_str(&session)), &before, None, Some(true))?;
        let own = facts.get_all(Some(Query::from(own)), None)?;
        let first = facts.get(key_of(&session, 0))?;
        let card = transaction.object_store(SESSIONS)?.get(JsValue::from_str(&session))?;
        let (own, first, card) = (own.await?, first.await?, card.await?);
        parts.push(own);
        let card = card.and_then(|card| card.as_string()).unwrap_or_default();
        let parent = record::card(String::new(), &card).parent;
        // Once it was parted from its parent, everything is its own.
        let Some(parent) = parent.filter(|_| first.is_none()) else { break };
        // A ring of parents would be no log that this page wrote.
        if parts.len() > DEEPEST {
            break;
        }
        (session, until) = (parent.id, until.min(parent.facts));
    }
    Ok(parts.iter().rev().flatten().map(|record| record.as_string().unwrap_or_default()).collect())
}

/// The key of a fact.
fn key_of(session: &str, number: usize) -> JsValue {
    Array::of2(&JsValue::from_str(session), &JsValue::from_f64(number as f64)).into()
}

/// All keys `[session, number]`: an array sorts after every number.
fn facts_of(session: &str) -> Result<Query, Error> {
    let session = JsValue::from_str(session);
    let after = Array::of2(&session, &Array::new());
    KeyRange::bound(&Array::of1(&session), &after, None, None).map(Query::from)
}

fn words(error: Error) -> String {
    error.to_string()
}
