//! Test connection: what was found of the endpoint, as it is found.

use std::rc::Rc;

use agent_loop::Stop;
use agent_loop::connection::{Finding, Report};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::field::described;
use crate::app::App;
use crate::parts;
use crate::run::learnt;
use crate::view::Page;
use crate::view::signs::signs;
use crate::words::{TrialWords, trial as words_of};

/// The button, and below it the three findings.
pub(super) fn trial(page: Page) -> AnyView {
    let app = page.app;
    let words = words_of(app.language.get_untracked());
    let report = RwSignal::new(None::<Report>);
    // The stop button of the test under way.
    let under_way = RwSignal::new_local(None::<Stop>);
    let end = move || {
        if let Some(stop) = under_way.try_update(Option::take).flatten() {
            stop.press();
        }
    };
    // What was found is about these; a test of others is another one.
    Effect::new(move |_| {
        app.settings.track();
        app.key.track();
        end();
        report.set(None);
    });
    on_cleanup(end);
    let begin = move |_| {
        end();
        let stop = Stop::new();
        under_way.set(Some(stop.clone()));
        spawn_local(test(app, stop, report, under_way));
    };
    let forgotten = RwSignal::new(());
    let remembered = move || {
        // What a run, a test or the person has changed of it.
        app.activity.track();
        under_way.track();
        forgotten.track();
        let settings = app.settings.get();
        let quirks = learnt::of(&settings);
        let said = quirks.iter().map(|quirk| (words.quirk)(*quirk)).collect::<Vec<_>>().join(" · ");
        let forget = move |_| {
            learnt::forget(&settings);
            forgotten.notify();
        };
        (!said.is_empty()).then(|| {
            view! {
                <div class="told">
                    <p class="hint">{words.remembered} " " {said}</p>
                    <button type="button" on:click=forget>{words.forget}</button>
                </div>
            }
        })
    };
    let is_busy = move || under_way.with(Option::is_some);
    let (hint_id, hint) = described(words.test_hint);
    view! {
        <div class="setting">
            <div class="buttons">
                <button type="button" aria-describedby=hint_id disabled=is_busy on:click=begin>{words.test}</button>
                <button type="button" class="danger" hidden=move || !is_busy() on:click=move |_| end()>{words.stop}</button>
            </div>
            {hint}
            <div role="status">{move || report.get().map(|report| findings(words, &report))}</div>
            {remembered}
        </div>
    }
    .into_any()
}

/// Tests, and tells as it goes. The page may have been drawn anew meanwhile: then nobody is told.
async fn test(app: App, stop: Stop, report: RwSignal<Option<Report>>, under_way: RwSignal<Option<Stop>, LocalStorage>) {
    let part = parts::run().await;
    app.unfetched.set(part.is_err());
    if let Ok(part) = part {
        let of_this = stop.clone();
        let tell = Rc::new(move |found: &Report| {
            if !of_this.is_pressed() {
                report.try_set(Some(found.clone()));
            }
        });
        (part.try_out)(app, stop.clone(), tell).await;
    }
    if !stop.is_pressed() {
        under_way.try_set(None);
    }
}

fn findings(words: &'static TrialWords, report: &Report) -> AnyView {
    let lines = [
        (words.answers, &report.answers),
        (words.calls_tools, &report.calls_tools),
        (words.understands, &report.understands),
    ];
    let lines: Vec<AnyView> = lines.into_iter().map(|(label, finding)| line(words, label, finding)).collect();
    let learnt =
        (!report.learnt.is_empty()).then(|| view! { <p class="hint">{(words.learnt)(report.learnt.len())}</p> });
    view! {
        <ul class="findings" role="list" aria-label=words.findings>{lines}</ul>
        {learnt}
    }
    .into_any()
}

fn line(words: &'static TrialWords, label: &'static str, finding: &Finding) -> AnyView {
    let (class, state) = match finding {
        Finding::Untried => ("dim", words.untried),
        Finding::UnderWay => ("dim", words.under_way),
        Finding::Passed => ("passed", words.passed),
        Finding::Failed { .. } => ("bad", words.failed),
    };
    let why = if let Finding::Failed { cause, said } = finding {
        let told = (words.cause)(*cause);
        let said = (!said.is_empty()).then(|| {
            view! { <p class="hint">{words.said} " " <q class="said">{signs(said).into_owned()}</q></p> }
        });
        Some(view! {
            <p>{told.what}</p>
            <p class="hint">{told.next}</p>
            {said}
        })
    } else {
        None
    };
    view! { <li><p>{label} ": " <strong class=class>{state}</strong></p> {why}</li> }.into_any()
}
