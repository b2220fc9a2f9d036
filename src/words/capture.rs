//! The words of a capture that is opened. They come with what shows a session.

use agent_loop::FailureKind;
use agent_loop::capture::Suspicion;

use crate::app::Language;

/// What is said around a capture and of its turn.
#[derive(Debug)]
pub struct CaptureWords {
    pub open: &'static str,
    pub about: &'static str,
    pub title: &'static str,
    pub stays_here: &'static str,
    pub close: &'static str,
    pub paste: &'static str,
    pub pick: &'static str,
    pub dialect: &'static str,
    /// Beside the dialect that the bytes look like.
    pub looks_so: &'static str,
    pub nothing: &'static str,
    /// By the file's name.
    pub unreadable: fn(&str) -> String,
    /// By the name of the reason; empty where none was told.
    pub complete: fn(&str) -> String,
    pub tokens: fn(&str, &str) -> String,
    pub failed: fn(FailureKind) -> &'static str,
    /// Before the endpoint's own words.
    pub said: &'static str,
    pub odd: &'static str,
    /// The second is the same in English, which comes with what decodes.
    pub suspicion: fn(&Suspicion, &str) -> String,
    pub content: &'static str,
    pub json: &'static str,
}

/// The words of a language.
pub fn capture(language: Language) -> &'static CaptureWords {
    match language {
        Language::En => &super::en::capture::CAPTURE,
        Language::Zh => &super::zh::capture::CAPTURE,
    }
}
