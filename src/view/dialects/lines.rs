//! JSON text over lines, for the eye. No token of it is changed: what is read is what is sent.

use crate::view::json::{Kind, tokens};

/// The text over lines, indented from this depth on. It may be a part of a value.
pub(super) fn lines(text: &str, depth: usize) -> String {
    let mut depth = depth;
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for (kind, part) in tokens(text) {
        if kind != Kind::Other {
            out.push_str(part);
            continue;
        }
        for character in part.chars() {
            match character {
                '{' | '[' => {
                    out.push(character);
                    depth += 1;
                    new_line(&mut out, depth);
                }
                '}' | ']' => {
                    depth = depth.saturating_sub(1);
                    let kept = out.trim_end_matches([' ', '\n']).len();
                    out.truncate(kept);
                    // What is empty stays on its line.
                    if !out.ends_with(['{', '[']) {
                        new_line(&mut out, depth);
                    }
                    out.push(character);
                }
                ',' => {
                    out.push(',');
                    new_line(&mut out, depth);
                }
                ':' => out.push_str(": "),
                ' ' | '\t' | '\r' | '\n' => {}
                other => out.push(other),
            }
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// The values of a text that holds several, joined by commas.
pub(super) fn values(text: &str) -> Vec<&str> {
    let (mut depth, mut at, mut from) = (0_usize, 0, 0);
    let mut values = Vec::new();
    for (kind, part) in tokens(text) {
        for (offset, character) in part.char_indices().filter(|_| kind == Kind::Other) {
            match character {
                '{' | '[' => depth += 1,
                '}' | ']' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    values.extend(text.get(from..at + offset));
                    from = at + offset + 1;
                }
                _ => {}
            }
        }
        at += part.len();
    }
    values.extend(text.get(from..).filter(|last| !last.is_empty()));
    values
}

fn new_line(out: &mut String, depth: usize) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::{lines, values};

    #[track_caller]
    fn check(text: &str, depth: usize, expected: &str) {
        assert_eq!(lines(text, depth), expected);
        assert_eq!(lines(expected, depth), expected, "what stands over lines stays as it is");
    }

    #[test]
    fn every_token_stays_as_it_was_written() {
        check("", 0, "");
        check(r#"{"a":[],"b":{ }}"#, 0, "{\n  \"a\": [],\n  \"b\": {}\n}");
        check(r#"[1.0,1e3,12345678901234567890123]"#, 0, "[\n  1.0,\n  1e3,\n  12345678901234567890123\n]");
        check(r#"{"a":"{\"b\": [1, 2]}"}"#, 0, "{\n  \"a\": \"{\\\"b\\\": [1, 2]}\"\n}");
        check(r#"{"a":1},{"b":2}"#, 0, "{\n  \"a\": 1\n},\n{\n  \"b\": 2\n}");
        check(r#"{"m":[{"s":1},"#, 0, "{\n  \"m\": [\n    {\n      \"s\": 1\n    },");
        check(r#"],"t":true}"#, 2, "  ],\n  \"t\": true\n}");
        check("]}", 2, "  ]\n}");
    }

    #[test]
    fn values_are_parted_where_they_are_joined() {
        let check = |text: &str, expected: &[&str]| assert_eq!(values(text), expected);
        check("", &[]);
        check(r#"{"a":[1,2]}"#, &[r#"{"a":[1,2]}"#]);
        check(r#"{"a":",{"},{"b":"}"},3"#, &[r#"{"a":",{"}"#, r#"{"b":"}"}"#, "3"]);
    }
}
