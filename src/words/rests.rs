//! The words of what only the log or the clock can tell: what a stop reached, how long nothing has come. They stand apart
//! from [`super::Words`], so that they come with the part of the page that says them.

use crate::app::Language;

/// What a stop met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// A model call was open.
    Model,
    /// A tool ran.
    Tool,
    /// Nothing was under way.
    Nothing,
}

/// What is said below the array.
#[derive(Debug)]
pub struct Rests {
    pub stopped: fn(Reach) -> &'static str,
    /// For so long nothing has come, and after so long the wait is given up.
    pub silent: fn(&str, &str) -> String,
    /// Before the status of an endpoint that had no words for it.
    pub endpoint_answered: &'static str,
}

/// The words of a language.
pub fn rests(language: Language) -> &'static Rests {
    match language {
        Language::En => &super::en::rests::RESTS,
        Language::Zh => &super::zh::rests::RESTS,
    }
}
