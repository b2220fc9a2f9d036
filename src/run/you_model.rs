//! "You are the model": a person writes the answer. It travels as bytes, so that it is decoded, saved and checked like
//! any endpoint's.

mod spoken;

use agent_loop::{Clock, Dialect, HttpRequest, Reply, TransportError};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use futures_util::stream::{self, LocalBoxStream};
use leptos::prelude::*;

pub use self::spoken::{Sample, sample};
use crate::app::Ask;
use crate::run::clock::BrowserClock;
use crate::run::question::Desk;

/// The base address of the person as a model.
pub const YOU: &str = "you://page";

/// How often a blank is sent while the person writes, in milliseconds: endpoints do the same, so that nobody hangs up.
const ALIVE_MS: u64 = 20_000;

/// The person at the page, as a model. Clones are the same person.
#[derive(Clone)]
pub struct YouModel(Desk<String>);

impl YouModel {
    /// A model that asks in `ask`.
    pub fn new(ask: RwSignal<Option<Ask>, LocalStorage>) -> YouModel {
        YouModel(Desk::new(ask))
    }

    /// Answers the request that is on show.
    pub fn answer(&self, typed: String) {
        self.0.answer(typed);
    }

    /// Asks the person, and gives what they wrote as an endpoint of this dialect would.
    pub fn send(&self, request: &HttpRequest) -> LocalBoxStream<'static, Result<Reply, TransportError>> {
        let dialect = if request.url.ends_with("/chat/completions") { Dialect::OpenAi } else { Dialect::Anthropic };
        let desk = self.0.clone();
        let asked = Box::pin(async move { desk.ask(Ask::Answer { dialect }).await });
        // The content type is a guess until the person has written: the decoder asks the bytes first.
        let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
        let head = stream::iter([Ok(Reply::Head { status: 200, headers })]);
        let body = stream::unfold(Some(asked), move |asked| async move {
            let asked = asked?;
            match select(asked, BrowserClock.sleep(ALIVE_MS)).await {
                Either::Left((typed, _)) => {
                    let body = spoken::body(&typed.unwrap_or_default(), dialect);
                    Some((Ok(Reply::Bytes(body)), None))
                }
                Either::Right(((), asked)) => Some((Ok(Reply::Bytes(b"\n".to_vec())), Some(asked))),
            }
        });
        head.chain(body).boxed_local()
    }
}
