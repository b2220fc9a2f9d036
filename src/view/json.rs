//! JSON for the eye: indented, with names and kinds of values told apart.

use agent_loop::wire::with_exact_numbers;
use leptos::prelude::*;
use serde::Serialize;
use serde_json::Value;

use crate::view::signs::signs;

/// Above this many bytes a text is shown plain: an element for each value would cost more than it tells.
pub(crate) const PLAIN_ABOVE: usize = 60_000;

/// A value in a `<pre>`.
pub(crate) fn json(value: &Value) -> AnyView {
    let text = with_exact_numbers(format!("{value:#}"));
    view! { <pre class="mono json">{coloured(&signs(&text))}</pre> }.into_any()
}

/// A value of ours as the log writes it, in a `<pre>`. By way of its text, so that serde is compiled for one writer only.
pub(crate) fn written<T: Serialize>(value: &T) -> AnyView {
    // What does not become JSON could not have been stored either.
    let text = serde_json::to_string(value).unwrap_or_default();
    json(&serde_json::from_str(&text).unwrap_or_default())
}

/// JSON text with its parts told apart.
pub(crate) fn coloured(text: &str) -> Vec<AnyView> {
    if text.len() > PLAIN_ABOVE {
        return vec![text.to_owned().into_any()];
    }
    tokens(text).into_iter().map(|(kind, part)| token(kind, part)).collect()
}

/// A part of JSON text, by what it is.
pub(crate) fn token(kind: Kind, part: &str) -> AnyView {
    match kind {
        Kind::Other => part.to_owned().into_any(),
        Kind::Name => view! { <span class="json-name">{part.to_owned()}</span> }.into_any(),
        Kind::Text => view! { <span class="json-text">{part.to_owned()}</span> }.into_any(),
        Kind::Atom => view! { <span class="json-atom">{part.to_owned()}</span> }.into_any(),
    }
}

/// What a part of JSON text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// The name of a field.
    Name,
    /// A text.
    Text,
    /// A number, `true`, `false` or `null`.
    Atom,
    /// Brackets, commas, space; or not JSON.
    Other,
}

/// The parts of JSON text, in order; joined, they are the text.
pub(crate) fn tokens(text: &str) -> Vec<(Kind, &str)> {
    let mut tokens: Vec<(Kind, &str)> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = match first {
            '"' => {
                let length = quoted(rest);
                let names = rest.get(length..).is_some_and(|after| after.trim_start().starts_with(':'));
                (if names { Kind::Name } else { Kind::Text }, length)
            }
            '0'..='9' | '-' | 't' | 'f' | 'n' => (Kind::Atom, until(rest, |c| ",]} \n\t\r".contains(c))),
            _ => {
                (Kind::Other, until(rest, |c| c == '"' || c == '-' || c.is_ascii_alphanumeric()).max(first.len_utf8()))
            }
        };
        let (token, after) = rest.split_at(length);
        tokens.push((kind, token));
        rest = after;
    }
    tokens
}

fn until(text: &str, ends: impl Fn(char) -> bool) -> usize {
    text.find(ends).unwrap_or(text.len())
}

/// The length of the quoted text that begins here, its quotes included.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Kind, tokens};

    #[track_caller]
    fn check(text: &str, expected: &[(Kind, &str)]) {
        assert_eq!(tokens(text), expected);
        assert_eq!(tokens(text).iter().map(|(_, part)| *part).collect::<String>(), text);
    }

    #[test]
    fn parts_of_json() {
        use Kind::{Atom, Name, Other, Text};
        check("", &[]);
        check("{\"a\": 1}", &[(Other, "{"), (Name, "\"a\""), (Other, ": "), (Atom, "1"), (Other, "}")]);
        check(r#"["\"x:", -2.5]"#, &[(Other, "["), (Text, r#""\"x:""#), (Other, ", "), (Atom, "-2.5"), (Other, "]")]);
        check("[null]", &[(Other, "["), (Atom, "null"), (Other, "]")]);
        check("\"open", &[(Text, "\"open")]);
        check("错{", &[(Other, "错{")]);
    }
}
