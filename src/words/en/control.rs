//! Breakpoints, edits, time and branches, in English.

use crate::run::breakpoints::Moment;
use crate::words::control::{Control, TimeWords};

pub(in crate::words) const CONTROL: Control = Control {
    breakpoints_hint: "Where a run holds by itself. There you can edit messages, arguments or results, and before the model call the system prompt, tools and parameters; Run goes on.",
    moment,
    never: "never",
    always: "always",
    first: "first time for each message",
    in_turn: "in turn …",
    pattern: "when the command has …",
    turn_of: |at| format!("Turn, {}", moment(at)),
    pattern_of: |at| format!("Pattern (* stands for anything), {}", moment(at)),
    held: |at| format!("Held at a breakpoint: {}.", moment(at)),
    edit_message: "Edit",
    editing: |place| format!("Edit messages[{place}]"),
    edit_arguments: |id| format!("Edit arguments of {id}"),
    edit_result: |id| format!("Edit result of {id}"),
    text: "Text",
    arguments: "Arguments (JSON)",
    result: "Result the model reads",
    save: "Save edit",
    save_and_run: "Run on from here in a new branch",
    save_and_run_hint: "Save keeps the original beside it. A new branch leaves this one as it is. Neither touches files.",
    cancel: "Cancel",
    queue: "Waiting to be sent after the results",
    take_back: "Take back",
};

fn moment(at: Moment) -> &'static str {
    match at {
        Moment::BeforeModel => "before the model call",
        Moment::BeforeTool => "before the tool call",
        Moment::AfterTool => "after the tool call",
    }
}

pub(in crate::words) const TIME: TimeWords = TimeWords {
    slider: "Time",
    at: |at, of, fact| format!("fact {at} of {of}: {}", fact.name()),
    looking_back: |at, of| format!("You are looking back: the session after fact {at} of {of}."),
    files_untouched: "Nothing runs here, and the files on your machine are as they are now: going back changes none of them.",
    fork_here: "Fork from here",
    back_to_now: "Back to now",
    earlier: "One fact earlier",
    later: "One fact later",
    forked: |parent, at| format!("branch of “{parent}” after fact {at}"),
    orphaned: |at| format!("branch of a deleted session after fact {at}"),
    branched: "A new branch begins here.",
    branched_next: "Nothing was started again. Run goes on from here, and asks again for what had been allowed.",
    rename: "Rename",
    name: "Name of the session",
    keep_name: "Keep this name",
    compare: "Compare with this branch",
    comparison: "Two branches side by side",
    close_comparison: "Close the comparison",
    shared: |count| match count {
        1 => "1 entry is the same in both".to_owned(),
        count => format!("the first {count} entries are the same in both"),
    },
    this_branch: "this branch",
    nothing_more: "nothing more",
};
