//! What the page knows, as signals: the one place where what runs (`run/`) and what is seen (`view/`) meet.
//!
//! `run/` writes these signals, `view/` reads them and calls the actions of [`crate::run::actions`]. All of them belong
//! to the page, so that a task which outlives a component never touches a disposed signal.

use std::rc::Rc;

use agent_loop::message::{CallKey, ToolCall};
use agent_loop::{Clock, LoopState, Session, Settings, Stream};
use bridge_protocol::frames::BackgroundCommand;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::run::breakpoints::{Breakpoints, Moment};
use crate::run::clock::BrowserClock;
use crate::run::gate::PageGate;
use crate::run::live::{Body, PageLive};
use crate::run::preferences;
use crate::run::settings::Place;
use crate::run::store::Unreadable;
use crate::run::tab::Tab;

/// Handles to everything the page knows. Copied freely.
#[derive(Clone, Copy)]
pub struct App {
    /// The session on show.
    pub session: RwSignal<Session, LocalStorage>,
    /// Its id in the store.
    pub session_id: RwSignal<String>,
    /// The fold of its facts; replaced at each fact.
    pub state: RwSignal<Rc<LoopState>, LocalStorage>,
    /// Whether anybody is running it, and how.
    pub activity: RwSignal<Activity>,
    /// The step under way while it runs (what the strip lights), or `None`.
    pub stage: RwSignal<Option<agent_loop::Stage>>,
    /// Where runs are held by themselves. Like a grant, it belongs to this tab.
    pub breakpoints: RwSignal<Breakpoints>,
    /// Where a breakpoint holds the session, until it goes on.
    pub held: RwSignal<Option<Moment>>,
    /// What a person is asked right now.
    pub ask: RwSignal<Option<Ask>, LocalStorage>,
    /// The answer that is streaming in.
    pub draft: RwSignal<Option<DraftAnswer>>,
    /// Runs of tools that this tab has seen, oldest first; bounded.
    pub tool_runs: RwSignal<Vec<ToolRun>>,
    /// Model calls that this tab has seen, oldest first; bounded.
    pub exchanges: RwSignal<Vec<Exchange>, LocalStorage>,
    /// What the inspector looks at.
    pub selection: RwSignal<Selection>,
    /// The knobs for the next request. Recorded as a fact when a run begins and they have changed.
    pub settings: RwSignal<Rc<Settings>, LocalStorage>,
    /// The key of the chosen endpoint: this tab's memory, nowhere else.
    pub key: RwSignal<String>,
    /// The prices a person wrote down, as text: [`crate::run::prices::Book`] reads it where it is needed.
    pub prices: RwSignal<String>,
    /// Which tool host is chosen.
    pub host: RwSignal<HostChoice>,
    /// How the host bridge is.
    pub bridge: RwSignal<BridgeStatus>,
    /// The commands in the background there, oldest first.
    pub background: RwSignal<Vec<BackgroundCommand>>,
    /// The stored sessions, newest first.
    pub sessions: RwSignal<Vec<SessionCard>>,
    /// Whether sessions are being kept.
    pub store: RwSignal<StoreStatus>,
    /// The person's language.
    pub language: RwSignal<Language>,
    /// The person's theme.
    pub theme: RwSignal<Theme>,
    /// Said once by a screen reader when it changes: a finished message, a question, a stop.
    pub announcement: RwSignal<String>,
    /// Whether another tab writes this session, so that this one only shows it.
    pub read_only: RwSignal<bool>,
    /// How many facts the session on show has, also while a person looks back and it goes on.
    pub facts: RwSignal<usize>,
    /// After how many of its facts the session is shown, while a person looks back. `None`: as it is now.
    pub moment: RwSignal<Option<usize>>,
    /// Another branch, to be read beside the session on show.
    pub compared: RwSignal<Option<Compared>, LocalStorage>,
    /// Why the last stored session that was asked for could not be opened; it stays in the store.
    pub unopened: RwSignal<Option<Unreadable>>,
    /// Whether a part of the page did not come when it was wanted last.
    pub unfetched: RwSignal<bool>,
    /// Whether the page can be used: a session is on show, and what is said in it is written, if only once the store
    /// answers.
    pub is_ready: RwSignal<bool>,
    /// What this tab works with.
    pub tab: StoredValue<Rc<Tab>, LocalStorage>,
}

impl App {
    /// The signals of a page in this place and what works behind them, all owned by the present owner, which has to be
    /// the page's root.
    pub fn new(place: Place) -> App {
        let status = if place.bridge { BridgeStatus::Connecting(1) } else { BridgeStatus::None };
        let session = Session::new(BrowserClock.now_ms());
        let state = session.state();
        let stage = RwSignal::new(None);
        let ask = RwSignal::new_local(None);
        let breakpoints = RwSignal::new(Breakpoints::default());
        let held = RwSignal::new(None);
        let draft = RwSignal::new(None);
        let tool_runs = RwSignal::new(Vec::new());
        let exchanges = RwSignal::new_local(Vec::new());
        let bridge = RwSignal::new(status);
        let background = RwSignal::new(Vec::new());
        let host = if place.bridge { HostChoice::Bridge } else { HostChoice::You };
        let settings = preferences::settings(&place);
        let tab = Tab::new(
            place,
            PageLive::new(draft, tool_runs, exchanges),
            PageGate::new(ask, stage, breakpoints, held),
            ask,
            bridge,
            background,
        );
        App {
            session: RwSignal::new_local(session),
            session_id: RwSignal::new(String::new()),
            state: RwSignal::new_local(state),
            activity: RwSignal::new(Activity::Idle),
            stage,
            breakpoints,
            held,
            ask,
            draft,
            tool_runs,
            exchanges,
            selection: RwSignal::new(Selection::Latest),
            settings: RwSignal::new_local(Rc::new(settings)),
            key: RwSignal::new(String::new()),
            prices: RwSignal::new(preferences::prices()),
            host: RwSignal::new(host),
            bridge,
            background,
            sessions: RwSignal::new(Vec::new()),
            store: RwSignal::new(StoreStatus::Keeping),
            language: RwSignal::new(preferences::language()),
            theme: RwSignal::new(preferences::theme()),
            announcement: RwSignal::new(String::new()),
            read_only: RwSignal::new(false),
            facts: RwSignal::new(0),
            moment: RwSignal::new(None),
            compared: RwSignal::new_local(None),
            unopened: RwSignal::new(None),
            unfetched: RwSignal::new(false),
            is_ready: RwSignal::new(false),
            tab: StoredValue::new_local(Rc::new(tab)),
        }
    }

    /// Whether this tab may change the session: it writes it, and shows it as it is now. Tracked.
    pub fn may_act(self) -> bool {
        !self.read_only.get() && self.moment.get().is_none()
    }

    /// As [`App::may_act`], untracked.
    pub fn may_act_now(self) -> bool {
        !self.read_only.get_untracked() && self.moment.get_untracked().is_none()
    }

    /// What this tab works with.
    pub fn tab(self) -> Rc<Tab> {
        self.tab.get_value()
    }
}

/// Whether anybody is running the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// Nobody. The state says whether it rests or what Run and Step would do next.
    Idle,
    /// Run or Step is under way.
    Running,
    /// As running, but it will be let go at the next seam.
    Pausing,
    /// Stop was pressed; what runs is being ended.
    Stopping,
}

/// A question to the person. Not modal.
#[derive(Clone)]
pub enum Ask {
    /// "Allow this command?"
    Command {
        /// The call.
        call: ToolCall,
        /// Exactly what would run; the arguments as JSON where the tool takes no command.
        command: String,
        /// Why the host asks; may be empty.
        why: String,
        /// The host's short name.
        host: String,
        /// Where it would run.
        cwd: String,
        /// Whether it would go on in the background.
        background: bool,
    },
    /// "You are the model": the person reads the request and writes the answer.
    Answer {
        /// The dialect of the request.
        dialect: agent_loop::Dialect,
    },
    /// "You are the tool": the person reads the call and types the result.
    Result {
        /// The call.
        call: ToolCall,
        /// What the model asks for.
        command: String,
    },
}

/// An answer as far as it has come. Its blocks appear one after another; each text grows once per frame at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DraftAnswer {
    /// Blocks in the order of their index.
    pub blocks: RwSignal<Vec<DraftBlock>>,
}

/// A block that is streaming in.
#[derive(Clone, PartialEq)]
pub struct DraftBlock {
    /// Its place.
    pub index: usize,
    /// What it is.
    pub kind: DraftKind,
    /// Its text so far: words, reasoning, or a call's arguments as JSON text.
    pub text: RwSignal<String>,
}

/// What a streaming block is.
#[derive(Clone, PartialEq)]
pub enum DraftKind {
    /// Words.
    Text,
    /// Reasoning.
    Thinking,
    /// A call of the tool with this name.
    ToolUse(RwSignal<String>),
}

/// One run of a tool, live.
#[derive(Clone, PartialEq)]
pub struct ToolRun {
    /// The call it belongs to.
    pub call: CallKey,
    /// What runs.
    pub command: String,
    /// The host's short name.
    pub host: String,
    /// When it began, milliseconds since 1970.
    pub started_ms: u64,
    /// Output so far, terminal codes but those of colours taken out, the last [`ToolRun::KEPT`] bytes and
    /// [`ToolRun::KEPT_LINES`] lines of it; grows once per frame.
    pub output: RwSignal<Vec<OutputChunk>>,
    /// Bytes of output in all.
    pub bytes: RwSignal<u64>,
    /// Whether a process was started, as the host told.
    pub started: RwSignal<bool>,
    /// Whether it has ended.
    pub ended: RwSignal<bool>,
}

impl ToolRun {
    /// How many bytes of output the page keeps for the eye.
    pub const KEPT: usize = 32_000;

    /// And how many lines: a flood of short ones takes the browser longer to lay out than a frame has.
    pub const KEPT_LINES: usize = 400;
}

/// A piece of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputChunk {
    /// Which, for keyed views: rises by one.
    pub number: u64,
    /// From which of the two streams.
    pub stream: Stream,
    /// Its text, which begins with the codes of the colours that hold there.
    pub text: String,
}

/// One model call: exactly what was sent, exactly what came.
#[derive(Clone)]
pub struct Exchange {
    /// Number of the `Called` fact it belongs to.
    pub fact: usize,
    /// When it was sent, milliseconds since 1970.
    pub sent_ms: u64,
    /// Where to.
    pub url: String,
    /// The headers we set; the key redacted.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Rc<Vec<u8>>,
    /// What came; replaced as it grows, once per frame at most.
    pub response: RwSignal<Rc<Response>, LocalStorage>,
}

/// What came of a model call.
#[derive(Debug, Clone, Default)]
pub struct Response {
    /// HTTP status, once known.
    pub status: Option<u16>,
    /// The headers that could be read.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Body,
}

/// What the inspector looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// The newest of everything.
    Latest,
    /// One model call, by the number of its `Called` fact.
    Exchange(usize),
    /// One tool call.
    Call(CallKey),
}

/// Which tool host is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostChoice {
    /// The host bridge.
    Bridge,
    /// "You are the tool".
    You,
}

/// How the host bridge is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BridgeStatus {
    /// This page was not served by a bridge.
    None,
    /// Being reached; the attempt's number, from 1.
    Connecting(u32),
    /// There, working in this directory.
    Ready {
        /// The workspace.
        cwd: String,
        /// Whether commands run in a sandbox; `None` where it does not say.
        sandbox: Option<bool>,
    },
    /// It does not answer; tried again by itself.
    Gone,
    /// It is there, and this tab was opened without its link, and so without its token.
    NoLink,
    /// It answers and refuses our token: it is a new one. Its link has to be opened.
    NewBridge,
    /// Another tab of this browser has taken it over; a run in this tab takes it back.
    Elsewhere,
}

/// Whether sessions are being kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreStatus {
    /// They are.
    Keeping,
    /// They are not, and why: the browser's own words.
    NotKeeping(String),
}

/// A stored session, as the list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionCard {
    /// Its id.
    pub id: String,
    /// The first words of its first message; empty for a fresh one.
    pub title: String,
    /// When it last changed, milliseconds since 1970.
    pub changed_ms: u64,
    /// Where it branched off another, if it did.
    pub parent: Option<Parent>,
}

/// Where a session branched off: it shares the first facts of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// The id of the other.
    pub id: String,
    /// How many facts they share.
    pub facts: usize,
}

/// Another branch beside the session on show.
#[derive(Clone)]
pub struct Compared {
    /// What it is called.
    pub title: String,
    /// Its state.
    pub state: Rc<LoopState>,
}

/// The languages of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    En,
    /// Chinese.
    Zh,
}

/// The themes of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}
