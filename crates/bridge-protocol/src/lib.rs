//! The conversation between the page and the host bridge, as values and two pure machines.
//!
//! A page and a bridge speak over one WebSocket. This crate holds what both must agree on and nothing else: no socket,
//! no clock, no runtime, so that it compiles to WebAssembly and is tested natively in milliseconds.
//!
//! # Layout
//! - [`frames`]: what travels. Control frames are JSON text, output frames are binary.
//! - [`client`]: the page's end. Frames in, tool events out; requests in, frames out.
//! - [`channel`]: the bridge's end of one call: its numbered, bounded output, and what its viewer must still be told.
//!
//! docs/protocol.md describes the same conversation for people.

pub mod channel;
pub mod client;
pub mod frames;

pub use channel::Channel;
pub use client::{CallEvent, Client, Ended, Event};
pub use frames::{
    Frame, Hello, Leftover, Limits, Loss, Outcome, Output, Refusal, Status, Stream, ToBridge, ToPage, Tool,
};
