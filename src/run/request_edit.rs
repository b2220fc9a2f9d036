//! What a person changes in a request before it is sent: its system prompt, the tools it offers, its parameters. Pure.

use agent_loop::host::Offered;
use agent_loop::settings::OfferTools;
use agent_loop::wire::tools_of;
use agent_loop::{Settings, ToolSpec};

/// A tool that a request can offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolChoice {
    /// The tool, with its description as the person has it.
    pub spec: ToolSpec,
    /// Whether it is offered.
    pub is_offered: bool,
}

/// A part of a request beside its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knob {
    /// The system prompt.
    System,
    /// The tools.
    Tools,
    /// `max_tokens`.
    MaxTokens,
    /// `stop_sequences`.
    StopSequences,
}

/// The tools to choose from: those that are offered, and the host's others.
pub fn choices(settings: &Settings, offered: &Offered) -> Vec<ToolChoice> {
    let choice = |is_offered| move |spec: &ToolSpec| ToolChoice { spec: spec.clone(), is_offered };
    let mut choices: Vec<ToolChoice> = tools_of(settings, offered).into_iter().map(choice(true)).collect();
    for spec in &offered.tools {
        if choices.iter().all(|known| known.spec.name != spec.name) {
            choices.push(choice(false)(spec));
        }
    }
    choices
}

/// The settings with these tools offered.
pub fn offering(settings: &Settings, offered: &Offered, choices: &[ToolChoice]) -> Settings {
    let chosen: Vec<ToolSpec> =
        choices.iter().filter(|choice| choice.is_offered).map(|choice| choice.spec.clone()).collect();
    let (offer_tools, pinned_tools) = match chosen {
        chosen if chosen.is_empty() => (OfferTools::Off, Vec::new()),
        chosen if chosen == offered.tools => (OfferTools::Host, Vec::new()),
        chosen => (OfferTools::Pinned, chosen),
    };
    Settings { offer_tools, pinned_tools, ..settings.clone() }
}

/// Stop sequences as they are typed, one a line. Blank ones are refused by the services.
pub fn stop_sequences(typed: &str) -> Vec<String> {
    typed.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// What differs between two settings, and how it was before.
pub fn changes(before: &Settings, after: &Settings, offered: &Offered) -> Vec<(Knob, String)> {
    let told = |settings: &Settings| {
        let tools = tools_of(settings, offered).into_iter().map(|tool| format!("{}: {}", tool.name, tool.description));
        [
            (Knob::System, settings.system.clone()),
            (Knob::Tools, tools.collect::<Vec<_>>().join("\n\n")),
            (Knob::MaxTokens, settings.max_tokens.map(|limit| limit.to_string()).unwrap_or_default()),
            (Knob::StopSequences, settings.stop_sequences.join("\n")),
        ]
    };
    told(before).into_iter().zip(told(after)).filter(|(one, other)| one != other).map(|(one, _)| one).collect()
}

#[cfg(test)]
mod tests {
    use agent_loop::host::Offered;
    use agent_loop::settings::OfferTools;
    use agent_loop::{Settings, ToolSpec};
    use serde_json::json;

    use super::{Knob, ToolChoice, changes, choices, offering, stop_sequences};
    use crate::run::settings::{Place, starting};

    fn tool(name: &str, description: &str) -> ToolSpec {
        ToolSpec { name: name.to_owned(), description: description.to_owned(), input_schema: json!({}) }
    }

    fn settings() -> Settings {
        starting(&Place { origin: String::new(), bridge: false, guest: false })
    }

    fn offered() -> Offered {
        Offered { tools: vec![tool("bash", "a"), tool("read", "b")], ..Offered::default() }
    }

    /// With each tool as (name, description, whether it is offered), what is offered and what can be chosen after that.
    #[track_caller]
    fn check(chosen: &[(&str, &str, bool)], offer: OfferTools, again: &[(&str, &str, bool)]) {
        let chosen = chosen.iter().map(|(name, description, is_offered)| ToolChoice {
            spec: tool(name, description),
            is_offered: *is_offered,
        });
        let settings = offering(&settings(), &offered(), &chosen.collect::<Vec<_>>());
        assert_eq!(settings.offer_tools, offer);
        let choices = choices(&settings, &offered());
        let seen = choices
            .iter()
            .map(|choice| (choice.spec.name.as_str(), choice.spec.description.as_str(), choice.is_offered));
        assert_eq!(seen.collect::<Vec<_>>(), again);
    }

    #[test]
    fn tools_are_the_hosts_until_they_are_changed() {
        let all = [("bash", "a", true), ("read", "b", true)];
        check(&all, OfferTools::Host, &all);
        check(
            &[("bash", "x", true), ("read", "b", true)],
            OfferTools::Pinned,
            &[("bash", "x", true), ("read", "b", true)],
        );
        check(
            &[("bash", "a", false), ("read", "b", true)],
            OfferTools::Pinned,
            &[("read", "b", true), ("bash", "a", false)],
        );
        check(
            &[("bash", "a", false), ("read", "b", false)],
            OfferTools::Off,
            &[("bash", "a", false), ("read", "b", false)],
        );
    }

    #[test]
    fn what_was_changed_is_told_with_what_it_was() {
        let before = settings();
        let check = |after: Settings, expected: &[(Knob, &str)]| {
            let found = changes(&before, &after, &offered());
            let found: Vec<(Knob, &str)> = found.iter().map(|(knob, text)| (*knob, text.as_str())).collect();
            assert_eq!(found, expected);
        };
        check(before.clone(), &[]);
        check(Settings { model: "other".to_owned(), ..before.clone() }, &[]);
        check(Settings { system: String::new(), ..before.clone() }, &[(Knob::System, &before.system)]);
        check(Settings { offer_tools: OfferTools::Off, ..before.clone() }, &[(Knob::Tools, "bash: a\n\nread: b")]);
        let stop = stop_sequences("END\r\n\n  \n x");
        assert_eq!(stop, ["END", " x"]);
        let after = Settings { max_tokens: None, stop_sequences: stop, ..before.clone() };
        check(after, &[(Knob::MaxTokens, "8000"), (Knob::StopSequences, "")]);
    }
}
