//! The chunks that a stream consists of, read in one go: a fragment of words, of reasoning, or of the arguments of the
//! call that is open. A chunk with anything else in it does not fit these types and is read the slow way.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// A chunk whose only news is one fragment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chunk<'a> {
    #[serde(borrow)]
    choices: (Choice<'a>,),
    #[serde(default, rename = "usage")]
    _usage: (),
    #[serde(default, rename = "error")]
    _error: (),
    #[serde(rename = "id")]
    _id: Option<IgnoredAny>,
    #[serde(rename = "object")]
    _object: Option<IgnoredAny>,
    #[serde(rename = "created")]
    _created: Option<IgnoredAny>,
    #[serde(rename = "model")]
    _model: Option<IgnoredAny>,
    #[serde(rename = "system_fingerprint")]
    _system_fingerprint: Option<IgnoredAny>,
    #[serde(rename = "service_tier")]
    _service_tier: Option<IgnoredAny>,
    #[serde(rename = "provider")]
    _provider: Option<IgnoredAny>,
    #[serde(rename = "obfuscation")]
    _obfuscation: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice<'a> {
    index: u64,
    #[serde(borrow)]
    delta: Delta<'a>,
    #[serde(default, rename = "finish_reason")]
    _finish_reason: (),
    #[serde(default, rename = "stop_reason")]
    _stop_reason: (),
    #[serde(default, rename = "matched_stop")]
    _matched_stop: (),
    #[serde(default, rename = "token_ids")]
    _token_ids: (),
    #[serde(rename = "content_filter_results")]
    _content_filter_results: Option<IgnoredAny>,
    #[serde(rename = "logprobs")]
    _logprobs: Option<IgnoredAny>,
    #[serde(rename = "native_finish_reason")]
    _native_finish_reason: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Delta<'a> {
    #[serde(borrow)]
    content: Option<Fragment<'a>>,
    #[serde(borrow)]
    reasoning_content: Option<Fragment<'a>>,
    #[serde(borrow)]
    tool_calls: Option<(Call<'a>,)>,
    #[serde(default, rename = "reasoning")]
    _reasoning: (),
    #[serde(default, rename = "refusal")]
    _refusal: (),
    #[serde(default, rename = "function_call")]
    _function_call: (),
    #[serde(rename = "role")]
    _role: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call<'a> {
    index: u64,
    #[serde(borrow)]
    id: Option<Fragment<'a>>,
    #[serde(borrow)]
    function: Function<'a>,
    #[serde(rename = "type")]
    _kind: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Function<'a> {
    #[serde(borrow)]
    name: Option<Fragment<'a>>,
    #[serde(borrow)]
    arguments: Fragment<'a>,
}

#[derive(Deserialize)]
struct Fragment<'a>(#[serde(borrow)] Cow<'a, str>);

/// The one fragment of a chunk.
pub(super) enum News<'a> {
    Nothing,
    Text(Cow<'a, str>),
    Reasoning(Cow<'a, str>),
    Arguments { index: u64, json: Cow<'a, str> },
}

/// Reads a chunk. `None`: it is more than one fragment, or something else.
pub(super) fn read<'a>(data: &'a [u8]) -> Option<News<'a>> {
    let chunk: Chunk<'a> = serde_json::from_str(std::str::from_utf8(data).ok()?).ok()?;
    let (Choice { index: 0, delta, .. },) = chunk.choices else { return None };
    let told = |fragment: Option<Fragment<'a>>| fragment.map(|Fragment(text)| text).filter(|text| !text.is_empty());
    match (told(delta.content), told(delta.reasoning_content), delta.tool_calls) {
        (None, None, None) => Some(News::Nothing),
        (Some(words), None, None) => Some(News::Text(words)),
        (None, Some(words), None) => Some(News::Reasoning(words)),
        (None, None, Some((Call { index, id, function, .. },))) => match (told(id), told(function.name)) {
            (None, None) => Some(News::Arguments { index, json: function.arguments.0 }),
            _ => None,
        },
        _ => None,
    }
}
