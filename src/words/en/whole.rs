//! The whole of an output, in English.

use crate::words::whole::Whole;

/// The words.
pub(crate) static WHOLE: Whole = Whole {
    title: "Whole output",
    left_out: |head, bytes, tail| match tail {
        Some(tail) => format!(
            "The model read the first {head} characters and the last {tail}. {bytes} between them were left out."
        ),
        None => format!("The model read the first {head} characters. {bytes} after them were left out."),
    },
    fetch: |bytes| format!("Get the whole output ({bytes})"),
    fetching: "Getting it …",
    download: "Download",
    binary: "This is binary output: it can be downloaded, not shown.",
    kept: |kept, written| format!("The bridge kept the first {kept} of {written}."),
    gone: "The bridge does not keep this output any more: newer commands took its room, or the bridge was started anew.",
    unreachable: "The bridge does not answer.",
    earlier: "Earlier",
    later: "Later",
    place: |from, to, all| format!("bytes {from} to {to} of {all}"),
};
