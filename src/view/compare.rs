//! Two branches side by side: how much they share, and what each says after that.

use std::rc::Rc;

use agent_loop::{Message, Role};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::icon::{Icon, icon};
use super::signs::signs;
use super::stops::plain;
use super::{Page, focus_when_drawn};
use crate::app::Compared;

/// The comparison, while there is one.
pub(crate) fn comparison(page: Page) -> AnyView {
    (move || page.app.compared.get().map(|other| both(page, &other))).into_any()
}

fn both(page: Page, other: &Compared) -> AnyView {
    let words = &page.session_words().time;
    let state = page.app.state.get();
    let shared = shared(&state.messages, &other.state.messages);
    let region = NodeRef::<html::Section>::new();
    let opener = StoredValue::new_local(document().active_element());
    focus_when_drawn(region);
    let close = move || {
        page.app.compared.set(None);
        let opener =
            opener.with_value(|opener| opener.as_ref().and_then(|element| element.dyn_ref::<HtmlElement>().cloned()));
        if let Some(opener) = opener {
            // One that has gone meanwhile takes no focus.
            let _ = opener.focus();
        }
    };
    let on_key = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            close();
        }
    };
    view! {
        <section class="comparison" aria-label=words.comparison tabindex="-1" node_ref=region on:keydown=on_key>
            <div class="panel-head">
                <h2>{words.comparison}</h2>
                <p class="dim">{(words.shared)(shared)}</p>
                <button type="button" class="switch" aria-label=words.close_comparison on:click=move |_| close()>
                    {icon(Icon::Close)}
                </button>
            </div>
            <div class="branches">
                {branch(page, words.this_branch.to_owned(), &state.messages, shared)}
                {branch(page, other.title.clone(), &other.state.messages, shared)}
            </div>
        </section>
    }
    .into_any()
}

fn branch(page: Page, title: String, messages: &[Rc<Message>], shared: usize) -> AnyView {
    let entry = |(place, message): (usize, &Rc<Message>)| {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        view! {
            <li>
                <p class="dim"><code>{format!("[{place}]")}</code> " " {role}</p>
                <pre class="mono">{signs(&plain(message)).into_owned()}</pre>
            </li>
        }
        .into_any()
    };
    let entries: Vec<AnyView> = messages.iter().enumerate().skip(shared).map(entry).collect();
    let nothing = entries.is_empty().then(|| view! { <p class="dim">{page.session_words().time.nothing_more}</p> });
    view! {
        <section class="branch" aria-label=title.clone() tabindex="0">
            <h3>{title.clone()}</h3>
            <ol role="list">{entries}</ol>
            {nothing}
        </section>
    }
    .into_any()
}

/// How many entries both begin with.
fn shared(one: &[Rc<Message>], other: &[Rc<Message>]) -> usize {
    let is_same = |(one, other): &(&Rc<Message>, &Rc<Message>)| one.role == other.role && one.blocks == other.blocks;
    one.iter().zip(other).take_while(is_same).count()
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use agent_loop::Message;

    use super::shared;

    #[test]
    fn branches_share_what_they_begin_with() {
        let all = |words: &[&str]| words.iter().map(|word| Rc::new(Message::person(*word))).collect::<Vec<_>>();
        let check = |one: &[&str], other: &[&str], expected: usize| {
            assert_eq!([shared(&all(one), &all(other)), shared(&all(other), &all(one))], [expected; 2]);
        };
        check(&[], &[], 0);
        check(&["a"], &[], 0);
        check(&["a", "b"], &["a", "c"], 1);
        check(&["a"], &["a", "b"], 1);
        check(&["x", "b"], &["y", "b"], 0);
    }
}
