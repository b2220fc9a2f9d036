//! Every case of the wire names what holds it, and that exists.
//!
//! docs/wire.md lists each as a line that begins `- **A-01**`. In backticks stand data files and tests below
//! crates/agent-loop, a test as `file::name`; after `failures.json`, the name of an entry stands in quotation marks.

use crate::tidy::tree::{Text, root, text, texts};

const PAGE: &str = "docs/wire.md";
const MEMBER: &str = "crates/agent-loop/";
const FAILURES: &str = "crates/agent-loop/tests/wire/failures.json";

/// `is_file` knows of files that are no text, too.
fn unheld(texts: &[Text], is_file: &dyn Fn(&str) -> bool) -> Vec<String> {
    let page = text(texts, PAGE).unwrap_or_default();
    let cases = page.lines().filter_map(|line| line.strip_prefix("- **")?.split_once("** "));
    let mut wrong = Vec::new();
    let mut count = 0;
    for (case, told) in cases {
        count += 1;
        let files: Vec<&str> = told.split('`').skip(1).step_by(2).filter(|part| part.contains('/')).collect();
        let failures: Vec<&str> =
            told.split("failures.json “").skip(1).filter_map(|rest| Some(rest.split_once('”')?.0)).collect();
        if files.is_empty() && failures.is_empty() && !told.contains("never sent") && !told.contains("missing") {
            wrong.push(format!("{case} names nothing"));
        }
        wrong
            .extend(files.iter().filter(|file| !exists(texts, is_file, file)).map(|file| format!("{case}: no {file}")));
        let told_of = text(texts, FAILURES).unwrap_or_default();
        let lacks = failures.iter().filter(|name| !told_of.contains(&format!("\"{name}\"")));
        wrong.extend(lacks.map(|name| format!("{case}: no failure {name}")));
    }
    if count == 0 {
        wrong.push(format!("{PAGE} lists no case"));
    }
    wrong
}

/// Whether there is such a test, such a file, or for a name with a `*` any file of that kind.
fn exists(texts: &[Text], is_file: &dyn Fn(&str) -> bool, reference: &str) -> bool {
    let (path, test) = reference.split_once("::").map_or((reference, None), |(path, test)| (path, Some(test)));
    let is_data = ["anthropic/", "openai/", "request/"].iter().any(|folder| path.starts_with(folder));
    let path = format!("{MEMBER}{}{path}", if is_data { "tests/wire/" } else { "" });
    match (path.split_once('*'), test) {
        (Some((start, end)), _) => texts.iter().any(|text| text.path.starts_with(start) && text.path.ends_with(end)),
        (None, None) => is_file(&path),
        (None, Some(test)) => text(texts, &path).is_some_and(|text| text.contains(&format!("fn {test}("))),
    }
}

#[test]
fn every_case_is_held() {
    let root = root();
    assert_eq!(unheld(&texts(), &|path| root.join(path).is_file()), Vec::<String>::new());
}

#[test]
fn cases_that_nothing_holds_are_found() {
    let page = "\
- **A-01** One: `anthropic/a01.sse`, `tests/a.rs::one`
- **A-02** Two: `openai/a02.sse`, `tests/a.rs::two`, `request/a02-*.json`
- **A-03** Three: never sent: `three`
- **A-04** Four
- **A-05** Five: failures.json “five”, failures.json “six”
";
    let files = [
        Text::new(PAGE, page),
        Text::new("crates/agent-loop/tests/wire/anthropic/a01.sse", ""),
        Text::new("crates/agent-loop/tests/a.rs", "fn one() {}"),
        Text::new(FAILURES, "[{ \"name\": \"five\" }]"),
    ];
    assert_eq!(
        unheld(&files, &|path| text(&files, path).is_some()),
        [
            "A-02: no openai/a02.sse",
            "A-02: no tests/a.rs::two",
            "A-02: no request/a02-*.json",
            "A-04 names nothing",
            "A-05: no failure six",
        ]
    );
}
