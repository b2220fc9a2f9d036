//! Which endpoint: its kind, address, model and key.

use std::rc::Rc;

use agent_loop::wire::{Browser, preset, profiles};
use agent_loop::{Dialect, Settings};
use bridge_protocol::frames::RelayTarget;
use leptos::prelude::*;

use super::address::address;
use super::field::{described, fresh_id};
use super::model::model;
use super::trial::trial;
use crate::app::Language;
use crate::run::actions;
use crate::run::relay::{self, WhoseKey};
use crate::run::settings::{Place, choose_endpoint, is_practice, is_you, practise};
use crate::view::Page;
use crate::view::select::{Choice, Choices, described_select};
use crate::words::connection;
use crate::words::settings::SettingsWords;

/// The same knobs with another model.
pub(crate) fn with_model(settings: &Settings, model: &str) -> Rc<Settings> {
    Rc::new(Settings { model: model.to_owned(), ..settings.clone() })
}

/// The practice model in a dialect; the scenario stays.
pub(crate) fn practice_in(settings: &Settings, dialect: Dialect) -> Rc<Settings> {
    with_model(&practise(settings, dialect, &Place::here()), &settings.model)
}

/// The fields.
pub(crate) fn fields(page: Page) -> AnyView {
    let app = page.app;
    let words = page.settings_words();
    let choices = move || {
        let profile = app.settings.with(|settings| settings.profile.clone());
        let all = profiles().into_iter().filter(|known| !is_practice(known) || known.dialect == profile.dialect);
        let all =
            all.filter(|known| !is_practice(known) || is_practice(&profile) || known.dialect == Dialect::Anthropic);
        let all = all.map(|known| Choice::new(known.id.clone(), name(page.settings_words(), &known.id)));
        let mut all: Vec<Choice> = all.collect();
        let targets = relayed(page);
        let further = relay::further(&targets);
        all.extend(
            further.map(|it| Choice::new(format!("{RELAYED}{}", it.name), format!("{} {}", it.name, words.relayed))),
        );
        if !all.iter().any(|choice| choice.value.starts_with("practice-")) {
            all.insert(0, Choice::new("practice-anthropic", words.practice));
        }
        if is_you(&profile) {
            all.push(Choice::new(profile.id.clone(), page.words.header.you_the_model));
        }
        let base_url = app.settings.with(|settings| settings.base_url.clone());
        let is_custom = profile.id.starts_with("custom-");
        let relayed = relay::further(&targets).find(|target| is_custom && target.base_url == base_url);
        Choices { all, chosen: relayed.map_or(profile.id, |target| format!("{RELAYED}{}", target.name)) }
    };
    let choose = move |id: String| {
        // A key is for the endpoint it was typed for, and for no other.
        app.key.set(String::new());
        let (before, place) = (app.settings.get_untracked(), Place::here());
        let targets = relayed(page);
        let target = targets.iter().find(|target| target.name == id.strip_prefix(RELAYED).unwrap_or(&id));
        let mut settings = match target {
            Some(target) if id.starts_with(RELAYED) => relay::choose(&before, target, &place),
            _ => choose_endpoint(&before, &id, &place),
        };
        if let Some(model) = target.and_then(|target| target.model.clone()) {
            settings.model = model;
        }
        actions::configure(app, Rc::new(settings));
    };
    let own = move || app.settings.with(|settings| !is_practice(&settings.profile) && !is_you(&settings.profile));
    view! {
        <div class="setting">
            <p class="setting-label">{words.endpoint}</p>
            {described_select(words.endpoint, Some(NOTE.to_owned()), choices, choose)}
            <p class="hint" id=NOTE>{move || note(page)}</p>
        </div>
        <div class="settings-group" hidden=move || !own()>
            {address(page)}
            {way(page)}
            {model(page)}
            {key(page)}
            {trial(page)}
        </div>
    }
    .into_any()
}

/// The id of what is known of the chosen endpoint.
const NOTE: &str = "endpoint-note";

/// What a person should know of the chosen endpoint: whether a page may call it, and what has to be done first. Nothing
/// where the bridge does that already.
fn note(page: Page) -> Option<&'static str> {
    let app = page.app;
    let settings = app.settings.get();
    let preset = preset(&settings.profile.id).filter(|preset| !is_practice(&preset.profile))?;
    let is_relayed = relay::detour(&settings, &Place::here(), &relayed(page), &app.key.get()).is_some();
    let language = app.language.get_untracked();
    let note = match language {
        Language::En => preset.note.en.as_str(),
        Language::Zh => preset.note.zh.as_str(),
    };
    match preset.browser {
        Browser::Relay if is_relayed => None,
        Browser::Direct if note.is_empty() => Some(connection(language).direct),
        _ => Some(note),
    }
}

/// What stands before the name of a relayed service among the choices.
const RELAYED: &str = "relay:";

/// What the bridge relays to; read again whenever the bridge's status changes.
pub(super) fn relayed(page: Page) -> Vec<RelayTarget> {
    page.app.bridge.track();
    page.app.tab().link.relay()
}

/// Whether requests go by way of the bridge and with whose key, and what else it relays.
fn way(page: Page) -> AnyView {
    let app = page.app;
    let words = page.settings_words();
    let told = move || {
        let targets = relayed(page);
        let way = app.settings.with(|settings| relay::detour(settings, &Place::here(), &targets, &app.key.get()));
        way.map(|way| {
            let how = match way.key {
                WhoseKey::Bridges => words.with_its_key,
                WhoseKey::Typed => words.with_typed_key,
                WhoseKey::Nobodys => words.with_no_key,
            };
            view! { <p class="hint relayed">{how} " /relay/" {way.name}</p> }
        })
    };
    let served = move || {
        let served: Vec<String> = relayed(page)
            .iter()
            .filter(|target| target.has_key || !target.admits_pages)
            .map(
                |target| {
                    if target.has_key { format!("{} {}", target.name, words.has_key) } else { target.name.clone() }
                },
            )
            .collect();
        (!served.is_empty()).then(|| view! { <p class="hint">{words.relays} " " {served.join(" · ")}</p> })
    };
    view! {
        {told}
        {served}
    }
    .into_any()
}

/// The key. It is never shown again and never leaves the tab's memory but to its endpoint.
fn key(page: Page) -> AnyView {
    let app = page.app;
    let words = page.settings_words();
    let (hint_id, hint) = described(words.key_hint);
    let told_id = fresh_id();
    let ids = format!("{} {told_id}", hint_id.unwrap_or_default());
    let told = move || {
        let auth = app.settings.with(|settings| settings.profile.auth);
        let preset = preset(&app.settings.with(|settings| settings.profile.id.clone()));
        preset.map(|preset| (connection(app.language.get_untracked()).key)(preset.key, auth))
    };
    view! {
        <div class="setting">
            <label class="setting">
                <span class="setting-label">{words.key}</span>
                <input
                    type="password"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby=ids
                    prop:value=move || app.key.get()
                    on:input=move |event| app.key.set(event_target_value(&event))
                />
            </label>
            <p class="hint" id=told_id>{told}</p>
            {hint}
        </div>
    }
    .into_any()
}

/// A profile's name for a person.
fn name(words: &'static SettingsWords, id: &str) -> String {
    match id {
        "anthropic" => "Anthropic".to_owned(),
        "openai" => "OpenAI".to_owned(),
        "llama-cpp" => "llama.cpp".to_owned(),
        "dashscope" => "DashScope (Qwen)".to_owned(),
        "deepseek" => "DeepSeek".to_owned(),
        "openrouter" => "OpenRouter".to_owned(),
        "gemini" => "Gemini".to_owned(),
        "groq" => "Groq".to_owned(),
        "mistral" => "Mistral".to_owned(),
        "ollama" => "Ollama".to_owned(),
        "lm-studio" => "LM Studio".to_owned(),
        "custom-openai" => words.compatible.to_owned(),
        "custom-anthropic" => words.custom_messages.to_owned(),
        practice if practice.starts_with("practice-") => words.practice.to_owned(),
        other => preset(other).map_or_else(|| other.to_owned(), |preset| preset.name.clone()),
    }
}
