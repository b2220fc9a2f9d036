//! The page's end of a socket.

use std::time::Duration;

use bridge_protocol::frames::{SUBPROTOCOL, Stream, TOKEN_PREFIX, ToBridge};
use bridge_protocol::{CallEvent, Client, Ended, Event, Outcome};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::Request;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::{Bridge, LONG};

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A page that is connected and greeted.
pub struct Page {
    pub socket: Socket,
    pub client: Client,
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Both, in order of arrival.
    pub both: Vec<u8>,
    pub gaps: u64,
    pub starts: u32,
    pub ended: Ended,
}

impl Ran {
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    pub fn outcome(&self) -> &Outcome {
        &self.ended.outcome
    }
}

/// The request a page's WebSocket makes.
pub fn upgrade(port: u16, protocols: &str, origin: &str) -> Request<()> {
    let mut request = format!("ws://127.0.0.1:{port}/bridge").into_client_request().unwrap();
    request.headers_mut().insert("origin", origin.parse().unwrap());
    request.headers_mut().insert("sec-websocket-protocol", protocols.parse().unwrap());
    request
}

/// Opens a socket as the page does.
pub async fn open(port: u16, token: &str) -> Result<Socket, Error> {
    let protocols = format!("{SUBPROTOCOL}, {TOKEN_PREFIX}{token}");
    let (socket, response) = connect_async(upgrade(port, &protocols, &format!("http://127.0.0.1:{port}"))).await?;
    assert_eq!(response.headers().get("sec-websocket-protocol").unwrap(), SUBPROTOCOL);
    Ok(socket)
}

impl Bridge {
    pub async fn page(&self) -> Page {
        let mut page = Page { socket: open(self.port, &self.token).await.unwrap(), client: Client::new() };
        page.client.opened();
        page.until(|event| matches!(event, Event::Ready(_))).await;
        page
    }
}

impl Page {
    /// Runs a command to its end.
    pub async fn run(&mut self, call: &str, command: &str) -> Ran {
        self.start(call, command, Some(20_000));
        self.end(call).await
    }

    pub fn start(&mut self, call: &str, command: &str, timeout_ms: Option<u64>) {
        self.client.run(call, "bash", json!({ "command": command }), timeout_ms).unwrap();
    }

    /// Collects a call from here to its end.
    pub async fn end(&mut self, call: &str) -> Ran {
        let (mut stdout, mut stderr, mut both, mut gaps, mut starts) = (Vec::new(), Vec::new(), Vec::new(), 0, 0);
        loop {
            let Event::Call { call: about, event } = self.event().await else { continue };
            if about != call {
                continue;
            }
            match event {
                CallEvent::Started { .. } => starts += 1,
                CallEvent::Output { stream, bytes } => {
                    both.extend(&bytes);
                    match stream {
                        Stream::Stdout => stdout.extend(bytes),
                        Stream::Stderr => stderr.extend(bytes),
                    }
                }
                CallEvent::Gap { bytes } => gaps += bytes,
                CallEvent::Ended(ended) => return Ran { stdout, stderr, both, gaps, starts, ended },
            }
        }
    }

    /// Waits for the first output of a call that holds this text.
    pub async fn until_output(&mut self, text: &str) {
        let mut seen = String::new();
        self.until(|event| {
            if let Event::Call { event: CallEvent::Output { bytes, .. }, .. } = event {
                seen.push_str(&String::from_utf8_lossy(bytes));
            }
            seen.contains(text)
        })
        .await;
    }

    pub async fn until(&mut self, mut is_it: impl FnMut(&Event) -> bool) -> Event {
        loop {
            let event = self.event().await;
            if is_it(&event) {
                return event;
            }
        }
    }

    pub async fn event(&mut self) -> Event {
        // One guard for all messages: pings come for ever.
        timeout(LONG, self.wait_for_event()).await.expect("nothing happens")
    }

    async fn wait_for_event(&mut self) -> Event {
        loop {
            self.flush().await;
            if let Some(event) = self.client.next_event() {
                return event;
            }
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => self.client.text(&text),
                Some(Ok(Message::Binary(bytes))) => self.client.binary(&bytes),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => panic!("the socket ended: {other:?}"),
            }
        }
    }

    /// Sends what the client has to say.
    pub async fn flush(&mut self) {
        while let Some(frame) = self.client.next_frame() {
            self.socket.send(Message::Text(frame.into())).await.unwrap();
        }
    }

    /// Loses the connection without a goodbye, and keeps the page.
    pub fn cut(self) -> Client {
        let mut client = self.client;
        drop(self.socket);
        client.closed();
        client
    }

    /// Sends a frame past the client.
    pub async fn send(&mut self, frame: &ToBridge) {
        self.send_text(&frame.to_text()).await;
    }

    pub async fn send_text(&mut self, text: &str) {
        self.socket.send(Message::Text(text.to_owned().into())).await.unwrap();
    }

    /// The next message, past the client.
    pub async fn message(&mut self) -> Option<Result<Message, Error>> {
        timeout(LONG, self.socket.next()).await.expect("the bridge says nothing")
    }

    /// Waits for the close frame; its code.
    pub async fn close_code(&mut self) -> u16 {
        loop {
            match self.message().await {
                Some(Ok(Message::Close(Some(frame)))) => return frame.code.into(),
                Some(Ok(_)) => {}
                other => panic!("no close frame: {other:?}"),
            }
        }
    }
}

/// A page with this client, connected again.
pub async fn reconnect(bridge: &Bridge, client: Client) -> Page {
    let mut page = Page { socket: open(bridge.port, &bridge.token).await.unwrap(), client };
    page.client.opened();
    page.until(|event| matches!(event, Event::Ready(_))).await;
    page
}

pub async fn pause(millis: u64) {
    tokio::time::sleep(Duration::from_millis(millis)).await;
}
