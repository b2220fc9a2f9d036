//! Where a run is held by itself: at each of the three moments always, or only sometimes. Pure.

/// One of the three moments at which a person can look and change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The request is made and not sent.
    BeforeModel,
    /// The call is parsed and valid, and has not run.
    BeforeTool,
    /// The tool ran, and no model has read its result.
    AfterTool,
}

impl Moment {
    /// All three, in their order.
    pub const ALL: [Moment; 3] = [Moment::BeforeModel, Moment::BeforeTool, Moment::AfterTool];
}

/// When a run is held at a moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum When {
    /// Never.
    #[default]
    Off,
    /// Each time.
    Always,
    /// The first time for each user message.
    First,
    /// In this turn of each user message, from 1.
    Turn(u32),
    /// Where the command has this in it; `*` stands for anything.
    Pattern(String),
}

/// The breakpoints of this tab.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Breakpoints([When; 3]);

/// Where a run has come to.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// Which moment.
    pub moment: Moment,
    /// `turn_count`.
    pub turn: u32,
    /// Whether it is the first of its kind for this user message.
    pub is_first: bool,
    /// The command, or the arguments of a tool that takes none; empty before the model.
    pub command: &'a str,
}

impl Breakpoints {
    /// When it is held there.
    pub fn at(&self, moment: Moment) -> &When {
        let [before_model, before_tool, after_tool] = &self.0;
        match moment {
            Moment::BeforeModel => before_model,
            Moment::BeforeTool => before_tool,
            Moment::AfterTool => after_tool,
        }
    }

    /// Sets when it is held there.
    pub fn set(&mut self, moment: Moment, when: When) {
        let [before_model, before_tool, after_tool] = &mut self.0;
        *match moment {
            Moment::BeforeModel => before_model,
            Moment::BeforeTool => before_tool,
            Moment::AfterTool => after_tool,
        } = when;
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.iter().filter(|when| **when != When::Off).count()
    }

    /// Whether a run is held at this place.
    pub fn hold(&self, place: Place<'_>) -> bool {
        match self.at(place.moment) {
            When::Off => false,
            When::Always => true,
            When::First => place.is_first,
            When::Turn(turn) => place.turn == *turn,
            When::Pattern(pattern) => !pattern.trim().is_empty() && is_in(pattern.trim(), place.command),
        }
    }
}

/// Whether the parts between the stars stand in the text, one after another.
fn is_in(pattern: &str, text: &str) -> bool {
    let mut rest = text;
    pattern.split('*').all(|part| match rest.find(part) {
        Some(at) => {
            rest = rest.get(at + part.len()..).unwrap_or_default();
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{Breakpoints, Moment, Place, When};

    #[track_caller]
    fn check(when: When, turn: u32, is_first: bool, command: &str, expected: bool) {
        let mut breakpoints = Breakpoints::default();
        breakpoints.set(Moment::BeforeTool, when.clone());
        let place = Place { moment: Moment::BeforeTool, turn, is_first, command };
        assert_eq!(breakpoints.hold(place), expected, "{when:?} {command:?}");
        for other in [Moment::BeforeModel, Moment::AfterTool] {
            assert!(!breakpoints.hold(Place { moment: other, ..place }), "each moment has its own");
        }
    }

    #[test]
    fn a_run_is_held_where_it_was_asked_to_be() {
        check(When::Off, 1, true, "rm x", false);
        check(When::Always, 3, false, "ls", true);
        check(When::First, 3, true, "ls", true);
        check(When::First, 1, false, "ls", false);
        check(When::Turn(2), 2, false, "ls", true);
        check(When::Turn(2), 1, true, "ls", false);
        let pattern = |pattern: &str, command: &str, expected| {
            check(When::Pattern(pattern.to_owned()), 1, false, command, expected);
        };
        pattern("rm ", "sudo rm -rf x", true);
        pattern("rm", "Rm", false);
        pattern("git*push", "git -C x push", true);
        pattern("git*push", "git pull; push", true);
        pattern("push*git", "git push", false);
        pattern("*", "anything", true);
        pattern(" ", "a b", false);
        pattern("删除*", "echo 删除", true);
        assert_eq!(Breakpoints::default().count(), 0);
    }
}
