//! Puts the page's stylesheets into one file, in the order in which the page asks for them: apart they are written more
//! easily, together they travel in one request and compress better.

use std::fs;
use std::io;
use std::path::Path;

use crate::failure::Failure;

/// The name of the one file.
pub(crate) const JOINED: &str = "style.css";

/// Works on the page that trunk has in hand, in the folder `staging`.
pub(crate) fn join(staging: &Path) -> Result<(), Failure> {
    let unreadable = |error: io::Error| Failure::Step(format!("the stylesheets of the page: {error}"));
    let index = staging.join("index.html");
    let html = fs::read_to_string(&index).map_err(unreadable)?;
    let (html, names) = one_link(&html);
    let mut all = String::new();
    for name in &names {
        let sheet = staging.join(name);
        all.push_str(&fs::read_to_string(&sheet).map_err(unreadable)?);
        fs::remove_file(&sheet).map_err(unreadable)?;
    }
    if names.is_empty() {
        return Ok(());
    }
    fs::write(staging.join(JOINED), all).map_err(unreadable)?;
    fs::write(&index, html).map_err(unreadable)
}

/// The page with one link in the place of the first, and the names of the stylesheets that it asked for.
fn one_link(html: &str) -> (String, Vec<String>) {
    const BEGINNING: &str = "<link rel=\"stylesheet\" href=\"./";
    let mut names = Vec::new();
    let mut out = String::new();
    let mut rest = html;
    while let Some((before, link)) = rest.split_once(BEGINNING) {
        let (Some((name, _)), Some((_, after))) = (link.split_once('"'), link.split_once('>')) else { break };
        out.push_str(if names.is_empty() { before } else { before.trim_end() });
        if names.is_empty() {
            out.push_str(&format!("{BEGINNING}{JOINED}\" />"));
        }
        names.push(name.to_owned());
        rest = after;
    }
    out.push_str(rest);
    (out, names)
}

#[cfg(test)]
mod tests {
    use super::one_link;

    #[test]
    fn one_link_stands_where_the_first_stood() {
        let check = |html: &str, expected: &str, names: &[&str]| {
            assert_eq!(one_link(html), (expected.to_owned(), names.iter().map(|name| (*name).to_owned()).collect()));
        };
        check("<head></head>", "<head></head>", &[]);
        check(
            "<a>\n<link rel=\"stylesheet\" href=\"./b.css\" integrity=\"x\"/>\n  <link rel=\"stylesheet\" href=\"./a.css\"/>\n<c>",
            "<a>\n<link rel=\"stylesheet\" href=\"./style.css\" />\n<c>",
            &["b.css", "a.css"],
        );
    }
}
