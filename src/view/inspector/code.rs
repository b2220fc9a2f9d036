//! The loop as code, with the line lit that is under way: the Rust file that this page runs, and the Python program of the
//! same shape in either dialect.

use agent_loop::state::SOURCE;
use agent_loop::{Dialect, Stage};
use leptos::html;
use leptos::prelude::*;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use crate::view::Page;
use crate::view::copy::copy_button;
use crate::view::deck::{Light, light};
use crate::view::highlight::{Language, Reader, views};
use crate::view::select::{Choice, Choices, select};
use crate::words::lens;

const MESSAGES: &str = include_str!("code/messages.py");
const CHAT_COMPLETIONS: &str = include_str!("code/chat_completions.py");

/// A program of the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    /// What this page runs.
    Rust,
    /// The same in Python, for a dialect.
    Python(Dialect),
}

impl Program {
    const ALL: [Program; 3] = [Program::Rust, Program::Python(Dialect::Anthropic), Program::Python(Dialect::OpenAi)];

    fn text(self) -> &'static str {
        match self {
            Program::Rust => SOURCE,
            Program::Python(Dialect::Anthropic) => MESSAGES,
            Program::Python(Dialect::OpenAi) => CHAT_COMPLETIONS,
        }
    }

    /// What a person chooses it by.
    fn name(self) -> &'static str {
        match self {
            Program::Rust => "Rust",
            Program::Python(Dialect::Anthropic) => "Python · Messages",
            Program::Python(Dialect::OpenAi) => "Python · Chat Completions",
        }
    }

    /// The line that does what a stage is, from 1.
    fn line(self, stage: Stage) -> usize {
        let Program::Python(dialect) = self else { return stage.line() };
        let does_it = match (stage, dialect) {
            (Stage::Prepare, Dialect::Anthropic) => "request = {",
            (Stage::Prepare, Dialect::OpenAi) => "messages = [{",
            (Stage::CallModel, Dialect::Anthropic) => "client.messages.create(",
            (Stage::CallModel, Dialect::OpenAi) => "client.chat.completions.create(",
            (Stage::Save, _) => ".append({\"role\": \"assistant\"",
            (Stage::Check, Dialect::Anthropic) => "if answer.stop_reason",
            (Stage::Check, Dialect::OpenAi) => "if not answer.tool_calls",
            (Stage::RunTool, Dialect::Anthropic) => "results = [{",
            (Stage::RunTool, Dialect::OpenAi) => "output = bash(",
            (Stage::GoRound, _) => "while run_one_turn(",
        };
        let does_it = match (stage, dialect) {
            (Stage::Save, Dialect::OpenAi) => ".append(answer.model_dump(",
            _ => does_it,
        };
        self.text().lines().take_while(|line| !line.contains(does_it)).count() + 1
    }
}

/// The tab.
pub(crate) fn code(page: Page) -> AnyView {
    let words = lens(page.app.language.get_untracked());
    let program = RwSignal::new(Program::Rust);
    let choices = move || Choices {
        all: Program::ALL.map(|one| Choice::new(one.name(), one.name())).to_vec(),
        chosen: program.get().name().to_owned(),
    };
    let choose = move |name: String| {
        if let Some(chosen) = Program::ALL.into_iter().find(|one| one.name() == name) {
            program.set(chosen);
        }
    };
    let told = move || match program.get() {
        Program::Rust => words.code_runs,
        Program::Python(_) => words.code_same_shape,
    };
    view! {
        {select(words.code_program, choices, choose)}
        <div class="body-head">
            <p class="dim">{told}</p>
            {copy_button(page, move || program.get_untracked().text().to_owned())}
        </div>
        {move || listing(page, program.get())}
    }
    .into_any()
}

fn listing(page: Page, program: Program) -> AnyView {
    let stage = Memo::new(move |_| match light(page) {
        Light::Live(stage) | Light::Next(stage) => Some(stage),
        Light::End(_) => None,
    });
    let lit = move || stage.get().map(|stage| program.line(stage));
    let mut reader = Reader::new(match program {
        Program::Rust => Language::named("rust").0,
        Program::Python(_) => Language::named("python").0,
    });
    let lines: Vec<AnyView> = program
        .text()
        .lines()
        .enumerate()
        .map(|(at, line)| {
            let is_lit = move || lit() == Some(at + 1);
            view! {
                <li aria-current=move || is_lit().then_some("step")>
                    <code>{views(reader.read(line))}</code>
                </li>
            }
            .into_any()
        })
        .collect();
    let list = NodeRef::<html::Ol>::new();
    Effect::new(move |_| {
        let lit = lit().and_then(|line| list.get()?.children().item(u32::try_from(line - 1).ok()?));
        if let Some(lit) = lit {
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            options.set_inline(ScrollLogicalPosition::Start);
            lit.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
    view! { <ol class="listing" role="list" tabindex="0" aria-label=program.name() node_ref=list>{lines}</ol> }
        .into_any()
}

#[cfg(test)]
mod tests {
    use agent_loop::{Dialect, Stage};

    use super::Program;

    /// The lines of the six stages, in their order.
    #[track_caller]
    fn check(program: Program, expected: [&str; 6]) {
        let lines: Vec<&str> = program.text().lines().collect();
        let found = Stage::ALL.map(|stage| lines.get(program.line(stage) - 1).copied().unwrap_or("(none)").trim());
        for (found, expected) in found.into_iter().zip(expected) {
            assert!(found.starts_with(expected), "{found:?} does not begin with {expected:?}");
        }
    }

    #[test]
    fn each_stage_has_its_line_in_each_program() {
        check(
            Program::Python(Dialect::Anthropic),
            [
                "request = {\"model\"",
                "answer = client.messages.create(",
                "state[\"messages\"].append({\"role\": \"assistant\"",
                "if answer.stop_reason != \"tool_use\"",
                "results = [",
                "while run_one_turn(state)",
            ],
        );
        check(
            Program::Python(Dialect::OpenAi),
            [
                "messages = [{\"role\": \"system\"",
                "answer = client.chat.completions.create(",
                "state[\"messages\"].append(answer.model_dump(",
                "if not answer.tool_calls",
                "output = bash(",
                "while run_one_turn(state)",
            ],
        );
        check(
            Program::Rust,
            [
                "Step::Prepare =>",
                "Step::CallModel(request) =>",
                "// Call the model, and save",
                "Step::Settle(call) =>",
                "Step::RunTool(call) =>",
                "while run_one_turn(session",
            ],
        );
    }
}
