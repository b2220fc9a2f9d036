//! The WebSocket `/bridge`: carries frames between a page and the calls.
//!
//! Reading and writing are apart, so that an order is obeyed while output is waiting to be sent.

mod background;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use bridge_protocol::frames::{
    CLOSE_PROTO, CLOSE_REPLACED, Frame, Malformed, Outcome, PROTO, Refusal, SUBPROTOCOL, ToBridge, ToPage,
};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::approval::{self, Asked};
use crate::audit::Entry;
use crate::bridge::Bridge;
use crate::commands::{Viewer, Wanted};
use crate::socket::background::Told;

/// The largest message a page may send.
const MESSAGE: usize = 1024 * 1024;
/// How many answers may wait to be sent; a page that leaves more unread is not listening.
const ANSWERS: usize = 256;
/// After so many pings in a row that it has left unanswered, a page is gone.
const MISSED: u32 = 2;
/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(1);

/// RFC 6455, 7.4.1.
const CLOSE_AWAY: u16 = 1001;
const CLOSE_TOO_BIG: u16 = 1009;

/// Answers `GET /bridge` by becoming a WebSocket. The door has checked everything before.
pub async fn accept(State(bridge): State<Arc<Bridge>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .protocols([SUBPROTOCOL])
        .max_message_size(MESSAGE)
        .max_frame_size(MESSAGE)
        .max_write_buffer_size(2 * MESSAGE)
        .on_upgrade(async move |socket| serve(bridge, socket).await)
}

async fn serve(bridge: Arc<Bridge>, socket: WebSocket) {
    let _busy = bridge.activity.begin();
    let audience = bridge.commands.audience();
    let viewer = audience.join();
    let connection = bridge.connections.fetch_add(1, Ordering::Relaxed) + 1;
    bridge.audit.write(&Entry::Connected { connection });
    let (mut sink, stream) = socket.split();
    let (answers, mut waiting) = mpsc::channel(ANSWERS);
    let is_heard = AtomicBool::new(true);
    let _ = answers.try_send(ToPage::Hello(bridge.hello()));
    let code = tokio::select! {
        code = read(&bridge, &viewer, stream, &answers, &is_heard) => code,
        () = write(&bridge, &viewer, &mut sink, &mut waiting) => None,
        () = silence(bridge.ping, &is_heard) => None,
        () = viewer.replaced.cancelled() => Some(CLOSE_REPLACED),
        () = bridge.goodbye.cancelled() => Some(CLOSE_AWAY),
    };
    // What is still to be told is told, as far as that goes quickly.
    let farewell = async {
        if code == Some(CLOSE_AWAY) {
            waiting.close();
            write_all(&viewer, &mut sink, &mut waiting).await?;
        }
        if let Some(code) = code {
            let frame = CloseFrame { code, reason: Utf8Bytes::default() };
            sink.send(Message::Close(Some(frame))).await?;
            // To close with unread bytes would take the goodbye back.
            if code == CLOSE_TOO_BIG {
                sleep(GOODBYE / 2).await;
            }
        }
        Ok::<(), axum::Error>(())
    };
    let _ = timeout(GOODBYE, farewell).await;
    audience.leave(&viewer, &bridge.commands);
    bridge.audit.write(&Entry::Disconnected { connection });
}

/// Reads until the connection is over; the code to close it with, if it can still be closed.
async fn read(
    bridge: &Arc<Bridge>,
    viewer: &Arc<Viewer>,
    mut stream: SplitStream<WebSocket>,
    answers: &mpsc::Sender<ToPage>,
    is_heard: &AtomicBool,
) -> Option<u16> {
    let mut is_greeted = false;
    loop {
        let message = stream.next().await;
        is_heard.store(true, Ordering::Relaxed);
        let answer = match message {
            Some(Ok(Message::Text(text))) => match ToBridge::parse(&text) {
                Ok(ToBridge::Hello { proto: PROTO }) => {
                    is_greeted = true;
                    None
                }
                Ok(ToBridge::Hello { .. }) => return Some(CLOSE_PROTO),
                Ok(_) if !is_greeted => {
                    Some(ToPage::Error { call: None, message: "the first frame must be hello".to_owned() })
                }
                Ok(frame) => obey(bridge, viewer, answers, frame),
                Err(Malformed { call, message }) => Some(ToPage::Error { call, message }),
            },
            Some(Ok(Message::Binary(_))) => {
                Some(ToPage::Error { call: None, message: "a page sends no binary frames".to_owned() })
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
            Some(Ok(Message::Close(_))) | None => return None,
            // Too big a message is the one error after which the page still listens.
            Some(Err(error)) => {
                tracing::debug!(%error, "a socket broke");
                return Some(CLOSE_TOO_BIG);
            }
        };
        if answer.is_some_and(|answer| answers.try_send(answer).is_err()) {
            return None;
        }
    }
}

/// Does what a frame says; the answer, where there is one at once.
fn obey(bridge: &Arc<Bridge>, viewer: &Arc<Viewer>, answers: &mpsc::Sender<ToPage>, frame: ToBridge) -> Option<ToPage> {
    let commands = &bridge.commands;
    let run = |wanted: Wanted, asked| {
        let call = wanted.call.clone();
        approval::run(bridge, viewer, answers, wanted, asked).err().map(|why| ToPage::Refused { call, why })
    };
    let refused = |call, why| Some(ToPage::Refused { call, why });
    match frame {
        ToBridge::Hello { .. } => None,
        ToBridge::Run { call, tool, arguments, timeout_ms } => {
            run(Wanted { call, tool, arguments, timeout_ms }, Asked::Person)
        }
        ToBridge::RunUnasked { call, tool, arguments, timeout_ms } => {
            run(Wanted { call, tool, arguments, timeout_ms }, Asked::Nobody)
        }
        ToBridge::Review { review, tool, arguments } => {
            Some(ToPage::Reviewed { review, verdict: bridge.approval.review(&tool, &arguments) })
        }
        ToBridge::Attach { call, after_seq } => match commands.find(&call) {
            Some(found) => {
                viewer.attach(found, after_seq);
                None
            }
            None => refused(call, Refusal::UnknownCall),
        },
        ToBridge::Cancel { call } => match commands.find(&call) {
            Some(found) => {
                found.stop(Outcome::Stopped);
                None
            }
            None if bridge.approval.withdraw(&call) => refused(call, Refusal::NotConfirmed),
            None => refused(call, Refusal::UnknownCall),
        },
        ToBridge::Credit { call, bytes } => match commands.find(&call) {
            Some(found) => {
                found.channel().credit(bytes);
                viewer.wake();
                None
            }
            None => refused(call, Refusal::UnknownCall),
        },
    }
}

/// Done when the page has missed pings in a row. They are counted, and not the time: a bridge that was stopped, or whose
/// machine slept, has asked once when it wakes, and waits for the answer.
async fn silence(ping: Duration, is_heard: &AtomicBool) {
    let mut missed = 0;
    while missed < MISSED {
        sleep(ping).await;
        missed = if is_heard.swap(false, Ordering::Relaxed) { 0 } else { missed + 1 };
    }
}

/// Writes whatever there is to say, for ever.
async fn write(
    bridge: &Bridge,
    viewer: &Viewer,
    sink: &mut SplitSink<WebSocket, Message>,
    waiting: &mut mpsc::Receiver<ToPage>,
) {
    let mut ping_at = Instant::now() + bridge.ping;
    let mut told = Told::default();
    loop {
        if write_all(viewer, sink, waiting).await.is_err() {
            return;
        }
        if let Some(news) = told.news(bridge.commands.in_background(), Instant::now())
            && sink.send(Message::Text(news.to_text().into())).await.is_err()
        {
            return;
        }
        tokio::select! {
            () = viewer.news() => {}
            () = sleep_until(told.look_again().unwrap_or(ping_at)) => {}
            answer = waiting.recv() => match answer {
                Some(answer) if sink.send(Message::Text(answer.to_text().into())).await.is_ok() => {}
                _ => return,
            },
            () = sleep_until(ping_at) => {
                ping_at = Instant::now() + bridge.ping;
                if sink.send(Message::Ping(Default::default())).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Writes what there is to say now.
async fn write_all(
    viewer: &Viewer,
    sink: &mut SplitSink<WebSocket, Message>,
    waiting: &mut mpsc::Receiver<ToPage>,
) -> Result<(), axum::Error> {
    loop {
        // Answers are short and somebody waits for them.
        let message = if let Ok(answer) = waiting.try_recv() {
            Message::Text(answer.to_text().into())
        } else {
            match viewer.next_frame() {
                Some(Frame::Text(text)) => Message::Text(text.into()),
                Some(Frame::Binary(bytes)) => Message::Binary(bytes.into()),
                None => return sink.flush().await,
            }
        };
        sink.feed(message).await?;
    }
}
