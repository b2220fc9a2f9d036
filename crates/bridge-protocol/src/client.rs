//! The page's end: frames in, tool events out; requests in, frames out.
//!
//! [`Client`] is a machine without a socket. Whoever owns the socket tells it when the socket opens and closes, feeds it
//! what arrives, and takes from it what to send ([`Client::next_frame`]) and what to show ([`Client::next_event`]).
//!
//! What it promises for every call: each byte of output at most once and in order, what is missing told as a gap, and
//! exactly one [`CallEvent::Ended`], whatever happens to the connection. It never runs a call twice: after a lost
//! connection it asks the same bridge again, which answers from what it kept, and a call that another bridge was running
//! ends as lost.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use crate::frames::{
    BackgroundCommand, Hello, Leftover, Loss, Outcome, Output, PROTO, Refusal, Stream, ToBridge, ToPage, Verdict,
};

/// The page's end of the conversation.
#[derive(Debug, Default)]
pub struct Client {
    bridge: Option<Hello>,
    connected: bool,
    calls: BTreeMap<String, Call>,
    frames: VecDeque<String>,
    events: VecDeque<Event>,
}

/// What happened, for the page.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The bridge has introduced itself; calls can run.
    Ready(Hello),
    /// The bridge speaks another version of the protocol. Reloading the page gets the page that fits.
    OtherProto {
        /// The bridge's number.
        bridge: u32,
    },
    /// Something happened to a call.
    Call {
        /// The call.
        call: String,
        /// What.
        event: CallEvent,
    },
    /// The bridge has said what its rules settle about a call.
    Reviewed {
        /// The name of the review.
        review: String,
        /// What they settle.
        verdict: Verdict,
    },
    /// These are the commands in the background now.
    Background(Vec<BackgroundCommand>),
    /// A frame made no sense, to us or to the bridge: for a log.
    Problem(String),
}

/// What happened to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallEvent {
    /// Its process runs. Told once.
    Started {
        /// The shell's process id.
        pid: u32,
    },
    /// It wrote.
    Output {
        /// Where.
        stream: Stream,
        /// What.
        bytes: Vec<u8>,
    },
    /// It wrote more than could be kept for us.
    Gap {
        /// How many bytes are lost.
        bytes: u64,
    },
    /// It is over. Told exactly once, and last.
    Ended(Ended),
}

/// The end of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// What became of it.
    pub outcome: Outcome,
    /// How long it took; 0 when nobody can say.
    pub duration_ms: u64,
    /// The directory it was started in; empty when nothing ran, or nobody can say.
    pub cwd: String,
    /// Descendants that outlived the shell and were killed.
    pub leftovers: Vec<Leftover>,
    /// How many bytes of output were lost in gaps.
    pub dropped: u64,
}

/// A call id that has been used before. Nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlreadyUsed(pub String);

/// A call this client has been asked for. One that has ended stays as `Over`, so that its id is not used again.
#[derive(Debug)]
enum Call {
    Open(OpenCall),
    Over,
}

#[derive(Debug)]
struct OpenCall {
    /// The frame that makes the bridge speak of the call: asking again never starts it again.
    ask: ToBridge,
    progress: Progress,
    cancelled: bool,
    next: u64,
    dropped: u64,
    /// Taken but not yet given back as credit.
    owed: u64,
}

/// How far a call has come, as far as we can know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// No bridge has heard of it.
    Unsent,
    /// A bridge may have heard of it.
    Sent,
    /// A bridge runs it.
    Started,
}

impl Client {
    /// A client without a connection.
    pub fn new() -> Self {
        Self::default()
    }

    /// The bridge, while it is connected and has introduced itself.
    pub fn bridge(&self) -> Option<&Hello> {
        self.bridge.as_ref().filter(|_| self.connected)
    }

    /// The socket is open.
    pub fn opened(&mut self) {
        self.connected = false;
        self.frames.clear();
        self.send(&ToBridge::Hello { proto: PROTO });
    }

    /// The socket is closed, for whatever reason. Calls go on: they are taken up again when the same bridge is back.
    pub fn closed(&mut self) {
        self.connected = false;
        self.frames.clear();
    }

    /// No connection will come any more: every open call ends as lost.
    pub fn give_up(&mut self) {
        self.closed();
        self.lose_calls(Loss::GaveUp, |_| true);
    }

    /// Asks what the bridge's rules settle about a call; whether the bridge is there to be asked. An answer that a lost
    /// connection takes along does not come.
    pub fn review(&mut self, review: &str, tool: &str, arguments: Value) -> bool {
        if self.connected {
            self.send(&ToBridge::Review { review: review.to_owned(), tool: tool.to_owned(), arguments });
        }
        self.connected
    }

    /// Runs a tool that the bridge's rules allow without a question, as [`Client::run`] does.
    pub fn run_unasked(
        &mut self,
        call: &str,
        tool: &str,
        arguments: Value,
        timeout_ms: Option<u64>,
    ) -> Result<(), AlreadyUsed> {
        let tool = tool.to_owned();
        self.start(call, ToBridge::RunUnasked { call: call.to_owned(), tool, arguments, timeout_ms })
    }

    /// Runs a tool that a person has allowed, at once or as soon as a bridge is connected. `call` must never have been used before.
    pub fn run(
        &mut self,
        call: &str,
        tool: &str,
        arguments: Value,
        timeout_ms: Option<u64>,
    ) -> Result<(), AlreadyUsed> {
        self.start(call, ToBridge::Run { call: call.to_owned(), tool: tool.to_owned(), arguments, timeout_ms })
    }

    fn start(&mut self, call: &str, ask: ToBridge) -> Result<(), AlreadyUsed> {
        if self.calls.contains_key(call) {
            return Err(AlreadyUsed(call.to_owned()));
        }
        let progress = if self.connected {
            self.send(&ask);
            Progress::Sent
        } else {
            Progress::Unsent
        };
        let open = OpenCall { ask, progress, cancelled: false, next: 0, dropped: 0, owed: 0 };
        self.calls.insert(call.to_owned(), Call::Open(open));
        Ok(())
    }

    /// Takes up a call that this page ran before it was reloaded: its output comes again from `after_seq` on.
    pub fn resume(&mut self, call: &str, after_seq: u64) -> Result<(), AlreadyUsed> {
        if self.calls.contains_key(call) {
            return Err(AlreadyUsed(call.to_owned()));
        }
        let ask = ToBridge::Attach { call: call.to_owned(), after_seq };
        if self.connected {
            self.send(&ask);
        }
        let open = OpenCall { ask, progress: Progress::Sent, cancelled: false, next: after_seq, dropped: 0, owed: 0 };
        self.calls.insert(call.to_owned(), Call::Open(open));
        Ok(())
    }

    /// Asks for the end of a call. It still ends with [`CallEvent::Ended`]. A call that no bridge has heard of ends at once.
    pub fn cancel(&mut self, call: &str) {
        let Some(Call::Open(open)) = self.calls.get_mut(call) else { return };
        if open.progress == Progress::Unsent {
            return self.end(call, Outcome::Stopped);
        }
        open.cancelled = true;
        if self.connected {
            self.send(&ToBridge::Cancel { call: call.to_owned() });
        }
    }

    /// Asks for the end of a command in the background. That it has ended is told as every change of these commands is.
    pub fn stop_background(&mut self, id: &str) {
        if self.connected {
            self.send(&ToBridge::Cancel { call: id.to_owned() });
        }
    }

    /// A text frame has arrived.
    pub fn text(&mut self, text: &str) {
        match ToPage::parse(text) {
            Err(malformed) => self.events.push_back(Event::Problem(malformed.message)),
            Ok(ToPage::Hello(hello)) => self.hello(hello),
            Ok(ToPage::Error { call, message }) => {
                let about = call.map(|call| format!(" (call {call})")).unwrap_or_default();
                self.events.push_back(Event::Problem(format!("the bridge did not understand us{about}: {message}")));
            }
            Ok(ToPage::Started { call, pid }) => {
                if let Some(Call::Open(open)) = self.calls.get_mut(&call)
                    && open.progress != Progress::Started
                {
                    open.progress = Progress::Started;
                    self.tell(call, CallEvent::Started { pid });
                }
            }
            Ok(ToPage::Gap { call, to, .. }) => self.skip_to(&call, to),
            Ok(ToPage::Exited { .. }) => {}
            Ok(ToPage::Reviewed { review, verdict }) => self.events.push_back(Event::Reviewed { review, verdict }),
            Ok(ToPage::Background { commands }) => self.events.push_back(Event::Background(commands)),
            Ok(ToPage::Closed { call, outcome, duration_ms, cwd, leftovers, bytes }) => {
                self.skip_to(&call, bytes);
                let ended = Ended { outcome, duration_ms, cwd, leftovers, dropped: 0 };
                self.finish(&call, ended);
            }
            Ok(ToPage::Refused { call, why }) => self.end(
                &call,
                match why {
                    Refusal::UnknownCall => Outcome::Lost { why: Loss::Forgotten },
                    why => Outcome::CannotStart { why },
                },
            ),
        }
    }

    /// A binary frame has arrived.
    pub fn binary(&mut self, frame: &[u8]) {
        let Some(output) = Output::parse(frame) else {
            self.events.push_back(Event::Problem("a binary frame that is no output".to_owned()));
            return;
        };
        // The skip happens only if a gap frame was lost without the connection, which WebSocket rules out: but silence
        // about missing bytes is the one thing that must not be.
        self.skip_to(output.call, output.seq);
        let Some(Call::Open(open)) = self.calls.get_mut(output.call) else { return };
        let known = usize::try_from(open.next - output.seq).unwrap_or(usize::MAX);
        let new = output.bytes.get(known..).unwrap_or_default();
        open.next = open.next.saturating_add(new.len() as u64);
        // What came twice was paid for twice.
        open.owed += output.bytes.len() as u64;
        let window = self.bridge.as_ref().map_or(0, |bridge| bridge.limits.window);
        let credit = if open.owed >= window / 2 { std::mem::take(&mut open.owed) } else { 0 };
        let call = output.call.to_owned();
        if credit > 0 {
            self.send(&ToBridge::Credit { call: call.clone(), bytes: credit });
        }
        if !new.is_empty() {
            self.tell(call, CallEvent::Output { stream: output.stream, bytes: new.to_vec() });
        }
    }

    /// The next text frame to send.
    pub fn next_frame(&mut self) -> Option<String> {
        self.frames.pop_front()
    }

    /// The next thing that happened.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn hello(&mut self, hello: Hello) {
        if hello.proto != PROTO {
            self.events.push_back(Event::OtherProto { bridge: hello.proto });
            return;
        }
        let before = self.bridge.replace(hello.clone());
        self.connected = true;
        let is_another = before.is_some_and(|before| before.bridge != hello.bridge);
        self.events.push_back(Event::Ready(hello));
        if is_another {
            // The new bridge says so only where it has some.
            self.events.push_back(Event::Background(Vec::new()));
            self.lose_calls(Loss::NewBridge, |progress| progress != Progress::Unsent);
        }
        let mut frames = Vec::new();
        for (call, state) in &mut self.calls {
            let Call::Open(open) = state else { continue };
            open.owed = 0;
            if open.progress == Progress::Started {
                frames.push(ToBridge::Attach { call: call.clone(), after_seq: open.next });
            } else {
                // The bridge starts a call once, however often it is asked.
                frames.push(open.ask.clone());
                open.progress = Progress::Sent;
            }
            if open.cancelled {
                frames.push(ToBridge::Cancel { call: call.clone() });
            }
        }
        frames.iter().for_each(|frame| self.send(frame));
    }

    fn skip_to(&mut self, call: &str, to: u64) {
        let Some(Call::Open(open)) = self.calls.get_mut(call) else { return };
        let bytes = to.saturating_sub(open.next);
        if bytes > 0 {
            open.next = to;
            open.dropped += bytes;
            self.tell(call.to_owned(), CallEvent::Gap { bytes });
        }
    }

    fn lose_calls(&mut self, why: Loss, is_lost: impl Fn(Progress) -> bool) {
        let lost: Vec<String> = self
            .calls
            .iter()
            .filter(|(_, call)| matches!(call, Call::Open(open) if is_lost(open.progress)))
            .map(|(id, _)| id.clone())
            .collect();
        for call in lost {
            self.end(&call, Outcome::Lost { why: why.clone() });
        }
    }

    fn end(&mut self, call: &str, outcome: Outcome) {
        self.finish(call, Ended { outcome, duration_ms: 0, cwd: String::new(), leftovers: Vec::new(), dropped: 0 });
    }

    fn finish(&mut self, call: &str, mut ended: Ended) {
        let Some(state) = self.calls.get_mut(call) else { return };
        let Call::Open(open) = std::mem::replace(state, Call::Over) else { return };
        ended.dropped = open.dropped;
        self.tell(call.to_owned(), CallEvent::Ended(ended));
    }

    fn tell(&mut self, call: String, event: CallEvent) {
        self.events.push_back(Event::Call { call, event });
    }

    fn send(&mut self, frame: &ToBridge) {
        self.frames.push_back(frame.to_text());
    }
}
