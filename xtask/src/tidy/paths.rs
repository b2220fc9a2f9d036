//! Nothing committed names a place on the machine it was written on.

use std::path::Path;

use crate::tidy::tree::{Text, root, texts};

fn names_a_place(texts: &[Text], root: &Path, home: Option<&Path>) -> Vec<String> {
    let places: Vec<String> = std::iter::once(root)
        .chain(home)
        // A folder at the top, such as a container's /app, may well be meant in general.
        .filter(|place| place.components().count() > 2 || *place == Path::new("/root"))
        .map(|place| place.display().to_string())
        .collect();
    let names = |line: &str| {
        places
            .iter()
            .any(|place| line.match_indices(place.as_str()).any(|(at, _)| line[at + place.len()..].starts_with('/')))
    };
    texts
        .iter()
        .flat_map(|text| text.text.lines().enumerate().map(move |(number, line)| (text, number, line)))
        .filter(|(_, _, line)| names(line))
        .map(|(text, number, _)| format!("{}:{}", text.path, number + 1))
        .collect()
}

#[test]
fn no_file_names_this_machine() {
    assert_eq!(names_a_place(&texts(), &root(), std::env::home_dir().as_deref()), Vec::<String>::new());
}

#[test]
fn places_of_a_machine_are_found() {
    let files = [
        Text::new("a.md", "see\n/srv/checkouts/loopglass/docs"),
        Text::new("b.rs", "\"/home/ada/.cargo\""),
        Text::new("c.rs", "/home/adam/x and /srv/checkouts/other"),
    ];
    let found = names_a_place(&files, Path::new("/srv/checkouts/loopglass"), Some(Path::new("/home/ada")));
    assert_eq!(found, ["a.md:2", "b.rs:1"]);
}
