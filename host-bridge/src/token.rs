//! The secret of one start of the bridge: who has it may run commands.

use std::fmt;

use subtle::ConstantTimeEq;

/// 256 bits from the operating system, new at every start, written as 64 hexadecimal digits.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new token; an error when the operating system gives no random bytes.
    pub fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Whether `offered` is this token, in a time that does not tell how much of it is right.
    pub fn is(&self, offered: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(offered).into()
    }

    /// The token itself, for the one link that carries it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(offered: &str, expected: bool) {
        assert_eq!(Token("ab".repeat(32)).is(offered.as_bytes()), expected, "{offered:?}");
    }

    #[test]
    fn t15_only_the_whole_token_is_the_token() {
        check(&"ab".repeat(32), true);
        check("", false);
        check(&"ab".repeat(31), false);
        check(&"ab".repeat(33), false);
        check(&"ab".repeat(64), false);
        check(&"AB".repeat(32), false);
        check(&"ac".repeat(32), false);
    }

    #[test]
    fn t15_two_starts_have_two_tokens() {
        let (one, two) = (Token::new().unwrap(), Token::new().unwrap());
        assert_eq!(one.reveal().len(), 64);
        assert_ne!(one.reveal(), two.reveal());
        assert_eq!(format!("{one:?}"), "Token(..)");
    }
}
