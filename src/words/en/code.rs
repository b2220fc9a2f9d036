//! Blocks of code, in English.

use crate::words::code::Code;

/// The words.
pub(crate) static CODE: Code = Code {
    code: "text",
    block: |language| format!("Code: {language}"),
    of: |copy, language| format!("{copy}: {language}"),
    not_copied: "Not copied: the browser refused",
};
