//! A captured answer that a person shows to the page: which turn its bytes tell. It comes with what runs the loop, which
//! holds the decoder.

use agent_loop::Dialect;
use agent_loop::capture::{Capture, Turn};
use agent_loop::wire::guess_dialect;
use serde_json::Value;

/// What was found in it.
#[derive(Debug)]
pub struct Captured {
    /// The dialect it was read in.
    pub dialect: Dialect,
    /// The dialect whose names stand in it.
    pub looks_like: Option<Dialect>,
    /// The turn.
    pub turn: Turn,
    /// The same as JSON, as `host-bridge wire decode --json` prints it.
    pub whole: Value,
}

/// Reads it in the dialect that was chosen, else the one it looks like, else the usual one.
pub fn capture(bytes: &[u8], chosen: Option<Dialect>, usual: Dialect) -> Captured {
    let looks_like = guess_dialect(bytes);
    let dialect = chosen.or(looks_like).unwrap_or(usual);
    let mut capture = Capture::new(dialect);
    capture.feed(bytes);
    let turn = capture.finish();
    let whole = turn.json();
    Captured { dialect, looks_like, turn, whole }
}

#[cfg(test)]
mod tests {
    use agent_loop::Dialect::{Anthropic, OpenAi};

    use super::capture;

    #[test]
    fn a_choice_goes_before_the_looks_and_these_before_the_usual() {
        let check = |bytes: &str, chosen, expected| {
            let captured = capture(bytes.as_bytes(), chosen, OpenAi);
            assert_eq!((captured.dialect, captured.looks_like), expected, "{bytes}");
        };
        let body = r#"{"type":"message","content":[],"stop_reason":"end_turn"}"#;
        check(body, None, (Anthropic, Some(Anthropic)));
        check(body, Some(OpenAi), (OpenAi, Some(Anthropic)));
        check("hm", None, (OpenAi, None));
    }
}
