//! The model: any name can be typed, and what the endpoint lists is suggested, in a combobox.

use agent_loop::{ModelFailure, Stop};
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::endpoint::with_model;
use crate::app::App;
use crate::parts;
use crate::run::actions;
use crate::view::Page;
use crate::view::signs::signs;
use crate::words::{TrialWords, trial as words_of};

/// How many names are suggested at once.
const SHOWN: usize = 60;

const LIST: &str = "models";
const TOLD: &str = "models-told";

/// What is known of the endpoint's list.
#[derive(Debug, Clone, PartialEq)]
enum Listed {
    /// Nobody has asked.
    Unasked,
    Asking,
    Names(Vec<String>),
    Failed(ModelFailure),
}

/// The combobox as it stands. Copied freely.
#[derive(Clone, Copy)]
struct Combobox {
    app: App,
    words: &'static TrialWords,
    listed: RwSignal<Listed>,
    /// What stands in the field.
    typed: RwSignal<String>,
    /// Whether what stands there was typed since the list was opened: only then are the names narrowed down.
    is_narrowed: RwSignal<bool>,
    is_open: RwSignal<bool>,
    /// The suggestion under the keys, by its place among those that are shown.
    active: RwSignal<Option<usize>>,
    input: NodeRef<html::Input>,
}

/// The field.
pub(super) fn model(page: Page) -> AnyView {
    let app = page.app;
    let words = words_of(app.language.get_untracked());
    let it = Combobox {
        app,
        words,
        listed: RwSignal::new(Listed::Unasked),
        typed: RwSignal::new(String::new()),
        is_narrowed: RwSignal::new(false),
        is_open: RwSignal::new(false),
        active: RwSignal::new(None),
        input: NodeRef::new(),
    };
    Effect::new(move |_| it.typed.set(app.settings.with(|settings| settings.model.clone())));
    // The list is that of this endpoint and this key.
    let endpoint = Memo::new(move |_| {
        (app.settings.with(|settings| (settings.profile.id.clone(), settings.base_url.clone())), app.key.get())
    });
    Effect::new(move |_| {
        endpoint.track();
        it.listed.set(Listed::Unasked);
    });
    let shown = move || it.is_open.get() && !it.suggestions().0.is_empty();
    let active = move || it.active.get().filter(|_| shown()).map(option_id);
    let label = page.settings_words().model;
    view! {
        <div class="setting">
            <label class="setting-label" for="model">{label}</label>
            <div class="combobox">
                <input
                    type="text"
                    id="model"
                    role="combobox"
                    autocomplete="off"
                    spellcheck="false"
                    aria-autocomplete="list"
                    aria-controls=LIST
                    aria-expanded=move || shown().to_string()
                    aria-activedescendant=active
                    aria-describedby=TOLD
                    node_ref=it.input
                    prop:value=move || it.typed.get()
                    on:input=move |event| it.narrow(event_target_value(&event))
                    on:keydown=move |event| it.key(&event)
                    on:change=move |event| it.take(event_target_value(&event))
                    on:blur=move |_| it.is_open.set(false)
                />
                <button
                    type="button"
                    on:mousedown=move |event| event.prevent_default()
                    on:click=move |_| it.turn()
                >
                    {words.list_models}
                </button>
                <ul class="suggestions" id=LIST role="listbox" aria-label=words.models hidden=move || !shown()>
                    {move || it.options()}
                </ul>
            </div>
            <p class="hint" role="status" id=TOLD>{move || it.told()}</p>
        </div>
    }
    .into_any()
}

impl Combobox {
    /// The names that fit, as many as are shown, and how many more there are. Followed by whoever reads it.
    fn suggestions(self) -> (Vec<String>, usize) {
        let typed = if self.is_narrowed.get() { self.typed.get() } else { String::new() };
        self.listed.with(|listed| match listed {
            Listed::Names(names) => fitting(names, &typed),
            _ => (Vec::new(), 0),
        })
    }

    fn options(self) -> AnyView {
        let (names, more) = self.suggestions();
        let options = names.into_iter().enumerate().map(|(place, name)| {
            let shown = signs(&name).into_owned();
            view! {
                <li
                    role="option"
                    id=option_id(place)
                    aria-selected=move || (self.active.get() == Some(place)).to_string()
                    on:mousedown=move |event| event.prevent_default()
                    on:click=move |_| self.choose(name.clone())
                >
                    {shown}
                </li>
            }
        });
        let options: Vec<_> = options.collect();
        let more = (more > 0).then(|| {
            view! { <li class="dim" role="option" aria-disabled="true" aria-selected="false">{(self.words.more)(more)}</li> }
        });
        view! {
            {options}
            {more}
        }
        .into_any()
    }

    fn told(self) -> String {
        self.listed.with(|listed| match listed {
            Listed::Unasked => String::new(),
            Listed::Asking => self.words.listing.to_owned(),
            Listed::Names(names) if self.is_narrowed.get() && !names.is_empty() && self.suggestions().0.is_empty() => {
                self.words.none_fits.to_owned()
            }
            Listed::Names(names) => (self.words.listed)(names.len()),
            Listed::Failed(failure) => {
                let told = (self.words.not_listed)(failure);
                let said = signs(&failure.message).into_owned();
                [told.what, told.next, said].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
            }
        })
    }

    /// Opens the list, which is asked for first where it is not here; or closes it.
    fn turn(self) {
        if let Some(input) = self.input.get_untracked() {
            // An input that cannot take the focus leaves it where it is.
            let _ = input.focus();
        }
        let is_here = self.listed.with_untracked(|listed| matches!(listed, Listed::Names(_)));
        self.is_narrowed.set(false);
        self.active.set(None);
        self.is_open.set(!(is_here && self.is_open.get_untracked()));
        if !is_here && self.listed.get_untracked() != Listed::Asking {
            self.listed.set(Listed::Asking);
            spawn_local(ask(self.app, self.listed));
        }
    }

    fn narrow(self, typed: String) {
        self.typed.set(typed);
        self.is_narrowed.set(true);
        self.is_open.set(true);
        self.active.set(None);
    }

    fn key(self, event: &KeyboardEvent) {
        let is_here = self.listed.with_untracked(|listed| matches!(listed, Listed::Names(_)));
        let (names, _) = untrack(|| self.suggestions());
        let is_open = self.is_open.get_untracked();
        let active = self.active.get_untracked().filter(|_| is_open);
        match event.key().as_str() {
            "ArrowDown" | "ArrowUp" if !is_here || !is_open => self.turn(),
            "ArrowDown" => self.active.set(next(active, names.len())),
            "ArrowUp" => self.active.set(previous(active, names.len())),
            "Enter" => match active.and_then(|place| names.get(place)) {
                Some(name) => self.choose(name.clone()),
                None => return,
            },
            // Only the list: the dialog around it is closed by the next one.
            "Escape" if is_open && !names.is_empty() => self.is_open.set(false),
            _ => return,
        }
        event.prevent_default();
    }

    fn choose(self, name: String) {
        self.is_open.set(false);
        self.take(name);
    }

    fn take(self, name: String) {
        let settings = with_model(&self.app.settings.get_untracked(), name.trim());
        actions::configure(self.app, settings);
    }
}

/// Asks the endpoint. The page may have been drawn anew meanwhile: then nobody is told.
async fn ask(app: App, listed: RwSignal<Listed>) {
    let whose = || (app.settings.get_untracked(), app.key.get_untracked());
    let (settings, key) = whose();
    let part = parts::run().await;
    app.unfetched.set(part.is_err());
    let answer = match part {
        Ok(part) => match (part.list)(app, Stop::new()).await {
            Ok(names) => Listed::Names(names),
            Err(failure) => Listed::Failed(failure),
        },
        Err(_) => Listed::Unasked,
    };
    let (settings_now, key_now) = whose();
    let is_same = (&settings.base_url, &settings.profile.id, &key)
        == (&settings_now.base_url, &settings_now.profile.id, &key_now);
    if is_same {
        listed.try_set(answer);
    }
}

fn option_id(place: usize) -> String {
    format!("models-{place}")
}

/// The names that hold all the words typed, whatever their case, and how many more there are than are shown.
fn fitting(names: &[String], typed: &str) -> (Vec<String>, usize) {
    let typed = typed.to_lowercase();
    let fits = |name: &&String| {
        let name = name.to_lowercase();
        typed.split_whitespace().all(|word| name.contains(word))
    };
    let all: Vec<&String> = names.iter().filter(fits).collect();
    (all.iter().take(SHOWN).map(|name| (*name).clone()).collect(), all.len().saturating_sub(SHOWN))
}

fn next(active: Option<usize>, of: usize) -> Option<usize> {
    active.map_or(0, |place| place + 1).checked_rem(of)
}

fn previous(active: Option<usize>, of: usize) -> Option<usize> {
    let place = active.filter(|place| *place > 0).unwrap_or(of);
    place.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::{SHOWN, fitting, next, previous};

    #[test]
    fn names_are_found_by_their_parts() {
        let names = ["qwen3-max", "Qwen3-Coder", "gpt-oss"].map(str::to_owned);
        let check = |typed: &str, expected: &[&str]| assert_eq!(fitting(&names, typed).0, expected, "{typed}");
        check("", &["qwen3-max", "Qwen3-Coder", "gpt-oss"]);
        check("QWEN", &["qwen3-max", "Qwen3-Coder"]);
        check("coder qwen", &["Qwen3-Coder"]);
        check("llama", &[]);
        let many: Vec<String> = (0..SHOWN + 7).map(|n| n.to_string()).collect();
        assert_eq!((fitting(&many, "").0.len(), fitting(&many, "").1), (SHOWN, 7));
    }

    #[test]
    fn keys_go_round_the_suggestions() {
        assert_eq!(
            [next(None, 3), next(Some(0), 3), next(Some(2), 3), next(None, 0)],
            [Some(0), Some(1), Some(0), None]
        );
        let back = [previous(None, 3), previous(Some(2), 3), previous(Some(0), 3), previous(None, 0)];
        assert_eq!(back, [Some(2), Some(1), Some(2), None]);
    }
}
