//! The practice model inside the page, for when no bridge serves it: the same script over the same bytes.

use agent_loop::{Clock, HttpRequest, Reply, Transport, TransportError};
use futures_util::StreamExt;
use futures_util::future;
use futures_util::stream::{self, LocalBoxStream};
use practice_model::{Answer, Ending, Service};

use crate::run::clock::BrowserClock;

/// Answers in one of the two formats.
#[derive(Debug, Clone, Copy)]
pub struct Practice(pub Service);

impl Transport for Practice {
    fn send(&self, request: &HttpRequest) -> LocalBoxStream<'static, Result<Reply, TransportError>> {
        let Answer { status, headers, chunks, ending } = practice_model::answer(self.0, &request.body);
        let headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let head = stream::once(future::ready(Ok(Reply::Head { status, headers })));
        let body = stream::iter(chunks).then(|chunk| async move {
            BrowserClock.sleep(u64::from(chunk.pause_ms)).await;
            Ok(Reply::Bytes(chunk.bytes))
        });
        let end = match ending {
            Ending::Close => stream::empty().boxed_local(),
            Ending::Cut => {
                let cut = TransportError::Broken("the connection broke".to_owned());
                stream::once(future::ready(Err(cut))).boxed_local()
            }
            Ending::Stall => stream::pending().boxed_local(),
        };
        head.chain(body).chain(end).boxed_local()
    }
}
