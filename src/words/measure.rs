//! Times, sizes and counts as people read them; the same in both languages.

/// `0 ms`, `840 ms`, `1.2 s`, `75 s`, `12 min 05 s`.
pub fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..10_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        10_000..120_000 => format!("{} s", ms / 1_000),
        _ => format!("{} min {:02} s", ms / 60_000, ms % 60_000 / 1_000),
    }
}

/// `512 B`, `1.5 kB`, `64 kB`, `3.2 MB`: thousands, not 1024s.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..10_000 => format!("{}.{} kB", bytes / 1_000, bytes % 1_000 / 100),
        10_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

/// `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `14:03:07`, of hours, minutes and seconds.
pub fn clock(hours: u32, minutes: u32, seconds: u32) -> String {
    format!("{hours:02}:{minutes:02}:{seconds:02}")
}

#[cfg(test)]
mod tests {
    use super::{bytes, clock, count, duration};

    #[track_caller]
    fn check(shown: impl IntoIterator<Item = String>, expected: &[&str]) {
        assert_eq!(shown.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn measures_as_people_read_them() {
        let durations = [0, 999, 1_000, 9_999, 10_000, 119_999, 120_000, 725_000].map(duration);
        check(durations, &["0 ms", "999 ms", "1.0 s", "9.9 s", "10 s", "119 s", "2 min 00 s", "12 min 05 s"]);
        check([0, 999, 1_500, 64_000, 3_250_000].map(bytes), &["0 B", "999 B", "1.5 kB", "64 kB", "3.2 MB"]);
        check([0, 999, 1_000, 1_234_567].map(count), &["0", "999", "1,000", "1,234,567"]);
        check([clock(9, 3, 7)], &["09:03:07"]);
    }
}
