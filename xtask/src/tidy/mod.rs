//! Checks of the house itself, as ordinary tests: what prose asks for and no compiler sees.
//!
//! Each check is a function from the tree to the places that break its rule; one test asks it about this checkout, the
//! others show that it finds what it is for.

mod benches;
mod cases;
mod dependencies;
mod invariants;
mod lengths;
mod links;
mod markup;
mod names;
mod paths;
mod protocol;
mod readmes;
mod threats;
mod tree;
