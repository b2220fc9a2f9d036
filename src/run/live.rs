//! What happens between facts, for the eye: the answer that streams in, the bytes of the exchange, the output of tools.
//!
//! Everything is collected as it comes and shown once per frame, so that a fast stream costs a frame's work per frame.
//! What is shown is bounded; losing it loses a view, never the session.

mod answer;
mod body;
mod cuts;
mod exchanges;
mod output;
mod terminal;

use std::cell::RefCell;
use std::rc::Rc;

use agent_loop::state::CallStatus;
use agent_loop::tool::parse_arguments;
use agent_loop::{Block, CallKey, Clock, Delta, Fact, HttpRequest, Live, LoopState, Reply, ToolEvent};
use leptos::prelude::*;

use self::answer::Answering;
pub use self::body::Body;
use self::exchanges::Exchanges;
use self::output::Output;
use crate::app::{DraftAnswer, Exchange, ToolRun};
use crate::run::clock::BrowserClock;
use crate::run::frame::Frame;

/// How many runs of tools the page remembers.
const RUNS_KEPT: usize = 100;

/// The page's eye on a run.
pub struct PageLive {
    seen: Rc<RefCell<Seen>>,
    frame: Frame,
    sending: RefCell<Option<Sending>>,
}

/// Makes of a request what is really sent. It comes with the loop, which a first visit does not wait for.
pub type Sending = Box<dyn Fn(&HttpRequest) -> HttpRequest>;

struct Seen {
    answering: Answering,
    exchanges: Exchanges,
    tool_runs: RwSignal<Vec<ToolRun>>,
    outputs: Vec<Output>,
}

impl PageLive {
    /// An eye that shows what it sees in these signals.
    pub fn new(
        draft: RwSignal<Option<DraftAnswer>>,
        tool_runs: RwSignal<Vec<ToolRun>>,
        exchanges: RwSignal<Vec<Exchange>, LocalStorage>,
    ) -> PageLive {
        let seen = Rc::new(RefCell::new(Seen {
            answering: Answering::new(draft),
            exchanges: Exchanges::new(exchanges),
            tool_runs,
            outputs: Vec::new(),
        }));
        let to_show = Rc::clone(&seen);
        PageLive { seen, frame: Frame::new(move || to_show.borrow_mut().show()), sending: RefCell::default() }
    }

    /// From here on requests are sent as this makes them: what is shown is what is sent.
    pub fn by_way_of(&self, sending: Option<Sending>) {
        self.sending.replace(sending);
    }

    /// Shows what waits for a frame: the tab is being hidden, and no frame may come.
    pub fn show(&self) {
        self.seen.borrow_mut().show();
        self.frame.forget();
    }

    /// Another session is on show: nothing of this one is.
    pub fn forget(&self) {
        let mut seen = self.seen.borrow_mut();
        seen.answering.end();
        seen.exchanges.forget();
        seen.outputs.clear();
        seen.tool_runs.set(Vec::new());
    }

    /// What of an answer has come so far.
    pub fn draft(&self) -> Vec<Block> {
        self.seen.borrow().answering.blocks()
    }

    /// A fact was recorded; `state` is the fold with it.
    /// `began_ms` is when the fact, or what it goes on with, began.
    pub fn fact(&self, number: usize, fact: &Fact, state: &LoopState, began_ms: u64) {
        let mut seen = self.seen.borrow_mut();
        match fact {
            Fact::Called { .. } => {
                seen.answering.end();
                seen.exchanges.called(number);
            }
            Fact::Answered { .. } | Fact::CallFailed { .. } | Fact::Stopped { .. } => {
                seen.show();
                seen.answering.end();
                seen.exchanges.seal();
            }
            Fact::ToolStarted { call, .. } | Fact::TakenUp { call } => seen.start(*call, state, began_ms),
            Fact::ToolEnded { result } => seen.end(result.call),
            Fact::Opened { .. }
            | Fact::Configured { .. }
            | Fact::Said { .. }
            | Fact::Withdrawn { .. }
            | Fact::Resumed
            | Fact::Raised { .. }
            | Fact::Extended { .. }
            | Fact::Offered { .. }
            | Fact::Prepared { .. }
            | Fact::Learnt { .. }
            | Fact::Nudged
            | Fact::Waited
            | Fact::Ruled { .. }
            | Fact::HostUnavailable { .. }
            | Fact::WroteBack
            | Fact::Edited { .. }
            | Fact::Interrupted { .. } => {}
        }
    }
}

impl Live for PageLive {
    fn sent(&self, request: &HttpRequest) {
        let detoured = self.sending.borrow().as_ref().map(|sending| sending(request));
        self.seen.borrow_mut().exchanges.sent(detoured.as_ref().unwrap_or(request), BrowserClock.now_ms());
    }

    fn received(&self, reply: &Reply) {
        self.seen.borrow_mut().exchanges.received(reply, BrowserClock.now_ms());
        self.frame.ask();
    }

    fn delta(&self, delta: &Delta) {
        self.seen.borrow_mut().answering.delta(delta);
        self.frame.ask();
    }

    fn tool(&self, call: CallKey, event: &ToolEvent) {
        let mut seen = self.seen.borrow_mut();
        let Some(output) = seen.outputs.iter_mut().find(|output| output.run().call == call) else { return };
        match event {
            ToolEvent::Started => output.run().started.set(true),
            ToolEvent::Output { stream, bytes } => output.push(*stream, bytes),
            ToolEvent::Gap(bytes) => output.gap(*bytes),
            ToolEvent::Ended(_) => output.finish(),
        }
        self.frame.ask();
    }
}

impl Seen {
    fn show(&mut self) {
        self.answering.show();
        self.exchanges.show();
        self.outputs.iter_mut().for_each(Output::show);
    }

    fn start(&mut self, key: CallKey, state: &LoopState, started_ms: u64) {
        let found = state.calls().iter().find(|known| known.call.key == key);
        let Some((call, CallStatus::Running { host, .. })) = found.map(|known| (&known.call, &known.status)) else {
            return;
        };
        let text = &call.arguments;
        let command = match parse_arguments(text) {
            Ok(parsed) => match parsed.get("command").and_then(|command| command.as_str()) {
                Some(command) => command.to_owned(),
                None => parsed.to_string(),
            },
            Err(_) => text.clone(),
        };
        let run = ToolRun {
            call: key,
            command,
            host: host.clone(),
            started_ms,
            output: RwSignal::new(Vec::new()),
            bytes: RwSignal::new(0),
            started: RwSignal::new(false),
            ended: RwSignal::new(false),
        };
        self.outputs.push(Output::new(run.clone()));
        self.tool_runs.update(|runs| {
            runs.push(run);
            let excess = runs.len().saturating_sub(RUNS_KEPT);
            // Their views go with the list; their signals stay valid, as small as can be.
            runs.drain(..excess).for_each(|old| drop(old.output.try_set(Vec::new())));
        });
    }

    fn end(&mut self, call: CallKey) {
        // A run that ended without its host saying so is over all the same.
        if let Some(place) = self.outputs.iter().position(|output| output.run().call == call) {
            self.outputs.remove(place).finish();
        }
    }
}
