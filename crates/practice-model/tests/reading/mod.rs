//! Reads answers back, as strictly as the services write them: shared by the tests of this crate.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, dead_code, missing_docs)]

pub(crate) mod harness;

use practice_model::{Answer, Ending, Service, answer};
use serde_json::{Value, json};

pub(crate) const BOTH: [Service; 2] = [Service::AnthropicMessages, Service::ChatCompletions];

/// What an answer said, without the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) calls: Vec<Call>,
    /// `server_tool_use` and its result, as they came.
    pub(crate) server_blocks: Vec<Value>,
    pub(crate) stop: String,
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

pub(crate) fn body_of(answer: &Answer) -> Vec<u8> {
    answer.chunks.iter().flat_map(|chunk| chunk.bytes.clone()).collect()
}

/// Asks, and reads an answer that must be a good one.
pub(crate) fn ask(service: Service, request: &Value) -> Said {
    let answer = answer(service, request.to_string().as_bytes());
    let body = String::from_utf8(body_of(&answer)).unwrap();
    assert_eq!((answer.status, answer.ending), (200, Ending::Close), "{request}\n{body}");
    read(service, request["stream"] == true, &body)
}

pub(crate) fn read(service: Service, streamed: bool, body: &str) -> Said {
    match (service, streamed) {
        (Service::AnthropicMessages, true) => read_messages_stream(body),
        (Service::AnthropicMessages, false) => read_message(&serde_json::from_str(body).unwrap()),
        (Service::ChatCompletions, true) => read_chat_stream(body),
        (Service::ChatCompletions, false) => read_completion(&serde_json::from_str(body).unwrap()),
    }
}

/// An error of the service: its status and its body, without what differs from request to request.
pub(crate) fn read_refusal(service: Service, answer: &Answer) -> Value {
    let mut body: Value = serde_json::from_slice(&body_of(answer)).unwrap();
    assert!(answer.status >= 400 && answer.ending == Ending::Close, "{body}");
    assert!(body["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
    assert!(body["error"]["type"].is_string(), "{body}");
    match service {
        Service::AnthropicMessages => {
            assert_eq!(body["type"], "error");
            assert!(body.as_object_mut().unwrap().remove("request_id").is_some());
        }
        Service::ChatCompletions => {
            let keys: Vec<&String> = body["error"].as_object().unwrap().keys().collect();
            assert_eq!(keys, ["message", "type", "param", "code"]);
        }
    }
    body
}

fn read_messages_stream(body: &str) -> Said {
    let mut message = Value::Null;
    let mut blocks: Vec<(Value, String)> = Vec::new();
    let (mut open, mut ended, mut stopped, mut pings) = (false, false, false, 0);
    assert!(body.ends_with("\n\n"));
    for event in body.trim_end().split("\n\n") {
        let (name, data) = event.strip_prefix("event: ").unwrap().split_once("\ndata: ").unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["type"], name);
        assert!(!stopped, "an event after message_stop");
        match name {
            "message_start" => {
                assert!(message.is_null());
                message = data["message"].clone();
                assert_eq!((&message["content"], &message["stop_reason"]), (&json!([]), &Value::Null));
            }
            "ping" => pings += 1,
            "content_block_start" => {
                assert!(!open && data["index"] == blocks.len());
                open = true;
                blocks.push((data["content_block"].clone(), String::new()));
            }
            "content_block_delta" => {
                assert!(open && data["index"] == blocks.len() - 1);
                let (block, content) = blocks.last_mut().unwrap();
                let (kind, field) = match block["type"].as_str().unwrap() {
                    "text" => ("text_delta", "text"),
                    _ => ("input_json_delta", "partial_json"),
                };
                assert_eq!(data["delta"]["type"], kind);
                content.push_str(data["delta"][field].as_str().unwrap());
            }
            "content_block_stop" => {
                assert!(open && data["index"] == blocks.len() - 1);
                open = false;
            }
            "message_delta" => {
                assert!(!open && !ended);
                ended = true;
                for (name, value) in data["delta"].as_object().unwrap() {
                    message[name] = value.clone();
                }
                message["usage"] = data["usage"].clone();
            }
            "message_stop" => stopped = true,
            other => panic!("unknown event {other}"),
        }
    }
    assert!(ended && stopped && (pings > 0 || blocks.is_empty()));
    let contents: Vec<String> = blocks.iter().map(|(_, content)| content.clone()).collect();
    let blocks: Vec<Value> = blocks
        .into_iter()
        .map(|(mut block, content)| {
            match block["type"].as_str().unwrap() {
                "text" => block["text"] = json!(content),
                "server_tool_use" => block["input"] = serde_json::from_str(&content).unwrap(),
                _ => {}
            }
            block
        })
        .collect();
    message["content"] = json!(blocks);
    let mut said = read_message(&message);
    let arguments = blocks.iter().zip(contents).filter(|(block, _)| block["type"] == "tool_use");
    for (call, (_, arguments)) in said.calls.iter_mut().zip(arguments) {
        call.arguments = arguments;
    }
    said
}

fn read_message(message: &Value) -> Said {
    assert_eq!((&message["type"], &message["role"]), (&json!("message"), &json!("assistant")));
    let text_of = |value: &Value| value.as_str().unwrap().to_owned();
    let mut said = Said {
        id: text_of(&message["id"]),
        text: String::new(),
        calls: Vec::new(),
        server_blocks: Vec::new(),
        stop: text_of(&message["stop_reason"]),
        input_tokens: message["usage"]["input_tokens"].as_u64().unwrap(),
        output_tokens: message["usage"]["output_tokens"].as_u64().unwrap(),
    };
    assert!(said.id.starts_with("msg_"));
    assert_eq!(said.stop == "stop_sequence", message["stop_sequence"].is_string());
    assert_eq!(said.stop == "refusal", message["stop_details"].is_object());
    for block in message["content"].as_array().unwrap() {
        match block["type"].as_str().unwrap() {
            "text" => {
                let text = text_of(&block["text"]);
                assert!(!text.is_empty());
                said.text.push_str(&text);
            }
            "tool_use" => said.calls.push(Call {
                id: text_of(&block["id"]),
                name: text_of(&block["name"]),
                arguments: block["input"].to_string(),
            }),
            _ => said.server_blocks.push(block.clone()),
        }
    }
    said
}

fn read_chat_stream(body: &str) -> Said {
    let mut message = json!({"role": null, "content": null, "refusal": null});
    let mut calls: Vec<Value> = Vec::new();
    let mut document = Value::Null;
    let (mut finish, mut usage) = (Value::Null, Value::Null);
    let body = body.strip_suffix("data: [DONE]\n\n").expect("[DONE] at the end");
    for event in body.trim_end().split("\n\n") {
        let data: Value = serde_json::from_str(event.strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(data["object"], "chat.completion.chunk");
        assert!(usage.is_null(), "a chunk after the usage");
        if let Some(told) = data.get("usage").filter(|told| !told.is_null()) {
            usage = told.clone();
            assert_eq!(data["choices"], json!([]));
            continue;
        }
        document = json!({"id": data["id"], "object": "chat.completion"});
        assert_eq!(data["choices"].as_array().unwrap().len(), 1);
        let choice = &data["choices"][0];
        assert!(finish.is_null(), "a chunk after the finish_reason");
        finish = choice["finish_reason"].clone();
        for (name, value) in choice["delta"].as_object().unwrap() {
            match (name.as_str(), value) {
                ("role", role) => {
                    assert!(message["role"].is_null());
                    message["role"] = role.clone();
                }
                ("tool_calls", deltas) => {
                    for delta in deltas.as_array().unwrap() {
                        let index = delta["index"].as_u64().unwrap() as usize;
                        if index == calls.len() {
                            calls
                                .push(json!({"id": delta["id"], "type": delta["type"], "function": delta["function"]}));
                        } else {
                            assert!(index + 1 == calls.len() && delta.get("id").is_none());
                            let call = calls.last_mut().unwrap();
                            let so_far = call["function"]["arguments"].as_str().unwrap();
                            let more = delta["function"]["arguments"].as_str().unwrap();
                            call["function"]["arguments"] = json!(format!("{so_far}{more}"));
                        }
                    }
                }
                ("content" | "refusal", Value::Null) => {}
                ("content" | "refusal", piece) => {
                    let so_far = message[name].as_str().unwrap_or_default();
                    message[name] = json!(format!("{so_far}{}", piece.as_str().unwrap()));
                }
                (other, _) => panic!("unknown delta {other}"),
            }
        }
    }
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    document["choices"] = json!([{"index": 0, "message": message, "finish_reason": finish}]);
    document["usage"] = usage;
    read_completion(&document)
}

fn read_completion(document: &Value) -> Said {
    assert_eq!(document["object"], "chat.completion");
    let choice = &document["choices"][0];
    let message = &choice["message"];
    assert_eq!(message["role"], "assistant");
    let text_of = |value: &Value| value.as_str().unwrap().to_owned();
    let text = message["content"].as_str().or(message["refusal"].as_str()).unwrap_or_default();
    let calls = message.get("tool_calls").map_or(&[][..], |calls| calls.as_array().unwrap());
    let said = Said {
        id: text_of(&document["id"]),
        text: text.to_owned(),
        calls: calls
            .iter()
            .map(|call| Call {
                id: text_of(&call["id"]),
                name: text_of(&call["function"]["name"]),
                arguments: text_of(&call["function"]["arguments"]),
            })
            .collect(),
        server_blocks: Vec::new(),
        stop: text_of(&choice["finish_reason"]),
        input_tokens: document["usage"]["prompt_tokens"].as_u64().unwrap_or_default(),
        output_tokens: document["usage"]["completion_tokens"].as_u64().unwrap_or_default(),
    };
    assert!(said.id.starts_with("chatcmpl-"));
    said
}
