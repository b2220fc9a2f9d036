//! Takes the key out of an answer: some services quote the key they refuse, and the page has no use for it.

use axum::body::Bytes;

use super::Key;

/// The shortest key that is looked for: shorter ones are no secrets but placeholders.
const SECRET_LENGTH: usize = 8;
const INSTEAD: &[u8] = b"(the key)";

/// Looks through a stream of bytes. What it holds back is never more than the beginning of a key.
#[derive(Debug)]
pub(super) struct Scrub {
    key: Option<Key>,
    held: Vec<u8>,
}

impl Scrub {
    /// Looks for this key.
    pub(super) fn new(key: Option<&Key>) -> Self {
        Self { key: key.filter(|key| key.reveal().len() >= SECRET_LENGTH).cloned(), held: Vec::new() }
    }

    /// Whether the key is in there.
    pub(super) fn finds(&self, bytes: &[u8]) -> bool {
        self.key.as_ref().is_some_and(|key| find(bytes, key.reveal().as_bytes()).is_some())
    }

    /// The next bytes, without the key.
    pub(super) fn push(&mut self, piece: &Bytes) -> Bytes {
        let Some(key) = self.key.as_ref().map(|key| key.reveal().as_bytes()) else { return piece.clone() };
        let all = [self.held.as_slice(), piece].concat();
        let mut told = Vec::with_capacity(all.len());
        let mut rest = all.as_slice();
        while let Some((before, after)) =
            find(rest, key).and_then(|at| Some((rest.get(..at)?, rest.get(at + key.len()..)?)))
        {
            told.extend_from_slice(before);
            told.extend_from_slice(INSTEAD);
            rest = after;
        }
        let most = rest.len().min(key.len() - 1);
        let held = (1..=most).rev().find(|len| rest.ends_with(key.get(..*len).unwrap_or_default())).unwrap_or(0);
        let (clear, held) = rest.split_at(rest.len() - held);
        told.extend_from_slice(clear);
        self.held = held.to_vec();
        told.into()
    }

    /// What was held back and turned out not to be the key.
    pub(super) fn finish(&mut self) -> Bytes {
        std::mem::take(&mut self.held).into()
    }
}

fn find(bytes: &[u8], key: &[u8]) -> Option<usize> {
    bytes.windows(key.len()).position(|window| window == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every cut into two pieces.
    #[track_caller]
    fn check(key: &str, answer: &str, expected: &str) {
        for cut in 0..=answer.len() {
            let mut scrub = Scrub::new(Key::new(key).as_ref());
            let (one, two) = answer.as_bytes().split_at(cut);
            let mut told = scrub.push(&Bytes::copy_from_slice(one)).to_vec();
            told.extend(scrub.push(&Bytes::copy_from_slice(two)));
            told.extend(scrub.finish());
            assert_eq!(String::from_utf8(told).unwrap(), expected, "cut at {cut}");
        }
    }

    #[test]
    fn the_key_is_taken_out_wherever_the_answer_is_cut() {
        check("sk-12345678", "no sk-12345678!", "no (the key)!");
        check("sk-12345678", "sk-12345678sk-12345678", "(the key)(the key)");
        check("sk-12345678", "sk-1sk-12345678", "sk-1(the key)");
        check("aaaaaaaab", "aaaaaaaaaaaab", "aaaa(the key)");
        check("sk-12345678", "ends with sk-1234", "ends with sk-1234");
        check("no-need", "you said no-need", "you said no-need");
        check("sk-12345678", "", "");
    }

    #[test]
    fn nothing_else_is_held_back() {
        let mut scrub = Scrub::new(Key::new("sk-12345678").as_ref());
        assert_eq!(scrub.push(&Bytes::from_static(b"data: {}\n\n")), "data: {}\n\n");
        assert_eq!(scrub.push(&Bytes::from_static(b"task")), "ta");
        assert_eq!(scrub.push(&Bytes::from_static(b"s!")), "sks!");
    }
}
