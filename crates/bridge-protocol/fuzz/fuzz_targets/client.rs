//! See `properties::client`.
#![no_main]

#[path = "../properties.rs"]
#[allow(dead_code, reason = "each target checks one of them")]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::client(data));
