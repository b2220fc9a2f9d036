//! Markdown that is still coming: blocks that are finished are drawn once, only the last one is drawn again.

use leptos::prelude::*;
use pulldown_cmark::{Event, Parser};

use super::elements::views;
use super::parse::{OPTIONS, nodes};

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
            let cut = start_of_last_block(rest);
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

/// Where the last block of a text begins: what stands before it will not change however the text goes on.
fn start_of_last_block(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut start = 0;
    for (event, range) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        match event {
            Event::Start(_) => {
                if depth == 0 {
                    start = range.start;
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            _ if depth == 0 => start = range.start,
            _ => {}
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::start_of_last_block;
    use crate::view::markdown::parse::nodes;

    /// Cut where the last block begins, both parts read alone give what the whole gives.
    #[track_caller]
    fn check(text: &str, last: &str) {
        let (done, growing) = text.split_at(start_of_last_block(text));
        assert_eq!(growing, last);
        assert_eq!([nodes(done), nodes(growing)].concat(), nodes(text));
    }

    #[test]
    fn a_text_is_cut_before_its_last_block() {
        check("", "");
        check("one", "one");
        check("one\n\ntwo", "two");
        check("# one\ntwo\n\n- a\n- b\n", "- a\n- b\n");
        check("a\n\n```py\nx = 1\n\ny", "```py\nx = 1\n\ny");
        check("a\n\n| b |\n|---|\n| c |\n", "| b |\n|---|\n| c |\n");
        check("a\n\n---\n", "---\n");
    }
}
