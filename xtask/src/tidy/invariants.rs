//! Every architecture invariant names what checks it, and that exists.
//!
//! docs/architecture.md writes each as one paragraph that begins `**Architecture Invariant` and ends with
//! `Checked by` and one reference or more, each `file::name` in backticks: a test function of a Rust file, or any words
//! of another file, such as the title of a browser test or the name of a lint.

use crate::tidy::tree::{Text, text, texts};

const PAGE: &str = "docs/architecture.md";

fn unchecked(texts: &[Text]) -> Vec<String> {
    let page = text(texts, PAGE).unwrap_or_default();
    let one_line = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    let paragraphs = page.split("\n\n").filter(|part| part.starts_with("**Architecture Invariant"));
    let invariants: Vec<String> = paragraphs.map(one_line).collect();
    if invariants.is_empty() {
        return vec![format!("{PAGE} lists no invariant")];
    }
    invariants
        .iter()
        .flat_map(|invariant| {
            let references: Vec<&str> = invariant
                .split_once("Checked by")
                .map(|(_, references)| references.split('`').skip(1).step_by(2).collect())
                .unwrap_or_default();
            if references.is_empty() {
                let start: String = invariant.chars().take(80).collect();
                return vec![format!("names no check: {start}")];
            }
            references
                .into_iter()
                .filter(|reference| !exists(texts, reference))
                .map(|reference| format!("does not exist: {reference}"))
                .collect()
        })
        .collect()
}

pub(super) fn exists(texts: &[Text], reference: &str) -> bool {
    let Some((path, name)) = reference.split_once("::") else { return false };
    let Some(text) = text(texts, path) else { return false };
    if path.ends_with(".rs") { text.contains(&format!("fn {name}(")) } else { text.contains(name) }
}

#[test]
fn every_invariant_is_checked() {
    assert_eq!(unchecked(&texts()), Vec::<String>::new());
}

#[test]
fn invariants_without_a_check_are_found() {
    let page = "\
# Architecture

**Architecture Invariant 1.** One. Checked
by `a.rs::one` and `b.mjs::loads from any host`.

**Architecture Invariant 2.** Two. Checked by `a.rs::two`.

**Architecture Invariant 3.** Three.
";
    let files = [
        Text::new(PAGE, page),
        Text::new("a.rs", "#[test]\nfn one() {}\n"),
        Text::new("b.mjs", "test(\"loads from any host\", () => {});"),
    ];
    assert_eq!(
        unchecked(&files),
        ["does not exist: a.rs::two", "names no check: **Architecture Invariant 3.** Three."]
    );
}
