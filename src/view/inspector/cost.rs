//! What the session took: time, context, tokens and money, as far as the facts on show go. Tables tell it; drawings beside
//! them repeat it for the eye. A part of the page that comes when the tab is opened.

mod context;
mod price;
mod waterfall;

use agent_loop::ledger::{Ledger, Money, Totals};
use leptos::prelude::*;

use crate::run::prices::Book;
use crate::view::Page;
use crate::words::cost::{CostWords, cost as words};
use crate::words::{amount, count, duration};

/// The tab.
pub(crate) fn cost(page: Page) -> AnyView {
    let app = page.app;
    let words = words(app.language.get_untracked());
    let ledger = RwSignal::new_local(Ledger::default());
    Effect::new(move |_| {
        let on_show = app.state.with(|state| state.facts);
        let facts = app.session.with(|session| session.facts());
        ledger.update(|ledger| ledger.read(facts.get(..on_show).unwrap_or_default()));
    });
    let told = move || {
        let book = Book::read(&app.prices.get());
        ledger.with(|ledger| told(words, ledger, &book))
    };
    view! {
        {told}
        {price::prices(page, words, ledger)}
    }
    .into_any()
}

fn told(words: &'static CostWords, ledger: &Ledger, book: &Book) -> AnyView {
    if ledger.entries().is_empty() {
        return view! { <p class="dim">{words.nothing_yet}</p> }.into_any();
    }
    let totals = ledger.totals(|settings| book.price(settings).or(settings.price));
    view! {
        {sums(words, &totals)}
        {waterfall::waterfall(words, ledger.entries())}
        {context::context(words, ledger, &totals, book)}
    }
    .into_any()
}

fn sums(words: &CostWords, totals: &Totals) -> AnyView {
    let line = |name: &'static str, told: String| view! { <div><dt>{name}</dt><dd>{told}</dd></div> }.into_any();
    let tools = (totals.runs > 0).then(|| line(words.tools, (words.runs)(totals.runs, &duration(totals.tool_ms))));
    let waits = (totals.wait_ms > 0).then(|| line(words.waits, duration(totals.wait_ms)));
    let cached =
        [(words.cache_read, totals.usage.cache_read_tokens), (words.cache_write, totals.usage.cache_write_tokens)]
            .into_iter()
            .filter_map(|(name, tokens)| Some(format!("{} {name}", count(tokens.filter(|tokens| *tokens > 0)?))))
            .collect::<Vec<_>>();
    let mut tokens_in = tokens(words, totals.usage.input_tokens);
    if !cached.is_empty() {
        tokens_in = format!("{tokens_in} ({})", cached.join(", "));
    }
    view! {
        <dl class="sums" aria-label=words.sums>
            {line(words.model, (words.model_calls)(totals.model_calls, &duration(totals.model_ms)))}
            {tools}
            {waits}
            {line(words.tokens_in, tokens_in)}
            {line(words.tokens_out, tokens(words, totals.usage.output_tokens))}
            {line(words.money, money(words, &totals.money))}
        </dl>
    }
    .into_any()
}

/// What the colours of a drawing mean: the class of a shape, and its name.
fn legend<const N: usize>(kinds: [(&'static str, &'static str); N]) -> AnyView {
    let kind = |(class, name): (&'static str, &'static str)| {
        view! {
            <li>
                <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
                    <rect class=class width="1" height="1" />
                </svg>
                {name}
            </li>
        }
        .into_any()
    };
    view! { <ul class="legend" role="list">{kinds.into_iter().map(kind).collect_view()}</ul> }.into_any()
}

/// So many tokens, or that nobody told.
fn tokens(words: &CostWords, tokens: Option<u64>) -> String {
    tokens.map_or_else(|| words.not_told.to_owned(), count)
}

/// The sums alone: at least so much, where not all of it is known.
fn money_in_short(words: &CostWords, money: &Money) -> String {
    let sums: Vec<String> = money.sums.iter().map(|(currency, sum)| amount(*currency, *sum)).collect();
    match (sums.is_empty(), money.unknown > 0) {
        (true, _) => words.no_price.to_owned(),
        (false, true) => format!("≥ {}", sums.join(" + ")),
        (false, false) => sums.join(" + "),
    }
}

/// What is known of the money, and of how many answers nothing is.
fn money(words: &CostWords, money: &Money) -> String {
    let sums = money.sums.iter().map(|(currency, sum)| amount(*currency, *sum));
    let unknown = (money.unknown > 0).then(|| (words.unknown_money)(money.unknown));
    let all: Vec<String> = sums.chain(unknown).collect();
    if all.is_empty() { words.not_told.to_owned() } else { all.join(" · ") }
}
