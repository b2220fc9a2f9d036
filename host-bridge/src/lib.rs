//! The host bridge: serves the Loopglass page to this machine's browser and runs the page's commands.
//!
//! # Layout
//! - [`args`], [`environment`], [`config`], [`serve`]: from the command line to a listening server, and its end.
//! - [`door`]: who may come in; every route is registered there with what it asks.
//! - [`page`], [`launch`], [`socket`], [`output`], [`practice`], [`relay`]: what is behind the door.
//! - [`policy`], [`approval`]: what may run without a question, and who is asked about the rest.
//! - [`activity`]: whether anybody is there; [`stall`]: who asks and does not listen; [`audit`]: what happened, written down; [`plain`]: text from outside on a terminal.
//! - [`commands`]: the calls, from the bridge's side.
//! - [`supervisor`]: the small process around each command, which leaves nothing of it behind; [`sandbox`]: what it runs in.
//! - [`wire`]: the page's decoder and encoder at the command line.
//!
//! docs/protocol.md describes the WebSocket, docs/security.md what is guarded against and what is not.

pub mod activity;
pub mod approval;
pub mod args;
pub mod audit;
pub mod bridge;
pub mod commands;
pub mod config;
pub mod door;
pub mod environment;
pub mod launch;
pub mod output;
pub mod page;
pub mod plain;
pub mod policy;
pub mod practice;
pub mod relay;
pub mod sandbox;
pub mod serve;
pub mod socket;
pub mod stall;
pub mod supervisor;
pub mod token;
pub mod wire;
