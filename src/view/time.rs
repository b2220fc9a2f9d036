//! Time: the session as it was after any of its facts, and the way to branch off there.

use leptos::prelude::*;

use super::icon::{Icon, icon};
use super::{Page, composer, dialects, focus};
use crate::app::Activity;
use crate::run::actions;
use crate::words::lens;

/// The slider's id.
const SLIDER: &str = "time";

/// The slider over the log, and what there is to say while a person looks back.
pub(crate) fn bar(page: Page) -> AnyView {
    let app = page.app;
    let words = &page.session_words().time;
    let len = move || app.facts.get();
    let at = move || app.moment.get().unwrap_or_else(len);
    let told = move || {
        let (at, of) = (at(), len());
        app.session.with(|session| session.fact(at.saturating_sub(1)).map(|sealed| (words.at)(at, of, &sealed.fact)))
    };
    let step = move |label: &'static str, sign: Icon, by: isize| {
        let go = move |_| actions::look_at(app, at().checked_add_signed(by));
        let cannot = move || if by < 0 { at() <= 1 } else { at() >= len() };
        view! {
            <button type="button" class="switch" aria-label=label title=label disabled=cannot on:click=go>
                {icon(sign)}
            </button>
        }
        .into_any()
    };
    let slide = move |event| {
        let typed: String = event_target_value(&event);
        actions::look_at(app, typed.parse().ok());
    };
    view! {
        <div class="time" hidden=move || len() < 2>
            {step(words.earlier, Icon::Earlier, -1)}
            <input
                type="range"
                id=SLIDER
                min="1"
                max=move || len().to_string()
                prop:value=move || at().to_string()
                aria-label=words.slider
                aria-valuetext=told
                on:input=slide
            />
            {step(words.later, Icon::Later, 1)}
            <span class="time-at">{told}</span>
            {dialects::switch(page)}
        </div>
        {move || app.moment.get().map(|moment| banner(page, moment, app.facts.get_untracked()))}
    }
    .into_any()
}

fn banner(page: Page, moment: usize, of: usize) -> AnyView {
    let app = page.app;
    let words = &page.session_words().time;
    // The buttons go with the banner: the focus goes to where the person goes on.
    let fork = move |_| {
        actions::fork(app, moment);
        composer::focus();
    };
    let back = move |_| {
        focus(SLIDER);
        actions::look_at(app, None);
    };
    let is_busy = move || app.activity.get() != Activity::Idle;
    let told = move || match is_busy() {
        true => lens(app.language.get_untracked()).run_goes_on,
        false => words.files_untouched,
    };
    view! {
        <div class="looking-back" role="status">
            <p><strong>{(words.looking_back)(moment, of)}</strong> " " {told}</p>
            <span class="buttons">
                <button type="button" disabled=is_busy on:click=fork>{words.fork_here}</button>
                <button type="button" class="primary" on:click=back>
                    {words.back_to_now}
                </button>
            </span>
        </div>
    }
    .into_any()
}
