//! Beside what the model read of an output: what it did not, and the whole, to be looked through and kept.

use agent_loop::ToolResult;
use agent_loop::tool::strip_all_but_colours;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::Url;

use crate::run::whole::{self, Missing, PIECE, Whole};
use crate::view::Page;
use crate::view::colours::coloured;
use crate::words::{bytes, count, whole};

/// How far it has come.
#[derive(Clone)]
enum Stage {
    Unasked,
    Asked,
    Here(Whole),
    Missing(Missing),
}

/// What was cut, and the way to all of it.
pub(super) fn output(page: Page, result: &ToolResult) -> AnyView {
    let words = whole(page.app.language.get_untracked());
    let cut = result.left_out.map(|cut| {
        let [head, tail] = [cut.head, cut.tail].map(|characters| count(characters as u64));
        let told = (words.left_out)(&head, &bytes(cut.bytes), (cut.tail > 0).then_some(tail.as_str()));
        view! { <p>{told}</p> }
    });
    let run = whole::run_of(page.app, result.call).filter(|_| result.output_bytes > 0);
    let stage = RwSignal::new_local(Stage::Unasked);
    let written = result.output_bytes;
    let way = run.map(|run| {
        move || match stage.get() {
            Stage::Unasked => {
                let run = run.clone();
                let ask = move |_| {
                    let run = run.clone();
                    stage.set(Stage::Asked);
                    spawn_local(async move {
                        let fetched = whole::fetch(page.app, &run).await;
                        // Another call may be on show by now.
                        stage.try_set(fetched.map_or_else(Stage::Missing, Stage::Here));
                    });
                };
                view! { <button type="button" on:click=ask>{(words.fetch)(&bytes(written))}</button> }.into_any()
            }
            Stage::Asked => view! { <p class="dim">{words.fetching}</p> }.into_any(),
            Stage::Here(whole) => here(page, whole),
            Stage::Missing(Missing::Gone) => view! { <p class="dim">{words.gone}</p> }.into_any(),
            Stage::Missing(Missing::Unreachable) => view! { <p class="dim">{words.unreachable}</p> }.into_any(),
        }
    });
    view! { {cut} {way} }.into_any()
}

fn here(page: Page, fetched: Whole) -> AnyView {
    let words = whole(page.app.language.get_untracked());
    let Whole { blob, written, is_binary } = fetched;
    let kept = blob.size() as u64;
    let fewer = (kept < written).then(|| view! { <p>{(words.kept)(&bytes(kept), &bytes(written))}</p> });
    let name = if is_binary { "output.bin" } else { "output.txt" };
    let link = Url::create_object_url_with_blob(&blob).ok().map(|url| {
        let address = url.clone();
        on_cleanup(move || drop(Url::revoke_object_url(&address)));
        view! { <a href=url download=name>{words.download}</a> }
    });
    let inside = if is_binary { view! { <p>{words.binary}</p> }.into_any() } else { pages(page, blob, kept) };
    view! {
        {fewer}
        <p class="facts">{link}</p>
        {inside}
    }
    .into_any()
}

/// The text, a piece at a time.
fn pages(page: Page, blob: web_sys::Blob, kept: u64) -> AnyView {
    let words = whole(page.app.language.get_untracked());
    let from = RwSignal::new(0_u64);
    let text = RwSignal::new(String::new());
    Effect::new(move |_| {
        let (blob, start) = (blob.clone(), from.get());
        spawn_local(async move {
            let piece = whole::piece(&blob, start).await.unwrap_or_default();
            if from.try_get_untracked() == Some(start) {
                text.try_set(strip_all_but_colours(&piece));
            }
        });
    });
    let end = move || (from.get() + PIECE).min(kept);
    let turn = (kept > PIECE).then(|| {
        view! {
            <p class="facts">
                <button type="button" disabled=move || from.get() == 0 on:click=move |_| from.update(|from| *from = from.saturating_sub(PIECE))>
                    {words.earlier}
                </button>
                <span>{move || (words.place)(&count(from.get()), &count(end()), &count(kept))}</span>
                <button type="button" disabled=move || end() == kept on:click=move |_| from.update(|from| *from += PIECE)>
                    {words.later}
                </button>
            </p>
        }
    });
    view! {
        <pre class="mono live-output" tabindex="0" aria-label=words.title>{move || text.with(|text| coloured(text))}</pre>
        {turn}
    }
    .into_any()
}
