//! The bar at the top: what the loop runs with, and the page's own switches.

use std::rc::Rc;

use agent_loop::Dialect;
use leptos::prelude::*;
use practice_model::scenarios;

use super::icon::{Icon, icon};
use super::select::{Choice, Choices, select};
use super::settings::{self, endpoint};
use super::{Page, Panel};
use crate::app::{Activity, BridgeStatus, HostChoice, Language, Theme};
use crate::run::actions;
use crate::run::settings::{be_the_model, is_practice, is_you};

/// The bar.
pub(crate) fn header(page: Page) -> AnyView {
    let Page { ui, words, .. } = page;
    let words = &words.header;
    view! {
        <header class="header">
            {panel_button(ui.sessions, "sessions-button", Icon::Sessions, words.sessions)}
            <h1 class="name">"Loopglass " <span lang="zh">"循环镜"</span></h1>
            <div class="knobs">{model(page)} {dialect(page)} {host(page)}</div>
            <div class="switches">
                {new_session(page)}
                {language(page)}
                {theme(page)}
                {settings::button(page)}
                {panel_button(ui.inspector, "inspector-button", Icon::Inspector, words.inspector)}
            </div>
        </header>
    }
    .into_any()
}

/// Opens a part of the page that small screens show on demand.
fn panel_button(panel: RwSignal<Panel>, class: &'static str, sign: Icon, label: &'static str) -> AnyView {
    view! {
        <button
            type="button"
            class=format!("switch {class}")
            aria-label=label
            title=label
            aria-expanded=move || (panel.get() == Panel::Open).to_string()
            on:click=move |_| panel.update(|panel| *panel = panel.turned())
        >
            {icon(sign)}
        </button>
    }
    .into_any()
}

fn knob(label: &'static str, note: AnyView, select: AnyView) -> AnyView {
    view! {
        <div class="knob">
            <p class="knob-label"><span>{label}</span> {note}</p>
            {select}
        </div>
    }
    .into_any()
}

/// For practice, every scenario; else the model of the settings.
fn model(page: Page) -> AnyView {
    let Page { app, words, .. } = page;
    let words = &words.header;
    let choices = move || {
        let settings = app.settings.get();
        let chosen = settings.model.clone();
        let you = Choice::new("you", words.you_the_model);
        if !is_practice(&settings.profile) && !is_you(&settings.profile) {
            return Choices { all: vec![Choice::new(chosen.clone(), chosen.clone()), you], chosen };
        }
        let all = scenarios().iter().map(|scenario| {
            let title = match app.language.get() {
                Language::En => scenario.title.en,
                Language::Zh => scenario.title.zh,
            };
            let heading = if scenario.id == "practice" { "" } else { (words.practice_group)(scenario.group) };
            Choice { value: scenario.id.to_owned(), label: format!("{} · {title}", scenario.id), heading }
        });
        Choices { all: all.chain([you]).collect(), chosen }
    };
    let choose = move |model: String| {
        let settings = app.settings.get_untracked();
        let dialect = settings.profile.dialect;
        let is_you = is_you(&settings.profile);
        if (model == "you") != is_you {
            // A key is for the endpoint it was typed for, and for no other.
            app.key.set(String::new());
        }
        let settings = match model.as_str() {
            "you" => Rc::new(be_the_model(&settings, dialect)),
            _ if is_you => endpoint::with_model(&endpoint::practice_in(&settings, dialect), &model),
            _ => endpoint::with_model(&settings, &model),
        };
        actions::configure(app, settings);
    };
    let note = (move || {
        let is_practice = app.settings.with(|settings| is_practice(&settings.profile));
        is_practice.then(|| view! { <span class="practice-note">{words.practice}</span> })
    })
    .into_any();
    knob(words.model, note, select(words.model, choices, choose))
}

/// Where the endpoint speaks both, the dialect is a choice of its own.
fn dialect(page: Page) -> AnyView {
    let Page { app, words, .. } = page;
    let label = words.header.dialect;
    let choices = move || {
        let chosen = app.settings.with(|settings| settings.profile.dialect);
        let all = vec![Choice::new("messages", "Messages"), Choice::new("chat", "Chat Completions")];
        Choices { all, chosen: if chosen == Dialect::Anthropic { "messages" } else { "chat" }.to_owned() }
    };
    let choose = move |value: String| {
        let dialect = if value == "chat" { Dialect::OpenAi } else { Dialect::Anthropic };
        let settings = app.settings.get_untracked();
        let settings = match is_you(&settings.profile) {
            true => Rc::new(be_the_model(&settings, dialect)),
            false => endpoint::practice_in(&settings, dialect),
        };
        actions::configure(app, settings);
    };
    (move || {
        let speaks_both = app.settings.with(|settings| is_practice(&settings.profile) || is_you(&settings.profile));
        if speaks_both {
            return knob(label, ().into_any(), select(label, choices, choose));
        }
        let name = match app.settings.with(|settings| settings.profile.dialect) {
            Dialect::Anthropic => "Messages",
            Dialect::OpenAi => "Chat Completions",
        };
        knob(label, ().into_any(), view! { <p class="knob-value">{name}</p> }.into_any())
    })
    .into_any()
}

/// Who runs the tools, and how they are.
fn host(page: Page) -> AnyView {
    let Page { app, words, .. } = page;
    let words = &words.header;
    let choices = move || {
        let all = vec![Choice::new("bridge", words.host_bridge), Choice::new("you", words.you)];
        let chosen = match app.host.get() {
            HostChoice::Bridge => "bridge",
            HostChoice::You => "you",
        };
        Choices { all, chosen: chosen.to_owned() }
    };
    let choose = move |value: String| {
        actions::choose_host(app, if value == "you" { HostChoice::You } else { HostChoice::Bridge });
    };
    let status = move || match app.host.get() {
        HostChoice::You => view! { <span class="status">{words.you_status}</span> }.into_any(),
        HostChoice::Bridge => {
            let status = app.bridge.get();
            let class = match status {
                BridgeStatus::Ready { .. } => "status ready",
                BridgeStatus::Connecting(_) => "status",
                BridgeStatus::None
                | BridgeStatus::Gone
                | BridgeStatus::NoLink
                | BridgeStatus::NewBridge
                | BridgeStatus::Elsewhere => "status gone",
            };
            let text = (words.bridge)(&status);
            view! { <span class=class title=text.clone()>{text.clone()}</span> }.into_any()
        }
    };
    knob(words.tool_host, status.into_any(), select(words.tool_host, choices, choose))
}

fn new_session(page: Page) -> AnyView {
    let label = page.words.header.new_session;
    let begin = move |_| {
        actions::new_session(page.app);
        super::composer::focus();
    };
    // A run belongs to the session on show: while it goes on, there is no other.
    let is_busy = move || page.app.activity.get() != Activity::Idle;
    view! {
        <button type="button" class="switch" aria-label=label title=label disabled=is_busy on:click=begin>
            {icon(Icon::Add)}
        </button>
    }
    .into_any()
}

/// The page is drawn anew in the other language; the focus stays on this switch.
fn language(page: Page) -> AnyView {
    let app = page.app;
    let turn = move |_| {
        app.language.update(|language| {
            *language = match language {
                Language::En => Language::Zh,
                Language::Zh => Language::En,
            };
        });
        request_animation_frame(|| super::focus("language"));
    };
    let (label, tag) = match app.language.get_untracked() {
        Language::En => (page.words.header.other_language, "zh"),
        Language::Zh => (page.words.header.other_language, "en"),
    };
    view! {
        <button type="button" class="switch worded" id="language" lang=tag on:click=turn>{label}</button>
    }
    .into_any()
}

fn theme(page: Page) -> AnyView {
    let Page { app, words, .. } = page;
    let turn = move |_| {
        app.theme.update(|theme| {
            *theme = match theme {
                Theme::System => Theme::Light,
                Theme::Light => Theme::Dark,
                Theme::Dark => Theme::System,
            };
        });
    };
    let label = move || (words.header.theme)(app.theme.get());
    let sign = move || {
        icon(match app.theme.get() {
            Theme::System => Icon::System,
            Theme::Light => Icon::Light,
            Theme::Dark => Icon::Dark,
        })
    };
    view! {
        <button type="button" class="switch" aria-label=label title=label on:click=turn>{sign}</button>
    }
    .into_any()
}
