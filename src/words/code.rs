//! The words around a block of code. They stand apart from [`super::Words`], so that they come with the part of the page
//! that says them.

use crate::app::Language;

/// What stands around code.
#[derive(Debug)]
pub struct Code {
    /// What code is called whose language nobody named.
    pub code: &'static str,
    /// The name of a block, by its language.
    pub block: fn(&str) -> String,
    /// What a button copies, or has copied, by the language.
    pub of: fn(&str, &str) -> String,
    pub not_copied: &'static str,
}

/// The words of a language.
pub fn code(language: Language) -> &'static Code {
    match language {
        Language::En => &super::en::code::CODE,
        Language::Zh => &super::zh::code::CODE,
    }
}
