//! The corpora of the fuzz targets, replayed: what fuzzing once found stays found.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

#[path = "../fuzz/properties.rs"]
mod properties;

use std::path::Path;

fn files(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap()).collect()
}

/// Replays the corpus of a target, these further inputs, and every beginning of each.
#[track_caller]
fn check(target: &str, more: &[Vec<u8>], property: fn(&[u8])) {
    let corpus = files(&format!("fuzz/corpus/{target}"));
    assert!(corpus.len() >= 4, "the corpus of {target} is missing");
    for data in corpus.iter().chain(more) {
        (0..=data.len()).for_each(|len| property(&data[..len]));
    }
}

#[test]
fn frames() {
    let lines: Vec<Vec<u8>> =
        files("tests/frames").iter().flat_map(|file| file.split(|byte| *byte == b'\n').map(<[u8]>::to_vec)).collect();
    assert!(lines.len() > 20, "{}", lines.len());
    check("frames", &lines, properties::frames);
}

#[test]
fn client() {
    check("client", &[], properties::client);
}
