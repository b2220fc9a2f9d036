//! The host bridge.
fn main() {}
