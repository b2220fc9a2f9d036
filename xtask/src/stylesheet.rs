//! Puts the page's stylesheets into one file, in the order in which the page asks for them, without what only their authors
//! read: apart they are written more easily, together they travel in one request and compress better.

use std::fs;
use std::io;
use std::path::Path;

use crate::failure::Failure;

/// The name of the one file.
const JOINED: &str = "style.css";

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
    fs::write(staging.join(JOINED), bare(&all)).map_err(unreadable)?;
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

/// A stylesheet without comments, indents and empty lines. What stands in quotes is not touched.
fn bare(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find(['"', '\'', '/', '\n']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let (told, skipped) = match from.as_bytes() {
            [b'/', b'*', ..] => ("", from.find("*/").map_or(from.len(), |end| end + 2)),
            [b'/', ..] => ("/", 1),
            [b'\n', ..] => {
                let line = if out.ends_with('\n') || out.is_empty() { "" } else { "\n" };
                (line, from.len() - from.trim_start().len())
            }
            _ => {
                let text = quoted(from);
                (text, text.len())
            }
        };
        out.push_str(told);
        rest = from.get(skipped..).unwrap_or_default();
    }
    out + rest
}

/// The text in quotes that `css` begins with, to its closing quote.
fn quoted(css: &str) -> &str {
    let mut letters = css.char_indices();
    let quote = letters.next().map(|(_, quote)| quote);
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if Some(letter) == quote {
            return css.get(..=at).unwrap_or(css);
        }
    }
    css
}

#[cfg(test)]
mod tests {
    use super::{bare, one_link};

    #[test]
    fn what_only_authors_read_is_left_out() {
        let check = |css: &str, expected: &str| assert_eq!(bare(css), expected);
        check("", "");
        check(
            "/* Why. */\n\n.a {\n  color: red; /* now */\n\n  &:hover {\n    top: 0;\n  }\n}\n",
            ".a {\ncolor: red; \n&:hover {\ntop: 0;\n}\n}\n",
        );
        check(".a::before { content: \"/* \\\" */\"; }", ".a::before { content: \"/* \\\" */\"; }");
        check("a { b: url('x/*y'); c: 1 / 2; }", "a { b: url('x/*y'); c: 1 / 2; }");
        check("a {} /* never closed", "a {} ");
        check("a { b: 'open", "a { b: 'open");
    }

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
