//! The path of one call: from the JSON text the model sent to the content it reads, with the station it failed at.

use agent_loop::state::CallStatus;
use agent_loop::tool::parse_arguments;
use agent_loop::{Block, CallKey, Layer, Outcome, ToolCall, ToolResult};
use leptos::prelude::*;

use super::whole;
use crate::app::{App, Selection};
use crate::view::json::json;
use crate::view::signs::signs;
use crate::view::{Page, output, verdict};
use crate::words::duration;
use crate::words::session::Stations;

/// How far a call has come at a station.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passage {
    Passed,
    Failed,
    UnderWay,
    NotReached,
    Unknown,
}

/// A call and what is known of it.
struct Path {
    call: ToolCall,
    status: CallStatus,
}

/// The tab.
pub(crate) fn tool(page: Page) -> AnyView {
    (move || match looked_at(page.app) {
        None => view! { <p class="dim">{page.session_words().inspector.no_call}</p> }.into_any(),
        Some(path) => stations(page, &path),
    })
    .into_any()
}

fn looked_at(app: App) -> Option<Path> {
    let selection = app.selection.get();
    app.state.with(|state| {
        let calls = || {
            state.messages.iter().rev().flat_map(|message| message.tool_calls().collect::<Vec<_>>().into_iter().rev())
        };
        let call = match selection {
            Selection::Call(key) => calls().find(|call| call.key == key)?.clone(),
            Selection::Latest | Selection::Exchange(_) => {
                match state.calls().iter().find(|open| open.result().is_none()) {
                    Some(open) => open.call.clone(),
                    None => calls().next()?.clone(),
                }
            }
        };
        let open = state.calls().iter().find(|open| open.call.key == call.key).map(|open| open.status.clone());
        let status = open.or_else(|| written(app, call.key)).unwrap_or(CallStatus::Unruled);
        Some(Path { call, status })
    })
}

/// The result that stands in messages.
fn written(app: App, key: CallKey) -> Option<CallStatus> {
    app.state.with(|state| {
        let blocks = state.messages.iter().flat_map(|message| &message.blocks);
        let mut results = blocks.filter_map(|block| match block {
            Block::ToolResult(result) if result.call == key => Some(result.clone()),
            _ => None,
        });
        results.next().map(|result| CallStatus::Done(result.into()))
    })
}

fn stations(page: Page, path: &Path) -> AnyView {
    let words = &page.session_words().inspector.station;
    let call = &page.session_words().entries.call;
    let Path { call: asked, status } = path;
    let result = match status {
        CallStatus::Done(result) => Some(result),
        CallStatus::Unruled | CallStatus::Allowed | CallStatus::Running { .. } => None,
    };
    let [parse, validate, authorise, execute] =
        [Layer::Parse, Layer::Validate, Layer::Authorise, Layer::Execute].map(|layer| passage(status, layer));
    let arguments = match parse_arguments(&asked.arguments) {
        Ok(value) => json(&value),
        Err(fault) => view! { <p class="mono bad-text">{fault.reason}</p> }.into_any(),
    };
    let process = match result.map(|result| &result.outcome) {
        Some(Outcome::Answered) => view! { <p>{words.by_person}</p> }.into_any(),
        Some(outcome) => view! {
            <p>
                {(call.process_started)(outcome.process_started())}
                ", "
                {(call.outcome)(outcome)}
                {result.filter(|result| result.duration_ms > 0).map(|result| format!(", {}", duration(result.duration_ms)))}
            </p>
        }
        .into_any(),
        None => match status {
            CallStatus::Running { host, .. } => view! { <p>{(call.running_on)(host)}</p> }.into_any(),
            CallStatus::Unruled | CallStatus::Allowed | CallStatus::Done(_) => ().into_any(),
        },
    };
    let printed = match execute {
        Passage::NotReached => ().into_any(),
        Passage::Passed | Passage::Failed | Passage::UnderWay | Passage::Unknown => {
            output::live(page, asked.key).unwrap_or_else(|| view! { <p class="dim">{words.output_gone}</p> }.into_any())
        }
    };
    let content = result.map(|result| {
        view! {
            <pre class="mono">{signs(&result.content).into_owned()}</pre>
            {whole::output(page, result)}
        }
    });
    let read = match result {
        Some(_) => Passage::Passed,
        None => Passage::NotReached,
    };
    view! {
        <p class="facts"><code class="tool-name">{asked.name.clone()}</code> <code>{asked.id.clone()}</code></p>
        <ol class="stations" role="list">
            {station(words, words.text, Passage::Passed, view! { <pre class="mono">{signs(&asked.arguments).into_owned()}</pre> }.into_any())}
            {station(words, words.parse, parse, arguments)}
            {station(words, words.validate, validate, ().into_any())}
            {station(words, words.authorise, authorise, verdict::told(page, asked.key))}
            {station(words, words.process, execute, process)}
            {station(words, words.output, execute_output(execute), printed)}
            {station(words, words.content, read, content.into_any())}
        </ol>
    }
    .into_any()
}

/// Output is not what fails.
fn execute_output(execute: Passage) -> Passage {
    match execute {
        Passage::Failed => Passage::Passed,
        Passage::Passed | Passage::UnderWay | Passage::NotReached | Passage::Unknown => execute,
    }
}

/// A call passes the layers in order; where it failed, the later ones are not reached.
fn passage(status: &CallStatus, layer: Layer) -> Passage {
    match status {
        CallStatus::Unruled => Passage::NotReached,
        CallStatus::Allowed => {
            if layer == Layer::Execute {
                Passage::NotReached
            } else {
                Passage::Passed
            }
        }
        CallStatus::Running { .. } => {
            if layer == Layer::Execute {
                Passage::UnderWay
            } else {
                Passage::Passed
            }
        }
        CallStatus::Done(result) => done(result, layer),
    }
}

fn done(result: &ToolResult, layer: Layer) -> Passage {
    let rank = |layer: Layer| match layer {
        Layer::Parse => 0,
        Layer::Validate => 1,
        Layer::Authorise => 2,
        Layer::Execute => 3,
    };
    match result.outcome.failed_layer() {
        None => Passage::Passed,
        Some(failed) if rank(layer) < rank(failed) => Passage::Passed,
        Some(failed) if rank(layer) > rank(failed) => Passage::NotReached,
        Some(_) if result.outcome == Outcome::Unknown => Passage::Unknown,
        Some(_) => Passage::Failed,
    }
}

fn station(words: &Stations, label: &'static str, passage: Passage, inside: AnyView) -> AnyView {
    let (class, told) = match passage {
        Passage::Passed => ("station passed", words.passed),
        Passage::Failed => ("station failed", words.failed),
        Passage::UnderWay => ("station under-way", words.under_way),
        Passage::NotReached => ("station not-reached", words.not_reached),
        Passage::Unknown => ("station failed", words.unknown),
    };
    view! {
        <li class=class>
            <p class="station-head"><strong>{label}</strong> <span class="station-told">{told}</span></p>
            {inside}
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use agent_loop::state::CallStatus;
    use agent_loop::tool::WordingSet;
    use agent_loop::{CallKey, Layer, Outcome};

    use super::{Passage, passage};

    #[track_caller]
    fn check(outcome: Outcome, expected: [Passage; 4]) {
        let key = CallKey { fact: 1, index: 0 };
        let mut result = WordingSet::Default.closing_result(key, Outcome::NotRun);
        result.outcome = outcome;
        let status = CallStatus::Done(result.into());
        let layers = [Layer::Parse, Layer::Validate, Layer::Authorise, Layer::Execute];
        assert_eq!(layers.map(|layer| passage(&status, layer)), expected);
    }

    #[test]
    fn the_station_it_failed_at_is_the_last_one_reached() {
        use Passage::{Failed, NotReached, Passed, Unknown};
        check(Outcome::Exited(0), [Passed; 4]);
        check(Outcome::Answered, [Passed; 4]);
        check(Outcome::Refused(Layer::Parse), [Failed, NotReached, NotReached, NotReached]);
        check(Outcome::Refused(Layer::Validate), [Passed, Failed, NotReached, NotReached]);
        check(Outcome::Denied, [Passed, Passed, Failed, NotReached]);
        check(Outcome::TimedOut, [Passed, Passed, Passed, Failed]);
        check(Outcome::Unknown, [Passed, Passed, Passed, Unknown]);
    }
}
