//! Markdown that is still coming: blocks that are finished are drawn once, only the last one is drawn again.

use leptos::prelude::*;

use super::blocks::{nodes, start_of_last};
use super::elements::views;

/// A text that grows. Its signal changes once per frame at most, which bounds the work per frame.
pub(crate) fn markdown(text: RwSignal<String>) -> AnyView {
    let finished = RwSignal::new(Vec::<(usize, String)>::new());
    let last = RwSignal::new(String::new());
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
            last.set(growing.to_owned());
            settled + cut
        })
    });
    view! {
        <div class="markdown">
            <For
                each=move || finished.get()
                key=|(start, _)| *start
                children=|(_, text)| views(nodes(&text)).into_any()
            />
            {move || last.with(|text| views(nodes(text)))}
        </div>
    }
    .into_any()
}
