//! What a session took in all.

use std::collections::BTreeMap;

use super::{Ledger, Took, Work};
use crate::message::Usage;
use crate::settings::{Currency, Price, Settings};

/// What a session took in all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// Model calls, failed ones included.
    pub model_calls: usize,
    /// The time they took, in milliseconds, as far as it is known.
    pub model_ms: u64,
    /// Runs of tools.
    pub runs: usize,
    /// The time they took, in milliseconds, as far as it is known.
    pub tool_ms: u64,
    /// The time of waits before another attempt, in milliseconds.
    pub wait_ms: u64,
    /// Tokens, as far as they were counted; `None` where no answer told any.
    pub usage: Usage,
    /// Money.
    pub money: Money,
}

/// What answers cost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Money {
    /// In millionths of a unit, by the unit.
    pub sums: BTreeMap<Currency, u64>,
    /// Answers that are in none of the sums: no price is known, or the endpoint counted no tokens.
    pub unknown: usize,
}

impl Money {
    /// One more answer.
    pub fn add(&mut self, currency: Currency, money: Option<u64>) {
        match money {
            Some(money) => {
                let sum = self.sums.entry(currency).or_default();
                *sum = sum.saturating_add(money);
            }
            None => self.unknown += 1,
        }
    }
}

impl Ledger {
    /// All of it together, by what each model call's knobs cost.
    pub fn totals(&self, price: impl Fn(&Settings) -> Option<Price>) -> Totals {
        let mut totals = Totals::default();
        for entry in &self.entries {
            let ms = match entry.took {
                Took::Ms(ms) => ms,
                Took::UnderWay | Took::Unknown => 0,
            };
            match &entry.work {
                Work::Model(call) => {
                    totals.model_calls += 1;
                    totals.model_ms = totals.model_ms.saturating_add(ms);
                    add(&mut totals.usage, &call.usage());
                    if call.is_answered() {
                        let price = call.settings.as_ref().and_then(|settings| price(settings));
                        let money = price.and_then(|price| call.money(&price));
                        totals.money.add(price.unwrap_or_default().currency, money);
                    }
                }
                Work::Tool(_) => {
                    totals.runs += 1;
                    totals.tool_ms = totals.tool_ms.saturating_add(ms);
                }
                Work::Wait => totals.wait_ms = totals.wait_ms.saturating_add(ms),
            }
        }
        totals
    }
}

fn add(sum: &mut Usage, more: &Usage) {
    let pairs = [
        (&mut sum.input_tokens, more.input_tokens),
        (&mut sum.output_tokens, more.output_tokens),
        (&mut sum.cache_read_tokens, more.cache_read_tokens),
        (&mut sum.cache_write_tokens, more.cache_write_tokens),
    ];
    for (sum, more) in pairs {
        if let Some(more) = more {
            *sum = Some(sum.unwrap_or(0).saturating_add(more));
        }
    }
}
