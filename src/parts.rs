//! The parts of the page that come when they are first needed, each a WebAssembly file of its own. A first visit waits
//! for none of them: it shows an empty session, and that is in the page's first file.
//!
//! A part is whatever only its function here leads to; `xtask/src/split.rs` finds that out and takes it from the first
//! file. So the functions do nothing but give out functions, and what calls those imports nothing of the part. Natively,
//! in tests, all parts are always here.

use futures_util::future::LocalBoxFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::{SplitLoaderError, wasm_split};

use crate::run::captured;
use crate::run::connect::{self, Looped};
use crate::run::drive;
use crate::run::store::{self, Stored, Unreadable};
use crate::view::{self, SessionViews, View};

/// A part did not come: whoever serves the page is gone, or serves another page by now. Asking again is the way on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfetched;

impl From<SplitLoaderError> for Unfetched {
    fn from(_: SplitLoaderError) -> Unfetched {
        Unfetched
    }
}

/// Reads a session from the records of its facts and its draft.
pub type ReadStored = fn(&[String], Option<String>) -> Result<Stored, Unreadable>;

/// What runs the loop: needed at the first Run or Step, when a connection is tried, and when a capture is opened.
#[wasm_split(run, wasm_split_path = ::leptos::wasm_split, fallible)]
pub fn run() -> Result<Looped, Unfetched> {
    Ok(Looped { drive: drive::drive, try_out: connect::try_out, list: connect::list, capture: captured::capture })
}

/// What reads stored sessions: needed where there is one.
#[wasm_split(stored, wasm_split_path = ::leptos::wasm_split, fallible)]
pub fn stored() -> Result<ReadStored, Unfetched> {
    Ok(store::stored)
}

/// What shows a session that is not empty.
#[wasm_split(session, wasm_split_path = ::leptos::wasm_split, fallible)]
fn session() -> Result<SessionViews, Unfetched> {
    Ok(view::SESSION)
}

/// What shows messages as JSON, in one dialect or in both.
#[wasm_split(dialects, wasm_split_path = ::leptos::wasm_split, fallible)]
fn dialects() -> Result<View, Unfetched> {
    Ok(view::DIALECTS)
}

/// What the settings dialog holds.
#[wasm_split(settings, wasm_split_path = ::leptos::wasm_split, fallible)]
fn settings() -> Result<View, Unfetched> {
    Ok(view::SETTINGS)
}

/// What the inspector's tab "Cost" shows.
#[wasm_split(cost, wasm_split_path = ::leptos::wasm_split, fallible)]
fn cost() -> Result<View, Unfetched> {
    Ok(view::COST)
}

/// The parts that are shown.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    /// A session that is not empty.
    pub(crate) session: Part<SessionViews>,
    /// Messages as JSON.
    pub(crate) dialects: Part<View>,
    /// The settings' fields.
    pub(crate) settings: Part<View>,
    /// What a session took.
    pub(crate) cost: Part<View>,
}

impl Parts {
    /// None is here yet. `unfetched` is set when one does not come.
    pub(crate) fn new(unfetched: RwSignal<bool>) -> Parts {
        Parts {
            session: Part { code: RwSignal::new(None), unfetched, fetch: || Box::pin(session()) },
            dialects: Part { code: RwSignal::new(None), unfetched, fetch: || Box::pin(dialects()) },
            settings: Part { code: RwSignal::new(None), unfetched, fetch: || Box::pin(settings()) },
            cost: Part { code: RwSignal::new(None), unfetched, fetch: || Box::pin(cost()) },
        }
    }
}

impl Parts {
    /// Fetches what is not here, after something did not come.
    pub(crate) fn fetch_again(self) {
        self.session.unfetched.set(false);
        self.dialects.want();
        self.settings.want();
        self.cost.want();
        self.expect_a_run();
    }

    /// A person is about to begin: what a run needs may come meanwhile.
    pub(crate) fn expect_a_run(self) {
        self.session.want();
        // One that does not come is told of when it is needed.
        spawn_local(async {
            let _ = run().await;
        });
    }
}

/// A part that is shown.
pub(crate) struct Part<T: 'static> {
    code: RwSignal<Option<T>>,
    unfetched: RwSignal<bool>,
    fetch: fn() -> LocalBoxFuture<'static, Result<T, Unfetched>>,
}

impl<T> Clone for Part<T> {
    fn clone(&self) -> Part<T> {
        *self
    }
}

impl<T> Copy for Part<T> {}

impl<T: Copy + Send + Sync> Part<T> {
    /// Its functions, once they are here; followed by whoever reads it.
    pub(crate) fn get(self) -> Option<T> {
        self.code.get()
    }

    /// Fetches it, unless it is here.
    pub(crate) fn want(self) {
        if self.code.with_untracked(Option::is_some) {
            return;
        }
        spawn_local(async move {
            let fetched = (self.fetch)().await;
            self.unfetched.set(fetched.is_err());
            // Wanted twice, it comes twice, and is drawn once.
            if let Ok(code) = fetched
                && self.code.with_untracked(Option::is_none)
            {
                self.code.set(Some(code));
            }
        });
    }
}
