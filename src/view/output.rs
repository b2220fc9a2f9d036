//! The output of a run while it comes, in its colours. The two streams are told apart by a word, not by colour alone.

use agent_loop::{CallKey, Stream};
use leptos::html::Pre;
use leptos::prelude::*;

use super::colours::coloured;
use super::{Page, elapsed};
use crate::app::{OutputChunk, ToolRun};
use crate::words::bytes;

/// The output of a call's run, as far as this tab has seen it; nothing if it has not.
pub(crate) fn live(page: Page, call: CallKey) -> Option<AnyView> {
    let run = page.app.tool_runs.with(|runs| runs.iter().rev().find(|run| run.call == call).cloned())?;
    Some(output(page, run))
}

/// The output of a run.
pub(crate) fn output(page: Page, run: ToolRun) -> AnyView {
    let words = &page.session_words().entries.call;
    let region = NodeRef::<Pre>::new();
    Effect::new(move |_| {
        run.output.track();
        if let Some(region) = region.get() {
            request_animation_frame(move || region.set_scroll_top(region.scroll_height()));
        }
    });
    let chunks = move || {
        run.output.with(|chunks| {
            let before = std::iter::once(Stream::Stdout).chain(chunks.iter().map(|chunk| chunk.stream));
            before.zip(chunks.iter().cloned()).collect::<Vec<_>>()
        })
    };
    view! {
        <pre class="mono live-output" role="group" tabindex="0" aria-label=words.output_label node_ref=region>
            <For each=chunks key=|(_, chunk)| chunk.number children=|(before, chunk)| piece(before, chunk) />
        </pre>
        <p class="facts">
            {move || (!run.ended.get()).then(|| elapsed::since(run.started_ms))}
            <span>{move || match run.bytes.get() {
                0 if run.ended.get() => words.no_output.to_owned(),
                0 => words.no_output_yet.to_owned(),
                count => (words.output)(&bytes(count)),
            }}</span>
        </p>
    }
    .into_any()
}

fn piece(before: Stream, chunk: OutputChunk) -> AnyView {
    match chunk.stream {
        Stream::Stdout => coloured(&chunk.text),
        Stream::Stderr => {
            let begins = (before == Stream::Stdout).then(|| view! { <span class="stream">"stderr"</span> });
            view! { <span class="stderr">{begins}{coloured(&chunk.text)}</span> }.into_any()
        }
    }
}
