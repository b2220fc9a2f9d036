//! The lessons' blacklists: substrings that some tutorials forbid. A lesson about boundaries, never a boundary:
//! `rm -fr /` passes the five, and `ls > /dev/null` does not.

use serde::{Deserialize, Serialize};

/// Which list is on. Source: the five tutorials (L2, L3 and L5 share the five, L4 has the six).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blacklist {
    /// None: everywhere but in lessons.
    #[default]
    Off,
    /// `rm -rf /`, `sudo`, `shutdown`, `reboot`, `> /dev/`.
    Five,
    /// `rm`, `sudo`, `shutdown`, `reboot`, `init`, `poweroff`.
    Six,
}

impl Blacklist {
    /// The forbidden substrings.
    pub fn substrings(self) -> &'static [&'static str] {
        match self {
            Blacklist::Off => &[],
            Blacklist::Five => &["rm -rf /", "sudo", "shutdown", "reboot", "> /dev/"],
            Blacklist::Six => &["rm", "sudo", "shutdown", "reboot", "init", "poweroff"],
        }
    }

    /// The first forbidden substring that the command holds.
    pub fn blocks(self, command: &str) -> Option<&'static str> {
        self.substrings().iter().copied().find(|forbidden| command.contains(forbidden))
    }
}

#[cfg(test)]
mod tests {
    use super::Blacklist;

    #[test]
    fn the_lists_block_what_they_hold_and_nothing_cleverer() {
        let check = |list: Blacklist, command: &str, expected| assert_eq!(list.blocks(command), expected, "{command}");
        check(Blacklist::Off, "sudo rm -rf /", None);
        check(Blacklist::Five, "ls > /dev/null", Some("> /dev/"));
        check(Blacklist::Five, "rm -fr /", None);
        check(Blacklist::Five, "rm -rf  /", None);
        check(Blacklist::Five, "rm -rf /tmp/x", Some("rm -rf /"));
        check(Blacklist::Six, "git init", Some("init"));
        check(Blacklist::Six, "ls", None);
    }
}
