//! What HTTP puts around a body, where a capture holds it: heads, and the sizes of chunks.
//!
//! A body that came through a browser has neither and passes as it is. A capture of `curl -i`, or of the connection
//! itself, begins with a head; of a request that was refused the head says so.

use crate::wire::failure::{FailureKind, ModelFailure};

/// The longest head, in bytes.
const HEAD_CAP: usize = 64 * 1024;

/// The head of an answer.
#[derive(Debug, Default)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
}

impl Head {
    /// Whether the request was taken.
    pub(crate) fn is_ok(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The value of a header, or nothing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

/// Whoever takes the body, with the head that stood before it. An error ends the reading.
pub(crate) type TakeBody<'a> = dyn FnMut(Option<&Head>, &[u8]) -> Result<(), ModelFailure> + 'a;

/// Takes HTTP off.
#[derive(Debug)]
pub(crate) struct Transfer {
    stage: Stage,
    /// The head, if there was one.
    pub(crate) head: Option<Head>,
}

#[derive(Debug)]
enum Stage {
    /// The beginning, which does not say yet what it is.
    Begin(Vec<u8>),
    /// The body as it is.
    Plain,
    /// The line with the size of the next chunk, as far as it has come.
    Size(Vec<u8>),
    /// So many bytes of the chunk are left.
    Chunk(u64),
    /// After the last chunk.
    End,
}

/// What the beginning turned out to be.
enum Begin {
    /// More has to come.
    Open,
    /// Nothing but blanks has come.
    Blank,
    /// A body begins there.
    Body(usize),
    /// The sizes of chunks begin there.
    Chunks(usize),
    /// A head ends there.
    Head(Head, usize),
}

impl Default for Transfer {
    fn default() -> Transfer {
        Transfer { stage: Stage::Begin(Vec::new()), head: None }
    }
}

impl Transfer {
    /// Reads on; `body` takes what is left.
    pub(crate) fn feed(&mut self, bytes: &[u8], body: &mut TakeBody<'_>) -> Result<(), ModelFailure> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match &mut self.stage {
                Stage::Plain => return body(self.head.as_ref(), rest),
                Stage::End => return Ok(()),
                Stage::Begin(begin) => {
                    begin.extend_from_slice(rest);
                    let begin = std::mem::take(begin);
                    return self.begin(&begin, body);
                }
                Stage::Size(line) => {
                    let end = rest.iter().position(|byte| *byte == b'\n');
                    let (more, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
                    line.extend_from_slice(more);
                    rest = after;
                    if line.len() > HEAD_CAP {
                        return Err(ModelFailure::new(FailureKind::Undecodable, "a chunk without a size"));
                    }
                    if end.is_some() && !line.trim_ascii().is_empty() {
                        self.stage = match chunk_size(line.trim_ascii()) {
                            Some(0) => Stage::End,
                            Some(size) => Stage::Chunk(size),
                            None => {
                                return Err(ModelFailure::new(FailureKind::Undecodable, "a chunk without a size"));
                            }
                        };
                    }
                }
                Stage::Chunk(left) => {
                    let length = usize::try_from(*left).unwrap_or(usize::MAX).min(rest.len());
                    let (chunk, after) = rest.split_at(length);
                    *left -= length as u64;
                    if *left == 0 {
                        self.stage = Stage::Size(Vec::new());
                    }
                    body(self.head.as_ref(), chunk)?;
                    rest = after;
                }
            }
        }
        Ok(())
    }

    /// The bytes have ended: a beginning that never said what it is is a body.
    pub(crate) fn finish(&mut self, body: &mut TakeBody<'_>) -> Result<(), ModelFailure> {
        match std::mem::replace(&mut self.stage, Stage::End) {
            Stage::Begin(begin) if !begin.is_empty() => body(self.head.as_ref(), &begin),
            _ => Ok(()),
        }
    }

    fn begin(&mut self, begin: &[u8], body: &mut TakeBody<'_>) -> Result<(), ModelFailure> {
        let mut from = 0;
        let (stage, at) = loop {
            match read_begin(begin.get(from..).unwrap_or_default(), self.head.as_ref()) {
                Begin::Open => break (Stage::Begin(begin.get(from..).unwrap_or_default().to_vec()), begin.len()),
                Begin::Blank => break (Stage::Begin(Vec::new()), begin.len()),
                Begin::Body(at) => break (Stage::Plain, from + at),
                Begin::Chunks(at) => break (Stage::Size(Vec::new()), from + at),
                Begin::Head(head, at) => {
                    // An interim answer, or that of a proxy to CONNECT, stands before the real one.
                    self.head = Some(head);
                    from += at;
                }
            }
        };
        self.stage = stage;
        match begin.get(at..) {
            None | Some([]) => Ok(()),
            Some(rest) => self.feed(rest, body),
        }
    }
}

/// `head` is the one that stood before.
fn read_begin(begin: &[u8], head: Option<&Head>) -> Begin {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0xEF | 0xBB | 0xBF);
    let Some(at) = begin.iter().position(|byte| !is_blank(byte)) else { return Begin::Blank };
    let text = begin.get(at..).unwrap_or_default();
    let may_be = |mark: &[u8]| text.starts_with(mark) || mark.starts_with(text);
    if may_be(b"HTTP/") {
        return match end_of_head(text) {
            Some(end) => match read_head(text.get(..end).unwrap_or_default()) {
                Some(head) => Begin::Head(head, at + end),
                None => Begin::Body(at),
            },
            None if text.len() > HEAD_CAP => Begin::Body(at),
            None => Begin::Open,
        };
    }
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let after = line.get(digits..).unwrap_or_default();
    let may_be_size = (1..=SIZE_DIGITS).contains(&digits)
        && line.len() <= SIZE_CAP
        && (after.is_empty() || after == b"\r" || after.starts_with(b";"));
    // Tools that join the chunks leave the header, so the size itself decides; without a header only one with its CR.
    let is_told = head.is_some_and(|head| head.header("transfer-encoding").eq_ignore_ascii_case("chunked"));
    match line.len() < text.len() {
        _ if !may_be_size => Begin::Body(at),
        false => Begin::Open,
        true if is_told || line.ends_with(b"\r") => Begin::Chunks(at),
        true => Begin::Body(at),
    }
}

/// The most digits of a chunk's size, and the longest line with one.
const SIZE_DIGITS: usize = 8;
const SIZE_CAP: usize = 64;

fn chunk_size(line: &[u8]) -> Option<u64> {
    let digits = line.split(|byte| *byte == b';').next()?.trim_ascii();
    let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.len() <= SIZE_DIGITS)?;
    u64::from_str_radix(digits, 16).ok()
}

/// Where the blank line after a head ends.
fn end_of_head(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        from += line.len();
        if line.trim_ascii().is_empty() && line.ends_with(b"\n") {
            return Some(from);
        }
    }
    None
}

fn read_head(text: &[u8]) -> Option<Head> {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines();
    let status = lines.next()?.split_ascii_whitespace().nth(1)?.parse().ok()?;
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
    };
    Some(Head { status, headers: lines.filter_map(header).collect() })
}

#[cfg(test)]
mod tests {
    use super::Transfer;
    use crate::wire::failure::ModelFailure;

    fn keep(body: &mut Vec<u8>, bytes: &[u8]) -> Result<(), ModelFailure> {
        body.extend_from_slice(bytes);
        Ok(())
    }

    /// The status of the head and the body, the same however the bytes are cut.
    #[track_caller]
    fn check(capture: &str, status: Option<u16>, expected: &str) {
        let bytes = capture.as_bytes();
        let read = |parts: &mut dyn Iterator<Item = &[u8]>| {
            let mut transfer = Transfer::default();
            let mut body = Vec::new();
            for part in parts {
                transfer.feed(part, &mut |_, bytes| keep(&mut body, bytes)).unwrap();
            }
            transfer.finish(&mut |_, bytes| keep(&mut body, bytes)).unwrap();
            (transfer.head.map(|head| head.status), String::from_utf8(body).unwrap())
        };
        let expected = (status, expected.to_owned());
        assert_eq!(read(&mut [bytes].into_iter()), expected, "{capture:?}");
        assert_eq!(read(&mut bytes.chunks(1)), expected, "byte by byte: {capture:?}");
        for cut in 0..=bytes.len() {
            assert_eq!(read(&mut [&bytes[..cut], &bytes[cut..]].into_iter()), expected, "cut at {cut}: {capture:?}");
        }
    }

    #[test]
    fn a_body_alone_passes_as_it_is() {
        for body in [
            "data: a\n\n",
            "{\"a\": 1}",
            "event: x\r\n",
            "abc",
            "7",
            "fe\n",
            "HTTP",
            "HTTP/1.1 is a protocol",
            "dad",
            "beef\nx",
        ] {
            check(body, None, body);
        }
        check("\n \u{feff}data: a", None, "data: a");
        check("", None, "");
    }

    #[test]
    fn heads_are_taken_off() {
        check("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\r\n", Some(200), "data: a\r\n");
        check("HTTP/2 429\nretry-after: 3\n\n{}", Some(429), "{}");
        check("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n{}", Some(200), "{}");
        check("HTTP/1.1 502 Bad Gateway\r\n\r\n", Some(502), "");
    }

    #[test]
    fn chunks_are_joined() {
        let told = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        check(
            &format!("{told}4;x=y\r\ndata\r\nA\r\n: 12345678\r\n0\r\nTrailer: x\r\n\r\n"),
            Some(200),
            "data: 12345678",
        );
        check("6\r\ndata: \r\n1\r\na\r\n0\r\n\r\n", None, "data: a");
        // A tool has joined them and left the header.
        check(&format!("{told}data: a\n"), Some(200), "data: a\n");
        // Cut.
        check(&format!("{told}9\r\ndata"), Some(200), "data");
    }
}
