//! What a session took, from its facts.

use std::rc::Rc;

use agent_loop::ledger::{Entry, Ledger, ModelEnd, Money, Took, Totals, Work};
use agent_loop::settings::{Currency, Price};
use agent_loop::wire::{FailureKind, ModelFailure};
use agent_loop::{
    Answer, Block, CallKey, Dialect, Edit, Fact, Outcome, Rest, Ruling, Sealed, Settings, StopReason, ToolCall,
    ToolResult, Usage,
};

use crate::script::{Reply, bash, text};
use crate::world::{World, settings};

/// An entry as one line, with everything it holds.
fn noted(entry: &Entry) -> String {
    let took = match entry.took {
        Took::UnderWay => "under way".to_owned(),
        Took::Unknown => "nobody knows how long".to_owned(),
        Took::Ms(ms) => format!("{ms} ms"),
    };
    let work = match &entry.work {
        Work::Wait => "wait".to_owned(),
        Work::Tool(run) => format!("{} {:?} {:?} {:?}", run.tool, run.command, run.call, run.outcome),
        Work::Model(call) => {
            let model = call.settings.as_ref().map_or("?", |settings| settings.model.as_str());
            let end = match call.end {
                None => "open".to_owned(),
                Some(ModelEnd::Failed) => "failed".to_owned(),
                Some(ModelEnd::Cut) => "cut".to_owned(),
                Some(ModelEnd::Answered(usage)) => format!("{:?} in {:?} out", usage.input_tokens, usage.output_tokens),
            };
            format!("model {model}, first byte {:?}, {end}", call.first_byte_ms)
        }
    };
    format!("{} @{}: {took}: {work}", entry.fact, entry.began_ms)
}

#[track_caller]
fn check(facts: &[(u64, Fact)], expected: &[&str]) {
    let facts: Vec<Rc<Sealed>> =
        facts.iter().map(|(at_ms, fact)| Rc::new(Sealed { at_ms: *at_ms, fact: fact.clone() })).collect();
    let whole = Ledger::of(&facts);
    assert_eq!(whole.entries().iter().map(noted).collect::<Vec<_>>(), expected);
    // However it is read, forwards or back, it is the ledger of those facts.
    for n in 0..facts.len() {
        let mut read = Ledger::of(&facts[..n]);
        read.read(&facts);
        assert_eq!(read.entries(), whole.entries(), "from {n} on");
        read.read(&facts[..n]);
        assert_eq!(read.entries(), Ledger::of(&facts[..n]).entries(), "back to {n}");
    }
}

fn key(fact: usize, index: usize) -> CallKey {
    CallKey { fact, index }
}

fn call(command: &str) -> Block {
    let arguments = serde_json::json!({ "command": command }).to_string();
    let (id, name) = (format!("id-{command}"), "bash".to_owned());
    Block::ToolUse(ToolCall { key: key(0, 0), id, name, arguments, extra: None, original_arguments: None })
}

fn usage(input: u64, output: u64) -> Usage {
    Usage { input_tokens: Some(input), output_tokens: Some(output), ..Usage::default() }
}

fn answered(blocks: Vec<Block>, usage: Usage, first_byte_ms: Option<u64>) -> Fact {
    let (stop_reason, stop_details, model, id) = (StopReason::EndTurn, None, "m".into(), "a".into());
    Fact::Answered {
        answer: Answer { blocks, stop_reason, stop_details, usage, model, id, duration_ms: 0, first_byte_ms },
    }
}

fn failed(retry_in_ms: Option<u64>) -> Fact {
    Fact::CallFailed { failure: ModelFailure::new(FailureKind::Server, "oops"), draft: Vec::new(), retry_in_ms }
}

fn configured(model: &str, price: Option<Price>) -> Fact {
    let settings = Settings { model: model.into(), price, ..settings(Dialect::Anthropic) };
    Fact::Configured { settings: Rc::new(settings) }
}

fn ended(call: CallKey, outcome: Outcome) -> Fact {
    let result = ToolResult {
        call,
        content: "done".into(),
        is_error: false,
        outcome,
        duration_ms: 1,
        output_bytes: 0,
        left_out: None,
        original_content: None,
    };
    Fact::ToolEnded { result }
}

fn started(call: CallKey) -> Fact {
    Fact::ToolStarted { call, run_id: "r".into(), host: "h".into() }
}

const CALLED: Fact = Fact::Called { bytes: 1 };

#[test]
fn model_calls_tools_and_waits_in_their_order() {
    check(&[], &[]);
    check(
        &[
            (0, configured("m", None)),
            (0, Fact::Said { text: "go".into() }),
            (10, CALLED),
            (12, failed(Some(1_000))),
            (1_012, Fact::Waited),
            (1_020, CALLED),
            // What is set meanwhile is for the next call.
            (1_021, configured("n", None)),
            (1_050, answered(vec![call("ls"), call("pwd")], usage(100, 20), Some(7))),
            (2_000, Fact::Ruled { call: key(7, 0), ruling: Ruling::Run }),
            (9_000, started(key(7, 0))),
            (9_300, ended(key(7, 0), Outcome::Exited(0))),
            (9_301, started(key(7, 1))),
            (9_400, ended(key(7, 1), Outcome::Signalled(9))),
            (9_401, Fact::WroteBack),
            (9_402, CALLED),
        ],
        &[
            "2 @10: 2 ms: model m, first byte None, failed",
            "3 @12: 1000 ms: wait",
            "5 @1020: 30 ms: model m, first byte Some(7), Some(100) in Some(20) out",
            "9 @9000: 300 ms: bash \"ls\" CallKey { fact: 7, index: 0 } Some(Exited(0))",
            "11 @9301: 99 ms: bash \"pwd\" CallKey { fact: 7, index: 1 } Some(Signalled(9))",
            "14 @9402: under way: model n, first byte None, open",
        ],
    );
}

#[test]
fn what_was_cut_took_until_then_and_what_was_lost_nobody_knows_how_long() {
    let stopped = || Fact::Stopped { draft: Vec::new() };
    let interrupted = || Fact::Interrupted { draft: Vec::new() };
    check(&[(5, CALLED), (9, stopped())], &["0 @5: 4 ms: model ?, first byte None, cut"]);
    check(&[(5, CALLED), (9, interrupted())], &["0 @5: nobody knows how long: model ?, first byte None, cut"]);
    check(&[(5, CALLED), (6, failed(None))], &["0 @5: 1 ms: model ?, first byte None, failed"]);
    check(
        &[(5, CALLED), (6, failed(Some(9))), (8, stopped())],
        &["0 @5: 1 ms: model ?, first byte None, failed", "1 @6: 2 ms: wait"],
    );
    // What taught something is tried again at once.
    check(&[(5, CALLED), (6, failed(Some(0)))], &["0 @5: 1 ms: model ?, first byte None, failed"]);
    check(
        &[
            (5, CALLED),
            (6, answered(vec![call("a")], Usage::default(), None)),
            (7, started(key(1, 0))),
            (9, interrupted()),
        ],
        &[
            "0 @5: 1 ms: model ?, first byte None, None in None out",
            "2 @7: nobody knows how long: bash \"a\" CallKey { fact: 1, index: 0 } None",
        ],
    );
    // Let go of, and sent once more.
    check(
        &[(5, CALLED), (6, CALLED)],
        &[
            "0 @5: nobody knows how long: model ?, first byte None, cut",
            "1 @6: under way: model ?, first byte None, open",
        ],
    );
}

#[test]
fn a_run_is_named_as_it_ran_and_strange_facts_take_nothing() {
    let arguments = "{\"command\":\"edited\"}".to_owned();
    check(
        &[
            (1, CALLED),
            (2, answered(vec![call("a")], Usage::default(), None)),
            (3, Fact::Edited { edit: Edit::Arguments { call: key(1, 0), arguments } }),
            (4, started(key(1, 0))),
            (5, ended(key(9, 9), Outcome::Exited(0))),
            (6, ended(key(1, 0), Outcome::Exited(0))),
            (7, Fact::Edited { edit: Edit::Message { message: 1, blocks: vec![call("added")] } }),
            (8, started(key(6, 0))),
        ],
        &[
            "0 @1: 1 ms: model ?, first byte None, None in None out",
            "3 @4: 2 ms: bash \"edited\" CallKey { fact: 1, index: 0 } Some(Exited(0))",
            "7 @8: under way: bash \"added\" CallKey { fact: 6, index: 0 } None",
        ],
    );
    check(&[(1, answered(Vec::new(), usage(1, 1), None)), (2, Fact::Waited), (3, failed(None))], &[]);
    check(&[(1, started(key(4, 4)))], &["0 @1: under way:  \"\" CallKey { fact: 4, index: 4 } None"]);
}

#[test]
fn totals_count_what_is_known_and_say_how_much_is_not() {
    let dollars = Price { input: 1_000_000, output: 2_000_000, ..Price::default() };
    let yuan = Price { currency: Currency::Cny, ..dollars };
    let facts = [
        (0, configured("dollars", Some(dollars))),
        (0, CALLED),
        (5, answered(vec![call("a")], Usage { cache_read_tokens: Some(4), ..usage(10, 5) }, None)),
        (6, started(key(2, 0))),
        (9, ended(key(2, 0), Outcome::Exited(0))),
        (9, configured("yuan", Some(yuan))),
        (10, CALLED),
        (11, answered(Vec::new(), usage(1, 0), None)),
        (11, configured("unpriced", None)),
        (20, CALLED),
        (22, failed(Some(3))),
        (25, Fact::Waited),
        (26, CALLED),
        (27, answered(Vec::new(), usage(7, 7), None)),
        (30, configured("dollars", Some(dollars))),
        (30, CALLED),
        (31, answered(Vec::new(), Usage { output_tokens: None, ..usage(3, 0) }, None)),
        (32, CALLED),
    ];
    let facts = facts.map(|(at_ms, fact)| Rc::new(Sealed { at_ms, fact }));
    let expected = Totals {
        model_calls: 6,
        model_ms: 10,
        runs: 1,
        tool_ms: 3,
        wait_ms: 3,
        usage: Usage {
            input_tokens: Some(21),
            output_tokens: Some(12),
            cache_read_tokens: Some(4),
            cache_write_tokens: None,
            reasoning_tokens: None,
        },
        money: Money { sums: [(Currency::Usd, 20), (Currency::Cny, 1)].into(), unknown: 2 },
    };
    assert_eq!(Ledger::of(&facts).totals(|settings| settings.price), expected);
    assert_eq!(Ledger::of(&[]).totals(|_| Some(dollars)), Totals::default());
}

#[test]
fn a_real_run_tells_when_the_first_byte_came() {
    for dialect in [Dialect::Anthropic, Dialect::OpenAi] {
        let world = World::new(dialect, [bash(&["ls"]), Reply::Refuses(500, "oops"), text("done")]);
        let session = world.session(settings(dialect));
        assert_eq!(world.run(&session), Rest::EndTurn);
        let ledger = Ledger::of(&session.facts());
        let kinds: Vec<String> = ledger
            .entries()
            .iter()
            .map(|entry| match (&entry.work, entry.took) {
                (Work::Model(call), Took::Ms(ms)) => {
                    let first =
                        call.first_byte_ms.map(|first| if first > 0 && first <= ms { "known" } else { "wrong" });
                    format!("model {first:?}")
                }
                (Work::Tool(run), Took::Ms(_)) => format!("{} {}", run.tool, run.command),
                (Work::Wait, Took::Ms(ms)) => format!("wait {}", ms >= 1_000),
                (work, took) => format!("{work:?} {took:?}"),
            })
            .collect();
        assert_eq!(kinds, ["model Some(\"known\")", "bash ls", "model None", "wait true", "model Some(\"known\")"]);
    }
}
