//! The world of a test: a scripted model, host, gate and clock, and one way to run a session in it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use agent_loop::host::{Offered, Run, Standing};
use agent_loop::settings::{Dialect, Limits, OfferTools, RunTools};
use agent_loop::stages::take_up;
use agent_loop::tool::{Arguments, Blacklist, OutputRule, WordingSet};
use agent_loop::transport::{HttpRequest, Reply as Part, TransportError};
use agent_loop::{
    Block, CallKey, Clock, Delta, Ended, Endpoint, Env, Fact, Gate, Live, LoopState, ModelSeam, Offer, Profile,
    Request, Rest, ResultSeam, Review, Session, Settings, Status, Stop, Stream, ToolCall, ToolEvent, ToolHost,
    ToolResult, ToolSeam, ToolSpec, Transport, agent_loop,
};
use futures_util::StreamExt;
use futures_util::future::{LocalBoxFuture, ready};
use futures_util::stream::{self, LocalBoxStream};
use serde_json::json;

use crate::script::{Reply, beginning, stream as bytes_of};

pub const BOTH: [Dialect; 2] = [Dialect::Anthropic, Dialect::OpenAi];

/// Everything scripted, and everything that was seen.
pub struct World {
    pub dialect: Dialect,
    pub replies: RefCell<VecDeque<Reply>>,
    pub sent: RefCell<Vec<HttpRequest>>,
    pub ran: RefCell<Vec<String>>,
    pub asked: RefCell<Vec<String>>,
    pub model_seams: RefCell<VecDeque<ModelSeam>>,
    pub tool_seams: RefCell<VecDeque<ToolSeam>>,
    pub result_seams: RefCell<VecDeque<ResultSeam>>,
    pub offer: RefCell<Offer>,
    pub slept_ms: RefCell<Vec<u64>>,
    pub stop: RefCell<Stop>,
    /// Stop is pressed when this command starts to run.
    pub stop_at: RefCell<Option<&'static str>>,
    /// Facts that are recorded while a gate is asked.
    pub meanwhile: RefCell<VecDeque<(Session, Fact)>>,
    pub now_ms: Rc<Cell<u64>>,
    /// Stop is pressed at this moment, counted in looks at the clock and in what the eye is told.
    pub stop_at_moment: Cell<Option<u32>>,
    /// What the host tells of a run that was begun before the page was loaded anew, if it keeps such runs.
    pub kept: RefCell<Option<Vec<ToolEvent>>>,
    answers: Cell<usize>,
}

pub fn bash_tool() -> ToolSpec {
    let schema = json!({"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]});
    ToolSpec { name: "bash".into(), description: "Run a shell command.".into(), input_schema: schema }
}

pub fn settings(dialect: Dialect) -> Settings {
    Settings {
        profile: Profile::new("test", dialect),
        base_url: "http://model.test".into(),
        model: "m".into(),
        system: "You are at {cwd}.".into(),
        max_tokens: Some(1000),
        stop_sequences: Vec::new(),
        stream: true,
        offer_tools: OfferTools::Host,
        pinned_tools: Vec::new(),
        run_tools: RunTools::Loop,
        limits: Limits::default(),
        price: None,
        output: OutputRule::default(),
        wording: WordingSet::Default,
        blacklist: Blacklist::Off,
    }
}

impl World {
    pub fn new(dialect: Dialect, replies: impl IntoIterator<Item = Reply>) -> World {
        World {
            dialect,
            replies: RefCell::new(replies.into_iter().collect()),
            sent: RefCell::default(),
            ran: RefCell::default(),
            asked: RefCell::default(),
            model_seams: RefCell::default(),
            tool_seams: RefCell::default(),
            result_seams: RefCell::default(),
            offer: RefCell::new(Offer::Ready(Offered {
                host: "test".into(),
                tools: vec![bash_tool()],
                cwd: "/w".into(),
                background: Vec::new(),
            })),
            slept_ms: RefCell::default(),
            stop: RefCell::default(),
            stop_at: RefCell::default(),
            meanwhile: RefCell::default(),
            now_ms: Rc::new(Cell::new(1_000)),
            stop_at_moment: Cell::new(None),
            kept: RefCell::default(),
            answers: Cell::new(0),
        }
    }

    /// A session with these settings and one user message.
    pub fn session(&self, settings: Settings) -> Session {
        let session = Session::new(0);
        session.record(1, Fact::Configured { settings: Rc::new(settings) });
        session.record(2, Fact::Said { text: "go".into() });
        session
    }

    pub fn env<'a>(&'a self, endpoint: &'a Endpoint) -> Env<'a> {
        let stop = self.stop.borrow().clone();
        Env { transport: self, endpoint, host: self, gate: self, clock: self, stop, live: self }
    }

    fn moment(&self) {
        match self.stop_at_moment.get() {
            Some(0) => {
                self.stop.borrow().press();
                self.stop_at_moment.set(None);
            }
            Some(left) => self.stop_at_moment.set(Some(left - 1)),
            None => {}
        }
    }

    fn interfere(&self) {
        if let Some((session, fact)) = self.meanwhile.borrow_mut().pop_front() {
            session.record(1, fact);
        }
    }

    /// Takes up what was under way when the page went.
    pub fn take_up(&self, session: &Session) {
        let endpoint = Endpoint::default();
        futures_executor::block_on(take_up(session, &self.env(&endpoint)));
    }

    /// Runs until there is nothing to do.
    pub fn run(&self, session: &Session) -> Rest {
        let endpoint = Endpoint::default();
        futures_executor::block_on(agent_loop(session, &self.env(&endpoint)))
    }
}

/// Messages as a reader would note them down.
pub fn noted(state: &LoopState) -> Vec<String> {
    let block = |block: &Block| match block {
        Block::Text { text } => text.to_string(),
        Block::Thinking { text, .. } => format!("(thinks {text})"),
        Block::ToolUse(call) => format!("{} {}", call.name, call.arguments),
        Block::ToolResult(result) => format!("[{}]", result.content),
        Block::Opaque { raw } => raw.to_string(),
    };
    let note = |message: &Rc<agent_loop::Message>| {
        let blocks: Vec<String> = message.blocks.iter().map(block).collect();
        format!("{:?}: {}", message.role, blocks.join(" + ")).to_lowercase()
    };
    state.messages.iter().map(note).collect()
}

impl Transport for World {
    fn send(&self, request: &HttpRequest) -> LocalBoxStream<'static, Result<Part, TransportError>> {
        self.sent.borrow_mut().push(request.clone());
        let number = self.answers.get();
        self.answers.set(number + 1);
        let reply = self.replies.borrow_mut().pop_front().expect("the script has no further answer");
        let head =
            |status, kind: &str| Ok(Part::Head { status, headers: vec![("content-type".to_owned(), kind.to_owned())] });
        let sse = "text/event-stream";
        let chunks = |bytes: Vec<u8>| bytes.chunks(7).map(|part| Ok(Part::Bytes(part.to_vec()))).collect::<Vec<_>>();
        match reply {
            Reply::Says(says) => {
                let body = bytes_of(self.dialect, number, &says);
                stream::iter([head(200, sse)]).chain(stream::iter(chunks(body))).boxed_local()
            }
            Reply::Refuses(status, message) => {
                let body = json!({"type": "error", "error": {"type": "some_error", "message": message}}).to_string();
                stream::iter([head(status, "application/json"), Ok(Part::Bytes(body.into_bytes()))]).boxed_local()
            }
            Reply::Stalls(words) => {
                let body = beginning(self.dialect, words);
                stream::iter([head(200, sse)]).chain(stream::iter(chunks(body))).chain(stream::pending()).boxed_local()
            }
            Reply::Breaks(words) => {
                let body = beginning(self.dialect, words);
                stream::iter([head(200, sse)]).chain(stream::iter(chunks(body))).boxed_local()
            }
            Reply::Raw(parts) => stream::iter(parts).boxed_local(),
            Reply::Silent(parts) => stream::iter(parts).chain(stream::pending()).boxed_local(),
            Reply::Unreachable => stream::iter([Err(TransportError::Unreachable("no route".into()))]).boxed_local(),
        }
    }
}

impl ToolHost for World {
    fn offer(&self) -> Offer {
        self.offer.borrow().clone()
    }

    fn review(&self, _: &ToolCall, arguments: &Arguments) -> LocalBoxFuture<'static, Review> {
        let policy =
            if arguments.command() == Some("forbidden") { Review::Deny("policy".into()) } else { Review::Allow };
        Box::pin(ready(policy))
    }

    fn run(&self, run: Run<'_>, stop: Stop) -> LocalBoxStream<'static, ToolEvent> {
        let command = run.arguments.command().unwrap_or_default().to_owned();
        self.ran.borrow_mut().push(command.clone());
        if *self.stop_at.borrow() == Some(command.as_str()) {
            self.stop.borrow().press();
        }
        let out = |text: String| ToolEvent::Output { stream: Stream::Stdout, bytes: text.into_bytes() };
        let end = |status| ToolEvent::Ended(Ended { status, duration_ms: 20, leftovers: Vec::new() });
        let behind = |standing| end(Status::Background { id: "bg-1".into(), standing });
        let events = match command.as_str() {
            _ if run.arguments.is_background() => vec![behind(Standing::Started)],
            _ if run.call.name == "bash_read" => vec![out("up\n".into()), behind(Standing::Running)],
            "true" => vec![ToolEvent::Started, end(Status::Exited(0))],
            "false" => vec![ToolEvent::Started, end(Status::Exited(1))],
            "unstartable" => vec![end(Status::CannotStart("no shell".into()))],
            "silent" => Vec::new(),
            "sleep" => {
                let wait = async move {
                    stop.pressed().await;
                    end(Status::Stopped)
                };
                let begin = stream::iter([ToolEvent::Started, out("so far".into())]);
                return begin.chain(stream::once(wait)).boxed_local();
            }
            "deaf" => return stream::pending().boxed_local(),
            other => vec![ToolEvent::Started, out(format!("ran {other}\n")), end(Status::Exited(0))],
        };
        stream::iter(events).boxed_local()
    }

    fn take_up(&self, _: &str, stop: Stop) -> Option<LocalBoxStream<'static, ToolEvent>> {
        let events = self.kept.borrow().clone()?;
        let is_over = events.iter().any(|event| matches!(event, ToolEvent::Ended(_)));
        let wait = async move {
            stop.pressed().await;
            ToolEvent::Ended(Ended { status: Status::Stopped, duration_ms: 20, leftovers: Vec::new() })
        };
        let rest = if is_over { stream::empty().boxed_local() } else { stream::once(wait).boxed_local() };
        Some(stream::iter(events).chain(rest).boxed_local())
    }
}

/// What a host tells of a run that it does not know any more.
pub fn forgotten() -> Vec<ToolEvent> {
    let status = Status::Lost("the host does not know the command any more".into());
    vec![ToolEvent::Ended(Ended { status, duration_ms: 0, leftovers: Vec::new() })]
}

impl Gate for World {
    fn before_model(&self, _: &Request) -> LocalBoxFuture<'static, ModelSeam> {
        self.interfere();
        Box::pin(ready(self.model_seams.borrow_mut().pop_front().unwrap_or(ModelSeam::Go)))
    }

    fn before_tool(&self, _: &ToolCall, arguments: &Arguments, _: &Review) -> LocalBoxFuture<'static, ToolSeam> {
        self.interfere();
        self.asked.borrow_mut().push(arguments.command().unwrap_or_default().to_owned());
        Box::pin(ready(self.tool_seams.borrow_mut().pop_front().unwrap_or(ToolSeam::Run)))
    }

    fn after_tool(&self, _: &ToolCall, _: &ToolResult) -> LocalBoxFuture<'static, ResultSeam> {
        Box::pin(ready(self.result_seams.borrow_mut().pop_front().unwrap_or(ResultSeam::Keep)))
    }
}

impl Clock for World {
    fn now_ms(&self) -> u64 {
        self.moment();
        self.now_ms.set(self.now_ms.get() + 1);
        self.now_ms.get()
    }

    /// Sleeping takes no time once somebody waits for it and nothing else is ready.
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        self.slept_ms.borrow_mut().push(ms);
        let now_ms = Rc::clone(&self.now_ms);
        Box::pin(async move { now_ms.set(now_ms.get() + ms) })
    }

    fn fresh_id(&self) -> String {
        format!("run-{}", self.ran.borrow().len())
    }
}

impl Live for World {
    fn sent(&self, _: &HttpRequest) {
        self.moment();
    }

    fn received(&self, _: &Part) {
        self.moment();
    }

    fn delta(&self, _: &Delta) {
        self.moment();
    }

    fn tool(&self, _: CallKey, _: &ToolEvent) {
        self.moment();
    }
}
