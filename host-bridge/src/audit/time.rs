//! A moment as the log writes it.

use std::time::{SystemTime, UNIX_EPOCH};

/// In UTC, to the millisecond (RFC 3339). The calendar is reckoned in years that begin in March, so that the day that
/// comes and goes is the last one.
pub(super) fn rfc3339(moment: SystemTime) -> String {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    // From 0000-03-01, in cycles of 400 years.
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let march = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * march + 2) / 5 + 1, if march < 10 { march + 3 } else { march - 9 });
    let year = cycle * 400 + year + u64::from(month <= 2);
    let (hour, minute, milli) = (second / 3_600, second / 60 % 60, since.subsec_millis());
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}.{milli:03}Z", second % 60)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[track_caller]
    fn check(millis: u64, expected: &str) {
        assert_eq!(rfc3339(UNIX_EPOCH + Duration::from_millis(millis)), expected);
    }

    #[test]
    fn moments() {
        check(0, "1970-01-01T00:00:00.000Z");
        check(951_782_400_000, "2000-02-29T00:00:00.000Z");
        check(951_868_800_000, "2000-03-01T00:00:00.000Z");
        check(1_709_251_199_999, "2024-02-29T23:59:59.999Z");
        check(1_796_000_000_123, "2026-11-30T00:53:20.123Z");
        check(4_107_542_400_000, "2100-03-01T00:00:00.000Z");
    }
}
