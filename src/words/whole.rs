//! The words about the whole of an output. They stand apart from [`super::Words`], so that they come with the part of the
//! page that says them.

use crate::app::Language;

/// What is said of the cut, and of the whole.
#[derive(Debug)]
pub struct Whole {
    pub title: &'static str,
    /// The characters before the cut, the bytes left out, and the characters after it, if there are any.
    pub left_out: fn(&str, &str, Option<&str>) -> String,
    pub fetch: fn(&str) -> String,
    pub fetching: &'static str,
    pub download: &'static str,
    pub binary: &'static str,
    /// What was kept, and what was written.
    pub kept: fn(&str, &str) -> String,
    pub gone: &'static str,
    pub unreachable: &'static str,
    pub earlier: &'static str,
    pub later: &'static str,
    /// From byte, to byte, of all.
    pub place: fn(&str, &str, &str) -> String,
}

/// The words of a language.
pub fn whole(language: Language) -> &'static Whole {
    match language {
        Language::En => &super::en::whole::WHOLE,
        Language::Zh => &super::zh::whole::WHOLE,
    }
}
