//! What a refusal teaches: the request is sent again as the endpoint wants it, once, and so is every later one.

use agent_loop::settings::{CallIdShape, EmptyContent, ReasoningSent, RoleOrder, SystemPlace, TokenLimitName};
use agent_loop::transport::Reply as Part;
use agent_loop::wire::Quirk;
use agent_loop::{Dialect, Fact, FailureKind, Profile, Rest, Settings, Stop};
use serde_json::Value;

use crate::script::{Reply, bash, text};
use crate::world::{World, noted, settings};

fn refusal(status: u16, message: &str) -> Reply {
    let body = serde_json::json!({"error": {"message": message, "type": "invalid_request_error"}}).to_string();
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Reply::Raw(vec![Ok(Part::Head { status, headers }), Ok(Part::Bytes(body.into_bytes()))])
}

fn knobs(dialect: Dialect) -> Settings {
    let profile = Profile { stream_usage: dialect == Dialect::OpenAi, ..Profile::new("test", dialect) };
    Settings { profile, stop_sequences: vec!["END".into()], max_tokens: Some(8000), ..settings(dialect) }
}

fn learnt(session: &agent_loop::Session) -> Vec<Quirk> {
    let quirk = |sealed: &std::rc::Rc<agent_loop::Sealed>| match &sealed.fact {
        Fact::Learnt { quirk, .. } => Some(*quirk),
        _ => None,
    };
    session.facts().iter().filter_map(quirk).collect()
}

/// After a call with its result, the endpoint refuses in these words, one after another; then it answers.
#[track_caller]
fn check(dialect: Dialect, refusals: &[&str], expected: &[Quirk]) {
    let mut replies = vec![bash(&["a"])];
    replies.extend(refusals.iter().map(|message| refusal(400, message)));
    replies.push(text("done"));
    let world = World::new(dialect, replies);
    let session = world.session(knobs(dialect));
    assert_eq!(world.run(&session), Rest::EndTurn, "{refusals:?}");
    assert_eq!(learnt(&session), expected, "{refusals:?}");
    assert_eq!(world.ran.borrow().len(), 1, "nothing is run twice");
    let bodies = world.sent.borrow().iter().map(|request| request.body.clone()).collect::<Vec<_>>();
    assert!(bodies.windows(2).all(|pair| pair[0] != pair[1]), "no request is sent twice: {refusals:?}");

    // Remembered: the next question is asked as it was learnt, and the fold of the stored log knows it too.
    world.replies.borrow_mut().push_back(text("again"));
    session.record(90, Fact::Said { text: "more".into() });
    assert_eq!(world.run(&session), Rest::EndTurn);
    assert_eq!(learnt(&session), expected);
    assert_eq!(session.state().quirks(), expected);
    assert_eq!(agent_loop::LoopState::fold(&session.facts()), *session.state());
}

#[test]
fn o20_the_name_of_the_limit_is_flipped_once_and_then_left_out() {
    let new = Quirk::TokenLimit(TokenLimitName::MaxCompletionTokens);
    let none = Quirk::TokenLimit(TokenLimitName::Omitted);
    let openai =
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    check(Dialect::OpenAi, &[openai], &[new]);
    let strict = "[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens'), 'msg': 'Extra inputs are not permitted'}]";
    check(Dialect::OpenAi, &[openai, strict], &[new, none]);
    check(Dialect::OpenAi, &["property 'max_tokens' is unsupported"], &[new]);
    check(Dialect::OpenAi, &["Unrecognized request argument supplied: max_tokens"], &[new]);
}

#[test]
fn a_limit_that_is_too_high_is_lowered() {
    let cap = |cap| [Quirk::TokenCap(cap)];
    let check = |message: &str, expected| {
        for dialect in [Dialect::Anthropic, Dialect::OpenAi] {
            check(dialect, &[message], &cap(expected));
        }
    };
    check(
        "max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens for claude-3-opus-20240229",
        4096,
    );
    check("Invalid max_tokens value, the valid range of max_tokens is [1, 2048]", 2048);
    check("max_tokens is too large: 8000. This model supports at most 4096 completion tokens.", 4096);
    check("`max_tokens` must be less than or equal to `1024`, the maximum value for this model", 1024);
    check("Range of max_tokens should be [1, 6144]", 6144);
    // A window that has to hold both.
    check("input length and `max_tokens` exceed context limit: 196000 + 8000 > 200000, decrease input length", 867);
    check(
        "This model's maximum context length is 8192 tokens. However, you requested 8192 tokens (192 in the messages, 8000 in the completion).",
        7864,
    );
    check(
        "'max_tokens' is too large: 8000. This model's maximum context length is 4096 tokens and your request has 120 input tokens (8000 > 4096 - 120).",
        3904,
    );
}

#[test]
fn o19_parameters_that_are_refused_are_left_out() {
    check(Dialect::OpenAi, &["Unknown parameter: 'stream_options'."], &[Quirk::NoStreamUsage]);
    check(Dialect::OpenAi, &["stream_options: Extra inputs are not permitted"], &[Quirk::NoStreamUsage]);
    check(Dialect::OpenAi, &["Unsupported parameter: 'stop' is not supported with this model."], &[Quirk::NoStop]);
    check(Dialect::Anthropic, &["stop_sequences: Extra inputs are not permitted"], &[Quirk::NoStop]);
    check(
        Dialect::OpenAi,
        &["System role not supported (Jinja Exception)"],
        &[Quirk::SystemPlace(SystemPlace::FirstExchange)],
    );
    check(
        Dialect::OpenAi,
        &["Developer instruction is not enabled for models/gemma-3-27b-it"],
        &[Quirk::SystemPlace(SystemPlace::FirstExchange)],
    );
}

#[test]
fn o34_the_content_of_an_answer_without_words_is_tried_in_each_form() {
    let [empty, omitted] = [EmptyContent::EmptyString, EmptyContent::Omitted].map(Quirk::EmptyContent);
    check(Dialect::OpenAi, &["messages.2.content: Input should be a valid string"], &[empty]);
    check(
        Dialect::OpenAi,
        &["'content' is a required property and cannot be null", "content must not be empty"],
        &[empty, omitted],
    );
}

#[test]
fn o47_strict_endpoints_get_their_roles_and_ids() {
    let nine = Quirk::CallIds(CallIdShape::NineCharacters);
    check(Dialect::OpenAi, &["Tool call id was call_0_0 but must be a-z, A-Z, 0-9, with a length of 9."], &[nine]);
    let order = Quirk::RoleOrder(RoleOrder::Alternating);
    let world = World::new(
        Dialect::OpenAi,
        [bash(&["a"]), Reply::Unreachable, refusal(400, "Unexpected role 'user' after role 'tool'"), text("done")],
    );
    let mut knobs = knobs(Dialect::OpenAi);
    knobs.limits.retries = 0;
    let session = world.session(knobs);
    assert!(matches!(world.run(&session), Rest::Failed(_)));
    session.record(9, Fact::Said { text: "go on".into() });
    assert_eq!(world.run(&session), Rest::EndTurn);
    assert_eq!(learnt(&session), [order]);
    let roles = |body: &[u8]| {
        let body: Value = serde_json::from_slice(body).unwrap();
        let rows = body["messages"].as_array().unwrap().iter().map(|row| row["role"].as_str().unwrap().to_owned());
        rows.collect::<Vec<_>>().join(" ")
    };
    let sent: Vec<String> = world.sent.borrow().iter().map(|request| roles(&request.body)).collect();
    assert_eq!(sent[2..], ["system user assistant tool user", "system user assistant tool assistant user"]);
}

#[test]
fn a24_a_turn_without_thinking_is_sent_with_thinking_off() {
    let off = Quirk::Reasoning(ReasoningSent::SwitchedOff);
    let expected = "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block";
    check(Dialect::Anthropic, &[expected], &[off]);
}

#[test]
fn o27_reasoning_is_echoed_where_it_is_wanted() {
    let deepseek = "The `reasoning_content` in the thinking mode must be passed back to the API.";
    check(Dialect::OpenAi, &[deepseek], &[Quirk::EchoReasoning]);
    check(
        Dialect::OpenAi,
        &["Missing `reasoning_content` field in the assistant message at index 2"],
        &[Quirk::EchoReasoning],
    );
}

#[test]
fn o26_a_second_empty_answer_is_asked_for_in_one_piece() {
    let empty = || Reply::Raw(vec![Ok(Part::Head { status: 200, headers: Vec::new() })]);
    let whole = r#"{"id":"c","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}]}"#;
    let answer = || {
        let head = Part::Head { status: 200, headers: Vec::new() };
        Reply::Raw(vec![Ok(head), Ok(Part::Bytes(whole.as_bytes().to_vec()))])
    };
    let check = |id: &str, expected: &[Quirk]| {
        let world = World::new(Dialect::OpenAi, [empty(), empty(), answer()]);
        let settings = knobs(Dialect::OpenAi);
        let profile = Profile { id: id.to_owned(), ..settings.profile.clone() };
        let session = world.session(Settings { profile, ..settings });
        assert_eq!(world.run(&session), Rest::EndTurn);
        assert_eq!(
            (learnt(&session), noted(&session.state())),
            (expected.to_vec(), vec!["user: go".into(), "assistant: hello".into()])
        );
    };
    check("custom-openai", &[Quirk::NoStream]);
    // What one script does teaches nothing about the others.
    check("practice-openai", &[]);
}

#[test]
fn what_teaches_nothing_is_told_and_not_tried_again() {
    #[track_caller]
    fn check(status: u16, message: &str, kind: FailureKind) {
        for dialect in [Dialect::Anthropic, Dialect::OpenAi] {
            let world = World::new(dialect, [refusal(status, message)]);
            let session = world.session(knobs(dialect));
            let Rest::Failed(failure) = world.run(&session) else { panic!("{dialect:?}: it did not fail") };
            assert_eq!((failure.kind, learnt(&session), world.sent.borrow().len()), (kind, vec![], 1), "{message}");
        }
    }
    check(400, "temperature: unsupported value", FailureKind::InvalidRequest);
    check(400, "tools.0.custom.name: String should match pattern", FailureKind::InvalidRequest);
    check(
        400,
        "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
        FailureKind::ContextOverflow,
    );
    check(400, "prompt is too long: 215000 tokens > 200000 maximum", FailureKind::ContextOverflow);
    check(401, "invalid max_tokens key", FailureKind::Authentication);
    // Nothing in the request has an empty content, so there is nothing to change.
    check(400, "content must not be null", FailureKind::InvalidRequest);
}

#[test]
fn a_retry_can_be_stopped_while_it_waits() {
    let world = World::new(Dialect::OpenAi, [refusal(400, "Unknown parameter: 'stream_options'.")]);
    let session = world.session(knobs(Dialect::OpenAi));
    let endpoint = agent_loop::Endpoint::default();
    let env = world.env(&endpoint);
    while !matches!(session.state().next_step(), agent_loop::Step::Wait(_)) {
        futures_executor::block_on(agent_loop::step(&session, &env));
    }
    world.stop.borrow().press();
    assert_eq!(world.run(&session), Rest::Stopped);
    *world.stop.borrow_mut() = Stop::new();
    world.replies.borrow_mut().push_back(text("done"));
    session.record(9, Fact::Resumed);
    assert_eq!(world.run(&session), Rest::EndTurn);
    assert_eq!(learnt(&session), [Quirk::NoStreamUsage]);
}
