//! `messages` as JSON, in English.

use agent_loop::Dialect;

use crate::view::dialects::Difference;
use crate::words::dialects::DialectWords;

/// The words.
pub(crate) static DIALECTS: DialectWords = DialectWords {
    new_since: "added since the last request",
    show_as: "Show messages as",
    blocks: "Blocks",
    both: "Side by side",
    own: "this session",
    before: "the request before messages",
    after: "the request after messages",
    added: "not in the session: put here so that the endpoint takes the request",
    repaired: "repaired for sending",
    differences: "Differences",
    difference,
};

fn difference(difference: Difference) -> (&'static str, &'static str) {
    match difference {
        Difference::System => ("system is a field of the request", "the system prompt is the first message"),
        Difference::Tools => ("tools: input_schema", "tools: function.parameters"),
        Difference::Stop => ("stop_sequences", "stop"),
        Difference::Content => ("content is a list of blocks", "content is a string"),
        Difference::Call => ("tool_use is a block in content", "tool_calls stands beside content"),
        Difference::Arguments => ("input is an object", "arguments is a string with JSON in it"),
        Difference::NoWords => ("no words: no text block", "no words: content is empty"),
        Difference::Result => {
            ("each tool_result is a block in one user message", "each result is a message with the role tool")
        }
        Difference::Failed => ("is_error says that the call failed", "only the words say that the call failed"),
        Difference::WordsBeside => ("the words stand behind the results", "the words are a user message of their own"),
        Difference::Reasoning(Dialect::Anthropic) => ("thinking goes back to who sent it", "thinking is left out"),
        Difference::Reasoning(Dialect::OpenAi) => ("reasoning is left out", "reasoning goes back to who sent it"),
        Difference::LeftOut(Dialect::Anthropic) => ("not sent", "sent"),
        Difference::LeftOut(Dialect::OpenAi) => ("sent", "not sent"),
    }
}
