//! The inspector's further tabs, in English.

use crate::words::lens::Lens;

/// The words.
pub(crate) static LENS: Lens = Lens {
    copy_as: "Copy as",
    code_program: "Program",
    code_runs: "This file is what runs here. The lit line is the stage under way, or the next one.",
    code_same_shape: "A whole program of the same shape. The lit line is the stage under way here, or the next one.",
    run_goes_on: "The run goes on meanwhile, and the files on your machine are as they are now: going back changes none of them.",
    browser_said: "The browser said",
};
