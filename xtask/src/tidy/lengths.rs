//! No source file is longer than a reader's patience.

use crate::tidy::tree::{Text, texts};

const LIMIT: usize = 500;

fn too_long(texts: &[Text]) -> Vec<String> {
    texts
        .iter()
        .filter(|text| text.is_source() && text.text.lines().count() > LIMIT)
        .map(|text| format!("{}: {} lines", text.path, text.text.lines().count()))
        .collect()
}

#[test]
fn no_source_file_is_longer_than_500_lines() {
    assert_eq!(too_long(&texts()), Vec::<String>::new());
}

#[test]
fn the_501st_line_is_found() {
    let files = [
        Text::new("a.rs", &"\n".repeat(500)),
        Text::new("b.mjs", &"\n".repeat(501)),
        Text::new("c.md", &"\n".repeat(501)),
    ];
    assert_eq!(too_long(&files), ["b.mjs: 501 lines"]);
}
