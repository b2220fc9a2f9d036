//! What the log and the clock tell of a rest, in English.

use crate::words::rests::{Reach, Rests};

/// The words.
pub(crate) static RESTS: Rests = Rests {
    stopped: |reach| match reach {
        Reach::Model => {
            "The model call was broken off, and what had come of its answer is not in messages. Run calls again."
        }
        Reach::Tool => {
            "The command was killed; what it did before stays done. Run goes on from here and tells the model."
        }
        Reach::Nothing => "Nothing was running. Run goes on from here.",
    },
    silent: |so_far, at_most| format!("nothing new for {so_far}, given up after {at_most}"),
    endpoint_answered: "The endpoint answered",
};
