//! The words of the editor of a request. They stand apart from [`super::Words`], so that they come with the part that
//! says them.

use crate::app::Language;

/// What is said about what a request is made of beside its messages.
#[derive(Debug)]
pub struct RequestEditWords {
    pub open: &'static str,
    pub edited: fn(&str) -> String,
    pub nothing: &'static str,
    pub offer: fn(&str) -> String,
    pub description: fn(&str) -> String,
    /// The fields.
    pub system: &'static str,
    pub max_tokens: &'static str,
    pub stop_sequences: &'static str,
    pub hint: &'static str,
}

/// The words of a language.
pub fn request_edit(language: Language) -> &'static RequestEditWords {
    match language {
        Language::En => &super::en::request_edit::REQUEST_EDIT,
        Language::Zh => &super::zh::request_edit::REQUEST_EDIT,
    }
}
