//! The forms a message has been serialised in, kept with the message so that each is made once.

use std::cell::RefCell;
use std::rc::Rc;

use crate::settings::Profile;

/// Everything that changes how a message is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Form {
    /// The profile, and with it the dialect. The answers of other profiles lose their opaque blocks in it.
    pub profile: Profile,
    /// Whether results tell `is_error`.
    pub tells_errors: TellErrors,
    /// Where it stands.
    pub place: Place,
    /// A hash of the ids of the calls it makes or answers, as they are sent: they depend on the messages before it.
    pub ids: u64,
}

/// Whether a result's `is_error` is sent, where the dialect has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TellErrors {
    /// It is.
    Yes,
    /// The wording set of a lesson sends none.
    No,
}

/// Where in the request a message stands, as far as that changes how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// Anywhere but last.
    Inner,
    /// The last one.
    Last,
}

/// A message as JSON text: one wire message, or several joined by commas.
pub type Piece = Rc<str>;

/// The pieces of one message, by form.
#[derive(Default)]
pub struct FormCache(RefCell<Vec<(Form, Piece)>>);

impl FormCache {
    /// The piece of this form, made by `write` if it is not there yet.
    pub fn piece(&self, form: &Form, write: impl FnOnce() -> String) -> Piece {
        if let Some((_, piece)) = self.0.borrow().iter().find(|(known, _)| known == form) {
            return Rc::clone(piece);
        }
        let piece: Piece = write().into();
        self.0.borrow_mut().push((form.clone(), Rc::clone(&piece)));
        piece
    }
}

/// A clone is a new message in the making: it starts without pieces.
impl Clone for FormCache {
    fn clone(&self) -> FormCache {
        FormCache::default()
    }
}

/// Pieces are derived, so they do not make two messages differ.
impl PartialEq for FormCache {
    fn eq(&self, _: &FormCache) -> bool {
        true
    }
}

impl std::fmt::Debug for FormCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} forms", self.0.borrow().len())
    }
}
