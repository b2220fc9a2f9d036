//! When each part of a response came and how many bytes it has. Packed: a fast stream comes in tens of thousands of parts,
//! which are remembered for as long as the response is.

/// The cuts between the parts, in their order.
#[derive(Debug, Clone, Default)]
pub struct Cuts {
    /// For each part the milliseconds since the one before and its length, seven bits in a byte, the lowest first; the
    /// eighth says that more follow.
    packed: Vec<u8>,
    count: usize,
    last_ms: u32,
}

impl Cuts {
    /// One more part. By a clock that goes back it came when the one before did.
    pub(super) fn push(&mut self, at_ms: u32, length: u32) {
        for number in [at_ms.saturating_sub(self.last_ms), length] {
            let mut rest = number;
            while rest >= 0x80 {
                self.packed.push((rest & 0x7f) as u8 | 0x80);
                rest >>= 7;
            }
            self.packed.push(rest as u8);
        }
        self.last_ms = self.last_ms.max(at_ms);
        self.count += 1;
    }

    /// How many parts there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// When the last one came.
    pub(super) fn last_ms(&self) -> Option<u32> {
        (self.count > 0).then_some(self.last_ms)
    }

    /// Each part's time and length.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        let mut packed = self.packed.iter();
        let mut next = move || {
            let (mut number, mut shift) = (0, 0);
            loop {
                let byte = packed.next()?;
                number |= u32::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    return Some(number);
                }
            }
        };
        let mut at_ms = 0;
        std::iter::from_fn(move || {
            at_ms += next()?;
            Some((at_ms, next()?))
        })
    }

    /// No more parts come: what is set aside for them goes.
    pub(super) fn seal(&mut self) {
        self.packed.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::Cuts;

    #[test]
    fn parts_are_told_as_they_came() {
        let all = [(0, 0), (0, 127), (127, 128), (128, 16_383), (128, 16_384), (70_000, u32::MAX), (u32::MAX, 1)];
        let mut cuts = Cuts::default();
        all.iter().for_each(|(at_ms, length)| cuts.push(*at_ms, *length));
        assert_eq!((cuts.iter().collect::<Vec<_>>(), cuts.len(), cuts.last_ms()), (all.to_vec(), 7, Some(u32::MAX)));
        cuts.push(5, 2);
        assert_eq!((cuts.iter().last(), cuts.last_ms()), (Some((u32::MAX, 2)), Some(u32::MAX)));
    }
}
