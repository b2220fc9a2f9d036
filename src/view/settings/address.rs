//! The base URL: where requests go by it, what had to be read into it, and what is wrong with it.

use std::rc::Rc;

use agent_loop::Settings;
use agent_loop::wire::{AddressNote, corrected_base_url, default_base_url, endpoint_url, read_base_url};
use leptos::prelude::*;

use super::endpoint::relayed;
use super::field::described;
use crate::run::reach::{Reach, reach};
use crate::run::settings::Place;
use crate::run::{actions, relay};
use crate::view::Page;
use crate::view::signs::signs;
use crate::words::connection;

/// The id of what is told of the address.
const TOLD: &str = "address-told";

/// The field.
pub(super) fn address(page: Page) -> AnyView {
    let app = page.app;
    let words = page.settings_words();
    let (hint_id, hint) = described(words.base_url_hint);
    let ids = format!("{TOLD} {}", hint_id.unwrap_or_default());
    let is_none = move || {
        app.settings.with(|settings| read_base_url(&settings.base_url, settings.profile.dialect).is_err()).to_string()
    };
    view! {
        <div class="setting">
            <label class="setting">
                <span class="setting-label">{words.base_url}</span>
                <input
                    type="text"
                    inputmode="url"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby=ids
                    aria-invalid=is_none
                    prop:value=move || app.settings.with(|settings| settings.base_url.clone())
                    on:change=move |event| set(page, event_target_value(&event))
                />
            </label>
            {hint}
            <div class="told" role="status" id=TOLD>{move || told(page)}</div>
        </div>
    }
    .into_any()
}

/// Takes an address. A key is for the service it was typed for, and for no other.
fn set(page: Page, base_url: String) {
    let app = page.app;
    let before = app.settings.get_untracked();
    let settings = Settings { base_url, ..(*before).clone() };
    if service(&endpoint_url(&settings)) != service(&endpoint_url(&before)) {
        app.key.set(String::new());
    }
    actions::configure(app, Rc::new(settings));
}

/// Scheme, host and port of a URL.
fn service(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    Some((scheme, rest.split(['/', '?']).next().unwrap_or_default()))
}

fn told(page: Page) -> AnyView {
    let app = page.app;
    let words = connection(app.language.get_untracked());
    let (settings, place) = (app.settings.get(), Place::here());
    let dialect = settings.profile.dialect;
    let line = |text: String| view! { <p class="hint">{signs(&text).into_owned()}</p> }.into_any();
    let alarm = |text: String| view! { <p class="hint bad">{signs(&text).into_owned()}</p> }.into_any();
    let (mut lines, mut offered) = (Vec::new(), corrected_base_url(&settings.base_url, dialect));
    match read_base_url(&settings.base_url, dialect) {
        Err(fault) => {
            lines.push(alarm((words.fault)(&fault)));
            let usual = default_base_url(&settings.profile.id);
            offered = offered.or_else(|| (!usual.is_empty()).then(|| usual.to_owned()));
        }
        Ok(read) => {
            let is_relayed = relay::detour(&settings, &place, &relayed(page), &app.key.get()).is_some();
            let reach = if is_relayed { Reach::Open } else { reach(&settings, &place) };
            let notes = read.notes.iter().filter(|note| **note != AddressNote::PlainHttp || reach == Reach::Open);
            lines.extend(notes.map(|note| line((words.mended)(*note).to_owned())));
            match reach {
                Reach::Open => {
                    let url = signs(&endpoint_url(&settings)).into_owned();
                    lines.push(view! { <p class="hint">{words.goes_to} " " <code>{url}</code></p> }.into_any());
                }
                Reach::PlainHttp => {
                    lines.push(alarm(words.plain_http.to_owned()));
                    let secure = read.base.replacen("http://", "https://", 1);
                    offered = Some(format!("{secure}{}", read.query));
                }
                Reach::OtherName(name) => {
                    lines.push(alarm(words.other_name.to_owned()));
                    offered = Some(name);
                }
            }
        }
    }
    let button = offered.map(|address| {
        let label = (words.use_address)(&signs(&address));
        view! { <button type="button" class="offer" on:click=move |_| set(page, address.clone())>{label}</button> }
    });
    view! {
        {lines}
        {button}
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::service;

    #[test]
    fn a_key_stays_with_the_service_it_was_typed_for() {
        let check = |one: &str, other: &str, is_same: bool| {
            assert_eq!(service(one) == service(other), is_same, "{one} {other}");
        };
        check("https://a.example/v1/messages", "https://a.example/v1/v1/messages", true);
        check("https://a.example/v1/messages", "https://a.example?x=1", true);
        check("https://a.example/v1/messages", "http://a.example/v1/messages", false);
        check("https://a.example/v1/messages", "https://a.example.evil.example/v1/messages", false);
        check("https://a.example/v1/messages", "https://a.example@evil.example/v1/messages", false);
        check("http://localhost:8080/v1", "http://localhost:8081/v1", false);
    }
}
