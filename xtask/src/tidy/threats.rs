//! Every known threat has a test that exists, or says why it needs none.
//!
//! docs/security.md lists them in one table, `| id | what | checked by |`. The last cell holds references as
//! docs/architecture.md has them, `file::name` in backticks, or begins with `Not here:`.

use crate::tidy::invariants::exists;
use crate::tidy::tree::{Text, text, texts};

const PAGE: &str = "docs/security.md";

/// The threats of the door, the content and the hostile model, what goes wrong with processes and with connections, and
/// the test cases of all of them: each must have its row.
const IDS: &str = "T1 T2 T3 T4 T5 T6 T9 T10 T11 T12 T13 T14 T15 T16 T17 T19 T20 T21 T22 T23 T24 T25 T26 T28 T29 T30 T31 \
                   T32 T33 T34 T35 T36 T37 T38 T39 T1e case1 case2 case3 case4 case5 case6 case7 case8 case9 case10 \
                   case11 case34 case36 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 P13 P15 P16 P17 P18 P20 P21 P22 P23 P24 \
                   P25 P26 P27 P28 P29 P30 P31 P32 P33 W1 W2 W3 W4 W5 W6 W7 W8 W9 W10 W11 W12 W13 W14 W15 W16 W18 W19 \
                   W20 case12 case14 case15 case16 case17 case18 case19 case20 case21 case22 case23 case24 case26 \
                   case27 case29 case30 case32 case33 case35 case39 case40";

fn unchecked(texts: &[Text], ids: &str) -> Vec<String> {
    let page = text(texts, PAGE).unwrap_or_default();
    let rows: Vec<(&str, &str)> = page
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").map(str::trim).collect();
            match cells.as_slice() {
                [id, _, checks] => Some((*id, *checks)),
                _ => None,
            }
        })
        .collect();
    let missing = |id: &&str| !rows.iter().any(|(named, _)| named == id);
    let missing = ids.split_whitespace().filter(missing).map(|id| format!("has no row: {id}"));
    let is_threat = |id: &str| {
        let digits = id.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        digits.len() < id.len() && digits.starts_with(|digit: char| digit.is_ascii_digit())
    };
    let unchecked = rows.iter().filter(|(id, _)| is_threat(id)).flat_map(|(id, checks)| {
        let references: Vec<&str> = checks.split('`').skip(1).step_by(2).collect();
        let names_none = references.is_empty() && !checks.starts_with("Not here: ");
        let gone = references.into_iter().filter(|reference| !exists(texts, reference));
        let gone = gone.map(move |reference| format!("{id} names what does not exist: {reference}"));
        names_none.then(|| format!("names no check: {id}")).into_iter().chain(gone)
    });
    missing.chain(unchecked).collect()
}

#[test]
fn every_threat_is_checked() {
    assert_eq!(unchecked(&texts(), IDS), Vec::<String>::new());
}

#[test]
fn threats_without_a_check_are_found() {
    let page = "\
| id | what | checked by |
|---|---|---|
| T1 | one | `a.rs::t1_one` |
| T2 | two | `a.rs::t2_two`, `a.rs::t1_one` |
| P3 | three | nobody |
| case4 | four | Not here: nothing is there. |
| other | table | of three |
";
    let files = [Text::new(PAGE, page), Text::new("a.rs", "#[test]\nfn t1_one() {}\n")];
    assert_eq!(
        unchecked(&files, "T1 T2 T5"),
        ["has no row: T5", "T2 names what does not exist: a.rs::t2_two", "names no check: P3"]
    );
}
