//! The whole loop, natively: scripted bytes in place of a model, a scripted host in place of a shell, in both dialects.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod answers;
mod background;
mod budgets;
mod edits;
mod endings;
mod failures;
mod ledger;
mod lessons;
mod moments;
mod properties;
mod script;
mod stops;
mod stored;
mod taken_up;
mod turns;
mod world;
