//! An estimate of tokens that is good to a few tens of per cent and the same on every machine.
//!
//! The unit is a quarter of a token. An ASCII character weighs one quarter (English and code run at about four
//! characters to a token), any other character three quarters (Chinese runs at about 1.3 characters to a token).
//! A message and a call each weigh four tokens more, for the marks that a chat template puts around them.

/// What a message or a call weighs beside its text.
pub(crate) const FRAME: usize = 4 * 4;

/// The weight of a text, in quarters of a token.
pub(crate) fn weight(text: &str) -> usize {
    text.chars().map(char_weight).sum()
}

/// Quarters of a token as tokens, a started one counted.
pub(crate) fn tokens(weight: usize) -> usize {
    weight.div_ceil(4)
}

/// The longest beginning of `text` that weighs no more than `budget` quarters.
pub(crate) fn fitting(text: &str, budget: usize) -> &str {
    let mut weight = 0;
    for (at, char) in text.char_indices() {
        weight += char_weight(char);
        if weight > budget {
            return text.get(..at).unwrap_or(text);
        }
    }
    text
}

fn char_weight(char: char) -> usize {
    if char.is_ascii() { 1 } else { 3 }
}

#[cfg(test)]
mod tests {
    use super::{fitting, tokens, weight};

    #[test]
    fn estimate() {
        let check = |text: &str, expected: usize| assert_eq!(tokens(weight(text)), expected, "{text}");
        check("", 0);
        check("a", 1);
        check("Hello, Agent Harness", 5);
        check("你好", 2);
        check("当前目录里有哪些 Python 文件", 10);
    }

    #[test]
    fn fitting_is_the_longest_beginning() {
        let check = |text: &str, budget: usize, expected: &str| assert_eq!(fitting(text, budget), expected);
        check("abc", 2, "ab");
        check("abc", 3, "abc");
        check("你好", 5, "你");
        check("你好", 6, "你好");
        check("a你", 3, "a");
        check("你", 0, "");
    }
}
