//! Both ends together, over a connection that loses, repeats and breaks: whatever happens, the page gets each byte at
//! most once and in order, hears of what it missed, and hears of exactly one end.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use std::collections::VecDeque;

use bridge_protocol::channel::{Channel, Closing};
use bridge_protocol::frames::{Frame, Hello, Limits, Loss, Outcome, PROTO, Refusal, Status, Stream, ToBridge, ToPage};
use bridge_protocol::{CallEvent, Client, Ended, Event};
use proptest::prelude::*;
use serde_json::json;

const RING: usize = 256;
const WINDOW: u64 = 64;

/// One thing that happens to page, bridge, command or the connection between them.
#[derive(Debug, Clone)]
enum Act {
    Write(Stream, u8),
    ToPage(u8),
    ToBridge(u8),
    RepeatNextToPage,
    Cut,
    Connect,
    Exit,
    Cancel,
    RestartBridge,
}

/// The whole world of one call.
struct World {
    client: Client,
    channel: Option<Channel>,
    instance: u32,
    starts: u32,
    connected: bool,
    to_page: VecDeque<Frame>,
    to_bridge: VecDeque<String>,
    written: Vec<(Stream, u8)>,
    seen: usize,
    started: u32,
    ended: Vec<Ended>,
}

impl World {
    fn new() -> Self {
        let mut client = Client::new();
        client.run("c", "bash", json!({"command": "work"}), None).unwrap();
        Self {
            client,
            channel: None,
            instance: 1,
            starts: 0,
            connected: false,
            to_page: VecDeque::new(),
            to_bridge: VecDeque::new(),
            written: Vec::new(),
            seen: 0,
            started: 0,
            ended: Vec::new(),
        }
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Write(stream, len) => {
                if let Some(channel) = self.channel.as_mut().filter(|channel| !channel.is_over()) {
                    let bytes: Vec<u8> = (0..*len).map(|i| (self.written.len() as u8).wrapping_add(i)).collect();
                    channel.push(*stream, &bytes);
                    self.written.extend(bytes.iter().map(|byte| (*stream, *byte)));
                }
            }
            Act::ToPage(count) => (0..*count).for_each(|_| self.page_takes_one()),
            Act::ToBridge(count) => (0..*count).for_each(|_| self.bridge_takes_one()),
            Act::RepeatNextToPage => {
                if let Some(frame) = self.to_page.front().cloned() {
                    self.to_page.push_front(frame);
                }
            }
            Act::Cut => {
                if self.connected {
                    self.client.closed();
                }
                self.connected = false;
                self.to_page.clear();
                self.to_bridge.clear();
                if let Some(channel) = &mut self.channel {
                    channel.detach();
                }
            }
            Act::Connect => {
                self.act(&Act::Cut);
                self.connected = true;
                self.client.opened();
                self.to_page.push_back(Frame::Text(self.hello()));
            }
            Act::Exit => self.end(Outcome::Exited { code: 0 }),
            Act::Cancel => self.client.cancel("c"),
            Act::RestartBridge => {
                self.act(&Act::Cut);
                self.instance += 1;
                self.channel = None;
            }
        }
        self.settle();
    }

    /// Moves what both ends have to say onto the connection, and checks what the page was told.
    fn settle(&mut self) {
        while let Some(frame) = self.client.next_frame() {
            assert!(self.connected, "a frame without a connection: {frame}");
            self.to_bridge.push_back(frame);
        }
        if self.connected
            && let Some(channel) = &mut self.channel
        {
            while let Some(frame) = channel.next_frame(48) {
                self.to_page.push_back(frame);
            }
        }
        while let Some(event) = self.client.next_event() {
            let Event::Call { call, event } = event else { continue };
            assert_eq!(call, "c");
            assert!(self.ended.is_empty(), "after the end: {event:?}");
            match event {
                CallEvent::Started { .. } => self.started += 1,
                CallEvent::Output { stream, bytes } => {
                    let expected = &self.written[self.seen..self.seen + bytes.len()];
                    assert_eq!(bytes.iter().map(|byte| (stream, *byte)).collect::<Vec<_>>(), expected);
                    self.seen += bytes.len();
                }
                CallEvent::Gap { bytes } => self.seen += bytes as usize,
                CallEvent::Ended(ended) => self.ended.push(ended),
            }
        }
    }

    fn page_takes_one(&mut self) {
        match self.to_page.pop_front() {
            Some(Frame::Text(text)) => self.client.text(&text),
            Some(Frame::Binary(bytes)) => self.client.binary(&bytes),
            None => {}
        }
        self.settle();
    }

    fn bridge_takes_one(&mut self) {
        let Some(text) = self.to_bridge.pop_front() else { return };
        match (ToBridge::parse(&text).unwrap(), &mut self.channel) {
            (ToBridge::Hello { .. } | ToBridge::Review { .. } | ToBridge::RunUnasked { .. }, _) => {}
            (ToBridge::Run { .. }, Some(channel)) => channel.attach(0, WINDOW),
            (ToBridge::Run { call, .. }, None) => {
                let mut channel = Channel::new(call, RING);
                channel.started(7);
                channel.attach(0, WINDOW);
                self.channel = Some(channel);
                self.starts += 1;
            }
            (ToBridge::Attach { after_seq, .. }, Some(channel)) => channel.attach(after_seq, WINDOW),
            (ToBridge::Credit { bytes, .. }, Some(channel)) => channel.credit(bytes),
            (ToBridge::Cancel { .. }, Some(_)) => self.end(Outcome::Stopped),
            (ToBridge::Credit { .. }, None) => {}
            (ToBridge::Attach { call, .. } | ToBridge::Cancel { call }, None) => {
                let refused = ToPage::Refused { call, why: Refusal::UnknownCall };
                self.to_page.push_back(Frame::Text(refused.to_text()));
            }
        }
        self.settle();
    }

    fn end(&mut self, outcome: Outcome) {
        if let Some(channel) = self.channel.as_mut().filter(|channel| !channel.is_over()) {
            channel.exited(Status::Code(0));
            channel.closed(Closing { outcome, duration_ms: 1, cwd: "/w".to_owned(), leftovers: Vec::new() });
        }
    }

    fn hello(&self) -> String {
        ToPage::Hello(Hello {
            proto: PROTO,
            bridge: self.instance.to_string(),
            version: String::new(),
            os: "linux".to_owned(),
            cwd: "/w".to_owned(),
            tools: Vec::new(),
            background: Vec::new(),
            limits: Limits {
                timeout_ms: 1,
                max_timeout_ms: 1,
                grace_ms: 1,
                window: WINDOW,
                ring: RING as u64,
                command: 1,
                running: 1,
            },
            relay: Vec::new(),
            asks_on_terminal: false,
            sandbox: None,
        })
        .to_text()
    }

    /// Lets everything come to its end over a connection that works.
    fn come_to_rest(&mut self) {
        self.act(&Act::Connect);
        for _ in 0..10_000 {
            self.bridge_takes_one();
            self.page_takes_one();
            if self.to_page.is_empty() && self.to_bridge.is_empty() {
                if !self.ended.is_empty() {
                    return;
                }
                self.act(&Act::Exit);
            }
        }
        panic!("the call never ends");
    }
}

/// What the page heard after these acts and a good end: how often it was started, the outcome, and the bytes missed.
#[track_caller]
fn check(acts: &[Act], outcome: Outcome, dropped: u64) {
    let mut world = World::new();
    acts.iter().for_each(|act| world.act(act));
    world.come_to_rest();
    let ended = world.ended.first().unwrap();
    assert_eq!((&ended.outcome, ended.dropped), (&outcome, dropped), "{acts:?}");
}

#[test]
fn a_call_survives_a_lost_connection() {
    let done = Outcome::Exited { code: 0 };
    check(&[], done.clone(), 0);
    // The run frame itself is lost.
    check(&[Act::Connect, Act::ToPage(1), Act::Cut], done.clone(), 0);
    // The bridge runs it, but the page does not know.
    check(&[Act::Connect, Act::ToPage(1), Act::ToBridge(9), Act::Cut], done.clone(), 0);
    // Output is lost on the way and sent again.
    let some = Act::Write(Stream::Stdout, 40);
    check(&[Act::Connect, Act::ToPage(1), Act::ToBridge(9), some.clone(), Act::Cut], done.clone(), 0);
    // More is written without a viewer than the ring holds, less the 16 bytes that a segment takes.
    let much = Act::Write(Stream::Stdout, 250);
    check(&[Act::Connect, Act::ToPage(1), Act::ToBridge(9), Act::Cut, much.clone(), much], done, 260);
}

#[test]
fn a_call_of_another_bridge_is_lost_and_not_run_again() {
    let lost = Outcome::Lost { why: Loss::NewBridge };
    check(&[Act::Connect, Act::ToPage(1), Act::ToBridge(9), Act::RestartBridge], lost.clone(), 0);
    // Even when the old bridge may never have heard of it.
    check(&[Act::Connect, Act::ToPage(1), Act::RestartBridge], lost, 0);
    // A call that was never sent is no call of the old bridge.
    check(&[Act::Connect, Act::Cut, Act::RestartBridge], Outcome::Exited { code: 0 }, 0);
}

#[test]
fn a_cancelled_call_ends_once() {
    check(&[Act::Cancel], Outcome::Stopped, 0);
    check(&[Act::Connect, Act::ToPage(1), Act::ToBridge(9), Act::Cancel, Act::Cut], Outcome::Stopped, 0);
    check(&[Act::Connect, Act::ToPage(1), Act::Cancel, Act::Cancel, Act::ToBridge(9)], Outcome::Stopped, 0);
}

#[test]
fn a_used_call_id_is_not_used_again() {
    let mut world = World::new();
    let again = |client: &mut Client| client.run("c", "bash", json!({}), None).is_err();
    assert!(again(&mut world.client));
    world.come_to_rest();
    assert!(again(&mut world.client));
}

#[test]
fn a_page_that_gives_up_hears_of_the_end_at_once() {
    let mut world = World::new();
    world.act(&Act::Connect);
    world.act(&Act::ToPage(1));
    world.client.give_up();
    world.settle();
    assert_eq!(world.ended.first().unwrap().outcome, Outcome::Lost { why: Loss::GaveUp });
}

#[test]
fn another_protocol_is_told_and_nothing_is_sent() {
    let mut client = Client::new();
    client.run("c", "bash", json!({}), None).unwrap();
    client.opened();
    assert_eq!(client.next_frame(), Some(ToBridge::Hello { proto: PROTO }.to_text()));
    let hello = World::new().hello().replace(r#""proto":1"#, r#""proto":2"#);
    client.text(&hello);
    assert_eq!(client.next_event(), Some(Event::OtherProto { bridge: 2 }));
    assert_eq!(client.next_frame(), None);
    assert!(client.bridge().is_none());
}

fn act() -> impl Strategy<Value = Act> {
    let stream = prop_oneof![Just(Stream::Stdout), Just(Stream::Stderr)];
    prop_oneof![
        6 => (stream, 1_u8..200).prop_map(|(stream, len)| Act::Write(stream, len)),
        6 => (1_u8..6).prop_map(Act::ToPage),
        6 => (1_u8..6).prop_map(Act::ToBridge),
        3 => Just(Act::RepeatNextToPage),
        2 => Just(Act::Cut),
        3 => Just(Act::Connect),
        1 => Just(Act::Exit),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_byte_at_most_once_and_one_end(acts in prop::collection::vec(act(), 0..60)) {
        let mut world = World::new();
        acts.iter().for_each(|act| world.act(act));
        world.come_to_rest();
        prop_assert_eq!(world.starts, 1);
        prop_assert_eq!(world.started, 1);
        prop_assert_eq!(world.seen, world.written.len());
        prop_assert_eq!(&world.ended[0].outcome, &Outcome::Exited { code: 0 });
    }

    #[test]
    fn one_end_whatever_happens(
        acts in prop::collection::vec(
            prop_oneof![12 => act(), 1 => Just(Act::Cancel), 1 => Just(Act::RestartBridge)],
            0..60,
        ),
    ) {
        let mut world = World::new();
        acts.iter().for_each(|act| world.act(act));
        world.come_to_rest();
        prop_assert!(world.starts <= 1, "a call ran twice");
        prop_assert_eq!(world.ended.len(), 1);
    }
}
