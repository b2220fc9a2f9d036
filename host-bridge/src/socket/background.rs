//! What one connection has been told of the commands in the background: news of them go out when there are any, and
//! those of mere bytes not too often.

use std::time::Duration;

use bridge_protocol::frames::{BackgroundCommand, ToPage};
use tokio::time::Instant;

/// How often more bytes are told.
const BYTES_EVERY: Duration = Duration::from_secs(1);

/// What was told last, and when. At first nothing, which is what a page assumes.
#[derive(Default)]
pub(super) struct Told {
    commands: Vec<BackgroundCommand>,
    at: Option<Instant>,
    /// There are more bytes than were told.
    look_again: Option<Instant>,
}

impl Told {
    /// The frame that tells how they stand now, if it is time for one.
    pub(super) fn news(&mut self, commands: Vec<BackgroundCommand>, now: Instant) -> Option<ToPage> {
        self.look_again = None;
        if commands == self.commands {
            return None;
        }
        let same = |(now, told): (&BackgroundCommand, &BackgroundCommand)| now.id == told.id && now.end == told.end;
        let only_bytes = commands.len() == self.commands.len() && commands.iter().zip(&self.commands).all(same);
        let again_at = self.at.map(|at| at + BYTES_EVERY).filter(|at| only_bytes && *at > now);
        if again_at.is_some() {
            self.look_again = again_at;
            return None;
        }
        self.at = Some(now);
        self.commands.clone_from(&commands);
        Some(ToPage::Background { commands })
    }

    /// When there will be something to tell, if nothing else happens.
    pub(super) fn look_again(&self) -> Option<Instant> {
        self.look_again
    }
}

#[cfg(test)]
mod tests {
    use bridge_protocol::frames::Outcome;

    use super::*;

    fn command(bytes: u64, end: Option<Outcome>) -> Vec<BackgroundCommand> {
        vec![BackgroundCommand { id: "bg-1".to_owned(), command: "make".to_owned(), bytes, end }]
    }

    #[test]
    fn news_go_out_at_once_and_bytes_now_and_then() {
        let begin = Instant::now();
        let later = |millis| begin + Duration::from_millis(millis);
        let mut told = Told::default();
        let mut check = |commands: Vec<BackgroundCommand>, millis, is_told: bool, again: Option<u64>| {
            let expected = is_told.then(|| ToPage::Background { commands: commands.clone() });
            assert_eq!(told.news(commands, later(millis)), expected, "at {millis}");
            assert_eq!(told.look_again(), again.map(later), "at {millis}");
        };
        check(Vec::new(), 0, false, None);
        check(command(0, None), 10, true, None);
        check(command(0, None), 20, false, None);
        check(command(5, None), 30, false, Some(1010));
        check(command(9, None), 1010, true, None);
        check(command(10, None), 1020, false, Some(2010));
        check(command(10, Some(Outcome::Exited { code: 0 })), 1030, true, None);
    }
}
