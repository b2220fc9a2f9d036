//! What the endpoints take: of the models on show what is known and from where, and a person's own price in its place.

use agent_loop::ledger::Ledger;
use agent_loop::settings::Currency;
use leptos::prelude::*;

use crate::run::actions;
use crate::run::prices::{Book, Known, Written};
use crate::view::Page;
use crate::view::select::{Choice, Choices, select};
use crate::words::cost::CostWords;
use crate::words::{millionths, money};

/// A model of an endpoint: what a price is for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Model {
    profile: String,
    name: String,
}

/// The prices of the model that is chosen and of those that the session called.
pub(super) fn prices(page: Page, words: &'static CostWords, ledger: RwSignal<Ledger, LocalStorage>) -> AnyView {
    let app = page.app;
    let models = Memo::new(move |_| {
        let mut models: Vec<Model> = Vec::new();
        let mut add = |settings: &agent_loop::Settings| {
            let model = Model { profile: settings.profile.id.clone(), name: settings.model.clone() };
            if !models.contains(&model) {
                models.push(model);
            }
        };
        app.settings.with(|settings| add(settings));
        ledger.with(|ledger| {
            ledger.model_calls().filter_map(|call| call.settings.as_ref()).for_each(|settings| add(settings));
        });
        models
    });
    view! {
        <section>
            <h3>{words.prices}</h3>
            <p class="hint">{words.prices_hint}</p>
            {move || models.get().into_iter().map(|model| one(page, words, model)).collect_view()}
        </section>
    }
    .into_any()
}

fn one(page: Page, words: &'static CostWords, model: Model) -> AnyView {
    let app = page.app;
    let name = model.name.clone();
    let model = StoredValue::new(model);
    let known = Memo::new(move |_| {
        let book = Book::read(&app.prices.get());
        model.with_value(|model| book.known(&model.profile, &model.name))
    });
    let written = move || match known.get() {
        Known::Own(written) => written,
        Known::Listed(_, price) => Written::from(price),
        Known::Nothing => Written::default(),
    };
    let write =
        move |price: Written| model.with_value(|model| actions::write_price(app, &model.profile, &model.name, price));
    let field = move |label: &'static str, get: fn(&Written) -> Option<u64>, set: fn(&mut Written, Option<u64>)| {
        let change = move |event| {
            let mut price = written();
            set(&mut price, millionths(&event_target_value(&event)));
            write(price);
        };
        view! {
            <label>
                <span>{label}</span>
                <input
                    type="text"
                    inputmode="decimal"
                    autocomplete="off"
                    prop:value=move || get(&written()).map(money).unwrap_or_default()
                    on:change=change
                />
            </label>
        }
        .into_any()
    };
    let currencies = [Currency::Usd, Currency::Cny];
    let choices = move || {
        let all =
            currencies.iter().enumerate().map(|(at, one)| Choice::new(at.to_string(), (words.currency_name)(*one)));
        let chosen = currencies.iter().position(|one| *one == written().currency).unwrap_or_default();
        Choices { all: all.collect(), chosen: chosen.to_string() }
    };
    let choose = move |place: String| {
        let currency = place.parse::<usize>().ok().and_then(|place| currencies.get(place)).copied();
        write(Written { currency: currency.unwrap_or_default(), ..written() });
    };
    let told = move || match known.get() {
        Known::Own(Written { input: Some(_), output: Some(_), .. }) => words.own.into_any(),
        Known::Own(_) => words.half.into_any(),
        Known::Nothing => words.unlisted.into_any(),
        Known::Listed(list, _) => {
            let source = list.source.as_str();
            let shown = source.trim_start_matches("https://");
            view! { {(words.listed)(&list.collected)} " " <a href=source target="_blank" rel="noopener noreferrer">{shown}</a> }
                .into_any()
        }
    };
    let is_own = move || matches!(known.get(), Known::Own(_));
    let is_listed = model.with_value(|model| agent_loop::prices::listed(&model.profile, &model.name).is_some());
    let give_up = if is_listed { words.use_list } else { words.forget };
    view! {
        <fieldset class="price">
            <legend><code>{name}</code></legend>
            <div class="price-fields">
                {field(words.input, |price| price.input, |price, typed| price.input = typed)}
                {field(words.output, |price| price.output, |price, typed| price.output = typed)}
                {field(words.cache_read, |price| price.cache_read, |price, typed| price.cache_read = typed)}
                {field(words.cache_write, |price| price.cache_write, |price, typed| price.cache_write = typed)}
                {select(words.currency, choices, choose)}
            </div>
            <p class="hint" role="status">{told}</p>
            <button type="button" hidden=move || !is_own() on:click=move |_| write(Written::default())>{give_up}</button>
        </fieldset>
    }
    .into_any()
}
