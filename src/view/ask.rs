//! The questions to the person. They stand above the composer, and nothing else is locked meanwhile: Stop stays within
//! reach.

mod answer;
mod command;
mod keys;
mod queue;
mod result;
mod writing;

use leptos::prelude::*;

use super::{Page, edit};
use crate::app::Ask;

/// The question that is open, if one is.
pub(crate) fn ask(page: Page) -> AnyView {
    let question = move || {
        page.app.ask.get().map(|ask| match ask {
            Ask::Command { call, command, why, host, cwd, background } => {
                command::question(page, command::Question { call, command, why, host, cwd, background })
            }
            Ask::Answer { dialect } => answer::question(page, dialect),
            Ask::Result { call, command } => result::question(page, &call, &command),
        })
    };
    view! { {queue::queue(page)} {edit::editor(page)} {question} }.into_any()
}
