//! The questions to the person. They stand above the composer, and nothing else is locked meanwhile: Stop stays within
//! reach.

mod command;
mod keys;
mod result;

use leptos::prelude::*;

use super::Page;
use crate::app::Ask;

/// The question that is open, if one is.
pub(crate) fn ask(page: Page) -> AnyView {
    (move || {
        page.app.ask.get().map(|ask| match ask {
            Ask::Command { call, command, why, host, cwd } => {
                command::question(page, command::Question { call, command, why, host, cwd })
            }
            Ask::Result { call, command } => result::question(page, &call, &command),
        })
    })
    .into_any()
}
