//! What refusals taught about endpoints, remembered beyond a session: by base URL, in local storage. A session that goes
//! to such an endpoint begins with it, as facts like those it learns itself.

use agent_loop::wire::{Quirk, read_base_url};
use agent_loop::{Clock, Fact, Session, Settings};

use crate::run::clock::BrowserClock;
use crate::run::preferences;

/// Of how many endpoints something is remembered; the ones that were taught last.
const ENDPOINTS: usize = 50;

/// The endpoints and what is known of each, the last taught at the end.
type Learnt = Vec<(String, Vec<Quirk>)>;

/// What is remembered of the endpoint of these settings.
pub fn of(settings: &Settings) -> Vec<Quirk> {
    let key = key(settings);
    remembered().into_iter().find(|(known, _)| *known == key).map(|(_, quirks)| quirks).unwrap_or_default()
}

/// Remembers these as well.
pub fn keep(settings: &Settings, quirks: &[Quirk]) {
    let before = remembered();
    let after = with(before.clone(), key(settings), quirks);
    if after != before {
        write(&after);
    }
}

/// Forgets all that was learnt about the endpoint.
pub fn forget(settings: &Settings) {
    let key = key(settings);
    write(&remembered().into_iter().filter(|(known, _)| *known != key).collect());
}

/// Tells a session what is remembered of its endpoint and it does not know yet.
pub fn recall(session: &Session) {
    let state = session.state();
    let Some(settings) = &state.settings else { return };
    let known = state.quirks();
    for quirk in of(settings).into_iter().filter(|quirk| !known.contains(quirk)) {
        session.record(BrowserClock.now_ms(), Fact::Learnt { base_url: settings.base_url.clone(), quirk });
    }
}

/// The address as it is called, however it was typed.
fn key(settings: &Settings) -> String {
    let read = read_base_url(&settings.base_url, settings.profile.dialect);
    read.map_or_else(|_| settings.base_url.trim().to_owned(), |address| address.base + &address.query)
}

fn remembered() -> Learnt {
    // What another version wrote may mean nothing any more.
    preferences::learnt().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

fn write(learnt: &Learnt) {
    if let Ok(text) = serde_json::to_string(learnt) {
        preferences::keep_learnt(&text);
    }
}

/// With these learnt about this endpoint, each once; the oldest endpoints make room.
fn with(mut learnt: Learnt, key: String, quirks: &[Quirk]) -> Learnt {
    let place = learnt.iter().position(|(known, _)| *known == key);
    let mut all = place.and_then(|place| learnt.get(place)).map(|(_, quirks)| quirks.clone()).unwrap_or_default();
    let before = all.len();
    quirks.iter().for_each(|quirk| {
        if !all.contains(quirk) {
            all.push(*quirk);
        }
    });
    if all.len() == before {
        return learnt;
    }
    if let Some(place) = place {
        learnt.remove(place);
    }
    learnt.push((key, all));
    learnt.drain(..learnt.len().saturating_sub(ENDPOINTS));
    learnt
}

#[cfg(test)]
mod tests {
    use agent_loop::settings::TokenLimitName;
    use agent_loop::wire::Quirk;

    use super::{ENDPOINTS, with};

    #[test]
    fn each_lesson_is_kept_once_and_the_endpoints_taught_last_are_kept() {
        let new = Quirk::TokenLimit(TokenLimitName::MaxCompletionTokens);
        let learnt = with(Vec::new(), "a".to_owned(), &[new, new]);
        assert_eq!(learnt, [("a".to_owned(), vec![new])]);
        assert_eq!(with(learnt.clone(), "a".to_owned(), &[new]), learnt);
        assert_eq!(with(learnt.clone(), "b".to_owned(), &[]), learnt);
        let learnt = with(learnt, "b".to_owned(), &[Quirk::NoStream]);
        let learnt = with(learnt, "a".to_owned(), &[Quirk::NoStop]);
        assert_eq!(learnt, [("b".to_owned(), vec![Quirk::NoStream]), ("a".to_owned(), vec![new, Quirk::NoStop])]);
        let many = (0..ENDPOINTS).fold(learnt, |learnt, n| with(learnt, n.to_string(), &[Quirk::NoStop]));
        assert_eq!((many.len(), many[0].0.as_str()), (ENDPOINTS, "0"));
    }
}
