//! The page: mounts the view and tells www/start.js when it stands and when it has crashed.

pub mod app;
pub mod parts;
pub mod run;
mod view;
pub mod words;

use leptos::prelude::*;
use serde::Serialize;

use crate::app::App;
use crate::run::settings::Place;

fn main() {
    std::panic::set_hook(Box::new(|panic| {
        tell_crash(&panic.to_string());
        run::store::save_on_panic();
    }));
    mount_to_body(|| {
        let app = App::new(Place::here());
        provide_context(app);
        run::start::start(app);
        Effect::new(move |_| {
            if app.is_ready.get()
                && let Some(body) = document().body()
            {
                // A body that refuses an attribute cannot say that it is ready either: nothing is left to do.
                let _ = body.set_attribute("data-ready", "");
            }
        });
        view::page(app)
    });
}

/// What www/start.js is told of a panic.
#[derive(Serialize)]
struct Crash<'a> {
    message: &'a str,
}

/// Hands a panic to the crash banner of www/start.js, which needs nothing of the page to work any more.
fn tell_crash(message: &str) {
    let detail = serde_wasm_bindgen::to_value(&Crash { message }).unwrap_or_default();
    let init = web_sys::CustomEventInit::new();
    init.set_detail(&detail);
    if let Ok(event) = web_sys::CustomEvent::new_with_event_init_dict("loopglass-crash", &init) {
        let _ = window().dispatch_event(&event);
    }
}
