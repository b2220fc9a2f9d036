//! Open a capture: an answer that was captured elsewhere, pasted, picked or dropped, and the turn that its bytes tell.
//! Nothing of it leaves the page, and nothing of the session has to do with it.
//!
//! What decodes it comes with the loop: the session's part would otherwise hold a second decoder.

mod turn;

use std::rc::Rc;

use agent_loop::Dialect;
use js_sys::Uint8Array;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

use super::Page;
use super::select::{Choice, Choices, select};
use super::signs::signs;
use crate::parts;
use crate::run::captured::Captured;
use crate::words::{CaptureWords, bytes as size, capture as words_of};

/// The dialog's id.
const DIALOG: &str = "capture";

/// What is being looked at.
#[derive(Clone, Copy)]
struct Opened {
    page: Page,
    words: &'static CaptureWords,
    bytes: RwSignal<Rc<Vec<u8>>, LocalStorage>,
    /// The name of the file it came from; empty for what was pasted.
    name: RwSignal<String>,
    /// The file that could not be read, after what is being looked at.
    unreadable: RwSignal<Option<String>>,
    /// What the person says of the dialect; `None`: as it looks.
    chosen: RwSignal<Option<Dialect>>,
    /// What came of it.
    captured: RwSignal<Option<Rc<Captured>>, LocalStorage>,
    /// Whether the turn as JSON has been asked for.
    is_json_wanted: RwSignal<bool>,
    paper: NodeRef<html::Textarea>,
}

/// Opens the dialog.
pub(super) fn button(page: Page) -> AnyView {
    let words = words_of(page.app.language.get_untracked());
    let open = move |_| {
        let dialog = document().get_element_by_id(DIALOG);
        if let Some(dialog) = dialog.as_ref().and_then(|dialog| dialog.dyn_ref::<web_sys::HtmlDialogElement>()) {
            // It fails only where it is open already.
            let _ = dialog.show_modal();
        }
    };
    view! {
        <p class="buttons">
            <button type="button" aria-haspopup="dialog" on:click=open>{words.open}</button>
            <span class="hint">{words.about}</span>
        </p>
    }
    .into_any()
}

/// The dialog.
pub(super) fn dialog(page: Page) -> AnyView {
    let words = words_of(page.app.language.get_untracked());
    let it = Opened {
        page,
        words,
        bytes: RwSignal::new_local(Rc::default()),
        name: RwSignal::new(String::new()),
        unreadable: RwSignal::new(None),
        chosen: RwSignal::new(None),
        captured: RwSignal::new_local(None),
        is_json_wanted: RwSignal::new(false),
        paper: NodeRef::new(),
    };
    let dialog = NodeRef::<html::Dialog>::new();
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let dropped = move |event: web_sys::DragEvent| {
        let file = event.data_transfer().and_then(|dropped| dropped.files()).and_then(|files| files.get(0));
        if let Some(file) = file {
            event.prevent_default();
            it.take_file(file);
        }
    };
    // The browser's own button for files has words in the browser's language and not in the page's.
    let files = NodeRef::<html::Input>::new();
    let pick = move |_| {
        if let Some(files) = files.get_untracked() {
            files.click();
        }
    };
    let picked = move |_| {
        let Some(input) = files.get_untracked() else { return };
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            it.take_file(file);
        }
        // The same file may be picked again, when it has changed.
        input.set_value("");
    };
    view! {
        <dialog
            class="settings"
            id=DIALOG
            aria-labelledby="capture-title"
            node_ref=dialog
            on:dragover=move |event| {
                // A text falls onto the paper, as the browser has it.
                if holds_files(&event) {
                    event.prevent_default();
                }
            }
            on:drop=dropped
        >
            <div class="panel-head">
                <h2 id="capture-title">{words.title}</h2>
                <p class="dim">{words.stays_here}</p>
                <button type="button" class="primary" on:click=close>{words.close}</button>
            </div>
            <div class="settings-parts capture">
                <label class="setting">
                    <span class="setting-label">{words.paste}</span>
                    <textarea
                        class="mono"
                        rows="7"
                        spellcheck="false"
                        autofocus
                        node_ref=it.paper
                        on:input=move |event| it.take(String::new(), event_target_value(&event).into_bytes())
                    ></textarea>
                </label>
                <div class="buttons">
                    <input type="file" hidden node_ref=files on:change=picked />
                    <button type="button" on:click=pick>{words.pick}</button>
                    {select(words.dialect, move || it.choices(), move |value| it.choose(&value))}
                    <span class="hint">{move || it.source()}</span>
                </div>
                <div role="status">{move || it.outcome()}</div>
                <div role="alert">{move || it.unreadable()}</div>
                {move || it.captured.get().map(|captured| turn::content(page, words, &captured, it.is_json_wanted))}
            </div>
        </dialog>
    }
    .into_any()
}

fn holds_files(event: &web_sys::DragEvent) -> bool {
    event.data_transfer().is_some_and(|dragged| dragged.types().includes(&"Files".into(), 0))
}

impl Opened {
    /// Takes what a file holds, or what was pasted.
    fn take(self, name: String, bytes: Vec<u8>) {
        self.chosen.set(None);
        self.name.set(name);
        self.unreadable.set(None);
        self.bytes.set(Rc::new(bytes));
        self.read();
    }

    fn take_file(self, file: web_sys::File) {
        spawn_local(async move {
            let read = JsFuture::from(file.array_buffer()).await;
            // The page may have been drawn anew meanwhile.
            if self.bytes.is_disposed() {
                return;
            }
            match read {
                Ok(buffer) => {
                    if let Some(paper) = self.paper.get_untracked() {
                        paper.set_value("");
                    }
                    self.take(file.name(), Uint8Array::new(&buffer).to_vec());
                }
                Err(_) => self.unreadable.set(Some(file.name())),
            }
        });
    }

    fn choose(self, value: &str) {
        self.chosen.set(Some(if value == "chat" { Dialect::OpenAi } else { Dialect::Anthropic }));
        self.read();
    }

    /// Decodes it, once what can is here. Of two readings the later one counts.
    fn read(self) {
        let (bytes, chosen) = (self.bytes.get_untracked(), self.chosen.get_untracked());
        if bytes.is_empty() {
            self.captured.set(None);
            return;
        }
        let own = self.page.app.settings.with_untracked(|settings| settings.profile.dialect);
        spawn_local(async move {
            let part = parts::run().await;
            self.page.app.unfetched.set(part.is_err());
            let is_latest = self.bytes.try_with_untracked(|now| Rc::ptr_eq(now, &bytes)) == Some(true)
                && self.chosen.get_untracked() == chosen;
            if let Ok(part) = part
                && is_latest
            {
                self.captured.set(Some(Rc::new((part.capture)(&bytes, chosen, own))));
            }
        });
    }

    fn choices(self) -> Choices {
        let captured = self.captured.get();
        let label = |dialect: Dialect, name: &str| {
            let looks_so = captured.as_ref().is_some_and(|captured| captured.looks_like == Some(dialect));
            if looks_so { format!("{name} {}", self.words.looks_so) } else { name.to_owned() }
        };
        let all = vec![
            Choice::new("messages", label(Dialect::Anthropic, "Messages")),
            Choice::new("chat", label(Dialect::OpenAi, "Chat Completions")),
        ];
        let of_settings = || self.page.app.settings.with(|settings| settings.profile.dialect);
        let dialect = captured.as_ref().map_or_else(of_settings, |captured| captured.dialect);
        let chosen = if dialect == Dialect::Anthropic { "messages" } else { "chat" };
        Choices { all, chosen: chosen.to_owned() }
    }

    /// The name of the file and its size.
    fn source(self) -> Option<String> {
        let bytes = self.bytes.with(|bytes| bytes.len());
        let name = self.name.get();
        let told = if name.is_empty() { String::new() } else { format!("{} · ", signs(&name)) };
        (bytes > 0).then(|| format!("{told}{}", size(bytes as u64)))
    }

    fn unreadable(self) -> Option<AnyView> {
        let name = self.unreadable.get()?;
        Some(view! { <p class="hint bad">{(self.words.unreadable)(&signs(&name))}</p> }.into_any())
    }

    fn outcome(self) -> AnyView {
        match self.captured.get() {
            Some(captured) => turn::outcome(self.words, &captured),
            None => view! { <p class="hint">{self.words.nothing}</p> }.into_any(),
        }
    }
}
