//! Requests that the services refuse, and some that they do not: `refusals/messages.json` and `refusals/chat.json` hold
//! the requests (a base and what each case changes in it) with the status and the error of each.
//! `UPDATE=1 cargo test -p practice-model` writes the answers anew.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

mod reading;

use practice_model::{Service, answer};
use reading::{body_of, read_refusal};
use serde_json::{Value, json};
use std::{fs, path::Path};

#[test]
fn messages() {
    check(Service::AnthropicMessages, "messages.json");
}

#[test]
fn chat_completions() {
    check(Service::ChatCompletions, "chat.json");
}

#[track_caller]
fn check(service: Service, file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refusals").join(file);
    let data: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let mut actual = data.clone();
    for (nth, case) in data["cases"].as_array().unwrap().iter().enumerate() {
        let body = match (case.get("raw"), case.get("change")) {
            (Some(raw), _) => raw.as_str().unwrap().to_owned(),
            (None, Some(change)) => {
                let mut body = data["base"].clone();
                for (name, value) in change.as_object().unwrap() {
                    // A null takes the field out.
                    body[name] = value.clone();
                }
                body.as_object_mut().unwrap().retain(|_, value| !value.is_null());
                body.to_string()
            }
            (None, None) => panic!("{case}"),
        };
        let answer = answer(service, body.as_bytes());
        actual["cases"][nth]["answer"] = if answer.status == 200 {
            assert!(serde_json::from_slice::<Value>(&body_of(&answer)).is_ok());
            json!(200)
        } else {
            json!([answer.status, read_refusal(service, &answer)["error"]])
        };
    }
    if std::env::var_os("UPDATE").is_some() {
        let cases: Vec<String> = actual["cases"].as_array().unwrap().iter().map(Value::to_string).collect();
        let text = format!("{{\"base\": {},\n\"cases\": [\n{}\n]}}\n", actual["base"], cases.join(",\n"));
        fs::write(&path, text).unwrap();
    }
    assert_eq!(actual, serde_json::from_str::<Value>(&fs::read_to_string(&path).unwrap()).unwrap());
}
