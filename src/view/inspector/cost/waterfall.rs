//! Where the time went: each model call, wait and run of a tool below the one before, on one line of working time.

use agent_loop::ledger::{Entry, ModelEnd, Took, Work};
use leptos::prelude::*;

use super::legend;
use crate::view::signs::signs;
use crate::words::cost::CostWords;
use crate::words::duration;

/// How many are listed: the newest.
const LISTED: usize = 100;

/// The drawing is so wide, in units of its own.
const WIDTH: u64 = 1_000;

/// The table, with a bar below each line.
pub(super) fn waterfall(words: &'static CostWords, entries: &[Entry]) -> AnyView {
    let skipped = entries.len().saturating_sub(LISTED);
    let earlier = entries.get(..skipped).unwrap_or_default();
    let mut number = earlier.iter().filter(|entry| matches!(entry.work, Work::Model(_))).count();
    let listed = entries.get(skipped..).unwrap_or_default();
    let rows: Vec<AnyView> = listed
        .iter()
        .zip(bars(listed))
        .map(|(entry, bar)| {
            number += usize::from(matches!(entry.work, Work::Model(_)));
            row(words, number, entry, bar)
        })
        .collect();
    let newest = (skipped > 0).then(|| (words.newest)(listed.len(), entries.len()));
    view! {
        <section>
            <h3 id="cost-time">{words.time}</h3>
            <p class="hint">{words.time_hint} " " {newest}</p>
            {legend([
                ("until-first", words.until_first_byte),
                ("streaming", words.streaming),
                ("tool", words.tool),
                ("wait", words.wait),
            ])}
            <table class="waterfall" aria-labelledby="cost-time">
                <thead>
                    <tr><th scope="col">{words.what}</th><th scope="col">{words.first_byte}</th><th scope="col">{words.took}</th></tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </section>
    }
    .into_any()
}

fn row(words: &CostWords, number: usize, entry: &Entry, bar: Bar) -> AnyView {
    let (what, how) = match &entry.work {
        Work::Model(call) => {
            let how = match call.end {
                Some(ModelEnd::Failed) => Some(words.failed),
                Some(ModelEnd::Cut) => Some(words.cut),
                Some(ModelEnd::Answered(_)) | None => None,
            };
            ((words.call)(number).into_any(), how)
        }
        Work::Wait => (words.wait.into_any(), None),
        Work::Tool(run) => {
            let named = view! { <code>{run.tool.clone()}</code> " " <code class="dim">{signs(&run.command).into_owned()}</code> };
            (named.into_any(), None)
        }
    };
    let first_byte = match &entry.work {
        Work::Model(call) => call.first_byte_ms.map(duration),
        Work::Wait | Work::Tool(_) => None,
    };
    let took = match entry.took {
        Took::Ms(ms) => duration(ms),
        Took::UnderWay => words.under_way.to_owned(),
        Took::Unknown => words.unknown_time.to_owned(),
    };
    let (first, then) = match &entry.work {
        Work::Model(_) => ("until-first", "streaming"),
        Work::Wait => ("wait", "wait"),
        Work::Tool(_) => ("tool", "tool"),
    };
    view! {
        <tr>
            <th scope="row">
                {what} {how.map(|how| view! { " " <span class="tag">{how}</span> })}
                <svg class="bar" viewBox=format!("0 0 {WIDTH} 1") preserveAspectRatio="none" aria-hidden="true">
                    <rect class=first x=bar.start.to_string() width=bar.first.to_string() height="1" />
                    <rect class=then x=(bar.start + bar.first).to_string() width=bar.then.to_string() height="1" />
                </svg>
            </th>
            <td>{first_byte}</td>
            <td>{took}</td>
        </tr>
    }
    .into_any()
}

/// A line's bar, in units of the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bar {
    start: u64,
    /// Until the first byte of an answer came, or nothing came at all.
    first: u64,
    then: u64,
}

/// The bars of these on one line of working time: one begins where the one before it ended. What took time can be seen,
/// however short it was.
fn bars(entries: &[Entry]) -> Vec<Bar> {
    let took = |entry: &Entry| match entry.took {
        Took::Ms(ms) => ms,
        Took::UnderWay | Took::Unknown => 0,
    };
    let whole = entries.iter().map(took).sum::<u64>().max(1);
    let scaled = |ms: u64| ms.saturating_mul(WIDTH) / whole;
    let mut before_ms = 0_u64;
    entries
        .iter()
        .map(|entry| {
            let took_ms = took(entry);
            let first_ms = match &entry.work {
                Work::Model(call) => match (call.first_byte_ms, call.end) {
                    (Some(first), _) => first.min(took_ms),
                    (None, Some(ModelEnd::Answered(_))) => 0,
                    (None, _) => took_ms,
                },
                Work::Wait | Work::Tool(_) => 0,
            };
            let start = scaled(before_ms).min(WIDTH - 3);
            let width = (scaled(before_ms + took_ms) - scaled(before_ms)).max(3 * u64::from(took_ms > 0));
            let first = (width * first_ms).checked_div(took_ms).unwrap_or(0);
            before_ms += took_ms;
            Bar { start, first, then: width - first }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use agent_loop::Usage;
    use agent_loop::ledger::{Entry, ModelCall, ModelEnd, Took, Work};

    use super::{Bar, bars};

    fn entry(took: Took, work: Work) -> Entry {
        Entry { fact: 0, began_ms: 0, took, work }
    }

    fn model(took_ms: u64, first_byte_ms: Option<u64>, end: ModelEnd) -> Entry {
        entry(Took::Ms(took_ms), Work::Model(ModelCall { settings: None, first_byte_ms, end: Some(end) }))
    }

    #[track_caller]
    fn check(entries: &[Entry], expected: &[(u64, u64, u64)]) {
        let expected: Vec<Bar> = expected.iter().map(|&(start, first, then)| Bar { start, first, then }).collect();
        assert_eq!(bars(entries), expected);
    }

    #[test]
    fn one_begins_where_the_one_before_it_ended() {
        let answered = ModelEnd::Answered(Usage::default());
        let wait = |ms| entry(Took::Ms(ms), Work::Wait);
        check(&[], &[]);
        check(&[model(100, Some(25), answered)], &[(0, 250, 750)]);
        check(&[model(100, None, answered), model(300, Some(900), answered)], &[(0, 0, 250), (250, 750, 0)]);
        check(&[model(100, None, ModelEnd::Failed), wait(300)], &[(0, 250, 0), (250, 0, 750)]);
        check(
            &[entry(Took::Unknown, Work::Wait), wait(10), entry(Took::UnderWay, Work::Wait)],
            &[(0, 0, 0), (0, 0, 1000), (997, 0, 0)],
        );
        // A blink beside an hour can still be seen, and nothing leaves the drawing.
        check(&[wait(3_600_000), wait(1)], &[(0, 0, 999), (997, 0, 3)]);
    }
}
