//! The heart of Loopglass: the agent loop, its log, the wire formats and the tool contract.
//!
//! Pure: no browser, no runtime, no clock, no I/O. Whatever the loop awaits is handed to it in an [`Env`], so the
//! same loop runs in a page, in a terminal and in a test.
//!
//! # Layout
//! - `agent_loop.rs`: `step`, `run_one_turn`, `agent_loop`: the one loop, short enough to be read aloud.
//! - [`stages`]: what each step does: prepare, call the model, settle a call, run a tool, write back.
//! - [`session`], [`fact`], [`state`]: the log, what stands in it, and the fold that makes a [`LoopState`] of it.
//! - [`message`], [`settings`]: what is talked about, and how a run is set.
//! - [`ledger`], [`prices`]: what a session took, and what endpoints take for it.
//! - [`tool`]: the tool contract: parse, validate, authorise, and the words that go back to the model.
//! - [`capture`]: which turn captured bytes tell.
//! - [`connection`]: the loop tries an endpoint out, and says what it cannot do and why.
//! - [`wire`]: Anthropic Messages and OpenAI Chat Completions, from and to bytes.
//! - [`mod@env`], [`host`], [`gate`], [`transport`], [`stop`]: the seams to the world outside.

mod agent_loop;
pub mod capture;
pub mod connection;
pub mod env;
pub mod fact;
pub mod gate;
pub mod host;
pub mod ledger;
pub mod message;
pub mod prices;
pub mod session;
pub mod settings;
pub mod stages;
pub mod state;
pub mod stop;
pub mod tool;
pub mod transport;
pub mod wire;

pub use agent_loop::{agent_loop, run_one_turn, step};
pub use env::{Clock, Endpoint, Env, Live, Secret};
pub use fact::{Edit, Fact, Ruling, Sealed};
pub use gate::{Gate, ModelSeam, ResultSeam, ToolSeam};
pub use host::{Ended, Offer, Review, Status, Stream, ToolEvent, ToolHost};
pub use message::{Answer, Block, CallKey, Message, Origin, Producer, Role, StopReason, ToolCall, ToolResult, Usage};
pub use session::Session;
pub use settings::{Dialect, Profile, Settings};
pub use state::{Context, Hint, LoopState, Rest, Stage, Step, TransitionReason, Wait};
pub use stop::Stop;
pub use tool::{Layer, Outcome, ToolSpec};
pub use transport::{HttpRequest, Reply, Transport, TransportError};
pub use wire::{Delta, FailureKind, ModelFailure, Request};
