//! The bytes of a response as the events they hold, each with the time it was complete at.

/// Part of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// When its last byte came, in milliseconds after sending.
    pub(crate) at_ms: u64,
    /// Its text, as it came.
    pub(crate) text: String,
}

/// Cuts what came at blank lines. What is no event stream, or is not complete yet, is one part.
pub(crate) fn parts(chunks: &[(u64, Vec<u8>)]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut open = Vec::new();
    for (at_ms, chunk) in chunks {
        for byte in chunk.iter() {
            open.push(*byte);
            if open.ends_with(b"\n\n") || open.ends_with(b"\r\n\r\n") || open.ends_with(b"\r\r") {
                push(&mut parts, *at_ms, &mut open);
            }
        }
    }
    push(&mut parts, chunks.last().map_or(0, |(at_ms, _)| *at_ms), &mut open);
    parts
}

fn push(parts: &mut Vec<Part>, at_ms: u64, open: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(open).trim_end().to_owned();
    open.clear();
    if !text.is_empty() {
        parts.push(Part { at_ms, text });
    }
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[track_caller]
    fn check(chunks: &[(u64, &str)], expected: &[(u64, &str)]) {
        let chunks: Vec<_> = chunks.iter().map(|(at, text)| (*at, text.as_bytes().to_vec())).collect();
        let found = parts(&chunks);
        assert_eq!(found.iter().map(|part| (part.at_ms, part.text.as_str())).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn events_are_cut_at_blank_lines_wherever_the_network_cut() {
        check(&[], &[]);
        check(&[(5, "{\"a\": 1}")], &[(5, "{\"a\": 1}")]);
        check(
            &[(1, "data: a\n"), (7, "\ndata: b\n\nda"), (9, "ta: c")],
            &[(7, "data: a"), (7, "data: b"), (9, "data: c")],
        );
        check(&[(1, "event: x\r\ndata: a\r\n\r"), (2, "\n: ping\n\n")], &[(2, "event: x\r\ndata: a"), (2, ": ping")]);
        check(&[(1, "data: 字\n\n\n\n")], &[(1, "data: 字")]);
    }
}
