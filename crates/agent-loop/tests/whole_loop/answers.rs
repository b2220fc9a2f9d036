//! How an answer can arrive: what a transport may do, what it may not, and how long it is waited for.

use agent_loop::transport::{Reply as Part, TransportError};
use agent_loop::{Dialect, Endpoint, FailureKind, Rest, Secret, agent_loop};
use serde_json::json;

use crate::script::{Reply, Says, stream, text};
use crate::world::{BOTH, World, noted, settings};

fn head(status: u16) -> Result<Part, TransportError> {
    Ok(Part::Head { status, headers: vec![("content-type".into(), "text/event-stream".into())] })
}

fn bytes(bytes: Vec<u8>) -> Result<Part, TransportError> {
    Ok(Part::Bytes(bytes))
}

/// The answer "hello" whole, up to where its end has been told, and up to before that.
fn hello(dialect: Dialect) -> [Vec<u8>; 3] {
    let whole = stream(dialect, 0, &Says { text: "hello".into(), ..Says::default() });
    let told = String::from_utf8(whole.clone()).unwrap();
    let (end, last) = match dialect {
        Dialect::Anthropic => ("event: message_stop", "event: message_delta"),
        Dialect::OpenAi => (
            "data: [DONE]",
            "data: {\"id\":\"chatcmpl-0\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},",
        ),
    };
    let upto = |mark: &str| told.as_bytes()[..told.find(mark).unwrap()].to_vec();
    [whole, upto(end), upto(last)]
}

/// One attempt with these parts: the answer that was saved, or the kind of failure.
#[track_caller]
fn check(parts: impl Fn(Dialect) -> Vec<Result<Part, TransportError>>, expected: Result<&str, FailureKind>) {
    for dialect in BOTH {
        let world = World::new(dialect, [Reply::Raw(parts(dialect))]);
        let mut knobs = settings(dialect);
        knobs.limits.retries = 0;
        let session = world.session(knobs);
        let found = match world.run(&session) {
            Rest::Failed(failure) => Err(failure.kind),
            _ => Ok(noted(&session.state())[1].clone()),
        };
        assert_eq!(found, expected.map(|text| format!("assistant: {text}")), "{dialect:?}");
    }
}

#[test]
fn an_answer_is_one_head_and_its_bytes() {
    check(|dialect| vec![head(200), bytes(hello(dialect)[0].clone())], Ok("hello"));
    check(|dialect| vec![head(200), bytes(Vec::new()), bytes(hello(dialect)[0].clone())], Ok("hello"));
    check(|dialect| vec![head(103), head(200), bytes(hello(dialect)[0].clone())], Ok("hello"));
    check(|_| Vec::new(), Err(FailureKind::Incomplete));
    check(|_| vec![head(200)], Err(FailureKind::Incomplete));
    check(|dialect| vec![bytes(hello(dialect)[0].clone()), head(200)], Err(FailureKind::Incomplete));
    check(
        |dialect| vec![head(200), bytes(hello(dialect)[2].clone()), head(200), bytes(hello(dialect)[0].clone())],
        Err(FailureKind::Incomplete),
    );
    check(|_| vec![head(500), head(200)], Err(FailureKind::Incomplete));
}

#[test]
fn what_goes_wrong_after_the_end_takes_nothing_away() {
    let broken = || Err(TransportError::Broken("reset".into()));
    let late = || bytes(b"data: {\"error\":{\"message\":\"too late\"}}\n\n".to_vec());
    check(|dialect| vec![head(200), bytes(hello(dialect)[0].clone()), broken()], Ok("hello"));
    check(|dialect| vec![head(200), bytes(hello(dialect)[1].clone()), broken()], Ok("hello"));
    check(|dialect| vec![head(200), bytes(hello(dialect)[1].clone()), late()], Ok("hello"));
    check(|dialect| vec![head(200), bytes(hello(dialect)[2].clone()), broken()], Err(FailureKind::Incomplete));
    check(|dialect| vec![head(200), bytes(hello(dialect)[2].clone()), late()], Err(FailureKind::Server));
}

/// What the endpoint asks to wait, and the waits before the attempts that follow. With none it rests as failed.
#[track_caller]
fn check_wait(retry_after: &str, waited: Option<u64>) {
    for dialect in BOTH {
        let body = json!({"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}}).to_string();
        let headers = vec![("retry-after".to_owned(), retry_after.to_owned())];
        let refusal = Reply::Raw(vec![Ok(Part::Head { status: 429, headers }), bytes(body.into_bytes())]);
        let world = World::new(dialect, [refusal, text("done")]);
        let session = world.session(settings(dialect));
        let began_ms = world.now_ms.get();
        let rest = world.run(&session);
        match waited {
            Some(wait_ms) => {
                let took_ms = world.now_ms.get() - began_ms;
                assert_eq!(rest, Rest::EndTurn, "{dialect:?}");
                assert!((wait_ms..wait_ms + 100).contains(&took_ms), "{dialect:?}: {took_ms}");
            }
            None => assert!(matches!(rest, Rest::Failed(_)) && world.sent.borrow().len() == 1, "{dialect:?}: {rest:?}"),
        }
    }
}

#[test]
fn a_wait_that_is_asked_for_is_waited_and_a_long_one_is_told() {
    // One second and a little more, by a chance that is the same in every test.
    check_wait("", Some(1_000));
    check_wait("7", Some(7_000));
    check_wait("120", Some(120_000));
    check_wait("121", None);
    check_wait("3600", None);
    check_wait("1e30", None);
}

#[test]
fn the_first_byte_is_waited_for_longer_than_the_next() {
    #[track_caller]
    fn check(parts: impl Fn(Dialect) -> Vec<Result<Part, TransportError>>, kind: FailureKind, message: &str) {
        for dialect in BOTH {
            let world = World::new(dialect, [Reply::Silent(parts(dialect))]);
            let session = world.session(settings(dialect));
            let Rest::Failed(failure) = world.run(&session) else { panic!("{dialect:?}: it did not fail") };
            assert_eq!((failure.kind, failure.message.as_str()), (kind, message), "{dialect:?}");
        }
    }
    check(|_| Vec::new(), FailureKind::NotBegun, "300000 ms");
    check(|_| vec![head(200)], FailureKind::NotBegun, "300000 ms");
    check(|_| vec![head(200), bytes(Vec::new())], FailureKind::NotBegun, "300000 ms");
    check(|_| vec![head(200), bytes(b": waiting\n\n".to_vec())], FailureKind::Stalled, "120000 ms");
    check(|dialect| vec![head(200), bytes(hello(dialect)[2].clone())], FailureKind::Stalled, "120000 ms");
}

#[test]
fn a_key_that_an_endpoint_quotes_is_not_kept() {
    for dialect in BOTH {
        let world = World::new(dialect, [Reply::Refuses(401, "no such key: sk-secret-123!")]);
        let session = world.session(settings(dialect));
        let endpoint = Endpoint { key: Some(Secret::new(" sk-secret-123 ")) };
        futures_executor::block_on(agent_loop(&session, &world.env(&endpoint)));
        let kept: Vec<String> =
            session.facts().iter().map(|fact| serde_json::to_string(&**fact).unwrap() + &format!("{fact:?}")).collect();
        assert!(!kept.concat().contains("sk-secret"), "{dialect:?}: {kept:?}");
        let Rest::Failed(failure) = world.run(&session) else { panic!("{dialect:?}: it did not fail") };
        assert_eq!(failure.message, "no such key: (the key)!");
    }
}

/// An endpoint may nest what it sends as deep as JSON is read, and the session can still be opened.
#[test]
fn what_was_answered_can_always_be_opened_again() {
    for levels in (1..140).step_by(3).chain(120..130) {
        let deep = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        let anthropic = format!(
            "{{\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"id\":\"a\",\"content\":[\
             {{\"type\":\"text\",\"text\":\"hello\"}},{{\"type\":\"odd\",\"deep\":{deep}}}],\
             \"stop_reason\":\"end_turn\",\"stop_details\":{deep},\"usage\":{{}}}}"
        );
        let openai = format!(
            "{{\"object\":\"chat.completion\",\"model\":\"m\",\"id\":\"a\",\"choices\":[{{\"index\":0,\
             \"finish_reason\":\"stop\",\"message\":{{\"role\":\"assistant\",\"content\":\"hello\",\
             \"reasoning_details\":{deep}}}}}]}}"
        );
        for (dialect, body) in [(Dialect::Anthropic, anthropic), (Dialect::OpenAi, openai)] {
            let world = World::new(dialect, [Reply::Raw(vec![head(200), bytes(body.into_bytes())])]);
            let session = world.session(settings(dialect));
            world.run(&session);
            for fact in session.facts() {
                let stored = serde_json::to_string(&*fact).unwrap();
                let read: Result<agent_loop::Sealed, _> = serde_json::from_str(&stored);
                assert!(read.is_ok(), "{dialect:?}, {levels} levels: {}", read.unwrap_err());
            }
        }
    }
}
