//! The protocol's page was read again when the frames changed: it records their hash.

use sha2::{Digest, Sha256};

use crate::tidy::tree::{Text, text, texts};

const FRAMES: &str = "crates/bridge-protocol/src/frames.rs";
const PAGE: &str = "docs/protocol.md";

fn out_of_step(texts: &[Text]) -> Option<String> {
    let frames = text(texts, FRAMES)?;
    let hash: String = Sha256::digest(frames).iter().map(|byte| format!("{byte:02x}")).collect();
    let recorded = text(texts, PAGE)
        .and_then(|page| page.split_once("frames.rs sha256:"))
        .and_then(|(_, rest)| rest.split_whitespace().next())
        .map(|hash| hash.trim_matches('`'));
    (recorded != Some(hash.as_str())).then(|| {
        format!("{FRAMES} has changed: see that {PAGE} still says what it does, then record `frames.rs sha256: {hash}`")
    })
}

#[test]
fn the_protocols_page_describes_these_frames() {
    assert_eq!(out_of_step(&texts()), None);
}

#[test]
fn a_changed_frame_is_found() {
    // Of the empty file, by definition of SHA-256.
    let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let page = Text::new(PAGE, &format!("# Frames\n\nframes.rs sha256: {hash}\n"));
    assert_eq!(out_of_step(&[Text::new(FRAMES, ""), page.clone()]), None);
    assert!(out_of_step(&[Text::new(FRAMES, "\n"), page]).is_some_and(|found| found.contains("01ba4719c80b")));
    assert!(out_of_step(&[Text::new(FRAMES, "")]).is_some());
}
