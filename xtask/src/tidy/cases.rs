//! Every case of the wire names what holds it, and that exists.
//!
//! docs/wire.md lists each as a line that begins `- **A-01**`. In backticks stand data files and tests below
//! crates/agent-loop or in host-bridge, a test as `file::name`; after `failures.json`, the name of an entry stands in
//! quotation marks.

use crate::tidy::tree::{Text, root, text, texts};

const PAGE: &str = "docs/wire.md";
const FAILURES: &str = "crates/agent-loop/tests/wire/failures.json";

/// The numbers of the known cases: A of Messages, O of Chat Completions, H of the harness. Those of the page itself are
/// no part of the wire.
const KNOWN: [(&str, &[u8]); 3] = [
    (
        "A",
        &[
            1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28, 30, 32, 34, 35,
            36, 37, 38, 39, 42, 43, 44,
        ],
    ),
    (
        "O",
        &[
            1, 2, 5, 6, 7, 8, 10, 11, 12, 15, 16, 17, 18, 19, 20, 21, 23, 24, 26, 27, 28, 30, 31, 32, 33, 34, 36, 37,
            38, 39, 40, 41, 43, 44, 45, 47, 49, 50, 51, 52, 54, 56, 58, 59, 60,
        ],
    ),
    ("H", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28]),
];

/// `known` are the cases that need a line; `is_file` knows of files that are no text, too.
fn unheld(texts: &[Text], known: &[(&str, &[u8])], is_file: &dyn Fn(&str) -> bool) -> Vec<String> {
    let page = text(texts, PAGE).unwrap_or_default();
    let cases: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("- **")?.split_once("** ")).collect();
    let ids = known.iter().flat_map(|(area, numbers)| numbers.iter().map(move |number| format!("{area}-{number:02}")));
    let mut wrong: Vec<String> =
        ids.filter(|id| !cases.iter().any(|(case, _)| case == id)).map(|id| format!("{PAGE} lists no {id}")).collect();
    for (case, told) in cases {
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
    wrong
}

/// Whether there is such a test, such a file, or for a name with a `*` any file of that kind.
fn exists(texts: &[Text], is_file: &dyn Fn(&str) -> bool, reference: &str) -> bool {
    let (path, test) = reference.split_once("::").map_or((reference, None), |(path, test)| (path, Some(test)));
    let is_data = ["anthropic/", "openai/", "request/"].iter().any(|folder| path.starts_with(folder));
    let folder = match path {
        _ if is_data => "crates/agent-loop/tests/wire/",
        _ if path.starts_with("host-bridge/") => "",
        _ => "crates/agent-loop/",
    };
    let path = format!("{folder}{path}");
    match (path.split_once('*'), test) {
        (Some((start, end)), _) => texts.iter().any(|text| text.path.starts_with(start) && text.path.ends_with(end)),
        (None, None) => is_file(&path),
        (None, Some(test)) => text(texts, &path).is_some_and(|text| text.contains(&format!("fn {test}("))),
    }
}

#[test]
fn every_case_is_held() {
    let root = root();
    assert_eq!(unheld(&texts(), &KNOWN, &|path| root.join(path).is_file()), Vec::<String>::new());
}

#[test]
fn cases_that_nothing_holds_are_found() {
    let page = "\
- **A-01** One: `anthropic/a01.sse`, `tests/a.rs::one`
- **A-02** Two: `openai/a02.sse`, `tests/a.rs::two`, `request/a02-*.json`
- **A-03** Three: never sent: `three`
- **A-04** Four
- **A-05** Five: failures.json “five”, failures.json “six”
- **A-06** Six: `host-bridge/tests/b.rs::three`, `host-bridge/tests/b.rs::four`
";
    let files = [
        Text::new(PAGE, page),
        Text::new("crates/agent-loop/tests/wire/anthropic/a01.sse", ""),
        Text::new("crates/agent-loop/tests/a.rs", "fn one() {}"),
        Text::new("host-bridge/tests/b.rs", "fn three() {}"),
        Text::new(FAILURES, "[{ \"name\": \"five\" }]"),
    ];
    assert_eq!(
        unheld(&files, &[("A", &[1, 6]), ("H", &[2])], &|path| text(&files, path).is_some()),
        [
            "docs/wire.md lists no H-02",
            "A-02: no openai/a02.sse",
            "A-02: no tests/a.rs::two",
            "A-02: no request/a02-*.json",
            "A-04 names nothing",
            "A-05: no failure six",
            "A-06: no host-bridge/tests/b.rs::four",
        ]
    );
}
