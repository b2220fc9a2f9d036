//! Checks of the house itself, as ordinary tests.
