//! The parts of the test.

use crate::browser::set_up_browser;
use crate::failure::Failure;
use crate::first_load::{BUDGET, FirstLoad};
use crate::linted::lint;
use crate::page;
use crate::process::{program, succeed};
use crate::project::Project;
use crate::setup::{self, PageTools, cargo_component};
use crate::test::outcome::Outcome;
use crate::test::{browser, unit};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    /// The sources are formatted.
    Fmt,
    /// Everything compiles, and neither the compiler nor clippy warns: natively, as the page compiles natively too.
    Clippy,
    /// Every native test, the tidy tests of xtask among them.
    Unit,
    /// The page's release build.
    Page,
    /// The page's first load is within its budget.
    Size,
    /// The product in a real browser.
    Browser,
}

impl Part {
    pub(crate) const ALL: [Part; 6] = [Part::Fmt, Part::Clippy, Part::Unit, Part::Page, Part::Size, Part::Browser];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Part::Fmt => "fmt",
            Part::Clippy => "clippy",
            Part::Unit => "unit",
            Part::Page => "page",
            Part::Size => "size",
            Part::Browser => "browser",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Part> {
        Part::ALL.into_iter().find(|part| part.name() == name)
    }

    /// Whether this part cannot be run when `other` has failed.
    pub(crate) fn needs(self, other: Part) -> bool {
        match self {
            Part::Fmt | Part::Clippy | Part::Unit | Part::Page => false,
            Part::Size | Part::Browser => other == Part::Page,
        }
    }

    /// Sees to what it needs of the machine.
    pub(crate) fn set_up(self, project: &Project) -> Result<(), Failure> {
        match self {
            Part::Fmt => cargo_component("fmt", "rustfmt"),
            Part::Clippy => cargo_component("clippy", "clippy"),
            Part::Unit => {
                setup::bubblewrap();
                Ok(())
            }
            Part::Page => PageTools::ready(project).map(drop),
            Part::Size => Ok(()),
            Part::Browser => set_up_browser(project).map(drop),
        }
    }

    pub(crate) fn run(self, project: &Project) -> Outcome {
        match self {
            Part::Fmt => {
                Outcome::of(succeed(program("cargo").args(["fmt", "--all", "--check"]).current_dir(project.root())))
            }
            Part::Clippy => Outcome::of(lint(project)),
            Part::Unit => unit::run(project),
            Part::Page => Outcome::of(page::build(project)),
            Part::Size => Outcome::of(size(project)),
            Part::Browser => browser::run(project),
        }
    }
}

fn size(project: &Project) -> Result<(), Failure> {
    let load = FirstLoad::measure(&project.dist())?;
    print!("{load}");
    match load.total() {
        0..=BUDGET => Ok(()),
        total => Err(Failure::Step(format!("the first load is {} bytes over its budget", total - BUDGET))),
    }
}
