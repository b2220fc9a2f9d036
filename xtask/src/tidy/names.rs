//! A file or folder is named for what is in it; these names say nothing.

use crate::tidy::tree::{Text, texts};

const SAY_NOTHING: [&str; 8] = ["util", "utils", "helper", "helpers", "manager", "managers", "common", "misc"];

fn says_nothing(texts: &[Text]) -> Vec<String> {
    let empty = |part: &str| SAY_NOTHING.contains(&part.split('.').next().unwrap_or(part));
    texts
        .iter()
        .filter(|text| text.is_source() && text.path.split('/').any(empty))
        .map(|text| text.path.clone())
        .collect()
}

#[test]
fn every_name_says_what_is_there() {
    assert_eq!(says_nothing(&texts()), Vec::<String>::new());
}

#[test]
fn names_that_say_nothing_are_found() {
    let files = ["src/utils.rs", "src/common/wire.rs", "tests/helpers.spec.mjs", "src/commons.rs", "data/utils.py"];
    assert_eq!(
        says_nothing(&files.map(|path| Text::new(path, ""))),
        ["src/utils.rs", "src/common/wire.rs", "tests/helpers.spec.mjs"]
    );
}
