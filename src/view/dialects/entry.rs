//! An entry of the array as JSON, and what stands around the array in the request.

use std::rc::Rc;

use agent_loop::wire::{Making, SheetRow, read_json};
use agent_loop::{Dialect, Producer};
use leptos::prelude::*;
use serde_json::Value;

use super::difference::{Difference, around, differences};
use super::lines::{lines, values};
use super::marks::{Telling, marked, telling};
use super::sheets::{Line, Sheets};
use super::{Shape, words};
use crate::view::Page;
use crate::view::json::coloured;
use crate::view::messages::folding::{Fold, folded_as};
use crate::view::messages::item::entry_name;

/// The full names: what each side is headed with.
const NAMES: [(Dialect, &str); 2] =
    [(Dialect::Anthropic, "Anthropic Messages"), (Dialect::OpenAi, "OpenAI Chat Completions")];

/// A call and its arguments are to be seen at once; a long output is not.
const LONG: Fold = Fold { whole: 72, first: 60 };

/// The names above the two sides.
pub(super) fn titles(page: Page, sheets: RwSignal<Rc<Sheets>, LocalStorage>) -> AnyView {
    let words = words(page.app.language.get_untracked());
    let title = |(dialect, name): (Dialect, &'static str)| {
        let own = move || (sheets.with(|sheets| sheets.own) == Some(dialect)).then_some(words.own);
        view! { <p><strong>{name}</strong> " " <span class="dim">{own}</span></p> }.into_any()
    };
    let titles: Vec<AnyView> = NAMES.into_iter().map(title).collect();
    // Each side says its name by itself to whoever does not see columns.
    view! { <li class="sides side-titles" aria-hidden="true">{titles}</li> }.into_any()
}

/// A message: in one dialect an entry of the list for each entry of the array, else one with both sides.
pub(super) fn entry(page: Page, shape: Shape, line: &Line) -> AnyView {
    match shape {
        Shape::One(dialect) => {
            let entries = line.rows(dialect).iter().flat_map(|row| {
                let producer = if row.making == Making::Added { Producer::Harness } else { line.producer };
                entries_of(row).into_iter().map(move |(index, json)| one(page, index, json, producer, row.making))
            });
            entries.collect::<Vec<AnyView>>().into_any()
        }
        Shape::Blocks | Shape::Both => both(page, line),
    }
}

fn one(page: Page, index: usize, json: &str, producer: Producer, making: Making) -> AnyView {
    let role = role(json);
    view! {
        <li class="entry wire" data-role=role.to_owned() aria-label=format!("messages[{index}] {role}")>
            <div class="entry-head">{entry_name(page, index, role, producer)}</div>
            <div class="entry-body">{made(page, making)} {json_text(page, lines(json, 0), None)}</div>
        </li>
    }
    .into_any()
}

fn both(page: Page, line: &Line) -> AnyView {
    let joined = |rows: &[SheetRow]| rows.iter().map(|row| &*row.json).collect::<Vec<_>>().join(",");
    let (anthropic, chat) = (joined(&line.anthropic), joined(&line.chat));
    let parsed = |text: &str| match read_json(format!("[{text}]").as_bytes()) {
        Ok(Value::Array(entries)) => entries,
        Ok(_) | Err(_) => Vec::new(),
    };
    let differences = differences(&parsed(&anthropic), &parsed(&chat));
    let named = |rows: &[SheetRow]| {
        let names = rows.iter().flat_map(entries_of).map(|(index, json)| format!("messages[{index}] {}", role(json)));
        names.collect::<Vec<_>>().join(", ")
    };
    let side = |dialect: Dialect, other: &str| {
        let other = telling(other);
        let entries = line.rows(dialect).iter().flat_map(|row| {
            entries_of(row).into_iter().map(|(index, json)| {
                view! {
                    <p class="side-head">
                        <span class="index">{format!("[{index}]")}</span>
                        " "
                        <span class="role">{role(json).to_owned()}</span>
                    </p>
                    {made(page, row.making)}
                    {json_text(page, lines(json, 0), Some(&other))}
                }
                .into_any()
            })
        });
        entries.collect::<Vec<_>>().into_any()
    };
    let name = format!("{} ↔ {}", named(&line.anthropic), named(&line.chat));
    let sides = [side(Dialect::Anthropic, &chat), side(Dialect::OpenAi, &anthropic)];
    pair(page, name, sides, &differences)
}

/// The request up to its first message, while the first message is drawn.
pub(super) fn head(page: Page, shape: Shape, sheets: &Sheets) -> AnyView {
    let words = words(page.app.language.get_untracked());
    outside(page, shape, sheets, words.before, |sheets, dialect| lines(&sheets.sheet(dialect).head, 0))
}

/// The request from its last message on.
pub(super) fn tail(page: Page, shape: Shape, sheets: &Sheets) -> AnyView {
    let words = words(page.app.language.get_untracked());
    outside(page, shape, sheets, words.after, |sheets, dialect| lines(&sheets.sheet(dialect).tail, 2))
}

fn outside(
    page: Page,
    shape: Shape,
    sheets: &Sheets,
    name: &'static str,
    text: impl Fn(&Sheets, Dialect) -> String,
) -> AnyView {
    let side = |dialect| text(sheets, dialect);
    match shape {
        Shape::One(dialect) => view! {
            <li class="entry wire" aria-label=name>
                <div class="entry-head"><span class="producer">{name}</span></div>
                <div class="entry-body">{json_text(page, side(dialect), None)}</div>
            </li>
        }
        .into_any(),
        Shape::Blocks | Shape::Both => {
            let (anthropic, chat) = (side(Dialect::Anthropic), side(Dialect::OpenAi));
            let is_head = anthropic.starts_with('{');
            let sheet = sheets.sheet(Dialect::Anthropic);
            let body = serde_json::from_str(&format!("{}{}", sheet.head, sheet.tail)).unwrap_or_default();
            // The system prompt stands before the messages in both, the rest on either side of them.
            let mut differences = around(&body);
            differences.retain(|difference| (*difference == Difference::System) == is_head);
            let shown = |own: String, other: &str| json_text(page, own, Some(&telling(other)));
            let sides = [shown(anthropic.clone(), &chat), shown(chat, &anthropic)];
            pair(page, name.to_owned(), sides, &differences)
        }
    }
}

/// Two sides of one thing, and what differs between them.
fn pair(page: Page, name: String, sides: [AnyView; 2], differences: &[Difference]) -> AnyView {
    let words = words(page.app.language.get_untracked());
    let sides: Vec<AnyView> = NAMES
        .into_iter()
        .zip(sides)
        .map(|((_, name), side)| {
            view! {
                <div class="side" role="group" aria-label=name>
                    <p class="side-name dim" aria-hidden="true">{name}</p>
                    {side}
                </div>
            }
            .into_any()
        })
        .collect();
    let differences: Vec<AnyView> = differences
        .iter()
        .map(|difference| {
            let (anthropic, chat) = (words.difference)(*difference);
            view! { <li class="sides"><span>{anthropic}</span> <span>{chat}</span></li> }.into_any()
        })
        .collect();
    let differences = (!differences.is_empty())
        .then(|| view! { <ul class="differences" role="list" aria-label=words.differences>{differences}</ul> });
    view! {
        <li class="entry wire both" aria-label=name>
            <div class="sides">{sides}</div>
            {differences}
        </li>
    }
    .into_any()
}

/// JSON in a `<pre>`, what tells it from the other side marked.
fn json_text(page: Page, text: String, other: Option<&Telling>) -> AnyView {
    let other = other.cloned();
    folded_as(page, "mono json", LONG, &text, move |text| match &other {
        Some(other) => marked(text, other).into_any(),
        None => coloured(text).into_any(),
    })
}

/// That an entry is not what stands in the session.
fn made(page: Page, making: Making) -> Option<AnyView> {
    let words = words(page.app.language.get_untracked());
    let text = match making {
        Making::AsItIs => return None,
        Making::Repaired => words.repaired,
        Making::Added => words.added,
    };
    Some(view! { <p class="facts"><span class="tag attention">{text}</span></p> }.into_any())
}

/// The entries of a row, each with its index.
fn entries_of(row: &SheetRow) -> Vec<(usize, &str)> {
    values(&row.json).into_iter().enumerate().map(|(nth, json)| (row.index + nth, json)).collect()
}

/// The role, which our encoders write first.
fn role(json: &str) -> &str {
    let after = json.strip_prefix("{\"role\":\"").unwrap_or_default();
    after.split('"').next().unwrap_or_default()
}
