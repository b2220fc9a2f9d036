//! Markdown that is still coming: blocks that are finished are drawn once, only the last one is drawn again; of code, only
//! its last line.

use leptos::prelude::*;

use super::blocks::{nodes, start_of_last};
use super::code;
use super::elements::views;
use super::node::Node;
use crate::view::Page;

/// A text that grows. Its signal changes once per frame at most, which bounds the work per frame.
pub(crate) fn markdown(page: Page, text: RwSignal<String>) -> AnyView {
    let finished = RwSignal::new(Vec::<(usize, String)>::new());
    let last = RwSignal::new((0, Vec::<Node>::new()));
    Effect::new(move |settled: Option<usize>| {
        text.with(|text| {
            // A text that is not longer than what was settled is another text.
            let settled = settled.filter(|settled| text.is_char_boundary(*settled));
            let settled = settled.unwrap_or_else(|| {
                finished.set(Vec::new());
                0
            });
            let rest = text.get(settled..).unwrap_or_default();
            let cut = start_of_last(rest);
            let (done, growing) = rest.split_at(cut);
            if !done.is_empty() {
                finished.update(|blocks| blocks.push((settled, done.to_owned())));
            }
            last.set((settled + cut, nodes(growing)));
            settled + cut
        })
    });
    // Code that begins at one place is one block, however it grows; two of them are two.
    let code_at = Memo::new(move |_| last.with(|(start, nodes)| code::alone(nodes).map(|_| *start)));
    view! {
        <div class="markdown">
            <For
                each=move || finished.get()
                key=|(start, _)| *start
                children=move |(_, text)| views(page, nodes(&text)).into_any()
            />
            {move || match code_at.get() {
                Some(_) => code::growing(page, last),
                None => (move || views(page, last.with(|(_, nodes)| nodes.clone()))).into_any(),
            }}
        </div>
    }
    .into_any()
}
