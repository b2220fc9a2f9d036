//! What holds for every request, tried on requests that nobody thought of.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

mod reading;

use practice_model::{Ending, Group, Scenario, Service, answer, scenarios};
use proptest::prelude::*;
use reading::{BOTH, body_of, harness::Harness, read, read_refusal};
use serde_json::{Value, json};

proptest! {
    /// Any bytes, any JSON, and any sound request with something in it replaced: an answer of the service, or a refusal
    /// in its shape; twice the same.
    #[test]
    fn every_request_gets_a_sound_answer(body in body(), service in service()) {
        let first = answer(service, &body);
        prop_assert_eq!(&first, &answer(service, &body));
        let request: Value = serde_json::from_slice(&body).unwrap_or_default();
        let fault = request["model"].as_str().is_some_and(|model| model.starts_with("practice/fault-"));
        if first.status != 200 {
            if !fault || first.status != 502 {
                read_refusal(service, &first);
            }
        } else if !fault {
            prop_assert_eq!(first.ending, Ending::Close);
            let text = String::from_utf8(body_of(&first)).unwrap();
            read(service, request["stream"] == true, &text);
        }
    }

    /// However it is delivered, an answer says the same, under the same ids.
    #[test]
    fn streamed_and_whole_say_the_same(
        scenario in scenario(), service in service(), words in words(), max_tokens in 1_u32..200,
    ) {
        let said = [true, false].map(|streamed| {
            let mut harness = Harness::new(service, scenario.id, streamed);
            harness.user(&words);
            harness.request["messages"] = json!(harness.messages);
            harness.request["max_tokens"] = json!(max_tokens);
            let mut said = reading::ask(service, &harness.request);
            // A whole answer of Messages cannot hold a call that was cut off, nor broken JSON.
            if service == Service::AnthropicMessages {
                for call in &mut said.calls {
                    call.arguments = match serde_json::from_str::<Value>(&call.arguments) {
                        Ok(arguments) => arguments.to_string(),
                        Err(_) => "{}".to_owned(),
                    };
                }
            }
            said
        });
        prop_assert_eq!(&said[0], &said[1]);
        prop_assert!(said[0].output_tokens <= u64::from(max_tokens));
    }

    /// Whatever comes back from its calls, a scenario ends, and accepts every history on the way there.
    #[test]
    fn walks_end(
        scenario in scenario(), service in service(), streamed: bool, one_at_a_time: bool,
        turns in prop::collection::vec(words(), 1..4), results in prop::collection::vec(result(), 1..20),
    ) {
        let mut harness = Harness::new(service, scenario.id, streamed);
        if one_at_a_time {
            harness = harness.one_call_at_a_time();
        }
        let mut results = results.iter().cycle();
        for words in turns {
            harness.user(&words);
            let endless = ["practice/turn-limit", "practice/repeat"].contains(&scenario.id);
            let limit = 12;
            let answers = harness.run(limit, |_| results.next().unwrap().clone());
            prop_assert!(endless || answers.len() < limit, "{answers:#?}");
            let last = answers.last().unwrap();
            if last.calls.is_empty() {
                prop_assert!(!last.text.is_empty());
            } else {
                prop_assert!(endless || last.stop != "tool_use");
                // A careful harness drops a turn that was cut off in a call.
                if last.stop == "max_tokens" || last.stop == "length" {
                    harness.messages.pop();
                }
            }
        }
    }

    /// Stop sequences never appear, and the text before them does.
    #[test]
    fn stop_sequences_are_honoured(service in service(), sequence in "[a-z ,.]{1,3}") {
        prop_assume!(!sequence.trim().is_empty());
        let mut harness = Harness::new(service, "practice", false);
        harness.user("hello");
        harness.request["messages"] = json!(harness.messages);
        let whole = reading::ask(service, &harness.request).text;
        let field = if service == Service::AnthropicMessages { "stop_sequences" } else { "stop" };
        harness.request[field] = json!([sequence]);
        let cut = reading::ask(service, &harness.request).text;
        prop_assert_eq!(cut, whole.split(&sequence).next().unwrap());
    }
}

/// A person's command is as long as they like: nothing but the request's own `max_tokens` cuts it.
#[test]
fn a_long_command_comes_whole() {
    let command = format!("echo {}.", "long ".repeat(5_000));
    for service in BOTH {
        let mut harness = Harness::new(service, "practice/run", true);
        harness.request["max_tokens"] = json!(8_000);
        harness.user(&format!("$ {command}"));
        let said = harness.call_model();
        assert_eq!(serde_json::from_str::<Value>(&said.calls[0].arguments).unwrap(), json!({"command": command}));
    }
}

fn service() -> impl Strategy<Value = Service> {
    prop::sample::select(BOTH.to_vec())
}

/// Those that answer.
fn scenario() -> impl Strategy<Value = &'static Scenario> {
    let answering: Vec<_> = scenarios().iter().filter(|scenario| scenario.group != Group::Faults).collect();
    prop::sample::select(answering)
}

fn words() -> impl Strategy<Value = String> {
    let known = [
        "List the Python files in the current directory",
        "帮我看看当前目录里有哪些 Python 文件。",
        "请创建 hello.py，输出 Hello, Agent Harness；运行它并告诉我实际输出。",
        "break it",
        "修好它",
        "我叫小明",
        "我刚才说我叫什么？",
        "My name is Ada",
        "当前目录下有哪些文件？",
        "$ ls\n$ pwd",
        "continue",
        "step by step",
        "{0} {1} {",
    ];
    prop_oneof![4 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => "\\PC*[a-z]\\PC*"]
}

fn result() -> impl Strategy<Value = String> {
    let known = [
        "./app.py\n./utils.py",
        "app.py\nimages/",
        "(no output)",
        "Error: Denied by the user; nothing was run.",
        "Traceback (most recent call last):\nNameError: name 'greeting' is not defined",
        "Hello, Agent Harness\n[exit code: 0]",
        "bash: line 1: python3: command not found",
        "Error: missing command.",
        "",
    ];
    prop_oneof![4 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => any::<String>()]
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..64),
        2 => json_value().prop_map(|value| value.to_string().into_bytes()),
        12 => (service(), any::<bool>(), prop::sample::select(scenarios().iter().collect::<Vec<_>>()), prop::collection::vec((any::<prop::sample::Index>(), json_value()), 0..3))
            .prop_map(|(service, streamed, scenario, changes)| {
                let mut request = sound_request(service, scenario.id, streamed);
                for (index, value) in changes {
                    let mut places = Vec::new();
                    list_places(&request, String::new(), &mut places);
                    let place = index.get(&places);
                    *request.pointer_mut(place).unwrap() = value;
                }
                request.to_string().into_bytes()
            }),
    ]
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        prop::sample::select(vec![
            "",
            " ",
            "user",
            "assistant",
            "tool",
            "text",
            "tool_use",
            "practice",
            "function",
            "t1"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z_]{0,9}", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// A request with a call and its result in its history.
fn sound_request(service: Service, model: &str, streamed: bool) -> Value {
    let mut harness = Harness::new(service, model, streamed);
    harness.user("List the Python files in the current directory");
    let call =
        reading::Call { id: "t1".to_owned(), name: "bash".to_owned(), arguments: "{\"command\":\"ls\"}".to_owned() };
    harness.messages.push(match service {
        Service::AnthropicMessages => json!({"role": "assistant", "content": [
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": call.id, "name": call.name, "input": {"command": "ls"}},
        ]}),
        Service::ChatCompletions => json!({"role": "assistant", "content": "I look.", "tool_calls": [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}},
        ]}),
    });
    harness.write_back(vec![(&call, "app.py".to_owned())]);
    harness.request["messages"] = json!(harness.messages);
    harness.request
}

/// The JSON pointer of every value in `value`.
fn list_places(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                list_places(value, format!("{place}/{name}"), places);
            }
        }
        Value::Array(list) => {
            for (nth, value) in list.iter().enumerate() {
                list_places(value, format!("{place}/{nth}"), places);
            }
        }
        _ => {}
    }
    places.push(place);
}
