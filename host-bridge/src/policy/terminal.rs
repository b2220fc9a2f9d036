//! The second channel: a question on the terminal that the bridge was started in. What a page says there counts for
//! nothing, and neither does what a command prints.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use nix::sys::termios::{FlushArg, tcflush};
use tokio::sync::Mutex;

/// The terminal, one question at a time.
#[derive(Debug, Clone, Default)]
pub struct Terminal(Arc<Mutex<()>>);

/// What was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// `y` or `yes`.
    Yes,
    /// Anything else, and no answer at all.
    No,
}

impl Terminal {
    /// The terminal of this process; `None` where there is none to ask on.
    pub fn new() -> Option<Self> {
        (io::stdin().is_terminal() && io::stderr().is_terminal()).then(Self::default)
    }

    /// Asks about a command. `is_wanted` says, when it is this question's turn and again when it is answered, whether
    /// somebody still waits for it.
    pub async fn ask(&self, command: String, is_wanted: impl Fn() -> bool + Send + 'static) -> Answer {
        let turn = self.0.clone().lock_owned().await;
        let asked = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            if !is_wanted() {
                return Answer::No;
            }
            let answer = ask(&command);
            if is_wanted() { answer } else { Answer::No }
        });
        asked.await.unwrap_or(Answer::No)
    }
}

fn ask(command: &str) -> Answer {
    // What was typed before the question is no answer to it.
    let _ = tcflush(io::stdin(), FlushArg::TCIFLUSH);
    let _ = write!(io::stderr(), "\nhost-bridge: a page asks to run\n{}\nRun it? [y/N] ", shown(command));
    let mut answer = String::new();
    match io::stdin().read_line(&mut answer) {
        Ok(_) if matches!(answer.trim(), "y" | "Y" | "yes") => Answer::Yes,
        Ok(_) | Err(_) => Answer::No,
    }
}

/// A command as it can be printed: no letter of it moves the cursor, hides another or turns the line around.
fn shown(command: &str) -> String {
    let letter = |letter: char| match letter {
        '\n' => "\n    ".to_owned(),
        plain if plain == ' ' || plain.is_ascii_graphic() => plain.to_string(),
        plain if !plain.is_ascii() && plain.is_alphanumeric() => plain.to_string(),
        other => other.escape_unicode().to_string(),
    };
    format!("    {}", command.chars().map(letter).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &str, expected: &str) {
        assert_eq!(shown(command), expected);
    }

    #[test]
    fn a_command_cannot_write_the_question() {
        check("ls -la", "    ls -la");
        check("a\nb", "    a\n    b");
        check("a\r\u{1b}[2K\u{7}", "    a\\u{d}\\u{1b}[2K\\u{7}");
        check("列 \u{202e}x\u{200b}\u{9b}", "    列 \\u{202e}x\\u{200b}\\u{9b}");
    }
}
