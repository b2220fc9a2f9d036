//! A small harness: keeps a history in a service's shape and walks a scenario with results it is given.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, dead_code, missing_docs)]

use super::{Call, Said, ask};
use practice_model::Service;
use serde_json::{Value, json};

pub(crate) struct Harness {
    pub(crate) service: Service,
    /// The request, but for its messages.
    pub(crate) request: Value,
    pub(crate) messages: Vec<Value>,
    ids: Vec<String>,
}

impl Harness {
    pub(crate) fn new(service: Service, model: &str, streamed: bool) -> Self {
        let schema = json!({"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]});
        let mut request = match service {
            Service::AnthropicMessages => json!({
                "model": model, "max_tokens": 8000, "system": "Use bash.",
                "tools": [{"name": "bash", "description": "Run a shell command.", "input_schema": schema}],
            }),
            Service::ChatCompletions => {
                let function = json!({"name": "bash", "description": "Run a shell command.", "parameters": schema});
                json!({"model": model, "tools": [{"type": "function", "function": function}]})
            }
        };
        if streamed {
            request["stream"] = json!(true);
        }
        if streamed && service == Service::ChatCompletions {
            request["stream_options"] = json!({"include_usage": true});
        }
        Self { service, request, messages: Vec::new(), ids: Vec::new() }
    }

    pub(crate) fn without_tools(mut self) -> Self {
        self.request.as_object_mut().unwrap().remove("tools");
        self
    }

    pub(crate) fn one_call_at_a_time(mut self) -> Self {
        match self.service {
            Service::AnthropicMessages => {
                self.request["tool_choice"] = json!({"type": "auto", "disable_parallel_tool_use": true});
            }
            Service::ChatCompletions => self.request["parallel_tool_calls"] = json!(false),
        }
        self
    }

    pub(crate) fn user(&mut self, words: &str) {
        self.messages.push(json!({"role": "user", "content": words}));
    }

    /// One model call; its answer is saved as a careful harness saves it. No id may ever come twice.
    pub(crate) fn call_model(&mut self) -> Said {
        let mut request = self.request.clone();
        request["messages"] = json!(self.messages);
        let said = ask(self.service, &request);
        assert!(said.output_tokens > 0 && said.input_tokens > 0);
        for id in said.calls.iter().map(|call| &call.id).chain([&said.id]) {
            assert!(!self.ids.contains(id), "{id} came twice");
            assert!(id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)));
            self.ids.push(id.clone());
        }
        self.messages.push(match self.service {
            Service::AnthropicMessages => {
                let mut content = said.server_blocks.clone();
                if !said.text.is_empty() {
                    let at = content.iter().take_while(|block| block["type"] != "server_tool_use").count();
                    content.insert(at, json!({"type": "text", "text": said.text}));
                }
                content.extend(said.calls.iter().map(|call| {
                    let input = serde_json::from_str(&call.arguments).unwrap_or_default();
                    let input = if matches!(input, Value::Object(_)) { input } else { json!({}) };
                    json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input})
                }));
                json!({"role": "assistant", "content": content})
            }
            Service::ChatCompletions => {
                let calls: Vec<Value> = said
                    .calls
                    .iter()
                    .map(|call| {
                        let sound = serde_json::from_str::<Value>(&call.arguments).is_ok();
                        let arguments = if sound { &call.arguments } else { "{}" };
                        let function = json!({"name": call.name, "arguments": arguments});
                        json!({"id": call.id, "type": "function", "function": function})
                    })
                    .collect();
                let mut message = json!({"role": "assistant", "content": said.text});
                if !calls.is_empty() {
                    message["tool_calls"] = json!(calls);
                }
                message
            }
        });
        said
    }

    pub(crate) fn write_back(&mut self, results: Vec<(&Call, String)>) {
        match self.service {
            Service::AnthropicMessages => {
                let results: Vec<Value> = results
                    .into_iter()
                    .map(|(call, text)| json!({"type": "tool_result", "tool_use_id": call.id, "content": text}))
                    .collect();
                self.messages.push(json!({"role": "user", "content": results}));
            }
            Service::ChatCompletions => self.messages.extend(
                results
                    .into_iter()
                    .map(|(call, text)| json!({"role": "tool", "tool_call_id": call.id, "content": text})),
            ),
        }
    }

    /// The loop: until the model asks for nothing more, or `limit` calls of it were made. Every answer, in order.
    pub(crate) fn run(&mut self, limit: usize, mut host: impl FnMut(&Call) -> String) -> Vec<Said> {
        let mut answers: Vec<Said> = Vec::new();
        while answers.len() < limit {
            let said = self.call_model();
            answers.push(said.clone());
            if said.stop == "pause_turn" {
                continue;
            }
            if said.calls.is_empty() || said.stop == "max_tokens" || said.stop == "length" {
                break;
            }
            let results = said.calls.iter().map(|call| (call, host(call))).collect();
            self.write_back(results);
        }
        answers
    }
}
