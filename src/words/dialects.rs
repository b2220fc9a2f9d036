//! The words of `messages` as JSON. They stand apart from [`super::Words`], so that they come with the part that says
//! them.

use crate::app::Language;
use crate::view::dialects::Difference;

/// What is said about the array in each dialect.
#[derive(Debug)]
pub struct DialectWords {
    pub new_since: &'static str,
    pub show_as: &'static str,
    pub blocks: &'static str,
    pub both: &'static str,
    pub own: &'static str,
    pub before: &'static str,
    pub after: &'static str,
    pub added: &'static str,
    pub repaired: &'static str,
    pub differences: &'static str,
    /// Of Messages, and of Chat Completions.
    pub(crate) difference: fn(Difference) -> (&'static str, &'static str),
}

/// The words of a language.
pub fn dialects(language: Language) -> &'static DialectWords {
    match language {
        Language::En => &super::en::dialects::DIALECTS,
        Language::Zh => &super::zh::dialects::DIALECTS,
    }
}
