//! Why a person was asked about a call, or was not: what the rules of the host settle.

use agent_loop::CallKey;
use bridge_protocol::frames::{Decision, Reason, Verdict};
use leptos::prelude::*;

use super::Page;
use crate::words::background;

/// A line about a call, where its host was asked.
pub(crate) fn told(page: Page, call: CallKey) -> AnyView {
    // Without a rule there is nothing to explain: to be asked is what everybody expects.
    let verdict = page.app.tab().link.verdict(call).filter(|verdict| verdict.reason != Reason::NoRule);
    let words = &page.session_words().verdict;
    let told = |Verdict { decision, reason }| match (decision, reason) {
        (Decision::Allow, Reason::Rule { rule }) => format!("{} {rule}", words.allowed),
        (Decision::Ask, Reason::Rule { rule }) => format!("{} {rule}", words.asked),
        (Decision::Deny, Reason::Rule { rule }) => format!("{} {rule}", words.denied),
        (_, Reason::ReadOnly) => words.read_only.to_owned(),
        (_, Reason::Background) => background(page.app.language.get_untracked()).allowed_before.to_owned(),
        (_, Reason::NotSimple | Reason::NoRule) => words.not_simple.to_owned(),
    };
    verdict.map(|verdict| view! { <p class="dim">{told(verdict)}</p> }).into_any()
}
