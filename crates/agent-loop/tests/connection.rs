//! A connection that is tried: whatever the endpoint sends, the three findings say what it can do and what is likely wrong.
//! Each case is a file in `tests/connection`: what the endpoint answers, one request after another, and what is found.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use agent_loop::connection::{Finding, Report, Trial, Way, list_models, try_connection};
use agent_loop::settings::{Limits, OfferTools, RunTools};
use agent_loop::tool::{Blacklist, OutputRule, WordingSet};
use agent_loop::wire::{default_base_url, profiles};
use agent_loop::{Clock, Endpoint, FailureKind, HttpRequest, Reply, Secret, Settings, Stop, Transport, TransportError};
use futures_util::StreamExt;
use futures_util::future::LocalBoxFuture;
use futures_util::stream::{self, LocalBoxStream};
use serde::Deserialize;
use serde_json::Value;

/// One case.
#[derive(Deserialize)]
struct Case {
    profile: String,
    #[serde(default)]
    base_url: Option<String>,
    #[serde(default)]
    key: Option<String>,
    #[serde(default)]
    relayed: bool,
    replies: Vec<Told>,
    /// `answers`, `calls_tools`, `understands`: `untried`, `passed`, or the cause.
    found: [String; 3],
    #[serde(default)]
    said: Option<String>,
    /// What was learnt, as the log writes it.
    #[serde(default)]
    learnt: Vec<Value>,
}

/// What comes of one request.
#[derive(Deserialize, Clone)]
#[serde(rename_all = "snake_case")]
enum Told {
    Answer { status: u16, body: String },
    Unreachable(String),
    Silence,
}

/// An endpoint that answers from a list, and a clock that is never waited for.
struct World {
    replies: RefCell<VecDeque<Told>>,
    sent: RefCell<Vec<HttpRequest>>,
    now_ms: Rc<Cell<u64>>,
}

impl Transport for World {
    fn send(&self, request: &HttpRequest) -> LocalBoxStream<'static, Result<Reply, TransportError>> {
        self.sent.borrow_mut().push(request.clone());
        match self.replies.borrow_mut().pop_front() {
            Some(Told::Answer { status, body }) => {
                let head = Reply::Head { status, headers: Vec::new() };
                stream::iter([Ok(head), Ok(Reply::Bytes(body.into_bytes()))]).boxed_local()
            }
            Some(Told::Unreachable(why)) => stream::iter([Err(TransportError::Unreachable(why))]).boxed_local(),
            Some(Told::Silence) => stream::pending().boxed_local(),
            None => panic!("one request too many"),
        }
    }
}

impl Clock for World {
    fn now_ms(&self) -> u64 {
        self.now_ms.get()
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        let now_ms = Rc::clone(&self.now_ms);
        Box::pin(async move { now_ms.set(now_ms.get() + ms) })
    }

    fn fresh_id(&self) -> String {
        "4711ab99".to_owned()
    }
}

fn settings(profile: &str, base_url: Option<&str>) -> Settings {
    let profile = profiles().into_iter().find(|known| known.id == profile).unwrap();
    Settings {
        base_url: base_url.unwrap_or(default_base_url(&profile.id)).to_owned(),
        profile,
        model: "m".into(),
        system: "You are somebody.".into(),
        max_tokens: Some(8000),
        stop_sequences: vec!["END".into()],
        stream: true,
        offer_tools: OfferTools::Host,
        pinned_tools: Vec::new(),
        run_tools: RunTools::Never,
        limits: Limits { model_calls: 1, ..Limits::default() },
        price: None,
        output: OutputRule::default(),
        wording: WordingSet::ChatLesson,
        blacklist: Blacklist::Six,
    }
}

/// Tries it, and sees that each report says no less than the one before.
fn found(case: &Case, stop: &Stop) -> (Report, Vec<HttpRequest>) {
    let replies = RefCell::new(case.replies.iter().cloned().collect());
    let world = World { replies, sent: RefCell::default(), now_ms: Rc::new(Cell::new(1_000)) };
    let settings = settings(&case.profile, case.base_url.as_deref());
    let trial = Trial {
        settings: &settings,
        known: &[],
        transport: &world,
        way: if case.relayed { Way::Relayed } else { Way::Straight },
        endpoint: &Endpoint { key: case.key.clone().map(Secret::new) },
        clock: &world,
        stop: stop.clone(),
    };
    let told = RefCell::new(Vec::new());
    let report = futures_executor::block_on(try_connection(&trial, &|report| told.borrow_mut().push(report.clone())));
    let told = told.into_inner();
    assert_eq!(told.last(), Some(&report));
    let settled = |report: &Report| {
        let all = [&report.answers, &report.calls_tools, &report.understands];
        all.into_iter().filter(|finding| !matches!(finding, Finding::Untried | Finding::UnderWay)).count()
    };
    assert!(told.is_sorted_by_key(settled), "{told:?}");
    (report, world.sent.take())
}

fn name(finding: &Finding) -> String {
    match finding {
        Finding::Untried => "untried".to_owned(),
        Finding::UnderWay => "under way".to_owned(),
        Finding::Passed => "passed".to_owned(),
        Finding::Failed { cause, .. } => format!("{cause:?}"),
    }
}

#[test]
fn each_recorded_endpoint_is_found_out() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/connection");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 30, "{} cases", files.len());
    for file in files {
        let case: Case = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let (report, sent) = found(&case, &Stop::new());
        let all = [&report.answers, &report.calls_tools, &report.understands];
        assert_eq!(all.map(name), case.found, "{}", file.display());
        assert_eq!(sent.len(), case.replies.len(), "{}: requests", file.display());
        assert_eq!(serde_json::to_value(&report.learnt).unwrap(), Value::Array(case.learnt), "{}", file.display());
        let said = all
            .into_iter()
            .find_map(|it| if let Finding::Failed { said, .. } = it { Some(said.clone()) } else { None });
        assert_eq!(said, case.said, "{}", file.display());
    }
}

#[test]
fn a_trial_sends_nothing_of_the_session_and_stops_at_once() {
    let ready = r#"{"choices":[{"message":{"content":"ready"},"finish_reason":"stop"}]}"#;
    let answer = |body: &str| Told::Answer { status: 200, body: body.to_owned() };
    let case = |replies| Case {
        profile: "custom-openai".into(),
        base_url: Some("https://api.example.org/v1".into()),
        key: Some("sk-the-key".into()),
        relayed: false,
        replies,
        found: Default::default(),
        said: None,
        learnt: Vec::new(),
    };
    let (_, sent) = found(&case(vec![answer(ready), answer(ready)]), &Stop::new());
    let bodies: Vec<Value> = sent.iter().map(|request| serde_json::from_slice(&request.body).unwrap()).collect();
    for body in &bodies {
        assert_eq!(body["max_tokens"], 2048);
        assert!(body.get("stop").is_none());
        assert_eq!(body["messages"].as_array().unwrap().len(), 1, "{body}");
    }
    assert!(bodies[0].get("tools").is_none());
    assert_eq!(bodies[1]["tools"][0]["function"]["name"], "read_card");

    let stop = Stop::new();
    stop.press();
    let (report, sent) = found(&case(Vec::new()), &stop);
    assert_eq!(
        ([&report.answers, &report.calls_tools].map(name), sent.len()),
        (["untried", "untried"].map(String::from), 0)
    );
}

#[test]
fn the_models_of_an_endpoint_are_asked_for_by_get() {
    #[track_caller]
    fn check(profile: &str, told: Told, expected: Result<&[&str], (FailureKind, &str)>) -> HttpRequest {
        let world =
            World { replies: RefCell::new([told].into()), sent: RefCell::default(), now_ms: Rc::new(Cell::new(1_000)) };
        let trial = Trial {
            settings: &settings(profile, None),
            known: &[],
            transport: &world,
            way: Way::Straight,
            endpoint: &Endpoint { key: Some(Secret::new("sk-the-key")) },
            clock: &world,
            stop: Stop::new(),
        };
        let listed = futures_executor::block_on(list_models(&trial));
        let listed = listed.as_ref().map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
        let expected = expected.map(<[&str]>::to_vec);
        assert_eq!(listed.map_err(|failure| (failure.kind, failure.message.as_str())), expected);
        world.sent.take().remove(0)
    }
    let answer = |status, body: &str| Told::Answer { status, body: body.to_owned() };
    let list = r#"{"data":[{"id":"b"},{"id":"a"}]}"#;
    let request = check("anthropic", answer(200, list), Ok(&["b", "a"]));
    assert_eq!(request.url, "https://api.anthropic.com/v1/models?limit=1000");
    let names: Vec<&str> = request.headers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["anthropic-version", "anthropic-dangerous-direct-browser-access", "x-api-key"]);
    assert!(request.body.is_empty());
    let request = check("openai", answer(200, list), Ok(&["b", "a"]));
    assert_eq!(request.url, "https://api.openai.com/v1/models");
    let quoting = answer(401, r#"{"error":{"message":"Incorrect API key provided: sk-the-key"}}"#);
    let told = "Incorrect API key provided: (the key)";
    check("openai", quoting, Err((FailureKind::Authentication, told)));
    check("openai", answer(404, "<title>Not Found</title>"), Err((FailureKind::NotFound, "Not Found")));
    check("openai", answer(200, "<title>Hello</title>"), Err((FailureKind::NotThisDialect, "Hello")));
    check(
        "openai",
        Told::Unreachable("Failed to fetch".to_owned()),
        Err((FailureKind::Unreachable, "Failed to fetch")),
    );
    check("openai", Told::Silence, Err((FailureKind::NotBegun, "20000 ms")));
}
