//! A call that stands in the words of an answer because the server did not read it as one: a wrong chat template, a
//! missing tool parser. It is told to the person and never run: nobody can say where a quotation ends.

/// How models write calls: the templates of Qwen and Hermes, Llama, Mistral, DeepSeek, gpt-oss, GLM, Kimi, MiniMax.
const MARKS: &[&str] = &[
    "<tool_call>",
    "<tool_calls>",
    "<function=",
    "<function_call>",
    "<function_calls>",
    "<invoke name=",
    "<|tool_call",
    "<|python_tag|>",
    "<|action_start|>",
    "[TOOL_CALLS]",
    "<｜tool▁call",
    "<minimax:tool_call>",
    " to=functions.",
];

/// Whether words hold a call outside of code and quotation marks, or are nothing but one in JSON.
pub fn holds_written_call(words: &str) -> bool {
    let mut in_fence = false;
    let mut outside = String::with_capacity(words.len());
    for line in words.lines() {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            in_fence = !in_fence;
        } else if !in_fence {
            outside.push_str(line);
            outside.push('\n');
        }
    }
    let quoted = |at: usize| {
        let before = outside.get(..at).unwrap_or_default();
        before.ends_with(['`', '"', '\'', '“', '‘', '「']) || before.rsplit('\n').next().is_some_and(is_in_code)
    };
    MARKS.iter().any(|mark| outside.match_indices(mark).any(|(at, _)| !quoted(at))) || is_bare_call(&outside)
}

/// Whether the line so far has an odd number of backticks.
fn is_in_code(line: &str) -> bool {
    line.bytes().filter(|byte| *byte == b'`').count() % 2 == 1
}

/// Whether the whole text is an object, or a list of objects, with a name and arguments.
fn is_bare_call(words: &str) -> bool {
    let words = words.trim();
    if !words.starts_with(['{', '[']) {
        return false;
    }
    let Ok(value) = serde_json::from_str::<serde_json::Value>(words) else { return false };
    let value = value.as_array().and_then(|list| list.first()).unwrap_or(&value);
    let call = value.get("function").filter(|function| function.is_object()).unwrap_or(value);
    call.get("name").is_some_and(serde_json::Value::is_string)
        && ["arguments", "parameters"].into_iter().any(|key| call.get(key).is_some_and(|value| !value.is_null()))
}

#[cfg(test)]
mod tests {
    use super::holds_written_call;

    #[test]
    fn o31_a_call_in_words_is_seen_and_a_quoted_one_is_none() {
        let check = |words: &str, expected: bool| assert_eq!(holds_written_call(words), expected, "{words}");
        check("I'll look.\n<tool_call>{\"name\":\"bash\",\"arguments\":{\"command\":\"ls\"}}</tool_call>", true);
        check("<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>", true);
        check("[TOOL_CALLS][{\"name\":\"bash\",\"arguments\":{\"command\":\"ls\"}}]", true);
        check("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>bash", true);
        check("<|channel|>commentary to=functions.bash <|message|>{\"command\":\"ls\"}<|call|>", true);
        check("{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}", true);
        check("{\"type\":\"function\",\"function\":{\"name\":\"bash\",\"parameters\":{\"command\":\"ls\"}}}", true);
        check("[{\"name\": \"bash\", \"arguments\": {}}]", true);
        check("It looks like this:\n```\n<tool_call>{}</tool_call>\n```\nDo you see?", false);
        check("Models write `<tool_call>` before it.", false);
        check("Models write `a <tool_call> b` before it.", false);
        check("The mark is \"<tool_call>\".", false);
        check("{\"name\": \"Ada\", \"age\": 36}", false);
        check("[1, 2]", false);
        check("", false);
    }
}
