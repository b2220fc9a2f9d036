//! What tells one side from the other: the names of fields that only one has, and the values of `role` and `type`.

use std::collections::HashSet;
use std::sync::Arc;

use leptos::prelude::*;

use crate::view::json::{Kind, PLAIN_ABOVE, token, tokens};

/// The telling tokens of a side.
pub(super) type Telling = Arc<HashSet<(Kind, String)>>;

/// The telling tokens of a text.
pub(super) fn telling(text: &str) -> Telling {
    let told = told(text).into_iter();
    Arc::new(told.filter(|one| one.tells).map(|one| (one.kind, one.part.to_owned())).collect())
}

/// The text, with what tells it from the other side marked.
pub(super) fn marked(text: &str, other: &Telling) -> Vec<AnyView> {
    if text.len() > PLAIN_ABOVE {
        return vec![text.to_owned().into_any()];
    }
    told(text)
        .into_iter()
        .map(|Told { kind, part, tells }| {
            let shown = token(kind, part);
            match tells && !other.contains(&(kind, part.to_owned())) {
                true => view! { <mark>{shown}</mark> }.into_any(),
                false => shown,
            }
        })
        .collect()
}

/// A token of JSON text.
struct Told<'t> {
    kind: Kind,
    part: &'t str,
    /// Whether it can tell the dialects apart.
    tells: bool,
}

fn told(text: &str) -> Vec<Told<'_>> {
    let mut name = "";
    let mut told = Vec::new();
    for (kind, part) in tokens(text) {
        let tells = match kind {
            Kind::Name => true,
            Kind::Text => matches!(name, "\"role\"" | "\"type\""),
            Kind::Atom | Kind::Other => false,
        };
        match kind {
            Kind::Name => name = part,
            Kind::Text | Kind::Atom => name = "",
            Kind::Other => {}
        }
        told.push(Told { kind, part, tells });
    }
    told
}

#[cfg(test)]
mod tests {
    use super::{telling, told};

    /// What of `text` is marked beside `other`.
    #[track_caller]
    fn check(text: &str, other: &str, expected: &[&str]) {
        let other = telling(other);
        let marked =
            told(text).into_iter().filter(|one| one.tells && !other.contains(&(one.kind, one.part.to_owned())));
        assert_eq!(marked.map(|one| one.part).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn names_roles_and_types_that_only_one_side_has_are_marked() {
        let messages = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"i","content":"role"}]}"#;
        let chat = r#"{"role":"tool","tool_call_id":"i","content":"role"}"#;
        check(messages, chat, &["\"user\"", "\"type\"", "\"tool_result\"", "\"tool_use_id\""]);
        check(chat, messages, &["\"tool\"", "\"tool_call_id\""]);
        check(messages, messages, &[]);
        check(r#"{"arguments":"{\"command\":1}"}"#, r#"{"input":{"command":1}}"#, &["\"arguments\""]);
        check("", messages, &[]);
    }
}
