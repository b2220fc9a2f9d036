//! Tries the endpoint of the settings, and asks it for its models, by the way that a run's requests would take. Nothing of
//! it touches the session on show.

use std::rc::Rc;

use agent_loop::connection::{Report, Trial, Way, list_models, try_connection};
use agent_loop::{Dialect, ModelFailure, Stop};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use leptos::prelude::*;

use crate::app::App;
use crate::run::captured::Captured;
use crate::run::clock::BrowserClock;
use crate::run::drive::{BRIDGE_MS, Drive};
use crate::run::learnt;
use crate::run::relay::{Detour, detour};
use crate::run::route::ByAddress;
use crate::run::settings::endpoint;

/// What of the page is there only with the loop.
#[derive(Clone, Copy)]
pub struct Looped {
    /// Drives a run.
    pub drive: Drive,
    /// Tries an endpoint out.
    pub try_out: fn(App, Stop, Tell) -> LocalBoxFuture<'static, Report>,
    /// Asks an endpoint for its models.
    pub list: fn(App, Stop) -> LocalBoxFuture<'static, Listed>,
    /// Reads a captured answer; see [`capture`](crate::run::captured::capture).
    pub capture: fn(&[u8], Option<Dialect>, Dialect) -> Captured,
}

/// The names of an endpoint's models.
pub type Listed = Result<Vec<String>, ModelFailure>;

/// Is told the report whenever it has grown.
pub type Tell = Rc<dyn Fn(&Report)>;

/// Tries the endpoint of the settings as they are now.
pub fn try_out(app: App, stop: Stop, tell: Tell) -> LocalBoxFuture<'static, Report> {
    async move {
        let way = way(app, &stop).await;
        let transport = ByAddress { detour: way.clone(), you: app.tab().you_model.clone() };
        let settings = app.settings.get_untracked();
        let report = with_trial(app, &transport, stop, async |trial| try_connection(&trial, &*tell).await).await;
        learnt::keep(&settings, &report.learnt);
        report
    }
    .boxed_local()
}

/// The models that the endpoint of the settings lists.
pub fn list(app: App, stop: Stop) -> LocalBoxFuture<'static, Listed> {
    async move {
        let way = way(app, &stop).await.map(|(detour, token)| (detour.to_models(), token));
        let transport = ByAddress { detour: way, you: app.tab().you_model.clone() };
        with_trial(app, &transport, stop, async |trial| list_models(&trial).await).await
    }
    .boxed_local()
}

/// The way through the bridge, where requests take it, once the bridge has said what it relays to.
async fn way(app: App, stop: &Stop) -> Option<(Detour, String)> {
    let tab = app.tab();
    if tab.place.bridge {
        stop.or(tab.link.settled(BRIDGE_MS)).await;
    }
    let (settings, key) = (app.settings.get_untracked(), app.key.get_untracked());
    detour(&settings, &tab.place, &tab.link.relay(), &key).zip(tab.link.token())
}

async fn with_trial<T>(app: App, transport: &ByAddress, stop: Stop, work: impl AsyncFnOnce(Trial<'_>) -> T) -> T {
    let tab = app.tab();
    let (settings, key) = (app.settings.get_untracked(), app.key.get_untracked());
    let endpoint = endpoint(&settings, &tab.place, tab.link.token(), &key);
    let way = if transport.detour.is_some() { Way::Relayed } else { Way::Straight };
    let known = learnt::of(&settings);
    work(Trial { settings: &settings, known: &known, transport, way, endpoint: &endpoint, clock: &BrowserClock, stop })
        .await
}
