//! Whatever bytes come, however they are cut: no panic, the same answer for the same bytes, and no answer without its
//! end having been told.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use agent_loop::wire::{Decoder, FailureKind};
use agent_loop::{Answer, Dialect, ModelFailure};
use proptest::prelude::*;

fn decode<'a>(dialect: Dialect, parts: impl IntoIterator<Item = &'a [u8]>) -> Result<Answer, ModelFailure> {
    let mut decoder = Decoder::new(dialect, "text/event-stream");
    let mut deltas = Vec::new();
    for part in parts {
        decoder.feed(part, &mut deltas)?;
        decoder.draft();
    }
    decoder.finish()
}

/// The same bytes in parts, cut at the given places.
fn cut<'a>(bytes: &'a [u8], places: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = places.iter().map(|place| place.index(bytes.len() + 1)).collect();
    places.sort_unstable();
    let mut parts = Vec::new();
    let mut from = 0;
    for place in places.into_iter().chain([bytes.len()]) {
        parts.push(&bytes[from..place]);
        from = place;
    }
    parts
}

fn any_dialect() -> impl Strategy<Value = Dialect> {
    prop::sample::select(vec![Dialect::Anthropic, Dialect::OpenAi])
}

/// Pieces of real streams, of which none tells an end, and pieces of nothing at all.
fn any_piece() -> impl Strategy<Value = Vec<u8>> {
    let real = prop::sample::select(vec![
        r#"{"type":"message_start","message":{"id":"m","model":"x","usage":{"input_tokens":3}}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"bash","input":{}}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
        r#"{"type":"content_block_start","index":7,"content_block":{"type":"new"}}"#,
        r#"{"type":"content_block_start","index":18446744073709551615,"content_block":[]}"#,
        r#"{"type":"content_block_start","content_block":{"type":"text"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"你"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a"}}"#,
        r#"{"type":"content_block_delta","index":7,"delta":{"type":"input_json_delta","partial_json":"{"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":2}}"#,
        r#"{"type":"ping"}"#,
        r#"{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"你"},"finish_reason":null}]}"#,
        r#"{"id":"c","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":"{"}}]}}]}"#,
        r#"{"id":"c","model":"m","choices":[{"delta":{"tool_calls":[{"function":{"name":"b","arguments":"{}"}},{"id":"z"}]}}]}"#,
        r#"{"choices":[{"delta":{"reasoning":"a","reasoning_details":[{"type":"t","text":"a"}]}}]}"#,
        r#"{"choices":[{"delta":{"function_call":{"arguments":"{"}},"finish_reason":""}]}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":1}}"#,
        r#"{"choices":[{"index":1,"delta":{},"finish_reason":"stop"}]}"#,
        "[DONE]",
        ": keepalive",
        "{",
        "null",
    ]);
    prop_oneof![
        6 => real.prop_map(|data| format!("data: {data}\n\n").into_bytes()),
        1 => prop::sample::select(vec!["event: x\n", ": wait\n\n", "\r\n", "\r", "\u{feff}", "{\"x\":1}\n"]).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..12),
    ]
}

/// A single line of 20 MB is read; one past the cap is a failure that says so, fed in pieces as a network does.
#[test]
fn o54_a_line_of_20_mb_is_read_and_one_past_the_cap_is_refused() {
    let check = |dialect: Dialect, megabytes: usize, expected: Result<usize, (FailureKind, &str)>| {
        let words = "x".repeat(megabytes * 1_000_000);
        let stream = match dialect {
            Dialect::Anthropic => format!(
                "data: {{\"type\":\"message\",\"content\":[{{\"type\":\"text\",\"text\":\"{words}\"}}],\
                 \"stop_reason\":\"end_turn\"}}\n\n"
            ),
            Dialect::OpenAi => format!(
                "data: {{\"id\":\"c\",\"model\":\"m\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{words}\"}},\
                 \"finish_reason\":\"stop\"}}]}}\n\ndata: [DONE]\n\n"
            ),
        };
        let mut decoder = Decoder::new(dialect, "text/event-stream");
        let mut deltas = Vec::new();
        let fed = stream.as_bytes().chunks(65_536).try_for_each(|part| decoder.feed(part, &mut deltas));
        let length = fed.and_then(|()| decoder.finish()).map(|answer| match &answer.blocks[..] {
            [agent_loop::Block::Text { text }] => text.len(),
            other => panic!("{} blocks", other.len()),
        });
        let read = length.as_ref().map_err(|failure| (failure.kind, failure.message.as_str()));
        assert_eq!(read.copied(), expected, "{dialect:?}, {megabytes} MB");
    };
    for dialect in [Dialect::Anthropic, Dialect::OpenAi] {
        check(dialect, 20, Ok(20_000_000));
        check(dialect, 40, Err((FailureKind::TooLong, "an event longer than 33554432 bytes")));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn no_answer_without_its_end(
        pieces in prop::collection::vec(any_piece(), 0..12),
        dialect in any_dialect(),
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let body = pieces.concat();
        let whole = decode(dialect, [&body[..]]);
        prop_assert!(whole.is_err(), "{whole:?}");
        prop_assert_eq!(&whole, &decode(dialect, cut(&body, &places)));
        prop_assert_eq!(&whole, &decode(dialect, body.chunks(1)));
    }

    #[test]
    fn an_answer_cut_short_is_incomplete_or_itself(end in any::<prop::sample::Index>(), dialect in any_dialect()) {
        let body = match dialect {
            Dialect::Anthropic => &include_bytes!("wire/anthropic/a11-fragments.sse")[..],
            Dialect::OpenAi => &include_bytes!("wire/openai/call.sse")[..],
        };
        let whole = decode(dialect, [body]).unwrap();
        match decode(dialect, [&body[..end.index(body.len())]]) {
            Ok(answer) => prop_assert_eq!((answer.blocks, answer.stop_reason), (whole.blocks, whole.stop_reason)),
            Err(failure) => prop_assert_eq!(failure.kind, FailureKind::Incomplete),
        }
    }

    #[test]
    fn any_bytes_at_all_are_no_answer(body in prop::collection::vec(any::<u8>(), 0..400), dialect in any_dialect()) {
        prop_assert!(decode(dialect, [&body[..]]).is_err());
    }
}
