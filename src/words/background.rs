//! The words about commands in the background. They stand apart from [`super::Words`], so that they come with the parts
//! of the page that say them.

use bridge_protocol::frames::Outcome;

use crate::app::Language;

/// What is said of the commands in the background.
#[derive(Debug)]
pub struct Background {
    pub title: &'static str,
    pub counts: fn(usize, usize) -> String,
    pub running: &'static str,
    pub ended: fn(&Outcome) -> String,
    pub stop: fn(&str) -> String,
    /// In the question whether a command may run.
    pub goes_on: &'static str,
    /// Why a look at one was not asked about.
    pub allowed_before: &'static str,
}

/// The switch in the settings.
#[derive(Debug)]
pub struct BackgroundSetting {
    pub label: &'static str,
    pub hint: &'static str,
}

/// The words of a language.
pub fn background(language: Language) -> &'static Background {
    match language {
        Language::En => &super::en::background::BACKGROUND,
        Language::Zh => &super::zh::background::BACKGROUND,
    }
}

/// The switch's words.
pub fn background_setting(language: Language) -> &'static BackgroundSetting {
    match language {
        Language::En => &super::en::background::SETTING,
        Language::Zh => &super::zh::background::SETTING,
    }
}
