//! The frames between the page and the host bridge.
