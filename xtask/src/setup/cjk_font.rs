//! A font with Chinese characters: without one the tests and pictures of the Chinese page show boxes.

use crate::process::{answer, program};
use crate::setup::apt;

/// Sees to the font as well as it can; only the pictures suffer without it, so that nothing fails.
pub(crate) fn cjk_font() {
    let listed = answer(program("fc-list").arg(":lang=zh"));
    if listed.is_some_and(|fonts| !fonts.is_empty()) || cfg!(target_os = "macos") {
        return;
    }
    if let Err(failure) = apt::install("a font with Chinese characters", &["fontconfig", "fonts-noto-cjk"]) {
        eprintln!("xtask: {failure}; going on without it");
    }
}
