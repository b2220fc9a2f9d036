//! What this tab works with, behind the signals: the store, the link to the bridge, the gate, the eye, the hosts.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use agent_loop::Stop;
use bridge_protocol::frames::BackgroundCommand;
use leptos::prelude::*;

use crate::app::{Ask, BridgeStatus};
use crate::run::gate::PageGate;
use crate::run::hosts::Hosts;
use crate::run::link::Link;
use crate::run::live::PageLive;
use crate::run::settings::Place;
use crate::run::store::{Lease, Store};
use crate::run::token;
use crate::run::you::You;
use crate::run::you_model::YouModel;

/// Lives as long as the page.
pub struct Tab {
    /// Where the page is.
    pub place: Place,
    /// What happens between facts.
    pub live: PageLive,
    /// Pauses and approvals.
    pub gate: PageGate,
    /// The link to the host bridge.
    pub link: Rc<Link>,
    /// The person as a host.
    pub you: You,
    /// The person as a model.
    pub you_model: YouModel,
    /// Every host.
    pub hosts: Hosts,
    /// The store, once the sessions have begun; what is written before it is open waits in it.
    pub store: OnceCell<Rc<Store>>,
    /// The lease on the session on show.
    pub lease: RefCell<Option<Lease>>,
    /// The stop button of the run under way.
    pub stop: RefCell<Option<Stop>>,
    /// How often a session was asked for: an opening that has been overtaken is dropped.
    pub openings: Cell<u64>,
}

impl Tab {
    /// Takes the token out of the address bar, and begins nothing yet.
    pub fn new(
        place: Place,
        live: PageLive,
        gate: PageGate,
        ask: RwSignal<Option<Ask>, LocalStorage>,
        bridge: RwSignal<BridgeStatus>,
        background: RwSignal<Vec<BackgroundCommand>>,
    ) -> Tab {
        let token = if place.bridge { token::take() } else { None };
        let link = Link::new(place.origin.clone(), token, bridge, background);
        let you = You::new(ask);
        Tab {
            hosts: Hosts::new(&link, &you),
            place,
            live,
            gate,
            link,
            you,
            you_model: YouModel::new(ask),
            store: OnceCell::new(),
            lease: RefCell::default(),
            stop: RefCell::default(),
            openings: Cell::new(0),
        }
    }

    /// The store, once the sessions have begun; what is written before it is open waits in it.
    pub fn store(&self) -> Option<&Rc<Store>> {
        self.store.get()
    }
}
