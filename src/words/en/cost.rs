//! The tab "Cost", in English.

use agent_loop::settings::Currency;

use crate::words::cost::CostWords;
use crate::words::count;

/// The words.
pub(crate) static COST: CostWords = CostWords {
    nothing_yet: "The model has not been called yet.",
    sums: "Sums",
    model: "Model",
    model_calls: |calls, time| match calls {
        1 => format!("1 call, {time}"),
        calls => format!("{calls} calls, {time}"),
    },
    tools: "Tools",
    tool: "tool",
    runs: |runs, time| match runs {
        1 => format!("1 run, {time}"),
        runs => format!("{runs} runs, {time}"),
    },
    waits: "Waits before a retry",
    tokens_in: "Tokens in",
    tokens_out: "Tokens out",
    cache_read: "from the cache",
    cache_write: "into the cache",
    not_told: "not told",
    money: "Money",
    unknown_money: |answers| match answers {
        1 => "1 answer not counted: no price or no token count".to_owned(),
        answers => format!("{answers} answers not counted: no price or no token count"),
    },
    no_price: "no price",
    time: "Time",
    time_hint: "Work only: the time in which you were waited for is left out.",
    what: "What",
    first_byte: "First byte",
    took: "Took",
    call: |number| format!("model call {number}"),
    wait: "wait before a retry",
    failed: "failed",
    cut: "cut short",
    under_way: "under way",
    unknown_time: "unknown",
    until_first_byte: "until the first byte",
    streaming: "streaming",
    newest: |shown, of| format!("The newest {shown} of {of}."),
    context: "Context and tokens",
    largest: |used| format!("Largest request: {} tokens. The model's window is not set, see Settings.", count(used)),
    largest_of: |used, window| {
        let part = used.saturating_mul(100) / window.max(1);
        format!("Largest request: {} of the {} tokens of the window, {part} %.", count(used), count(window))
    },
    number: "Call",
    total: "Total",
    prices: "Prices",
    prices_hint: "Per million tokens. What you write here is kept in this browser and counts at once; budgets follow with the next run. Very long requests, batches and off-peak hours may cost something else.",
    input: "Input",
    output: "Output",
    currency: "Currency",
    currency_name: |currency| match currency {
        Currency::Usd => "US dollar",
        Currency::Cny => "Chinese yuan",
    },
    listed: |day| format!("From the list of {day}. Prices change: check"),
    own: "Your own price.",
    half: "Not counted until both input and output have a price.",
    unlisted: "No price is known, so no money is counted.",
    use_list: "Use the list",
    forget: "Remove this price",
};
