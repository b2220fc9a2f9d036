//! The corpora of the fuzz targets, replayed: what fuzzing once found stays found.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

#[path = "../fuzz/properties.rs"]
mod properties;

use std::path::{Path, PathBuf};

/// Replays the corpus of a target as it stands and byte by byte, and these further folders byte by byte.
#[track_caller]
fn check(target: &str, more: &[&str], property: fn(&[u8])) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files =
        |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    let corpus: Vec<Vec<u8>> = files(root.join("fuzz/corpus").join(target)).collect();
    assert!(corpus.len() >= 4, "the corpus of {target} is missing");
    corpus.iter().for_each(|data| property(data));
    // The first byte says how the rest is cut.
    let byte_by_byte = |rest: &[u8]| property(&[&[1], rest].concat());
    corpus.iter().filter_map(|data| data.get(1..)).for_each(byte_by_byte);
    more.iter().flat_map(|folder| files(root.join(folder))).for_each(|data| byte_by_byte(&data));
}

#[test]
fn sse() {
    check("sse", &["tests/wire/anthropic", "tests/wire/openai"], properties::sse);
}

#[test]
fn decode_anthropic() {
    check("decode_anthropic", &["tests/wire/anthropic", "tests/wire/openai"], properties::decode_anthropic);
}

#[test]
fn decode_openai() {
    check("decode_openai", &["tests/wire/openai", "tests/wire/anthropic"], properties::decode_openai);
}

#[test]
fn arguments() {
    check("arguments", &[], properties::arguments);
}

#[test]
fn outbound() {
    check("outbound", &[], properties::outbound);
}

#[test]
fn terminal() {
    check("terminal", &[], properties::terminal);
}
