//! The frames as they are on the wire: every line of the data files is read, and written again as it was.
#![allow(clippy::unwrap_used, missing_docs)]

use bridge_protocol::frames::{Malformed, Output, Stream, ToBridge, ToPage};

#[test]
fn every_frame_is_written_as_it_was_read() {
    for line in include_str!("frames/to_bridge.jsonl").lines() {
        assert_eq!(ToBridge::parse(line).unwrap().to_text(), line);
    }
    for line in include_str!("frames/to_page.jsonl").lines() {
        assert_eq!(ToPage::parse(line).unwrap().to_text(), line);
    }
}

#[test]
fn an_unknown_field_is_ignored() {
    let frame = ToBridge::parse(r#"{"type":"cancel","call":"c","colour":"green"}"#);
    assert_eq!(frame, Ok(ToBridge::Cancel { call: "c".to_owned() }));
}

#[track_caller]
fn check_malformed(text: &str, call: Option<&str>, says: &str) {
    let Malformed { call: named, message } = ToBridge::parse(text).unwrap_err();
    assert_eq!(named.as_deref(), call, "{text}");
    assert!(message.contains(says), "{text}: {message}");
}

#[test]
fn what_cannot_be_understood_names_its_call() {
    check_malformed("", None, "not JSON");
    check_malformed("{", None, "not JSON");
    check_malformed("[]", None, "not a JSON object");
    check_malformed(r#"["cancel","c"]"#, None, "not a JSON object");
    check_malformed("null", None, "not a JSON object");
    check_malformed("{}", None, "type");
    check_malformed(r#"{"type":"jump","call":"c"}"#, Some("c"), "jump");
    check_malformed(r#"{"type":"cancel"}"#, None, "call");
    check_malformed(r#"{"type":"cancel","call":7}"#, None, "string");
    check_malformed(r#"{"type":"credit","call":"c","bytes":-1}"#, Some("c"), "-1");
    check_malformed(r#"{"type":"credit","call":"c","bytes":1e3}"#, Some("c"), "1000");
    check_malformed(r#"{"type":"run","call":"c","tool":"bash"}"#, Some("c"), "arguments");
}

#[track_caller]
fn check_output(frame: &[u8], expected: Option<Output<'_>>) {
    assert_eq!(Output::parse(frame), expected, "{frame:?}");
    if let Some(output) = expected {
        assert_eq!(output.to_bytes(), frame);
    }
}

#[test]
fn output_is_binary() {
    let seq = 0x0102_0304_0506_0708;
    check_output(
        b"\x01\x01\x01\x02\x03\x04\x05\x06\x07\x08\x02c7a\xffb",
        Some(Output { call: "c7", seq, stream: Stream::Stdout, bytes: b"a\xffb" }),
    );
    check_output(
        b"\x01\x02\0\0\0\0\0\0\0\0\x01c",
        Some(Output { call: "c", seq: 0, stream: Stream::Stderr, bytes: b"" }),
    );
    check_output(b"", None);
    check_output(b"\x01\x01\0\0\0\0\0\0\0\0", None);
    check_output(b"\x02\x01\0\0\0\0\0\0\0\0\x01c", None);
    check_output(b"\x01\x03\0\0\0\0\0\0\0\0\x01c", None);
    check_output(b"\x01\x01\0\0\0\0\0\0\0\0\x02c", None);
    check_output(b"\x01\x01\0\0\0\0\0\0\0\0\x01\xff", None);
}
