//! Values that stand in a row where one is expected.

use serde_json::Value;

use super::exact::kept;
use super::is_too_deep;
use super::mend::mended;

/// Values that stand in a row, and how the row ends.
#[derive(Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) values: Vec<Value>,
    pub(crate) end: RowEnd,
}

/// How a row of values ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowEnd {
    /// With a value.
    Whole,
    /// With `[DONE]`; what follows it is not read.
    Done,
    /// In the middle of a value.
    Cut,
    /// With something else.
    Broken,
    /// With a value that is nested deeper than is read.
    TooDeep,
}

/// Reads objects and lists that stand in a row: one on each line, or events whose line breaks were lost. Between them
/// may stand blanks, commas, and the field names of an event stream.
pub(crate) fn read_row(bytes: &[u8]) -> Row {
    let text = String::from_utf8_lossy(bytes);
    let text = kept(&text);
    let (row, rest) = row_of(&text);
    // Mended only if it has to be, and only if that helps: what is cut stays cut, and what begins no value begins none
    // after it either.
    match row.end {
        RowEnd::Broken if rest.starts_with(['{', '[']) => {
            let (mended, _) = row_of(&mended(&text));
            if mended.end == RowEnd::Broken { row } else { mended }
        }
        RowEnd::Broken | RowEnd::Whole | RowEnd::Done | RowEnd::Cut | RowEnd::TooDeep => row,
    }
}

/// The row, and what follows its last value.
fn row_of(text: &str) -> (Row, &str) {
    let mut values = Vec::new();
    let mut rest = text;
    let end = loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '\u{1e}' | '\u{feff}'));
        if rest.is_empty() {
            break RowEnd::Whole;
        }
        if rest.starts_with("[DONE]") {
            break RowEnd::Done;
        }
        if let Some(more) = rest.strip_prefix("data:") {
            rest = more;
            continue;
        }
        if let Some(more) = rest.strip_prefix("event:") {
            let name = more.trim_start();
            rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
            continue;
        }
        if !rest.starts_with(['{', '[']) {
            break RowEnd::Broken;
        }
        let mut read = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match read.next() {
            Some(Ok(value)) => {
                rest = rest.get(read.byte_offset()..).unwrap_or_default();
                values.push(value);
            }
            Some(Err(error)) if error.is_eof() => break RowEnd::Cut,
            Some(Err(error)) if is_too_deep(&error) => break RowEnd::TooDeep,
            Some(Err(_)) | None => break RowEnd::Broken,
        }
    };
    (Row { values, end }, rest)
}

#[cfg(test)]
mod tests {
    use super::{Row, RowEnd, read_row};
    use serde_json::{Value, json};

    #[test]
    fn values_in_a_row_are_read_however_they_are_parted() {
        let check = |text: &str, values: &[Value], end: RowEnd| {
            assert_eq!(read_row(text.as_bytes()), Row { values: values.to_vec(), end }, "{text}");
        };
        let (a, b) = (json!({ "a": "data: {}" }), json!({ "b": [1] }));
        let both = [a, b.clone()];
        check("{\"a\":\"data: {}\"}\n{\"b\":[1]}\n", &both, RowEnd::Whole);
        check("{\"a\":\"data: {}\"},\r\n{\"b\":[1]}", &both, RowEnd::Whole);
        check(
            "event: x.y data: {\"a\":\"data: {}\"}event:z data:data: {\"b\":[1]}data: [DONE] more",
            &both,
            RowEnd::Done,
        );
        check("{\"b\":[1]} {\"b", std::slice::from_ref(&b), RowEnd::Cut);
        check("{\"b\":[1]} and more", std::slice::from_ref(&b), RowEnd::Broken);
        check("{\"b\":[1]} {\"n\":NaN}", &[b, json!({ "n": null })], RowEnd::Whole);
        check(&"{\"a\":".repeat(200), &[], RowEnd::TooDeep);
        check("7", &[], RowEnd::Broken);
        check(" \n", &[], RowEnd::Whole);
    }
}
