//! The words of the inspector's further tabs. They stand apart from [`super::Words`], so that they come with the part of
//! the page that says them.

use crate::app::Language;

/// What the inspector says about a request's copies and about the code, who speaks where a model call failed, and what goes on
/// while a person looks back.
#[derive(Debug)]
pub struct Lens {
    pub copy_as: &'static str,
    pub code_program: &'static str,
    pub code_runs: &'static str,
    pub code_same_shape: &'static str,
    pub browser_said: &'static str,
    pub run_goes_on: &'static str,
}

/// The words of a language.
pub fn lens(language: Language) -> &'static Lens {
    match language {
        Language::En => &super::en::lens::LENS,
        Language::Zh => &super::zh::lens::LENS,
    }
}
