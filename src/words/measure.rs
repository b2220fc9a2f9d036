//! Times, sizes and counts as people read them; the same in both languages.

use agent_loop::settings::Currency;

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

/// `0.05`, `1.5`, `12`, of millionths of a unit: six places at most, none of them an idle zero.
pub fn money(millionths: u64) -> String {
    let places = format!("{:06}", millionths % 1_000_000);
    let places = places.trim_end_matches('0');
    let whole = millionths / 1_000_000;
    if places.is_empty() { whole.to_string() } else { format!("{whole}.{places}") }
}

/// `$0.05`, `¥1.5`, of millionths of a unit.
pub fn amount(currency: Currency, millionths: u64) -> String {
    let sign = match currency {
        Currency::Usd => "$",
        Currency::Cny => "¥",
    };
    format!("{sign}{}", money(millionths))
}

/// Millionths of a unit from what a person typed, rounded down: `1.5`, `,5`, `12`. `None`: no number.
pub fn millionths(typed: &str) -> Option<u64> {
    let typed = typed.trim().replace(',', ".");
    let (whole, places) = typed.split_once('.').unwrap_or((&typed, ""));
    let number = |digits: &str| if digits.is_empty() { Some(0) } else { digits.parse::<u64>().ok() };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && places.is_empty()) || !is_digits(whole) || !is_digits(places) {
        return None;
    }
    let places: String = places.chars().chain("000000".chars()).take(6).collect();
    number(whole)?.checked_mul(1_000_000)?.checked_add(number(&places)?)
}

/// `14:03:07`, of hours, minutes and seconds.
pub fn clock(hours: u32, minutes: u32, seconds: u32) -> String {
    format!("{hours:02}:{minutes:02}:{seconds:02}")
}

#[cfg(test)]
mod tests {
    use agent_loop::settings::Currency;

    use super::{amount, bytes, clock, count, duration, millionths, money};

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
        check([0, 50_000, 1_500_000, 12_000_000, 1].map(money), &["0", "0.05", "1.5", "12", "0.000001"]);
        check([amount(Currency::Usd, 50_000), amount(Currency::Cny, 2_000_000)], &["$0.05", "¥2"]);
        check([clock(9, 3, 7)], &["09:03:07"]);
    }

    #[test]
    fn money_is_read_as_it_is_typed() {
        let check = |typed: &str, expected: Option<u64>| assert_eq!(millionths(typed), expected, "{typed:?}");
        check("1.5", Some(1_500_000));
        check(" 12 ", Some(12_000_000));
        check(",05", Some(50_000));
        check("3.", Some(3_000_000));
        check("0.0000019", Some(1));
        check("", None);
        check(".", None);
        check("-1", None);
        check("1e3", None);
        check("99999999999999999999", None);
    }
}
