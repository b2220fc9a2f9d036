//! What a session took: the time of the model, of tools and of waits, the tokens of each model call, and the money that
//! prices make of them. Read from the facts alone, and only from those that are new.

mod totals;

use std::ops::Range;
use std::rc::Rc;

use crate::fact::{Edit, Fact, Sealed};
use crate::message::{Block, CallKey, Usage};
use crate::settings::{Price, Settings};
use crate::tool::{Outcome, parse_arguments};

pub use totals::{Money, Totals};

/// So much of a command is kept, in characters: it names a run, and stands whole in the log.
const NAMED_BY: usize = 120;

/// What took time, in the order it began. One thing at a time, as the loop does them.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    entries: Vec<Entry>,
    settings: Option<Rc<Settings>>,
    asked: Vec<(CallKey, String, String)>,
    facts: usize,
    last: Option<Rc<Sealed>>,
}

/// Something that took time.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The number of the fact it began with.
    pub fact: usize,
    /// When it began, milliseconds since 1970.
    pub began_ms: u64,
    /// How long it took.
    pub took: Took,
    /// What it was.
    pub work: Work,
}

/// How long something took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Took {
    /// It has not ended yet.
    UnderWay,
    /// So many milliseconds.
    Ms(u64),
    /// It is over, and nobody knows since when: the page was closed meanwhile.
    Unknown,
}

/// What took time.
#[derive(Debug, Clone, PartialEq)]
pub enum Work {
    /// A model call.
    Model(ModelCall),
    /// The wait before a model call is tried again.
    Wait,
    /// A run of a tool.
    Tool(Run),
}

/// A model call.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelCall {
    /// The knobs it was made with; `None` in a log that never set any.
    pub settings: Option<Rc<Settings>>,
    /// From sending to the first byte of the answer, in milliseconds, where it is known.
    pub first_byte_ms: Option<u64>,
    /// How it ended; `None`: it has not.
    pub end: Option<ModelEnd>,
}

/// How a model call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelEnd {
    /// With an answer, of so many tokens.
    Answered(Usage),
    /// It failed.
    Failed,
    /// A person stopped it, or the page was closed.
    Cut,
}

/// A run of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The call that was run.
    pub call: CallKey,
    /// The tool's name.
    pub tool: String,
    /// The beginning of its command, or of its arguments where they hold none.
    pub command: String,
    /// How it ended; `None`: it has not, or nobody knows.
    pub outcome: Option<Outcome>,
}

impl ModelCall {
    /// The tokens of its answer, as the endpoint counted them; all `None` where it gave none.
    pub fn usage(&self) -> Usage {
        match self.end {
            Some(ModelEnd::Answered(usage)) => usage,
            Some(ModelEnd::Failed | ModelEnd::Cut) | None => Usage::default(),
        }
    }

    /// Whether an answer came, whole.
    pub fn is_answered(&self) -> bool {
        matches!(self.end, Some(ModelEnd::Answered(_)))
    }

    /// What it cost by this price, in millionths of a unit. `None`: the endpoint did not count both its tokens in and out.
    pub fn money(&self, price: &Price) -> Option<u64> {
        let usage = self.usage();
        (usage.input_tokens.is_some() && usage.output_tokens.is_some()).then(|| price.of(&usage))
    }
}

impl Ledger {
    /// The ledger of these facts.
    pub fn of(facts: &[Rc<Sealed>]) -> Ledger {
        let mut ledger = Ledger::default();
        ledger.read(facts);
        ledger
    }

    /// Takes in what is new; all of it anew where these are not the facts of before and more.
    pub fn read(&mut self, facts: &[Rc<Sealed>]) {
        let continues = self.last.as_ref().is_some_and(|last| {
            self.facts.checked_sub(1).and_then(|place| facts.get(place)).is_some_and(|fact| Rc::ptr_eq(fact, last))
        });
        if !continues {
            *self = Ledger::default();
        }
        for sealed in facts.get(self.facts..).unwrap_or_default() {
            self.take(self.facts, sealed);
            self.facts += 1;
        }
        self.last = facts.last().cloned();
    }

    /// What took time, in the order it began.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The model calls among them, in order.
    pub fn model_calls(&self) -> impl DoubleEndedIterator<Item = &ModelCall> {
        self.entries.iter().filter_map(|entry| match &entry.work {
            Work::Model(call) => Some(call),
            Work::Wait | Work::Tool(_) => None,
        })
    }

    fn take(&mut self, number: usize, sealed: &Sealed) {
        let at_ms = sealed.at_ms;
        match &sealed.fact {
            Fact::Configured { settings } | Fact::Edited { edit: Edit::Settings { settings } } => {
                self.settings = Some(Rc::clone(settings));
            }
            Fact::Called { .. } => {
                // A call that is sent once more was let go of before it ended.
                self.lose();
                let call = ModelCall { settings: self.settings.clone(), first_byte_ms: None, end: None };
                self.begin(number, at_ms, Work::Model(call));
            }
            Fact::Answered { answer } => {
                self.end_call(at_ms, answer.first_byte_ms, ModelEnd::Answered(answer.usage));
                self.asked = calls(number, 0..0, &answer.blocks).collect();
            }
            Fact::CallFailed { retry_in_ms, .. } => {
                self.end_call(at_ms, None, ModelEnd::Failed);
                if retry_in_ms.is_some_and(|wait_ms| wait_ms > 0) {
                    self.begin(number, at_ms, Work::Wait);
                }
            }
            Fact::Waited | Fact::Stopped { .. } => self.end(at_ms),
            Fact::Interrupted { .. } => self.lose(),
            Fact::ToolStarted { call, .. } => {
                self.lose();
                let (tool, arguments) = self
                    .asked
                    .iter()
                    .find(|(key, ..)| key == call)
                    .map(|(_, tool, arguments)| (tool.clone(), arguments.as_str()))
                    .unwrap_or_default();
                let run = Run { call: *call, tool, command: named_by(arguments), outcome: None };
                self.begin(number, at_ms, Work::Tool(run));
            }
            Fact::TakenUp { call } => {
                if let Some(Entry { took: took @ Took::Unknown, work: Work::Tool(run), .. }) = self.entries.last_mut()
                    && run.call == *call
                {
                    *took = Took::UnderWay;
                }
            }
            Fact::ToolEnded { result } => {
                if let Some(Entry { began_ms, took: took @ Took::UnderWay, work: Work::Tool(run), .. }) =
                    self.entries.last_mut()
                    && run.call == result.call
                {
                    *took = Took::Ms(at_ms.saturating_sub(*began_ms));
                    run.outcome = Some(result.outcome.clone());
                }
            }
            Fact::Edited { edit: Edit::Message { blocks, .. } } => self.asked.extend(calls(number, 1..number, blocks)),
            Fact::Edited { edit: Edit::Arguments { call, arguments } } => {
                let known = self.asked.iter_mut().find(|(key, ..)| key == call);
                if let Some((_, _, before)) = known {
                    before.clone_from(arguments);
                }
            }
            Fact::Opened { .. }
            | Fact::Said { .. }
            | Fact::Withdrawn { .. }
            | Fact::Resumed
            | Fact::Extended { .. }
            | Fact::Raised { .. }
            | Fact::Offered { .. }
            | Fact::Prepared { .. }
            | Fact::Learnt { .. }
            | Fact::Nudged
            | Fact::Ruled { .. }
            | Fact::HostUnavailable { .. }
            | Fact::WroteBack
            | Fact::Edited { edit: Edit::Result { .. } | Edit::Forget { .. } } => {}
        }
    }

    fn begin(&mut self, fact: usize, began_ms: u64, work: Work) {
        self.entries.push(Entry { fact, began_ms, took: Took::UnderWay, work });
    }

    fn end_call(&mut self, at_ms: u64, first_byte: Option<u64>, ended: ModelEnd) {
        if let Some(Entry { began_ms, took: took @ Took::UnderWay, work: Work::Model(call), .. }) =
            self.entries.last_mut()
        {
            *took = Took::Ms(at_ms.saturating_sub(*began_ms));
            call.first_byte_ms = first_byte;
            call.end = Some(ended);
        }
    }

    /// What is under way ends now, without an end of its own.
    fn end(&mut self, at_ms: u64) {
        if let Some(entry) = self.cut() {
            entry.took = Took::Ms(at_ms.saturating_sub(entry.began_ms));
        }
    }

    /// What is under way is over, and nobody knows since when.
    fn lose(&mut self) {
        if let Some(entry) = self.cut() {
            entry.took = Took::Unknown;
        }
    }

    fn cut(&mut self) -> Option<&mut Entry> {
        let entry = self.entries.last_mut().filter(|entry| entry.took == Took::UnderWay)?;
        if let Work::Model(call) = &mut entry.work {
            call.end = Some(ModelEnd::Cut);
        }
        Some(entry)
    }
}

/// The calls of these blocks by their keys, as the fold names them: one keeps its key if that is of a fact in `known`, and
/// is new otherwise.
fn calls(number: usize, known: Range<usize>, blocks: &[Block]) -> impl Iterator<Item = (CallKey, String, String)> {
    let mut fresh = (0..).map(move |index| CallKey { fact: number, index });
    let calls = blocks.iter().filter_map(|block| match block {
        Block::ToolUse(call) => Some(call),
        Block::Text { .. } | Block::Thinking { .. } | Block::ToolResult(_) | Block::Opaque { .. } => None,
    });
    calls.map(move |call| {
        let key = if known.contains(&call.key.fact) { Some(call.key) } else { fresh.next() };
        (key.unwrap_or(call.key), call.name.clone(), call.arguments.clone())
    })
}

/// What a run is named by.
fn named_by(arguments: &str) -> String {
    let parsed = parse_arguments(arguments).ok();
    let command = parsed.as_ref().and_then(|parsed| parsed.get("command")).and_then(|command| command.as_str());
    command.unwrap_or(arguments).chars().take(NAMED_BY).collect()
}
