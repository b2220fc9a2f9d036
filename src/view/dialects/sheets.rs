//! The request in both dialects, by the messages it is made of.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use agent_loop::wire::{Making, Sheet, SheetRow, in_dialect, sheet};
use agent_loop::{Dialect, Message, Producer, Step};
use leptos::prelude::*;

use super::Shape;
use crate::app::{Activity, App};

/// Both.
#[derive(Default)]
pub(super) struct Sheets {
    anthropic: Sheet,
    chat: Sheet,
    /// The dialect that the session speaks.
    pub(super) own: Option<Dialect>,
}

impl Sheets {
    /// Of the session on show, as its next request would be. What the choke point would only put after the last entry is
    /// there when that request is next: until then, whatever comes stands there.
    pub(super) fn of(app: App) -> Sheets {
        let state = app.state.get();
        let is_bound = app.moment.get().is_some() || app.activity.get() != Activity::Idle;
        let chosen = app.settings.get();
        let settings = state.settings.as_ref().filter(|_| is_bound).unwrap_or(&chosen);
        let settings = state.taught(settings);
        let is_next = matches!(state.outlook(), Step::Prepare | Step::CallModel(()));
        let of = |dialect| {
            let mut sheet = sheet(&in_dialect(&settings, dialect), &state.offered, &state.messages);
            if !is_next && let Some(last) = sheet.entries.iter_mut().rfind(|rows| !rows.is_empty()) {
                let kept = last.iter().rposition(|row| row.making != Making::Added).map_or(0, |at| at + 1);
                last.truncate(kept);
            }
            sheet
        };
        Sheets { anthropic: of(Dialect::Anthropic), chat: of(Dialect::OpenAi), own: Some(settings.profile.dialect) }
    }

    /// One of them.
    pub(super) fn sheet(&self, dialect: Dialect) -> &Sheet {
        match dialect {
            Dialect::Anthropic => &self.anthropic,
            Dialect::OpenAi => &self.chat,
        }
    }

    /// The index that the next entry will have.
    pub(super) fn next_index(&self, shape: Shape) -> usize {
        let dialect = match shape {
            Shape::One(dialect) => dialect,
            Shape::Blocks | Shape::Both => self.own.unwrap_or(Dialect::Anthropic),
        };
        self.sheet(dialect).entries.iter().flatten().last().map_or(0, |row| row.index + row.entries)
    }

    /// What became of the message at this place. `None`: the sheets are of another moment.
    pub(super) fn line(&self, place: usize, message: &Rc<Message>) -> Option<Line> {
        Some(Line {
            place,
            producer: message.producer,
            anthropic: self.anthropic.entries.get(place)?.clone(),
            chat: self.chat.entries.get(place)?.clone(),
        })
    }
}

/// One message in both dialects.
pub(super) struct Line {
    place: usize,
    pub(super) producer: Producer,
    pub(super) anthropic: Vec<SheetRow>,
    pub(super) chat: Vec<SheetRow>,
}

impl Line {
    /// Its rows in a dialect.
    pub(super) fn rows(&self, dialect: Dialect) -> &[SheetRow] {
        match dialect {
            Dialect::Anthropic => &self.anthropic,
            Dialect::OpenAi => &self.chat,
        }
    }

    /// A name that changes when what is drawn of it changes.
    pub(super) fn name(&self, shape: Shape) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.place.hash(&mut hasher);
        let sides: &[&[SheetRow]] = match shape {
            Shape::One(dialect) => &[self.rows(dialect)],
            Shape::Blocks | Shape::Both => &[&self.anthropic, &self.chat],
        };
        for row in sides.iter().flat_map(|rows| rows.iter()) {
            row.index.hash(&mut hasher);
            row.making.hash(&mut hasher);
            row.json.hash(&mut hasher);
        }
        hasher.finish()
    }
}
