//! What the browser does for the loop: fetch, socket, store, clock, and the actions behind the buttons.
//!
//! Nothing here decides what the loop does next; that is the state's business.
//!
//! # Layout
//! - [`actions`]: the actions behind the buttons; [`runner`] sets the loop going, [`drive`] drives it, [`gate`] holds it and asks,
//!   at [`breakpoints`] by itself; [`editing`] and [`request_edit`] make edits of what
//!   a person typed.
//! - [`route`], [`relay`], [`reach`], [`fetch`], [`practice`], [`you_model`]: how bytes reach a model.
//! - [`connect`]: an endpoint is tried out, and asked for its models. [`captured`]: an answer from elsewhere is read.
//! - [`hosts`]: where tools run: [`bridge`] over its [`link`] (guarded by a [`token`]), [`you`] through a [`question`].
//! - [`sessions`], [`store`]: which session is on show, and how sessions are kept; [`handover`]: which tab writes one.
//! - [`live`]: what happens between facts, shown once per [`frame`].
//! - [`settings`], [`preferences`], [`learnt`], [`prices`]: the knobs, what a person prefers, and
//!   what endpoints taught and take.
//! - [`tab`], [`start`]: what this tab works with, and how that begins. [`clock`], [`bell`]: time, and waking each other.

pub mod actions;
pub mod bell;
pub mod breakpoints;
pub mod bridge;
pub mod captured;
pub mod clock;
pub mod connect;
pub mod drive;
pub mod editing;
pub mod fetch;
pub mod frame;
pub mod gate;
pub mod handover;
pub mod hosts;
pub mod learnt;
pub mod link;
pub mod live;
pub mod practice;
pub mod preferences;
pub mod prices;
pub mod question;
pub mod reach;
pub mod relay;
pub mod request_edit;
pub mod route;
pub mod runner;
pub mod sessions;
pub mod settings;
pub mod start;
pub mod store;
pub mod tab;
pub mod token;
pub mod whole;
pub mod you;
pub mod you_model;
