//! The bytes of a response and when each part of them came. Only the newest are in the page's own memory, which never
//! shrinks: the rest are a blob, which the browser holds, on its disk where there are many.

use js_sys::{Array, Uint8Array};
use web_sys::Blob;

use super::cuts::Cuts;

/// So many bytes are in memory at most, but for the part that came last.
const HERE: usize = 64 * 1024;

/// The body of a response, as far as it has come.
#[derive(Debug, Clone, Default)]
pub struct Body {
    /// The parts that were put away.
    away: Option<Blob>,
    cuts_away: Cuts,
    /// The bytes of those behind them.
    here: Vec<u8>,
    cuts_here: Cuts,
}

impl Body {
    /// More of it came, so many milliseconds after sending.
    pub(super) fn push(&mut self, at_ms: u64, bytes: &[u8]) {
        let within = |number: Option<u32>| number.unwrap_or(u32::MAX);
        self.cuts_here.push(within(u32::try_from(at_ms).ok()), within(u32::try_from(bytes.len()).ok()));
        self.here.extend_from_slice(bytes);
        if self.here.len() > HERE {
            self.put_away();
        }
    }

    /// Nothing more comes: none of it stays in memory.
    pub(super) fn seal(&mut self) {
        self.put_away();
        self.cuts_away.seal();
    }

    /// Hands all that is in memory to the browser. Where it does not take it, it stays.
    fn put_away(&mut self) {
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
            self.here = Vec::new();
            std::mem::take(&mut self.cuts_here).iter().for_each(|(at_ms, length)| self.cuts_away.push(at_ms, length));
        }
    }

    /// When the last part came, in milliseconds after sending.
    pub fn last_ms(&self) -> Option<u64> {
        self.cuts_here.last_ms().or(self.cuts_away.last_ms()).map(u64::from)
    }

    /// What was put away, to be read and cut by [`Body::parts`].
    pub fn away(&self) -> Option<(Blob, Cuts)> {
        Some((self.away.clone()?, self.cuts_away.clone()))
    }

    /// The parts from the one of this number on; `None` where some of these were put away.
    pub fn since(&self, number: usize) -> Option<Vec<(u64, Vec<u8>)>> {
        let skipped = number.checked_sub(self.cuts_away.len())?;
        let mut parts = Body::parts(&self.here, &self.cuts_here);
        parts.drain(..skipped.min(parts.len()));
        Some(parts)
    }

    /// Bytes as the parts they came in.
    pub fn parts(mut bytes: &[u8], cuts: &Cuts) -> Vec<(u64, Vec<u8>)> {
        let part = |(at_ms, length): (u32, u32)| {
            let length = usize::try_from(length).unwrap_or(usize::MAX).min(bytes.len());
            let (part, rest) = bytes.split_at(length);
            bytes = rest;
            (u64::from(at_ms), part.to_vec())
        };
        cuts.iter().map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Body, Cuts};

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
        let mut cuts = Cuts::default();
        cuts.push(1, 1);
        cuts.push(2, 5);
        assert_eq!(Body::parts(b"ab", &cuts), [(1, b"a".to_vec()), (2, b"b".to_vec())]);
    }
}
