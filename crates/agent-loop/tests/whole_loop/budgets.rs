//! What one user message may cost, the same call over and over, and a context window that is nearly full: each rests for
//! a reason of its own, and a person lets it go on.

use std::rc::Rc;

use agent_loop::message::{Answer, Usage};
use agent_loop::settings::{Budget, Currency, Price};
use agent_loop::state::{shorter_results, whole_exchanges};
use agent_loop::{Block, Context, Dialect, Edit, Fact, Rest, Session, Settings, Step, StopReason, ToolCall};

use crate::script::{Reply, bash, call, text};
use crate::world::{BOTH, World, noted, settings};

/// The rest of this script under these knobs, and then what follows after each of these facts.
#[track_caller]
fn check(replies: &[Reply], set: impl Fn(&mut Settings), rests: &[Rest], between: &[Fact]) {
    for dialect in BOTH {
        let world = World::new(dialect, replies.to_vec());
        let mut knobs = settings(dialect);
        set(&mut knobs);
        let session = world.session(knobs);
        let mut found = vec![world.run(&session)];
        for fact in between {
            session.record(world.now_ms.get(), fact.clone());
            session.record(world.now_ms.get(), Fact::Resumed);
            found.push(world.run(&session));
        }
        assert_eq!(found, rests, "{dialect:?}");
    }
}

fn more(budget: Budget) -> Fact {
    Fact::Raised { by: budget }
}

#[test]
fn a_budget_of_tokens_ends_before_the_next_model_call_and_can_be_raised() {
    // Each scripted answer tells 10 tokens in and 5 out.
    let tokens = |tokens| Budget { tokens: Some(tokens), ..Budget::default() };
    let set = |knobs: &mut Settings| knobs.limits.budget = tokens(16);
    let script = [bash(&["a"]), bash(&["b"]), bash(&["c"]), text("done")];
    check(&script, set, &[Rest::TokenBudget(16), Rest::TokenBudget(16)], &[Fact::Resumed]);
    check(&script, set, &[Rest::TokenBudget(16), Rest::EndTurn], &[more(tokens(16))]);
    check(&script, set, &[Rest::TokenBudget(16), Rest::TokenBudget(44)], &[more(tokens(14))]);
}

/// What Run allows at this rest, and where it rests after that.
#[track_caller]
fn check_again(set: impl Fn(&mut Settings), expected: Fact, then: Rest) {
    let world = World::new(Dialect::Anthropic, [bash(&["a"]), bash(&["b"]), text("done")]);
    let mut knobs = settings(Dialect::Anthropic);
    set(&mut knobs);
    let session = world.session(knobs);
    world.run(&session);
    assert_eq!(session.state().as_much_again(), Some(expected.clone()));
    session.record(1, expected);
    assert_eq!(session.state().as_much_again(), None, "allowed already");
    session.record(1, Fact::Resumed);
    assert_eq!(world.run(&session), then);
}

#[test]
fn run_allows_as_much_again() {
    let tokens = |tokens| Budget { tokens: Some(tokens), ..Budget::default() };
    check_again(|knobs| knobs.limits.budget = tokens(5), more(tokens(5)), Rest::TokenBudget(20));
    check_again(|knobs| knobs.limits.budget = tokens(0), more(tokens(1)), Rest::TokenBudget(1));
    check_again(|knobs| knobs.limits.model_calls = 1, Fact::Extended { model_calls: 1 }, Rest::TurnLimit(2));
    let ms = Budget { time_ms: Some(0), ..Budget::default() };
    let more_ms = Budget { time_ms: Some(1), ..Budget::default() };
    check_again(|knobs| knobs.limits.budget = ms, more(more_ms), Rest::TimeBudget(1));
}

#[test]
fn a_budget_of_money_counts_by_the_price_and_not_without_one() {
    let money = |money| Budget { money: Some(money), ..Budget::default() };
    let script = [bash(&["a"]), text("done")];
    let price = Price { input: 1_000_000, output: 2_000_000, ..Price::default() };
    let priced = |knobs: &mut Settings| {
        knobs.limits.budget = money(20);
        knobs.price = Some(price);
    };
    check(&script, priced, &[Rest::MoneyBudget(20), Rest::EndTurn], &[more(money(100))]);
    check(&script, |knobs| knobs.limits.budget = money(0), &[Rest::MoneyBudget(0)], &[]);
    check(&script, |knobs| knobs.limits.budget = money(1), &[Rest::EndTurn], &[]);
}

#[test]
fn a_price_knows_the_cache() {
    let check = |usage: [u64; 4], cache: [Option<u64>; 2], expected: u64| {
        let [input, output, read, written] = usage;
        let usage = Usage {
            input_tokens: Some(input),
            output_tokens: Some(output),
            cache_read_tokens: Some(read),
            cache_write_tokens: Some(written),
            ..Usage::default()
        };
        let price = Price {
            input: 3_000_000,
            output: 15_000_000,
            cache_read: cache[0],
            cache_write: cache[1],
            currency: Currency::Usd,
        };
        assert_eq!(price.of(&usage), expected);
    };
    check([1000, 100, 0, 0], [None, None], 4500);
    check([1000, 0, 800, 100], [Some(300_000), Some(3_750_000)], 300 + 240 + 375);
    check([1000, 0, 800, 100], [None, None], 3000);
    check([1, 0, 1, 0], [Some(1), None], 1);
    check([u64::MAX, u64::MAX, 0, 0], [None, None], u64::MAX);
}

#[test]
fn a_budget_of_time_counts_work_and_no_wait_for_a_person() {
    let session = |budget_ms: u64| {
        let mut knobs = settings(Dialect::Anthropic);
        knobs.limits.budget = Budget { time_ms: Some(budget_ms), ..Budget::default() };
        let session = Session::new(0);
        session.record(0, Fact::Configured { settings: Rc::new(knobs) });
        session.record(0, Fact::Said { text: "go".into() });
        session
    };
    let turn = |session: &Session, at: [u64; 5]| {
        let [called, answered, ruled, started, ended] = at;
        session.record(called, Fact::Prepared { repairs: Vec::new() });
        session.record(called, Fact::Called { bytes: 1 });
        let fact = session.len();
        let key = agent_loop::CallKey { fact, index: 0 };
        session.record(answered, asks(format!("{fact}")));
        session.record(ruled, Fact::Ruled { call: key, ruling: agent_loop::Ruling::Run });
        session.record(started, Fact::ToolStarted { call: key, run_id: "r".into(), host: "h".into() });
        let result = agent_loop::tool::WordingSet::Default.closing_result(key, agent_loop::Outcome::Unknown);
        session.record(ended, Fact::ToolEnded { result });
        session.record(ended, Fact::WroteBack);
    };
    // 100 for the answer, 50 for the tool; the person took 10 000.
    let patient = session(151);
    turn(&patient, [1_000, 1_100, 11_100, 11_100, 11_150]);
    assert_eq!((patient.state().spent.time_ms, patient.state().next_step()), (150, Step::Prepare));
    let over = session(150);
    turn(&over, [1_000, 1_100, 11_100, 11_100, 11_150]);
    assert_eq!(over.state().next_step(), Step::Rest(Rest::TimeBudget(150)));
    // A clock that was set back takes nothing away.
    turn(&patient, [5_000, 4_000, 4_000, 4_000, 4_000]);
    assert_eq!(patient.state().spent.time_ms, 150);

    let closed = session(1_000);
    closed.record(0, Fact::Prepared { repairs: Vec::new() });
    closed.record(0, Fact::Called { bytes: 1 });
    closed.record(90_000, Fact::Interrupted { draft: Vec::new() });
    closed.record(90_000, Fact::Resumed);
    assert_eq!((closed.state().spent.time_ms, closed.state().next_step()), (0, Step::Prepare));
}

fn asks(command: String) -> Fact {
    let call = ToolCall {
        key: agent_loop::CallKey { fact: 0, index: 0 },
        id: "i".into(),
        name: "bash".into(),
        arguments: serde_json::json!({ "command": command }).to_string(),
        extra: None,
        original_arguments: None,
    };
    let answer = Answer {
        blocks: vec![Block::ToolUse(call)],
        stop_reason: StopReason::ToolUse,
        stop_details: None,
        usage: Usage::default(),
        model: "m".into(),
        id: "a".into(),
        duration_ms: 1,
        first_byte_ms: None,
    };
    Fact::Answered { answer }
}

#[test]
fn the_same_call_warns_at_three_and_pauses_at_five() {
    let again = || call("bash", r#"{"command":"a"}"#);
    let blanks = || call("bash", r#"{ "command" : "a" }"#);
    let script = [again(), blanks(), again(), blanks(), again(), again(), text("done")];
    check(&script, |_| {}, &[Rest::SameCall(5), Rest::EndTurn], &[Fact::Resumed]);
    check(&script, |knobs| knobs.limits.same_calls = 0, &[Rest::EndTurn], &[]);
    let other = [again(), again(), again(), again(), bash(&["b"]), again(), text("done")];
    check(&other, |_| {}, &[Rest::EndTurn], &[]);
    // It pauses before any of the calls of that answer runs.
    let world = World::new(Dialect::OpenAi, [bash(&["a", "a", "a", "a", "a"])]);
    assert_eq!(world.run(&world.session(settings(Dialect::OpenAi))), Rest::SameCall(5));
    assert!(world.ran.borrow().is_empty());

    let world = World::new(Dialect::Anthropic, [again(), again(), bash(&["b"]), text("done")]);
    let session = world.session(settings(Dialect::Anthropic));
    assert_eq!(world.run(&session), Rest::EndTurn);
    let told: Vec<Option<u32>> = (0..session.len()).map(|n| session.at(n).spent.same_call()).collect();
    assert_eq!(told.iter().flatten().count(), 0, "twice is not worth a word");
    let world = World::new(Dialect::Anthropic, [again(), again(), again(), text("done")]);
    let session = world.session(settings(Dialect::Anthropic));
    assert_eq!((world.run(&session), session.state().spent.same_call()), (Rest::EndTurn, Some(3)));
}

#[test]
fn a_nearly_full_window_rests_and_what_is_sent_can_be_made_less() {
    let session = Session::new(0);
    let mut knobs = settings(Dialect::Anthropic);
    knobs.limits.context_window = Some(1_000);
    session.record(0, Fact::Configured { settings: Rc::new(knobs) });
    let word = |text: &str| Fact::Said { text: text.into() };
    let answer = |tokens: u64| {
        let usage = Usage { input_tokens: Some(tokens), output_tokens: Some(0), ..Usage::default() };
        let blocks = vec![Block::Text { text: "ok".into() }];
        let (stop_details, model, id) = (None, "m".into(), "a".into());
        let answer = Answer {
            blocks,
            stop_reason: StopReason::EndTurn,
            stop_details,
            usage,
            model,
            id,
            duration_ms: 1,
            first_byte_ms: None,
        };
        [Fact::Prepared { repairs: Vec::new() }, Fact::Called { bytes: 1 }, Fact::Answered { answer }]
    };
    session.record(0, word("one"));
    answer(899).into_iter().for_each(|fact| session.record(0, fact));
    session.record(0, word(&"x".repeat(3)));
    let full = |used| Step::Rest(Rest::ContextNearlyFull(Context { used, window: 1_000 }));
    assert_eq!(session.state().next_step(), full(900));

    // On all the same, until it is no longer nearly full.
    let on = session.fork(usize::MAX, 0);
    on.record(0, Fact::Resumed);
    assert_eq!(on.state().next_step(), Step::Prepare);
    answer(990).into_iter().for_each(|fact| on.record(0, fact));
    on.record(0, word("more"));
    assert_eq!(on.state().next_step(), Step::Prepare);

    // Without the oldest exchange; the rest stays whole and what is gone can be read.
    assert_eq!(whole_exchanges(&session.state().messages), [2]);
    for (count, left, kept) in [(1, 3, 0), (3, 3, 0), (2, 1, 2)] {
        let fork = session.fork(usize::MAX, 0);
        fork.record(0, Fact::Edited { edit: Edit::Forget { messages: count } });
        assert_eq!((fork.state().messages.len(), fork.state().forgotten.len()), (left, kept), "{count}");
        fork.record(0, Fact::Resumed);
        assert_eq!(fork.state().next_step(), Step::Prepare);
    }
}

#[test]
fn long_results_are_shortened_and_keep_their_originals() {
    let long = "é".repeat(1_000);
    let world = World::new(Dialect::Anthropic, [bash(&[&long]), bash(&["b"]), bash(&["c"]), text("done")]);
    let session = world.session(settings(Dialect::Anthropic));
    world.run(&session);
    let before = noted(&session.state());
    let edits = shorter_results(&session.state().messages);
    assert_eq!(edits.len(), 1);
    edits.into_iter().for_each(|edit| session.record(9, Fact::Edited { edit }));
    let state = session.state();
    let result = state.messages[2].tool_results().next().unwrap();
    let original = result.original_content.as_ref().unwrap();
    let characters: Vec<char> = original.chars().collect();
    let ends: [String; 2] = [characters[..300].iter().collect(), characters[characters.len() - 300..].iter().collect()];
    let left_out = characters.len() - 600;
    assert_eq!(result.content, format!("{}\n[… {left_out} characters left out …]\n{}", ends[0], ends[1]));
    assert_eq!(format!("user: [{original}]"), before[2]);
    assert!(state.messages[2].original.is_some());
    assert_eq!(shorter_results(&state.messages), [], "once is enough");
}
