//! How a run that stopped short of its end goes on: with more of what it has spent, past a row of the same call, or with
//! less of what is sent.

use std::rc::Rc;

use agent_loop::settings::Budget;
use agent_loop::state::{shorter_results, whole_exchanges};
use agent_loop::wire::written_json;
use agent_loop::{Block, Edit, Fact, LoopState, Message, Rest, Step};
use leptos::prelude::*;

use crate::run::actions;
use crate::run::sessions::summary;
use crate::view::signs::signs;
use crate::view::{Page, composer};
use crate::words::{millionths, money};

/// The same call again and again, while it still goes on; or what about the last answer is not right.
pub(crate) fn warning(page: Page, state: &LoopState) -> Option<AnyView> {
    let is_at_rest = matches!(state.outlook(), Step::Rest(_));
    let same_call = state.spent.same_call().filter(|_| !is_at_rest).map(page.session_words().stops.same_call);
    let told = same_call.or_else(|| state.hint.map(page.session_words().stops.hint))?;
    Some(view! { <p class="rest attention" role="status">{told}</p> }.into_any())
}

/// The entries that are no longer sent, for those who look.
pub(crate) fn forgotten(page: Page) -> AnyView {
    let count = Memo::new(move |_| page.app.state.with(|state| state.forgotten.len()));
    (move || {
        let label = (page.session_words().stops.forgotten)(count.get());
        let entries = || {
            let state = page.app.state.get_untracked();
            let read = |message: &Rc<Message>| {
                let text = plain(message);
                view! { <p class="plain">{signs(&text).into_owned()}</p> }.into_any()
            };
            state.forgotten.iter().map(read).collect_view()
        };
        (count.get() > 0).then(|| {
            view! {
                <li class="forgotten">
                    <details class="system">
                        <summary>{label}</summary>
                        {entries()}
                    </details>
                </li>
            }
        })
    })
    .into_any()
}

/// A message as plain words.
pub(crate) fn plain(message: &Message) -> String {
    let block = |block: &Block| match block {
        Block::Text { text } | Block::Thinking { text, .. } => text.to_string(),
        Block::ToolUse(call) => format!("{} {}", call.name, call.arguments),
        Block::ToolResult(result) => result.content.clone(),
        Block::Opaque { raw } => written_json(raw),
    };
    message.blocks.iter().map(block).collect::<Vec<_>>().join("\n")
}

/// What a person can do at this rest beside Run.
pub(crate) fn extension(page: Page, rest: &Rest) -> AnyView {
    let words = &page.session_words().stops;
    match rest {
        Rest::TurnLimit(_) | Rest::TokenBudget(_) | Rest::TimeBudget(_) | Rest::MoneyBudget(_) => {
            more(page, rest.clone())
        }
        Rest::SameCall(_) => button(page, words.go_on_anyway.to_owned(), move || actions::run(page.app)),
        Rest::ContextNearlyFull(_) => offers(page),
        _ => ().into_any(),
    }
}

fn button(page: Page, label: String, press: impl Fn() + 'static) -> AnyView {
    // It goes with the rest it stands in.
    let press = move |_| {
        composer::focus();
        press();
    };
    view! {
        <button type="button" disabled=move || !page.app.may_act() on:click=press>{label}</button>
    }
    .into_any()
}

/// So much more.
fn more(page: Page, rest: Rest) -> AnyView {
    let words = &page.session_words().stops;
    let Some(label) = (words.how_much)(&rest) else { return ().into_any() };
    let amount = RwSignal::new(page.app.settings.with_untracked(|settings| usual(&rest, settings)));
    let rest = StoredValue::new_local(rest);
    let parsed = move || amount.with(|typed| rest.with_value(|rest| parsed(rest, typed)));
    let go_on = move || {
        if let Some(fact) = parsed() {
            composer::focus();
            actions::extend(page.app, fact);
        }
    };
    let cannot = move || !page.app.may_act() || parsed().is_none();
    view! {
        <form class="more" on:submit=move |event| { event.prevent_default(); go_on(); }>
            <label>
                <span>{label}</span>
                <input
                    type="text"
                    inputmode="decimal"
                    autocomplete="off"
                    prop:value=move || amount.get()
                    on:input=move |event| amount.set(event_target_value(&event))
                />
            </label>
            <button type="submit" disabled=cannot>{words.go_on_with}</button>
        </form>
    }
    .into_any()
}

/// As much as the settings allow, in the unit that a person types.
fn usual(rest: &Rest, settings: &agent_loop::Settings) -> String {
    let limits = &settings.limits;
    let of = |limit: Option<u64>| limit.unwrap_or(1).max(1);
    match rest {
        Rest::TurnLimit(_) => limits.model_calls.max(1).to_string(),
        Rest::TimeBudget(_) => of(limits.budget.time_ms).div_ceil(1_000).to_string(),
        Rest::MoneyBudget(_) => money(of(limits.budget.money)),
        _ => of(limits.budget.tokens).to_string(),
    }
}

/// The fact that allows so much more; `None`: it is no number above 0.
fn parsed(rest: &Rest, typed: &str) -> Option<Fact> {
    let number = || typed.trim().parse::<u64>().ok().filter(|number| *number > 0);
    let by = match rest {
        Rest::TurnLimit(_) => {
            return Some(Fact::Extended { model_calls: u32::try_from(number()?).unwrap_or(u32::MAX) });
        }
        Rest::TokenBudget(_) => Budget { tokens: Some(number()?), ..Budget::default() },
        Rest::TimeBudget(_) => Budget { time_ms: Some(number()?.saturating_mul(1_000)), ..Budget::default() },
        Rest::MoneyBudget(_) => {
            Budget { money: Some(millionths(typed).filter(|money| *money > 0)?), ..Budget::default() }
        }
        _ => return None,
    };
    Some(Fact::Raised { by })
}

/// What makes the next request shorter. Each keeps the originals.
fn offers(page: Page) -> AnyView {
    let app = page.app;
    let words = &page.session_words().stops;
    let state = app.state.get_untracked();
    let oldest = whole_exchanges(&state.messages).first().copied();
    let forget = oldest
        .map(|messages| button(page, (words.forget)(messages), move || actions::edit(app, Edit::Forget { messages })));
    let shorter = shorter_results(&state.messages);
    let shorten = (!shorter.is_empty()).then(|| {
        let label = (words.shorten)(shorter.len());
        button(page, label, move || shorter.iter().for_each(|edit| actions::edit(app, edit.clone())))
    });
    let summarise = move || {
        let text = summary(&app.state.get_untracked().messages, words);
        actions::new_session(app);
        page.ui.typed.set(text);
        composer::focus();
    };
    view! {
        <p class="buttons">
            {forget}
            {shorten}
            {button(page, words.summarise.to_owned(), summarise)}
            {button(page, words.go_on_anyway.to_owned(), move || actions::run(app))}
        </p>
        <p class="hint">{words.kept}</p>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use agent_loop::settings::Budget;
    use agent_loop::{Fact, Rest};

    use super::parsed;

    #[track_caller]
    fn check(rest: Rest, typed: &str, expected: Option<Fact>) {
        assert_eq!(parsed(&rest, typed), expected, "{rest:?} {typed:?}");
    }

    #[test]
    fn what_is_typed_is_allowed_in_the_unit_of_the_rest() {
        let by = |by| Some(Fact::Raised { by });
        check(Rest::TurnLimit(5), "3", Some(Fact::Extended { model_calls: 3 }));
        check(Rest::TokenBudget(5), " 1000 ", by(Budget { tokens: Some(1000), ..Budget::default() }));
        check(Rest::TimeBudget(5), "30", by(Budget { time_ms: Some(30_000), ..Budget::default() }));
        check(Rest::MoneyBudget(5), "0.25", by(Budget { money: Some(250_000), ..Budget::default() }));
        for rest in [Rest::TurnLimit(5), Rest::TokenBudget(5), Rest::TimeBudget(5), Rest::MoneyBudget(5)] {
            for typed in ["", "0", "-1", "many"] {
                check(rest.clone(), typed, None);
            }
        }
        check(Rest::EndTurn, "1", None);
    }
}
