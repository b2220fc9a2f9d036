//! The two READMEs tell the same: same headings by level, same commands.

use crate::tidy::tree::{text, texts};

/// What must not differ between the languages: the level of each heading and every fenced block.
fn shape(page: &str) -> Vec<String> {
    let mut fenced = false;
    page.lines()
        .filter_map(|line| {
            if line.starts_with("```") {
                fenced = !fenced;
                return Some(line.to_string());
            }
            if fenced {
                return Some(line.to_string());
            }
            let level = line.bytes().take_while(|byte| *byte == b'#').count();
            (level > 0).then(|| "#".repeat(level))
        })
        .collect()
}

#[test]
fn both_readmes_tell_the_same() {
    let texts = texts();
    let english = shape(text(&texts, "README.md").unwrap());
    assert!(english.contains(&"cargo xtask run".to_string()), "the first command is missing");
    assert_eq!(shape(text(&texts, "README.zh.md").unwrap()), english);
}

#[test]
fn shapes() {
    let page = "# Title\n\nWords # of it.\n\n```\ncargo xtask run\n# a comment\n```\n\n## Part\n";
    assert_eq!(shape(page), ["#", "```", "cargo xtask run", "# a comment", "```", "##"]);
}
