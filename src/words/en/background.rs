//! Commands in the background, in English.

use bridge_protocol::frames::Outcome;

use crate::words::background::{Background, BackgroundSetting};

/// The words.
pub(crate) static BACKGROUND: Background = Background {
    title: "Commands in the background",
    counts: |running, ended| match ended {
        0 => format!("{running} running"),
        ended => format!("{running} running, {ended} ended"),
    },
    running: "running",
    ended: |outcome| match outcome {
        Outcome::Exited { code } => format!("ended, exit code {code}"),
        Outcome::Signalled { number } => format!("ended by signal {number}"),
        Outcome::Stopped => "stopped".to_owned(),
        Outcome::Lost { .. } => "outcome unknown".to_owned(),
        Outcome::TimedOut { .. } | Outcome::CannotStart { .. } | Outcome::Background { .. } | Outcome::Listed => {
            "ended".to_owned()
        }
    },
    stop: |id| format!("Stop {id}"),
    goes_on: "It goes on in the background, also when this page is closed, until it ends, is stopped, or the bridge ends.",
    allowed_before: "Not asked about: it looks at a command in the background that was allowed before, or ends it.",
};

/// The switch.
pub(crate) static SETTING: BackgroundSetting = BackgroundSetting {
    label: "Let the model leave commands running in the background",
    hint: "Offers bash with `background`, and bash_list, bash_read and bash_kill. Only the host bridge has them; elsewhere the model is told that there is no background.",
};
