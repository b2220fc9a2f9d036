//! What endpoints answer when they refuse a request, as data: `wire/failures.json` holds status, headers and body beside
//! what is to be made of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use std::collections::BTreeMap;

use agent_loop::ModelFailure;
use agent_loop::wire::{FailureKind, failure_of_status};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    name: String,
    status: u16,
    headers: BTreeMap<String, String>,
    body: String,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    kind: FailureKind,
    error_type: Option<String>,
    message: String,
    retry_after_ms: Option<u64>,
    request_id: Option<String>,
}

#[test]
fn a_refusal_says_what_to_do_about_it() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("wire/failures.json")).unwrap();
    assert!(cases.len() > 50);
    for Case { name, status, headers, body, expected } in cases {
        let headers: Vec<(String, String)> = headers.into_iter().collect();
        let expected = ModelFailure {
            kind: expected.kind,
            status: Some(status),
            error_type: expected.error_type,
            message: expected.message,
            retry_after_ms: expected.retry_after_ms,
            request_id: expected.request_id,
        };
        assert_eq!(failure_of_status(status, &headers, body.as_bytes()), expected, "{name}");
    }
}
