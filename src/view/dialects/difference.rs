//! What really differs between the two dialects' forms of one message, found in what is sent. Pure.

use agent_loop::Dialect;
use serde_json::Value;

/// A difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Difference {
    /// The system prompt: a field of the request, or the first message.
    System,
    /// How a tool is described.
    Tools,
    /// The name of what ends the answer.
    Stop,
    /// `content`: a list of blocks, or a string.
    Content,
    /// Where a call stands.
    Call,
    /// Its arguments: an object, or a string.
    Arguments,
    /// No words beside a call: no block, or `null`.
    NoWords,
    /// Where a result stands.
    Result,
    /// Whether a result says by a field that it failed.
    Failed,
    /// Words beside results.
    WordsBeside,
    /// Reasoning, which only this dialect's endpoint is sent.
    Reasoning(Dialect),
    /// The message, which this dialect's endpoint is not sent.
    LeftOut(Dialect),
}

/// The differences between the entries that one message became in each dialect.
pub(super) fn differences(anthropic: &[Value], chat: &[Value]) -> Vec<Difference> {
    match (anthropic, chat) {
        ([], []) => return Vec::new(),
        ([], _) => return vec![Difference::LeftOut(Dialect::Anthropic)],
        (_, []) => return vec![Difference::LeftOut(Dialect::OpenAi)],
        _ => {}
    }
    let blocks: Vec<&Value> = anthropic.iter().filter_map(|entry| entry.get("content")?.as_array()).flatten().collect();
    let is = |block: &Value, kind: &str| block.get("type").and_then(Value::as_str) == Some(kind);
    let has = |kind: &str| blocks.iter().any(|block| is(block, kind));
    let (words, calls, results) = (has("text"), has("tool_use"), has("tool_result"));
    let fails = blocks.iter().any(|block| block.get("is_error").is_some());
    let thinks = has("thinking") || has("redacted_thinking");
    let is_reasoning =
        |entry: &Value| entry.as_object().is_some_and(|it| it.keys().any(|key| key.starts_with("reasoning")));
    let reasons = chat.iter().any(is_reasoning);
    let found = [
        (words && !results, Difference::Content),
        (calls, Difference::Call),
        (calls, Difference::Arguments),
        (calls && !words, Difference::NoWords),
        (results, Difference::Result),
        (fails, Difference::Failed),
        (results && words, Difference::WordsBeside),
        (thinks && !reasons, Difference::Reasoning(Dialect::Anthropic)),
        (reasons && !thinks, Difference::Reasoning(Dialect::OpenAi)),
    ];
    found.into_iter().filter_map(|(is_there, difference)| is_there.then_some(difference)).collect()
}

/// The differences in what stands around the messages, by what the body of Messages says beside them.
pub(super) fn around(anthropic: &Value) -> Vec<Difference> {
    let has = |name: &str| anthropic.get(name).is_some();
    let found = [
        (has("system"), Difference::System),
        (has("tools"), Difference::Tools),
        (has("stop_sequences"), Difference::Stop),
    ];
    found.into_iter().filter_map(|(is_there, difference)| is_there.then_some(difference)).collect()
}

#[cfg(test)]
mod tests {
    use agent_loop::Dialect;
    use serde_json::{Value, json};

    use super::Difference::{
        Arguments, Call, Content, Failed, LeftOut, NoWords, Reasoning, Result, Stop, System, Tools, WordsBeside,
    };
    use super::{Difference, around, differences};

    #[track_caller]
    fn check(anthropic: Value, chat: Value, expected: &[Difference]) {
        let all = |value: Value| value.as_array().cloned().unwrap_or_default();
        assert_eq!(differences(&all(anthropic), &all(chat)), expected);
    }

    #[test]
    fn what_differs_is_what_is_sent() {
        let said = json!([{ "role": "user", "content": "a" }]);
        check(said.clone(), said.clone(), &[]);
        check(json!([]), json!([]), &[]);
        check(said.clone(), json!([]), &[LeftOut(Dialect::OpenAi)]);
        check(json!([]), said, &[LeftOut(Dialect::Anthropic)]);
        let call = json!({ "type": "tool_use", "id": "i", "name": "bash", "input": {} });
        let calls = json!([{ "id": "i", "type": "function", "function": { "name": "bash", "arguments": "{}" } }]);
        check(
            json!([{ "role": "assistant", "content": [{ "type": "text", "text": "a" }, call] }]),
            json!([{ "role": "assistant", "content": "a", "tool_calls": calls }]),
            &[Content, Call, Arguments],
        );
        check(
            json!([{ "role": "assistant", "content": [{ "type": "thinking" }, call] }]),
            json!([{ "role": "assistant", "content": null, "tool_calls": calls }]),
            &[Call, Arguments, NoWords, Reasoning(Dialect::Anthropic)],
        );
        check(
            json!([{ "role": "assistant", "content": [{ "type": "text", "text": "a" }] }]),
            json!([{ "role": "assistant", "content": "a", "reasoning_content": "b" }]),
            &[Content, Reasoning(Dialect::OpenAi)],
        );
        let result = json!({ "type": "tool_result", "tool_use_id": "i", "content": "c", "is_error": true });
        check(
            json!([{ "role": "user", "content": [result, { "type": "text", "text": "a" }] }]),
            json!([{ "role": "tool", "tool_call_id": "i", "content": "c" }, { "role": "user", "content": "a" }]),
            &[Result, Failed, WordsBeside],
        );
        assert_eq!(around(&json!({ "system": "s", "tools": [], "stop_sequences": ["x"] })), [System, Tools, Stop]);
        assert_eq!(around(&json!({ "model": "m" })), []);
    }
}
