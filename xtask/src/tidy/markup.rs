//! No data reaches the page as markup, and no view carries a style the page's policy would refuse.
//!
//! A browser test watches for reports of the policy; this finds the line.

use crate::tidy::tree::{Text, texts};

const REFUSED: [&str; 9] = [
    "inner_html",
    "outer_html",
    "insert_adjacent_html",
    "document.write",
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "style=\"",
    "style=move",
];

fn refused(texts: &[Text]) -> Vec<String> {
    texts
        .iter()
        .filter(|text| text.path.starts_with("src/") || text.path.starts_with("www/"))
        .flat_map(|text| REFUSED.map(|word| (text, word)))
        .filter(|(text, word)| text.text.contains(word))
        .map(|(text, word)| format!("{}: {word}", text.path))
        .collect()
}

#[test]
fn no_data_reaches_the_page_as_markup() {
    assert_eq!(refused(&texts()), Vec::<String>::new());
}

#[test]
fn markup_and_styles_are_found() {
    let files = [
        Text::new("src/view/a.rs", "view! { <p style=\"color: red\" inner_html=text/> }"),
        Text::new("src/view/b.rs", "view! { <p style:color=\"red\">{text}</p> }"),
        Text::new("www/start.js", "crash.innerHTML = message"),
        Text::new("docs/security.md", "innerHTML"),
    ];
    assert_eq!(refused(&files), ["src/view/a.rs: inner_html", "src/view/a.rs: style=\"", "www/start.js: innerHTML"]);
}
