//! Which dialect a captured answer is in, guessed from what stands in its first bytes.

use crate::settings::Dialect;

/// How much is looked at, in bytes: enough for the first events of either dialect.
const LOOKED_AT: usize = 64 * 1024;

/// Names that stand in the answers of one dialect and not of the other, as JSON writes them without blanks.
const MARKS: [(&str, Dialect); 13] = [
    ("\"type\":\"message_start\"", Dialect::Anthropic),
    ("\"type\":\"content_block_", Dialect::Anthropic),
    ("\"type\":\"message_delta\"", Dialect::Anthropic),
    ("\"type\":\"message_stop\"", Dialect::Anthropic),
    ("\"type\":\"message\"", Dialect::Anthropic),
    ("\"type\":\"ping\"", Dialect::Anthropic),
    ("\"type\":\"error\",\"error\"", Dialect::Anthropic),
    ("\"stop_reason\":", Dialect::Anthropic),
    ("\"choices\":", Dialect::OpenAi),
    ("chat.completion", Dialect::OpenAi),
    ("\"finish_reason\":", Dialect::OpenAi),
    ("\"prompt_tokens\":", Dialect::OpenAi),
    ("data:[DONE]", Dialect::OpenAi),
];

/// The dialect whose names come first. `None`: there are none.
pub fn guess_dialect(answer: &[u8]) -> Option<Dialect> {
    let looked_at = answer.get(..LOOKED_AT).unwrap_or(answer);
    let dense: Vec<u8> = looked_at.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let place = |mark: &str| dense.windows(mark.len()).position(|window| window == mark.as_bytes());
    MARKS
        .iter()
        .filter_map(|(mark, dialect)| Some((place(mark)?, *dialect)))
        .min_by_key(|(at, _)| *at)
        .map(|(_, it)| it)
}

#[cfg(test)]
mod tests {
    use super::guess_dialect;
    use crate::settings::Dialect::{Anthropic, OpenAi};

    #[test]
    fn the_names_in_an_answer_tell_its_dialect() {
        let check = |answer: &str, expected| assert_eq!(guess_dialect(answer.as_bytes()), expected, "{answer}");
        check("event: message_start\ndata: {\"type\": \"message_start\", \"message\": {}}\n\n", Some(Anthropic));
        check("{\n  \"id\": \"m\",\n  \"type\": \"message\",\n  \"content\": []\n}", Some(Anthropic));
        check("data: {\"choices\":[{\"delta\":{\"content\":\"stop_reason\"}}]}\n\n", Some(OpenAi));
        check("data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[]}\n\n", Some(OpenAi));
        check("data: [DONE]\n\n", Some(OpenAi));
        check("<html></html>", None);
        check("", None);
    }
}
