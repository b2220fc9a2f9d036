//! One WebSocket to the bridge.

use std::future::poll_fn;
use std::pin::Pin;

use agent_loop::Clock;
use bridge_protocol::frames::{SUBPROTOCOL, TOKEN_PREFIX};
use futures_util::future::{Either, select};
use futures_util::{Sink, SinkExt, StreamExt};
use gloo_net::websocket::futures::WebSocket;
use gloo_net::websocket::{Message, State, WebSocketError};
use js_sys::Array;
use wasm_bindgen::JsValue;

use crate::run::clock::BrowserClock;

/// How long a socket may take to open, in milliseconds.
const OPEN_MS: u64 = 10_000;

/// RFC 6455, 7.4.1: closed without a close frame.
const CLOSED_ABNORMALLY: u16 = 1006;

/// An open socket; dropping it closes it.
pub(super) struct Socket(WebSocket);

/// What came over it.
pub(super) enum Heard {
    /// A control frame.
    Text(String),
    /// An output frame.
    Bytes(Vec<u8>),
    /// It is closed, with this code.
    End(u16),
}

/// How a connection was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closed {
    /// The bridge never introduced itself.
    Never,
    /// It had.
    AfterHello,
    /// A newer connection took its place.
    Replaced,
    /// The bridge speaks another version of the protocol.
    OtherProto,
}

impl Socket {
    /// Opens it. `None`: it did not open; the browser does not say why.
    pub(super) async fn open(origin: &str, token: &str) -> Option<Socket> {
        let url = format!("{}/bridge", origin.replacen("http", "ws", 1));
        let protocols =
            Array::of2(&JsValue::from_str(SUBPROTOCOL), &JsValue::from_str(&format!("{TOKEN_PREFIX}{token}")));
        let socket = web_sys::WebSocket::new_with_str_sequence(&url, &protocols).ok()?;
        let mut socket = WebSocket::try_from(socket).ok()?;
        let decided = poll_fn(|context| Pin::new(&mut socket).poll_ready(context));
        if let Either::Right(_) = select(decided, BrowserClock.sleep(OPEN_MS)).await {
            return None;
        }
        matches!(socket.state(), State::Open).then_some(Socket(socket))
    }

    /// Sends a control frame. What cannot be sent was never answered, and the client asks again after a reconnect.
    pub(super) async fn send(&mut self, frame: String) {
        let _ = self.0.send(Message::Text(frame)).await;
    }

    /// The next thing that comes.
    pub(super) async fn hear(&mut self) -> Heard {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => return Heard::Text(text),
                Some(Ok(Message::Bytes(bytes))) => return Heard::Bytes(bytes),
                Some(Err(WebSocketError::ConnectionClose(event))) => return Heard::End(event.code),
                // An error is followed by the close that says the code.
                Some(Err(_)) => {}
                None => return Heard::End(CLOSED_ABNORMALLY),
            }
        }
    }
}
