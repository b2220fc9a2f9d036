//! What the page says of the sandbox around commands. Apart from [`super::Words`], so that it comes with the questions it is
//! said in.

use bridge_protocol::frames::Sandbox;

use crate::app::Language;

/// The words of a language: what holds a command in, or why nothing does.
pub fn sandbox(language: Language) -> fn(&Sandbox) -> String {
    match language {
        Language::En => super::en::sandbox::told,
        Language::Zh => super::zh::sandbox::told,
    }
}
