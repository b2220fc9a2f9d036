//! Calls that the bridge answers by itself: those about commands in the background. They start no process of their own.

use std::fmt::Write;
use std::sync::Arc;

use bridge_protocol::channel::Closing;
use bridge_protocol::frames::{BackgroundCommand, Outcome, Refusal, Standing, Stream, ToPage};
use tokio::time::Instant;

use super::background::News;
use super::{Call, Commands, millis};
use crate::plain::plain;

/// What is answered.
pub(super) enum About {
    /// That this command was started.
    Start(Arc<Call>),
    /// All of them.
    List,
    /// The one of this id: what it has written.
    Read(String),
    /// The same, once it has been ended.
    Kill(String),
}

impl Commands {
    /// Answers a call.
    pub(super) async fn answer(self: Arc<Self>, call: Arc<Call>, about: About) {
        let began = Instant::now();
        match self.outcome(&call, about).await {
            Ok(outcome) => {
                let cwd = self.workspace().to_string_lossy().into_owned();
                let duration_ms = millis(began.elapsed());
                call.close(Closing { outcome, duration_ms, cwd, leftovers: Vec::new() });
            }
            Err(why) => call.refuse(why),
        }
        self.keep_within_bounds(call);
    }

    /// Writes what the call is to hear; what becomes of it.
    async fn outcome(&self, call: &Call, about: About) -> Result<Outcome, Refusal> {
        let write = |stream, bytes: &[u8]| call.write(stream, bytes);
        let id = match about {
            About::Start(started) => {
                started.begun().await;
                let id = started.wanted().call.clone();
                if let Some(ToPage::Refused { why, .. }) = started.channel().end() {
                    self.background.remove(&id);
                    return Err(why.clone());
                }
                return Ok(Outcome::Background { id, standing: Standing::Started });
            }
            About::List => {
                let lines: String = self.background.list().iter().map(line).collect();
                write(Stream::Stdout, lines.as_bytes());
                return Ok(Outcome::Listed);
            }
            About::Read(id) => id,
            About::Kill(id) => {
                let running = self.background.find(&id)?;
                running.stop(Outcome::Stopped);
                running.over().await;
                id
            }
        };
        let News { standing, missing, pieces } = self.background.news(&id)?;
        if missing > 0 {
            write(Stream::Stdout, format!("({missing} bytes before this are not kept any more)\n").as_bytes());
        }
        pieces.iter().for_each(|(stream, bytes)| write(*stream, bytes));
        Ok(Outcome::Background { id, standing })
    }
}

/// One command of the list, as a model reads it.
fn line(command: &BackgroundCommand) -> String {
    let BackgroundCommand { id, command, bytes, end } = command;
    let mut line = format!("{id} ");
    // Writing into a string cannot fail.
    let _ = match end {
        None => write!(line, "is running"),
        Some(Outcome::Exited { code }) => write!(line, "has ended with exit code {code}"),
        Some(Outcome::Signalled { number }) => write!(line, "was ended by signal {number}"),
        Some(Outcome::Stopped) => write!(line, "was stopped"),
        Some(_) => write!(line, "has ended"),
    };
    let _ = writeln!(line, ", {bytes} bytes of output: {}", plain(command));
    line
}
