//! A block of code: what it is written in, a button that copies it, and the code, which scrolls by itself where its lines
//! are long and can be reached by keyboard.

use std::sync::Arc;
use std::time::Duration;

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::{Element, Node as Place};

use super::elements::{add, add_text};
use super::node::Node;
use crate::view::Page;
use crate::view::copy::{Copy, copy_text, said};
use crate::view::highlight::{Language, Reader, views};
use crate::view::icon::{Icon, icon, icon_in};
use crate::words::code;

/// Draws a block that does not change any more at the end of `place`.
pub(super) fn finished(page: Page, place: &Place, language: &str, text: &str) -> Option<()> {
    let title = title(page, language);
    let block = add(place, "div", &[("class", "code-block")])?;
    let head = add(&block, "div", &[("class", "code-head")])?;
    add_text(&*add(&head, "span", &[("class", "code-language"), ("aria-hidden", "true")])?, &title);
    let name = copy_name(page, Copy::None, &title);
    let button = add(&head, "button", &[("type", "button"), ("class", "quiet copy"), ("aria-label", &name)])?;
    icon_in(&button, Icon::Copy)?;
    add_text(&*add(&button, "span", &[])?, said(page, Copy::None));
    let name = (code(page.app.language.get_untracked()).block)(&title);
    let pre = add(&block, "pre", &[("role", "group"), ("aria-label", &name), ("tabindex", "0")])?;
    for (kind, part) in Reader::new(Language::named(language).0).read(text) {
        match kind.class() {
            None => add_text(&pre, part),
            Some(class) => add_text(&*add(&pre, "span", &[("class", class)])?, part),
        }
    }
    Some(())
}

/// Something of a text was pressed: if it is the button of a block, its code is copied. One listener for all of them, and
/// what it copies is what stands there: a view of each would keep their code once more.
pub(super) fn press(page: Page, event: &MouseEvent) {
    let Some((button, title, text)) = pressed(event) else { return };
    spawn_local(async move {
        let became = copy_text(&text).await;
        page.app.announcement.set(said(page, became).to_owned());
        tell(page, &button, became, &title);
        set_timeout(move || tell(page, &button, Copy::None, &title), Duration::from_millis(1_500));
    });
}

/// The button that was pressed, what the block is called, and its code.
fn pressed(event: &MouseEvent) -> Option<(Element, String, String)> {
    let button = event.target()?.dyn_into::<Element>().ok()?.closest("button.copy").ok()??;
    let block = button.closest(".code-block").ok()??;
    let title = block.query_selector(".code-language").ok()??.text_content()?;
    let text = block.query_selector("pre").ok()??.text_content()?;
    // Without the end of its last line: what is pasted into a shell waits for the person's Enter.
    Some((button, title, text.trim_end_matches('\n').to_owned()))
}

/// What became of a copy is said where it was asked for, and for a moment. The block may have gone meanwhile.
fn tell(page: Page, button: &Element, copy: Copy, title: &str) {
    let _ = button.set_attribute("aria-label", &copy_name(page, copy, title));
    if let Ok(Some(label)) = button.query_selector("span") {
        label.set_text_content(Some(said(page, copy)));
    }
}

/// What the button is called.
fn copy_name(page: Page, copy: Copy, title: &str) -> String {
    (code(page.app.language.get_untracked()).of)(said(page, copy), title)
}

/// The code, if these nodes are one block of it.
pub(crate) fn alone(nodes: &[Node]) -> Option<(&str, &str)> {
    match nodes {
        [Node::CodeBlock { language, text }] => Some((language, text)),
        _ => None,
    }
}

/// Lines that are drawn, and what reads those behind them.
struct Settled {
    bytes: usize,
    reader: Reader,
}

/// The last block of a text while it grows: a line that has its end is drawn once.
pub(crate) fn growing(page: Page, last: RwSignal<(usize, Vec<Node>)>) -> AnyView {
    let lines = RwSignal::new(Vec::<(usize, Reader, Arc<str>)>::new());
    let line = RwSignal::new((Reader::new(Language::Plain), String::new()));
    Effect::new(move |settled: Option<Settled>| {
        last.with(|(_, nodes)| {
            let (language, text) = alone(nodes).unwrap_or_default();
            // Before the first line has its end, its language may still be coming.
            let settled = settled.filter(|settled| settled.bytes > 0);
            let Settled { bytes, mut reader } =
                settled.unwrap_or_else(|| Settled { bytes: 0, reader: Reader::new(Language::named(language).0) });
            let rest = text.get(bytes..).unwrap_or_default();
            // Each line comes with an end, also the one that has none yet.
            let cut = rest.strip_suffix('\n').and_then(|rest| rest.rfind('\n')).map_or(0, |at| at + 1);
            let (done, open) = rest.split_at(cut);
            if !done.is_empty() {
                lines.update(|lines| lines.push((bytes, reader.clone(), done.into())));
                // What it gives is read once more where it is drawn.
                let _ = reader.read(done);
            }
            line.set((reader.clone(), open.to_owned()));
            Settled { bytes: bytes + cut, reader }
        })
    });
    let title = Memo::new(move |_| last.with(|(_, nodes)| title(page, alone(nodes).unwrap_or_default().0)));
    let words = code(page.app.language.get_untracked());
    view! {
        <div class="code-block">
            <div class="code-head">
                <span class="code-language" aria-hidden="true">{title}</span>
                <button
                    type="button"
                    class="quiet copy"
                    aria-label=move || title.with(|title| copy_name(page, Copy::None, title))
                >
                    {icon(Icon::Copy)}
                    <span>{said(page, Copy::None)}</span>
                </button>
            </div>
            <pre role="group" aria-label=move || title.with(|title| (words.block)(title)) tabindex="0">
                <For
                    each=move || lines.get()
                    key=|(start, ..)| *start
                    children=|(_, mut reader, lines)| views(reader.read(&lines)).into_any()
                />
                {move || line.with(|(reader, line)| views(reader.clone().read(line)))}
            </pre>
        </div>
    }
    .into_any()
}

/// What the code is called: its language, or that it is code.
fn title(page: Page, language: &str) -> String {
    match Language::named(language).1 {
        "" => code(page.app.language.get_untracked()).code.to_owned(),
        name => name.to_owned(),
    }
}
