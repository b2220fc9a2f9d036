//! What one user message has cost so far: tokens, working time, money, and the same call over and over.

use serde_json::Value;

use crate::message::{ToolCall, Usage};
use crate::settings::{Budget, Limits, Price};
use crate::state::Rest;

/// The same call so often in a row is worth a word to the person.
const WORTH_A_WORD: u32 = 3;

/// What one user message has cost, and what a person allowed beyond its budget.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spent {
    /// Tokens in and out.
    pub tokens: u64,
    /// Time in which the model or a tool worked, in milliseconds.
    pub time_ms: u64,
    /// Money, in millionths of a unit; what was answered without a price is not in it.
    pub money: u64,
    /// What a person allowed beyond the budget.
    pub raised: Budget,
    row: Row,
}

/// The same call in a row.
#[derive(Debug, Clone, Default, PartialEq)]
struct Row {
    last: Option<(String, Result<Value, String>)>,
    /// How often, since the person last let it go on.
    times: u32,
    /// Whether a person has already let it go on.
    before: u32,
}

impl Spent {
    /// How often in a row the last call was asked for, where that is worth a word.
    pub fn same_call(&self) -> Option<u32> {
        let times = self.row.times + self.row.before;
        (times >= WORTH_A_WORD).then_some(times)
    }

    /// An answer came.
    pub(super) fn answered(&mut self, usage: &Usage, price: Option<&Price>) {
        let tokens = usage.input_tokens.unwrap_or(0).saturating_add(usage.output_tokens.unwrap_or(0));
        self.tokens = self.tokens.saturating_add(tokens);
        self.money = self.money.saturating_add(price.map_or(0, |price| price.of(usage)));
    }

    /// A person allowed more, from what is spent now.
    pub(super) fn raise(&mut self, by: &Budget, budget: &Budget) {
        let spent = [self.tokens, self.time_ms, self.money];
        let budgets = [budget.tokens, budget.time_ms, budget.money];
        let by = [by.tokens, by.time_ms, by.money];
        let raised = [&mut self.raised.tokens, &mut self.raised.time_ms, &mut self.raised.money];
        for (((raised, by), budget), spent) in raised.into_iter().zip(by).zip(budgets).zip(spent) {
            if let (Some(by), Some(budget)) = (by, budget) {
                let so_far = raised.unwrap_or(0);
                let over = spent.saturating_sub(budget.saturating_add(so_far));
                *raised = Some(so_far.saturating_add(over).saturating_add(by));
            }
        }
    }

    /// The first budget that is spent.
    pub(super) fn over(&self, limits: &Limits) -> Option<Rest> {
        let spent = |spent: u64, budget: Option<u64>, raised: Option<u64>| {
            let limit = budget?.saturating_add(raised.unwrap_or(0));
            (spent >= limit).then_some(limit)
        };
        let Budget { tokens, time_ms, money } = limits.budget;
        spent(self.tokens, tokens, self.raised.tokens)
            .map(Rest::TokenBudget)
            .or_else(|| spent(self.time_ms, time_ms, self.raised.time_ms).map(Rest::TimeBudget))
            .or_else(|| spent(self.money, money, self.raised.money).map(Rest::MoneyBudget))
    }

    /// The model asks for these. The rest, where one of them is the same call once too often.
    pub(super) fn asked<'a>(&mut self, calls: impl Iterator<Item = &'a ToolCall>, limits: &Limits) -> Option<Rest> {
        let mut most = None;
        for call in calls {
            // Fields in another order, and other blanks, are the same call.
            let arguments = serde_json::from_str(&call.arguments).map_err(|_| call.arguments.clone());
            let asked = Some((call.name.clone(), arguments));
            if self.row.last == asked {
                self.row.times += 1;
            } else {
                self.row = Row { last: asked, times: 1, before: 0 };
            }
            if limits.same_calls > 0 && self.row.times >= limits.same_calls {
                most = Some(Rest::SameCall(self.row.times + self.row.before));
            }
        }
        most
    }

    /// A person let the row go on: it may become as long again.
    pub(super) fn row_goes_on(&mut self) {
        self.row.before += self.row.times;
        self.row.times = 0;
    }
}
