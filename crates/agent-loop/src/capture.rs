//! A captured answer, a stream or a whole body: which turn its bytes tell, and what about it is not as it should be.
//!
//! It is read as the loop reads: what goes wrong after the end of an answer takes nothing of it away.

mod stop_names;
mod suspicion;
mod turn;

use crate::settings::Dialect;
use crate::wire::{Decoder, ModelFailure, Progress};

pub use stop_names::{name as stop_name, read as read_stop_name};
pub use suspicion::{InputFault, Suspicion};
use turn::Outcome;
pub use turn::Turn;

/// A capture that is being read.
#[derive(Debug)]
pub struct Capture {
    decoder: Decoder,
    /// Why reading it ended before its end was told.
    failure: Option<ModelFailure>,
    is_over: bool,
}

impl Capture {
    /// One in this dialect. It does not say its content type; the decoder sees from the bytes what frames them.
    pub fn new(dialect: Dialect) -> Capture {
        Capture { decoder: Decoder::new(dialect, ""), failure: None, is_over: false }
    }

    /// Reads on; whether what follows still counts.
    pub fn feed(&mut self, bytes: &[u8]) -> bool {
        if self.is_over {
            return false;
        }
        let fed = self.decoder.feed(bytes, &mut Vec::new());
        match (self.decoder.progress(), fed) {
            (Progress::Ended, _) | (Progress::Terminated, Err(_)) => self.is_over = true,
            (Progress::Open, Err(failure)) => (self.failure, self.is_over) = (Some(failure), true),
            (Progress::Open | Progress::Terminated, Ok(())) => {}
        }
        !self.is_over
    }

    /// The turn that was told until here.
    pub fn finish(mut self) -> Turn {
        if self.failure.is_none() {
            self.decoder.end();
        }
        let (draft, usage) = (self.decoder.draft(), self.decoder.usage());
        Turn::new(match self.failure.map_or_else(|| self.decoder.finish(), Err) {
            Ok(answer) => Outcome::Complete(answer),
            Err(failure) => Outcome::Failed { draft, usage, failure },
        })
    }
}
