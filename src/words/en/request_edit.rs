//! The editor of a request, in English.

use crate::words::request_edit::RequestEditWords;

/// The words.
pub(crate) static REQUEST_EDIT: RequestEditWords = RequestEditWords {
    open: "Edit system, tools and parameters",
    edited: |what| format!("before this request: {what}"),
    nothing: "(none)",
    offer: |tool| format!("Offer {tool}"),
    description: |tool| format!("Description of {tool}"),
    system: "System prompt",
    max_tokens: "max_tokens",
    stop_sequences: "stop_sequences (one a line)",
    hint: "It holds from the next request of this session on. What it was stays in the log. A tool that is not offered cannot be called.",
};
