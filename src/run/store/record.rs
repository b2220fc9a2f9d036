//! How things stand in the store: JSON text, one record per fact. Pure, so that what a later version wrote, or a disk has
//! spoiled, is refused by rules that can be tested.

use agent_loop::fact::FORMAT;
use agent_loop::{Block, Sealed};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::{Parent, SessionCard};

/// A session as it was stored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stored {
    /// Its facts, in order.
    pub facts: Vec<Sealed>,
    /// What of an answer had come when the page went.
    pub draft: Vec<Block>,
}

/// Why a stored session cannot be opened. It stays in the store as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// A later version of the page wrote it, in this format.
    LaterFormat(u32),
    /// What stands there makes no sense: the number of the fact, and why.
    Damaged(usize, String),
    /// There is none of this id.
    Missing,
    /// The browser did not give it out: its own words.
    Refused(String),
    /// The part of the page that reads sessions did not come.
    Unfetched,
}

/// A session from the records of its facts and its draft.
pub fn stored(facts_records: &[String], draft_record: Option<String>) -> Result<Stored, Unreadable> {
    Ok(Stored { facts: facts(facts_records)?, draft: draft(draft_record) })
}

/// The facts of a session from their records.
fn facts(records: &[String]) -> Result<Vec<Sealed>, Unreadable> {
    let Some(first) = records.first() else { return Err(Unreadable::Missing) };
    // Before anything else: a later version may know facts that this one does not.
    let format =
        serde_json::from_str::<Value>(first).ok().and_then(|first| first.pointer("/fact/opened/format")?.as_u64());
    match format.map(u32::try_from) {
        Some(Ok(format)) if format > FORMAT => return Err(Unreadable::LaterFormat(format)),
        Some(Err(_)) => return Err(Unreadable::LaterFormat(u32::MAX)),
        Some(Ok(_)) | None => {}
    }
    let fact = |(number, record): (usize, &String)| {
        serde_json::from_str(record).map_err(|fault| Unreadable::Damaged(number, fault.to_string()))
    };
    records.iter().enumerate().map(fact).collect()
}

/// The draft from its record. One that makes no sense is none: it was only for the eye.
fn draft(record: Option<String>) -> Vec<Block> {
    record.and_then(|record| serde_json::from_str(&record).ok()).unwrap_or_default()
}

/// The record of a fact or a draft.
pub(super) fn json<T: Serialize>(value: &T) -> String {
    // Maps with other keys than strings are all that JSON cannot hold, and no fact has one.
    serde_json::to_string(value).unwrap_or_default()
}

#[derive(Serialize, Deserialize)]
struct CardRecord {
    title: String,
    changed_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<Parent>,
}

/// The record of a card; its id is the key it stands under.
pub(super) fn card_json(card: &SessionCard) -> String {
    json(&CardRecord { title: card.title.clone(), changed_ms: card.changed_ms, parent: card.parent.clone() })
}

/// A card from its key and record. One that makes no sense still names its session, so that it can be deleted.
pub(super) fn card(id: String, record: &str) -> SessionCard {
    let record = serde_json::from_str(record).unwrap_or_else(|_| CardRecord {
        title: String::new(),
        changed_ms: 0,
        parent: None,
    });
    SessionCard { id, title: record.title, changed_ms: record.changed_ms, parent: record.parent }
}

#[cfg(test)]
mod tests {
    use agent_loop::{Fact, Sealed};

    use super::{Unreadable, card, card_json, facts, json};
    use crate::app::{Parent, SessionCard};

    #[track_caller]
    fn check(records: &[&str], expected: Result<Vec<Fact>, Unreadable>) {
        let records: Vec<String> = records.iter().map(|record| (*record).to_owned()).collect();
        let found = facts(&records).map(|facts| facts.into_iter().map(|sealed| sealed.fact).collect());
        assert_eq!(found, expected);
    }

    #[test]
    fn what_was_written_is_read_and_what_is_later_is_refused() {
        let opened = json(&Sealed { at_ms: 1, fact: Fact::Opened { format: 1 } });
        let said = json(&Sealed { at_ms: 2, fact: Fact::Said { text: "hi".to_owned() } });
        check(&[&opened, &said], Ok(vec![Fact::Opened { format: 1 }, Fact::Said { text: "hi".to_owned() }]));
        check(&[], Err(Unreadable::Missing));
        let later = opened.replace("\"format\":1", "\"format\":2");
        check(&[&later, "{\"at_ms\":3,\"fact\":\"unheard_of\"}"], Err(Unreadable::LaterFormat(2)));
        let damaged = "EOF while parsing an object at line 1 column 1";
        check(&[&opened, "{"], Err(Unreadable::Damaged(1, damaged.to_owned())));
    }

    #[test]
    fn a_card_comes_back_and_a_spoiled_one_still_names_its_session() {
        let kept = SessionCard { id: "a".to_owned(), title: "List".to_owned(), changed_ms: 7, parent: None };
        assert_eq!(card("a".to_owned(), &card_json(&kept)), kept);
        assert_eq!(card("a".to_owned(), r#"{"title":"List","changed_ms":7}"#), kept);
        let branch = SessionCard { parent: Some(Parent { id: "b".to_owned(), facts: 3 }), ..kept };
        assert_eq!(card("a".to_owned(), &card_json(&branch)), branch);
        let bare = SessionCard { id: "a".to_owned(), title: String::new(), changed_ms: 0, parent: None };
        assert_eq!(card("a".to_owned(), "nonsense"), bare);
    }
}
