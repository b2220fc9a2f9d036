//! The second channel: a question on the terminal that the bridge was started in. What a page says there counts for
//! nothing, and neither does what a command prints.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use nix::sys::termios::{FlushArg, tcflush};
use tokio::sync::Mutex;

use crate::plain::plain;

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

    /// Asks about a command, which runs `how`: nothing, or where it goes on. `is_wanted` says, when it is this question's turn and again when it is answered, whether
    /// somebody still waits for it.
    pub async fn ask(
        &self,
        command: String,
        how: &'static str,
        is_wanted: impl Fn() -> bool + Send + 'static,
    ) -> Answer {
        let turn = self.0.clone().lock_owned().await;
        let asked = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            if !is_wanted() {
                return Answer::No;
            }
            let answer = ask(&command, how);
            if is_wanted() { answer } else { Answer::No }
        });
        asked.await.unwrap_or(Answer::No)
    }
}

fn ask(command: &str, how: &str) -> Answer {
    // What was typed before the question is no answer to it.
    let _ = tcflush(io::stdin(), FlushArg::TCIFLUSH);
    let shown: Vec<String> = command.lines().map(|line| format!("    {}", plain(line))).collect();
    let shown = shown.join("\n");
    let _ = write!(io::stderr(), "\nhost-bridge: a page asks to run{how}\n{shown}\nRun it? [y/N] ");
    let mut answer = String::new();
    match io::stdin().read_line(&mut answer) {
        Ok(_) if matches!(answer.trim(), "y" | "Y" | "yes") => Answer::Yes,
        Ok(_) | Err(_) => Answer::No,
    }
}
