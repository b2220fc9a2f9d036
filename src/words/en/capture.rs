//! A capture that is opened, in English.

use agent_loop::FailureKind;

use crate::words::capture::CaptureWords;

/// The words.
pub(crate) static CAPTURE: CaptureWords = CaptureWords {
    open: "Open a capture…",
    about: "See which turn an answer tells that you captured elsewhere.",
    title: "Open a capture",
    stays_here: "Nothing of it leaves this page.",
    close: "Done",
    paste: "Paste a stream or a whole body, or drop a file here",
    pick: "Choose a file…",
    dialect: "Dialect of the capture",
    looks_so: "(as it looks)",
    nothing: "The turn it tells will stand here: how it ended, its tokens, what is odd about it, and its blocks.",
    unreadable: |name| {
        format!(
            "{name} could not be read: it may have been moved or changed, or it is a folder. Choose it again, or paste it."
        )
    },
    complete: |reason| match reason {
        "" => "The turn is complete; no stop_reason was told.".to_owned(),
        reason => format!("The turn is complete: {reason}."),
    },
    tokens: |input, output| format!("{input} tokens in, {output} out"),
    failed: |kind| match kind {
        FailureKind::Incomplete => "The turn was cut: its end was never told. None of its calls would be run.",
        FailureKind::NotThisDialect => "This is no answer in this dialect. Is it in the other one?",
        FailureKind::Undecodable => "The turn is broken: part of it is not JSON.",
        FailureKind::TooLong => "Part of it is longer than anything that is read here.",
        _ => "The turn failed: an error stands in it.",
    },
    said: "What it says:",
    odd: "What is odd about it",
    suspicion: |_, english| english.to_owned(),
    content: "The blocks of the turn",
    json: "The turn as JSON, as host-bridge wire decode prints it",
};
