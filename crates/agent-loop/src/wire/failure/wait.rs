//! How long an endpoint asks to wait, where it says so: a browser may not read the header, so the body counts too.

use serde_json::Value;

use crate::wire::json::text;

/// From `retry-after-ms`, or `retry-after` in seconds. A date is ignored: this crate knows no clock.
pub(super) fn of_headers<'a>(header: impl Fn(&str) -> Option<&'a str>) -> Option<u64> {
    let number = |name: &str| header(name)?.trim().parse::<f64>().ok();
    number("retry-after-ms").and_then(millis).or_else(|| millis(number("retry-after")? * 1000.0))
}

/// From Gemini's `retryDelay`, or from words such as "try again in 1m2.5s".
pub(super) fn of_payload(payload: &Value, message: &str) -> Option<u64> {
    let payload = payload.as_array().and_then(|list| list.first()).unwrap_or(payload);
    let details = payload.get("error").and_then(|error| error.get("details")).and_then(Value::as_array);
    let delay = details.and_then(|list| list.iter().map(|detail| text(detail, "retryDelay")).find(|d| !d.is_empty()));
    let words = || {
        let lower = message.to_ascii_lowercase();
        let at = lower.find("try again in ")?;
        span(lower.get(at + "try again in ".len()..)?)
    };
    delay.and_then(span).or_else(words)
}

/// A span at the front of a text: numbers with units, as in `1m2.5s`, `340ms`, `20 seconds`.
fn span(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut sum = None;
    loop {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let Some(number) = rest.strip_suffix(digits).and_then(|number| number.parse::<f64>().ok()) else { break };
        let unit = digits.trim_start();
        rest = unit.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let factor = match unit.strip_suffix(rest).unwrap_or_default() {
            "ms" | "milliseconds" => 1.0,
            "s" | "sec" | "secs" | "second" | "seconds" => 1000.0,
            "m" | "min" | "mins" | "minute" | "minutes" => 60_000.0,
            "h" | "hour" | "hours" => 3_600_000.0,
            _ => break,
        };
        sum = Some(sum.unwrap_or(0.0) + number * factor);
    }
    sum.and_then(millis)
}

fn millis(number: f64) -> Option<u64> {
    (number.is_finite() && number >= 0.0).then_some(number.ceil() as u64)
}
