//! The wire: from messages to the bytes an endpoint wants, and from the bytes it sends to an
//! [`Answer`](crate::message::Answer).
//!
//! Each dialect is a pure encoder and a pure incremental decoder; both decoders stand on one SSE parser. Bytes are the
//! only model seam, so what is shown is what was sent.

mod anthropic;
mod base_url;
mod decoder;
mod deltas;
mod failure;
mod form;
mod guess;
mod halves;
mod ids;
mod json;
mod missing_words;
mod models;
mod openai;
mod outline;
mod preset;
mod profile;
mod quirk;
mod reading;
mod repair;
mod request;
mod roles;
mod rows;
mod sent;
mod sheet;
mod sse;
mod stop_reason;
mod transfer;
mod written_call;

use serde::{Deserialize, Serialize};

pub(crate) use base_url::host_is_local;
pub use base_url::{Address, AddressFault, AddressNote, corrected_base_url, read_base_url};
pub use decoder::{Decoder, Progress};
pub use failure::{FailureKind, ModelFailure, failure_of_status};
pub use form::{Form, FormCache, Piece};
pub use guess::guess_dialect;
pub(crate) use json::without_lone_surrogates;
pub use json::{read as read_json, with_exact_numbers, written as written_json};
pub use missing_words::missing_words;
pub use models::{models_url, read_models};
pub use preset::{Browser, KeyWanted, Note, Preset, preset, presets};
pub use profile::{default_base_url, endpoint_url, profiles, request_headers};
pub use quirk::{Quirk, learn};
pub use repair::Repair;
pub use request::{Request, repaired, request, tools_of, wire_json};
pub use rows::{Row, rows};
pub use sheet::{Making, Sheet, SheetRow, in_dialect, sheet};
pub use sse::{Frame, Sink, SseParser};
pub use written_call::holds_written_call;

/// What the decoder has just understood, for the eye. Indexes are places in [`Decoder::draft`];
/// the answer leaves out blocks of words that stayed empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Delta {
    /// A block of words begins.
    Text {
        /// Which block.
        index: usize,
        /// The words that came; may be empty.
        text: String,
    },
    /// Reasoning.
    Thinking {
        /// Which block.
        index: usize,
        /// What came of it; may be empty.
        text: String,
    },
    /// A call begins, or its name became known.
    ToolUse {
        /// Which block.
        index: usize,
        /// Its id, as far as known.
        id: String,
        /// Its name, as far as known.
        name: String,
    },
    /// A fragment of a call's arguments: a piece of JSON text, not JSON.
    Arguments {
        /// Which block.
        index: usize,
        /// The fragment.
        json: String,
    },
}
