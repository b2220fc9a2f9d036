//! How the context grew: the tokens of each model call, against the model's window, and what each call cost.

use agent_loop::Usage;
use agent_loop::ledger::{Ledger, ModelCall, Totals};
use leptos::prelude::*;

use super::{legend, money_in_short, tokens};
use crate::run::prices::Book;
use crate::words::cost::CostWords;
use crate::words::{amount, count};

/// How many calls are listed: the newest.
const LISTED: usize = 100;

/// The drawing is so high, in units of its own.
const HEIGHT: u64 = 100;

/// The chart, and the table it repeats.
pub(super) fn context(words: &'static CostWords, ledger: &Ledger, totals: &Totals, book: &Book) -> AnyView {
    let answered: Vec<(usize, &ModelCall)> =
        ledger.model_calls().enumerate().filter(|(_, call)| call.is_answered()).collect();
    let listed = answered.get(answered.len().saturating_sub(LISTED)..).unwrap_or_default();
    let rows: Vec<AnyView> = listed.iter().map(|(place, call)| row(words, place + 1, call, book)).collect();
    let newest = (listed.len() < answered.len()).then(|| (words.newest)(listed.len(), answered.len()));
    let window = ledger.model_calls().next_back().and_then(|call| call.settings.as_ref()?.limits.context_window);
    let usages: Vec<Usage> = listed.iter().map(|(_, call)| call.usage()).collect();
    let largest = usages.iter().filter_map(|usage| usage.input_tokens).max();
    let told = largest.map(|used| match window {
        Some(window) => (words.largest_of)(used, window),
        None => (words.largest)(used),
    });
    let usage = totals.usage;
    view! {
        <section>
            <h3 id="cost-context">{words.context}</h3>
            <p class="hint">{told} " " {newest}</p>
            {legend([("cached", words.cache_read), ("input", words.tokens_in), ("streaming", words.tokens_out)])}
            {chart(&usages, window)}
            <table class="calls" aria-labelledby="cost-context">
                <thead>
                    <tr>
                        {[words.number, words.tokens_in, words.cache_read, words.cache_write, words.tokens_out, words.money]
                            .map(|name| view! { <th scope="col">{name}</th> }.into_any())
                            .into_iter()
                            .collect_view()}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
                <tfoot>
                    <tr><th scope="row">{words.total}</th> {counts(words, &usage)} <td>{money_in_short(words, &totals.money)}</td></tr>
                </tfoot>
            </table>
        </section>
    }
    .into_any()
}

fn row(words: &CostWords, number: usize, call: &ModelCall, book: &Book) -> AnyView {
    let settings = call.settings.as_ref();
    let price = settings.and_then(|settings| book.price(settings).or(settings.price));
    let cost = match price.map(|price| (price.currency, call.money(&price))) {
        Some((currency, Some(money))) => amount(currency, money),
        Some((_, None)) => words.not_told.to_owned(),
        None => words.no_price.to_owned(),
    };
    view! { <tr><th scope="row">{number}</th> {counts(words, &call.usage())} <td>{cost}</td></tr> }.into_any()
}

/// Four cells; a cache that was not told of is left open.
fn counts(words: &CostWords, usage: &Usage) -> Vec<AnyView> {
    let cached = |tokens: Option<u64>| tokens.map_or_else(|| "–".to_owned(), count);
    [
        tokens(words, usage.input_tokens),
        cached(usage.cache_read_tokens),
        cached(usage.cache_write_tokens),
        tokens(words, usage.output_tokens),
    ]
    .into_iter()
    .map(|told| view! { <td>{told}</td> }.into_any())
    .collect()
}

/// One column for each call: below, what came from the cache, then the rest of the input, on top the output. The window is
/// a line, where it is not far above all of them.
fn chart(usages: &[Usage], window: Option<u64>) -> AnyView {
    let columns = columns(usages, window);
    let bars: Vec<AnyView> = columns
        .bars
        .iter()
        .enumerate()
        .map(|(place, [cached, input, output])| {
            let bar = |class: &'static str, from: u64, height: u64| {
                let y = HEIGHT.saturating_sub(from + height);
                view! { <rect class=class x=(place * 10 + 1).to_string() width="8" y=y.to_string() height=height.to_string() /> }
                    .into_any()
            };
            [
                bar("cached", 0, *cached),
                bar("input", *cached, *input),
                bar("streaming", cached + input, *output),
            ]
            .into_any()
        })
        .collect();
    let width = usages.len().max(12) * 10;
    let line = columns.window.map(|at| {
        let y = (HEIGHT - at).to_string();
        view! { <line class="window" x1="0" x2=width.to_string() y1=y.clone() y2=y.clone() /> }.into_any()
    });
    view! {
        <svg class="growth" viewBox=format!("0 0 {width} {HEIGHT}") preserveAspectRatio="none" aria-hidden="true">
            {bars}
            {line}
        </svg>
    }
    .into_any()
}

/// The heights of the chart.
#[derive(Debug, PartialEq, Eq)]
struct Columns {
    /// Of each call: cached input, other input, output.
    bars: Vec<[u64; 3]>,
    /// Of the window's line, where it is drawn.
    window: Option<u64>,
}

fn columns(usages: &[Usage], window: Option<u64>) -> Columns {
    let parts = usages.iter().map(|usage| {
        let cached = usage.cache_read_tokens.unwrap_or(0);
        [cached, usage.input_tokens.unwrap_or(0).saturating_sub(cached), usage.output_tokens.unwrap_or(0)]
    });
    let highest = parts.clone().map(|parts| parts.iter().sum::<u64>()).max().unwrap_or(0).max(1);
    let window = window.filter(|window| *window <= highest.saturating_mul(3));
    let whole = window.unwrap_or(0).max(highest);
    let scaled = |tokens: u64| tokens.saturating_mul(HEIGHT) / whole;
    Columns { bars: parts.map(|parts| parts.map(scaled)).collect(), window: window.map(scaled) }
}

#[cfg(test)]
mod tests {
    use agent_loop::Usage;

    use super::{Columns, columns};

    #[track_caller]
    fn check(tokens: &[(u64, u64, u64)], window: Option<u64>, bars: &[[u64; 3]], line: Option<u64>) {
        let usages: Vec<Usage> = tokens
            .iter()
            .map(|&(input, cached, output)| Usage {
                input_tokens: Some(input),
                output_tokens: Some(output),
                cache_read_tokens: Some(cached),
                cache_write_tokens: None,
                reasoning_tokens: None,
            })
            .collect();
        assert_eq!(columns(&usages, window), Columns { bars: bars.to_vec(), window: line });
    }

    #[test]
    fn columns_are_as_high_as_their_tokens() {
        check(&[], None, &[], None);
        check(&[], Some(200_000), &[], None);
        check(&[(80, 0, 20)], None, &[[0, 80, 20]], None);
        check(&[(80, 30, 20), (150, 150, 50)], None, &[[15, 25, 10], [75, 0, 25]], None);
        check(&[(80, 0, 20)], Some(200), &[[0, 40, 10]], Some(100));
        check(&[(80, 0, 20)], Some(50), &[[0, 80, 20]], Some(50));
        check(&[(80, 0, 20)], Some(1_000_000), &[[0, 80, 20]], None);
    }
}
