//! Markdown that is still coming: blocks that are finished are drawn once, only the last one is drawn again; of code, only
//! its last line.

use leptos::prelude::*;
use web_sys::{Element, Node as Place, Text};

use super::blocks::{nodes, start_of_last};
use super::code;
use super::elements::draw;
use super::node::Node;
use crate::view::Page;

/// Where the blocks stand: the finished ones, this, the last one, and another of these.
#[derive(Clone)]
struct Ends {
    finished: Text,
    last: Text,
}

impl Ends {
    /// At the beginning of an empty element. Without them nothing is drawn.
    fn within(element: &Element) -> Option<Ends> {
        let ends = Ends { finished: Text::new().ok()?, last: Text::new().ok()? };
        element.append_child(&ends.finished).ok()?;
        element.append_child(&ends.last).ok()?;
        Some(ends)
    }

    /// Takes out what stands before `end`, back to `start`.
    fn clear(start: Option<&Place>, end: &Text) {
        while let Some(before) = end.previous_sibling().filter(|before| !before.is_same_node(start)) {
            let Some(Ok(_)) = before.parent_node().map(|parent| parent.remove_child(&before)) else { return };
        }
    }

    /// Draws before `end`.
    fn draw(page: Page, nodes: &[Node], end: &Text) {
        let drawn = document().create_document_fragment();
        draw(page, &drawn, nodes);
        if let Some(parent) = end.parent_node() {
            // Where it is refused, these blocks are not seen until the message is drawn anew.
            let _ = parent.insert_before(&drawn, Some(end));
        }
    }
}

/// A text that grows. Its signal changes once per frame at most, which bounds the work per frame.
pub(crate) fn markdown(page: Page, text: RwSignal<String>) -> AnyView {
    let ends = StoredValue::new_local(None::<Ends>);
    let begin = move |element: Element, ()| ends.set_value(Ends::within(&element));
    let last = RwSignal::new((0, Vec::<Node>::new()));
    Effect::new(move |settled: Option<usize>| {
        let Some(Ends { finished, last: end }) = ends.get_value() else { return 0 };
        text.with(|text| {
            // A text that is not longer than what was settled is another text.
            let settled = settled.filter(|settled| text.is_char_boundary(*settled));
            let settled = settled.unwrap_or_else(|| {
                Ends::clear(None, &finished);
                0
            });
            let rest = text.get(settled..).unwrap_or_default();
            let cut = start_of_last(rest);
            let (done, growing) = rest.split_at(cut);
            if !done.is_empty() {
                Ends::draw(page, &nodes(done), &finished);
            }
            let growing = nodes(growing);
            Ends::clear(Some(&finished), &end);
            if code::alone(&growing).is_none() {
                Ends::draw(page, &growing, &end);
            }
            last.set((settled + cut, growing));
            settled + cut
        })
    });
    // Code that begins at one place is one block, however it grows; two of them are two.
    let code_at = Memo::new(move |_| last.with(|(start, nodes)| code::alone(nodes).map(|_| *start)));
    view! {
        <div class="markdown" on:click=move |event| code::press(page, &event) use:begin=()>
            {move || code_at.get().map(|_| code::growing(page, last))}
        </div>
    }
    .into_any()
}
