//! A block of code: what it is written in, a button that copies it, and the code, which scrolls by itself where its lines
//! are long and can be reached by keyboard.

use std::sync::Arc;

use leptos::prelude::*;

use super::node::Node;
use crate::view::Page;
use crate::view::copy::copy_button_of;
use crate::view::highlight::{Language, Reader, views};
use crate::words::code;

/// A block that does not change any more.
pub(crate) fn finished(page: Page, language: &str, text: String) -> AnyView {
    let parts = views(Reader::new(Language::named(language).0).read(&text));
    frame(page, title(page, language).into(), move || text.clone(), parts.into_any())
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
    let text = move || last.with_untracked(|(_, nodes)| alone(nodes).unwrap_or_default().1.to_owned());
    let inside = view! {
        <For
            each=move || lines.get()
            key=|(start, ..)| *start
            children=|(_, mut reader, lines)| views(reader.read(&lines)).into_any()
        />
        {move || line.with(|(reader, line)| views(reader.clone().read(line)))}
    };
    frame(page, title.into(), text, inside.into_any())
}

/// What the code is called: its language, or that it is code.
fn title(page: Page, language: &str) -> String {
    match Language::named(language).1 {
        "" => code(page.app.language.get_untracked()).code.to_owned(),
        name => name.to_owned(),
    }
}

fn frame(page: Page, title: Signal<String>, text: impl Fn() -> String + 'static, inside: AnyView) -> AnyView {
    let words = code(page.app.language.get_untracked());
    // Without the end of its last line: what is pasted into a shell waits for the person's Enter.
    let text = move || text().trim_end_matches('\n').to_owned();
    view! {
        <div class="code-block">
            <div class="code-head">
                <span class="code-language" aria-hidden="true">{title}</span>
                {copy_button_of(page, title, text)}
            </div>
            <pre role="group" aria-label=move || title.with(|title| (words.block)(title)) tabindex="0">{inside}</pre>
        </div>
    }
    .into_any()
}
