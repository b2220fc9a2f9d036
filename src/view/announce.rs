//! What a screen reader says: once for each finished message, question and stop; never token by token.

use agent_loop::{Producer, Rest, Step};
use leptos::prelude::*;

use crate::app::{App, Ask};
use crate::words::session::session;

/// How many characters of a message are said; the rest can be read.
const SAID: usize = 300;

/// Keeps [`App::announcement`].
pub(crate) fn follow(app: App) {
    let seen = StoredValue::new((String::new(), 0_usize));
    Effect::new(move |_| {
        let state = app.state.get();
        // Nobody looks back for news.
        if app.moment.get_untracked().is_some() {
            return;
        }
        let id = app.session_id.get();
        let words = session(app.language.get_untracked());
        let (last_session, last_count) = seen.get_value();
        seen.set_value((id.clone(), state.messages.len()));
        // What was there when a session was opened is not news.
        if id != last_session {
            return;
        }
        let news = state.messages.get(last_count..).unwrap_or_default();
        let answers = news.iter().filter(|message| message.producer == Producer::Model);
        let mut said: Vec<String> =
            answers.map(|message| message.extract_text().chars().take(SAID).collect()).collect();
        if let Step::Rest(rest) = state.outlook()
            && rest != Rest::Fresh
        {
            said.push((words.rest)(&rest).what);
        }
        let said = said.join(" ");
        if !said.is_empty() && app.announcement.with_untracked(|last| *last != said) {
            app.announcement.set(said);
        }
    });
    Effect::new(move |_| {
        let words = &session(app.language.get_untracked()).ask;
        let question = app.ask.with(|ask| match ask {
            None => String::new(),
            Some(Ask::Command { command, .. }) => format!("{} {command}", words.announced),
            Some(Ask::Answer { .. }) => words.you_are_the_model.to_owned(),
            Some(Ask::Result { command, .. }) => format!("{} {command}", words.you_explained),
        });
        if !question.is_empty() {
            app.announcement.set(question);
        }
    });
}
