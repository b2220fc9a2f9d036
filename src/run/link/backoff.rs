//! How long to wait before the next attempt: doubling, capped, and scattered so that several tabs do not come at once.

const FIRST_MS: u64 = 400;
const MOST_MS: u64 = 15_000;

/// The pause after so many failed attempts. `chance` lies between 0 and 1 and takes up to a half of it away.
pub(super) fn backoff_ms(failures: u32, chance: f64) -> u64 {
    let doubled = FIRST_MS.saturating_mul(1 << failures.saturating_sub(1).min(16));
    let most = doubled.min(MOST_MS) as f64;
    (most * (1.0 - chance.clamp(0.0, 1.0) / 2.0)) as u64
}

#[cfg(test)]
mod tests {
    use super::backoff_ms;

    #[track_caller]
    fn check(failures: u32, chance: f64, expected: u64) {
        assert_eq!(backoff_ms(failures, chance), expected, "{failures} {chance}");
    }

    #[test]
    fn the_pause_doubles_up_to_a_cap() {
        check(0, 0.0, 400);
        check(1, 0.0, 400);
        check(2, 0.0, 800);
        check(2, 1.0, 400);
        check(5, 0.0, 6400);
        check(7, 0.0, 15_000);
        check(u32::MAX, 0.5, 11_250);
    }
}
