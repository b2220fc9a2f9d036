//! Why a person was asked about a call, or was not: what the rules of the host settle.

use agent_loop::CallKey;
use bridge_protocol::frames::Reason;
use leptos::prelude::*;

use super::Page;

/// A line about a call, where its host was asked.
pub(crate) fn told(page: Page, call: CallKey) -> AnyView {
    // Without a rule there is nothing to explain: to be asked is what everybody expects.
    let verdict = page.app.tab().link.verdict(call).filter(|verdict| verdict.reason != Reason::NoRule);
    verdict.map(|verdict| view! { <p class="dim">{(page.words.verdict)(&verdict)}</p> }).into_any()
}
