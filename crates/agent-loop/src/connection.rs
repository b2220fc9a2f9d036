//! Whether an endpoint can be used, tried out: a tiny answer first, then one call with its result fed back. And which
//! models it lists.
//!
//! It is the loop itself that tries, over the same transport and decoders, in sessions of its own that nobody keeps. What
//! they record is read as three findings, each with the likely cause where it failed. The reading is pure.

mod cards;
mod cause;
mod listing;
mod reading;

use std::rc::Rc;

use crate::connection::cards::{Cards, Unseen};
use crate::env::{Clock, Endpoint, Env};
use crate::fact::Fact;
use crate::session::Session;
use crate::settings::{Limits, OfferTools, RunTools, Settings};
use crate::stop::Stop;
use crate::tool::{Blacklist, WordingSet};
use crate::transport::Transport;
use crate::wire::Quirk;
use crate::{agent_loop, run_one_turn};

pub use cause::Cause;
pub use listing::list_models;

/// What a connection is tried with: what a run would have.
pub struct Trial<'a> {
    /// The knobs: the endpoint, its model and its limits count.
    pub settings: &'a Settings,
    /// What has been learnt about the endpoint before.
    pub known: &'a [Quirk],
    /// What carries the requests.
    pub transport: &'a dyn Transport,
    /// Whether somebody else calls the endpoint for the page.
    pub way: Way,
    /// The key.
    pub endpoint: &'a Endpoint,
    /// Time.
    pub clock: &'a dyn Clock,
    /// Pressed when a person has seen enough.
    pub stop: Stop,
}

/// By which way requests go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The page calls the endpoint.
    Straight,
    /// The bridge does, for the page.
    Relayed,
}

/// What has been found of a connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Whether it answers.
    pub answers: Finding,
    /// Whether it calls a tool when it is asked to.
    pub calls_tools: Finding,
    /// Whether it reads what a tool gave.
    pub understands: Finding,
    /// What was learnt about the endpoint on the way.
    pub learnt: Vec<Quirk>,
}

/// One of the three.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Finding {
    /// It has not been tried.
    #[default]
    Untried,
    /// It is being tried.
    UnderWay,
    /// It does.
    Passed,
    /// It does not.
    Failed {
        /// The likely cause.
        cause: Cause,
        /// What the endpoint said, or the browser; may be empty.
        said: String,
    },
}

/// Tries the connection and tells the report whenever it has grown. Pressing stop ends it where it is.
pub async fn try_connection(trial: &Trial<'_>, tell: &dyn Fn(&Report)) -> Report {
    let mut report = Report { answers: Finding::UnderWay, ..Report::default() };
    tell(&report);
    let seen = Unseen::default();
    let cards = Cards::new(trial.clock);
    let env = Env {
        transport: trial.transport,
        endpoint: trial.endpoint,
        host: &cards,
        gate: &cards,
        clock: trial.clock,
        stop: trial.stop.clone(),
        live: &seen,
    };

    let session = begun(trial, &[], OfferTools::Off, "Answer with the word ready, and nothing else.");
    agent_loop(&session, &env).await;
    report.answers = reading::answers(trial, &session, &seen.beginning());
    report.learnt = learnt(&session, 0);
    if report.answers != Finding::Passed {
        tell(&report);
        return report;
    }

    report.calls_tools = Finding::UnderWay;
    tell(&report);
    let session = begun(trial, &report.learnt, OfferTools::Host, cards::REQUEST);
    let goes_on = run_one_turn(&session, &env).await;
    report.calls_tools = reading::calls_tools(trial, &session, &seen.beginning());
    if goes_on && report.calls_tools == Finding::Passed {
        report.understands = Finding::UnderWay;
        tell(&report);
        run_one_turn(&session, &env).await;
        report.understands = reading::understands(trial, &session, &cards.word, &seen.beginning());
    }
    let before = report.learnt.len();
    report.learnt.extend(learnt(&session, trial.known.len() + before));
    tell(&report);
    report
}

/// A session of the trial's own, in which a person has just said this.
fn begun(trial: &Trial<'_>, learnt: &[Quirk], offer_tools: OfferTools, text: &str) -> Session {
    let settings = Settings {
        system: String::new(),
        // Enough for a model that thinks before so short an answer.
        max_tokens: trial.settings.max_tokens.map(|limit| limit.min(2_048)),
        stop_sequences: Vec::new(),
        offer_tools,
        pinned_tools: Vec::new(),
        run_tools: RunTools::Loop,
        limits: Limits {
            model_calls: 2,
            retries: 0,
            first_byte_ms: trial.settings.limits.first_byte_ms,
            idle_ms: trial.settings.limits.idle_ms,
            ..Limits::default()
        },
        price: None,
        output: WordingSet::Default.output_rule(),
        // A lesson's: an endpoint that is tried out is never told to go on.
        wording: WordingSet::MessagesLesson,
        blacklist: Blacklist::Off,
        ..trial.settings.clone()
    };
    let base_url = settings.base_url.clone();
    let session = Session::new(trial.clock.now_ms());
    let record = |fact| session.record(trial.clock.now_ms(), fact);
    record(Fact::Configured { settings: Rc::new(settings) });
    for quirk in trial.known.iter().chain(learnt) {
        record(Fact::Learnt { base_url: base_url.clone(), quirk: *quirk });
    }
    record(Fact::Said { text: text.to_owned() });
    session
}

/// What a session learnt after what it knew to begin with.
fn learnt(session: &Session, known: usize) -> Vec<Quirk> {
    session.state().quirks().into_iter().skip(known).collect()
}
