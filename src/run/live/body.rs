//! The bytes of a response and when each part of them came. Only the newest are in the page's own memory, which never
//! shrinks: the rest are a blob, which the browser holds, on its disk where there are many.

use js_sys::{Array, Uint8Array};
use web_sys::Blob;

/// So many bytes are in memory at most, but for the part that came last.
const HERE: usize = 64 * 1024;

/// The body of a response, as far as it has come.
#[derive(Debug, Clone, Default)]
pub struct Body {
    /// When each part came, in milliseconds after sending, and how many bytes it has.
    cuts: Vec<(u32, u32)>,
    /// The parts that were put away, and how many they are.
    away: Option<Blob>,
    parts_away: usize,
    /// The bytes of those behind them.
    here: Vec<u8>,
}

impl Body {
    /// More of it came.
    pub(super) fn push(&mut self, at_ms: u64, bytes: &[u8]) {
        self.cuts.push((u32::try_from(at_ms).unwrap_or(u32::MAX), u32::try_from(bytes.len()).unwrap_or(u32::MAX)));
        self.here.extend_from_slice(bytes);
        if self.here.len() > HERE {
            self.put_away();
        }
    }

    /// Hands all that is in memory to the browser. Where it does not take it, it stays.
    pub(super) fn put_away(&mut self) {
        if self.here.is_empty() {
            return;
        }
        let pieces = Array::new();
        if let Some(away) = &self.away {
            pieces.push(away);
        }
        pieces.push(&Uint8Array::from(self.here.as_slice()));
        if let Ok(blob) = Blob::new_with_u8_array_sequence(&pieces) {
            self.away = Some(blob);
            self.parts_away = self.cuts.len();
            self.here = Vec::new();
        }
    }

    /// When the last part came, in milliseconds after sending.
    pub fn last_ms(&self) -> Option<u64> {
        self.cuts.last().map(|(at_ms, _)| u64::from(*at_ms))
    }

    /// What was put away, to be read and cut by [`Body::parts`].
    pub fn away(&self) -> Option<(Blob, Vec<(u32, u32)>)> {
        Some((self.away.clone()?, self.cuts.get(..self.parts_away)?.to_vec()))
    }

    /// The parts from the one of this number on; `None` where some of these were put away.
    pub fn since(&self, number: usize) -> Option<Vec<(u64, Vec<u8>)>> {
        let skipped = number.checked_sub(self.parts_away)?;
        let cuts = self.cuts.get(self.parts_away..)?;
        let mut parts = Body::parts(&self.here, cuts);
        parts.drain(..skipped.min(parts.len()));
        Some(parts)
    }

    /// Bytes as the parts they came in.
    pub fn parts(mut bytes: &[u8], cuts: &[(u32, u32)]) -> Vec<(u64, Vec<u8>)> {
        let part = |(at_ms, length): &(u32, u32)| {
            let length = usize::try_from(*length).unwrap_or(usize::MAX).min(bytes.len());
            let (part, rest) = bytes.split_at(length);
            bytes = rest;
            (u64::from(*at_ms), part.to_vec())
        };
        cuts.iter().map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Body;

    #[test]
    fn parts_come_as_they_came() {
        let mut body = Body::default();
        assert_eq!((body.last_ms(), body.since(0)), (None, Some(vec![])));
        body.push(3, b"one");
        body.push(5, b"");
        body.push(9, b"two");
        let check = |number: usize, expected: &[(u64, &[u8])]| {
            let expected: Vec<(u64, Vec<u8>)> = expected.iter().map(|(at_ms, part)| (*at_ms, part.to_vec())).collect();
            assert_eq!(body.since(number), Some(expected), "{number}");
        };
        check(0, &[(3, b"one"), (5, b""), (9, b"two")]);
        check(2, &[(9, b"two")]);
        check(3, &[]);
        check(9, &[]);
        assert_eq!(body.last_ms(), Some(9));
        assert_eq!(Body::parts(b"ab", &[(1, 1), (2, 5)]), [(1, b"a".to_vec()), (2, b"b".to_vec())]);
    }
}
