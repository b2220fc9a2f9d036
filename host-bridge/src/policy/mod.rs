//! What the person who started the bridge has settled beforehand: which commands never run, which are always asked about,
//! and which run without a question.
//!
//! The rules stand in the person's configuration and nowhere a command can reach. Deny counts more than ask, ask more than
//! allow, and what no rule speaks of is asked about. An allow rule can match only what is one simple command of literal
//! words; a rule that denies looks for its words anywhere. That is a convenience for whoever answers the questions. It is
//! no wall around a program that wants to do harm.

mod read_only;
mod rule;
mod terminal;
mod words;

use std::path::PathBuf;

use bridge_protocol::frames::{Decision, Reason, Verdict};
use clap::ValueEnum;
use serde::Deserialize;

pub use rule::Rule;
pub use terminal::{Answer, Terminal};

use read_only::only_looks;

/// `[policy]` of the configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// These never run.
    pub deny: Vec<Rule>,
    /// These are asked about, whatever allows them.
    pub ask: Vec<Rule>,
    /// These run without a question.
    pub allow: Vec<Rule>,
    /// So do commands that only look at the workspace.
    pub read_only: bool,
}

/// Where else a question is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Confirm {
    /// Nowhere: the page asks.
    #[default]
    Page,
    /// On the terminal that the bridge was started in, besides the page.
    Terminal,
}

/// The rules, and what they are judged by.
#[derive(Debug, Clone)]
pub struct Policy {
    rules: Rules,
    workspace: PathBuf,
    path: String,
}

impl Policy {
    /// These rules for commands in this workspace (absolute, without links), which find programs in `path`.
    pub fn new(rules: Rules, workspace: PathBuf, path: String) -> Self {
        Self { rules, workspace, path }
    }

    /// What is settled about a command.
    pub fn decide(&self, command: &str) -> Verdict {
        let rules = &self.rules;
        let verdict = |decision, reason| Verdict { decision, reason };
        let found =
            |rules: &[Rule]| rules.iter().find(|rule| rule.is_found_in(command)).map(Rule::text).map(str::to_owned);
        if let Some(rule) = found(&rules.deny) {
            return verdict(Decision::Deny, Reason::Rule { rule });
        }
        if let Some(rule) = found(&rules.ask) {
            return verdict(Decision::Ask, Reason::Rule { rule });
        }
        if rules.allow.is_empty() && !rules.read_only {
            return verdict(Decision::Ask, Reason::NoRule);
        }
        let Some(words) = words::simple(command) else { return verdict(Decision::Ask, Reason::NotSimple) };
        if let Some(rule) = rules.allow.iter().find(|rule| rule.allows(&words)) {
            return verdict(Decision::Allow, Reason::Rule { rule: rule.text().to_owned() });
        }
        if rules.read_only && only_looks(&words, &self.workspace, &self.path) {
            return verdict(Decision::Allow, Reason::ReadOnly);
        }
        verdict(Decision::Ask, Reason::NoRule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        toml::from_str(
            r#"
            deny = ["sudo", "git push", "rm -rf", "say 'a b' c=d"]
            ask = ["cargo publish"]
            allow = ["cargo test *", "cargo *", "git status", "make 'all things'"]
            "#,
        )
        .unwrap()
    }

    #[track_caller]
    fn check(command: &str, decision: Decision, reason: &str) {
        let policy = Policy::new(rules(), PathBuf::from("/nonexistent"), "/usr/bin:/bin".to_owned());
        let reason = match reason {
            "not simple" => Reason::NotSimple,
            "no rule" => Reason::NoRule,
            rule => Reason::Rule { rule: rule.to_owned() },
        };
        assert_eq!(policy.decide(command), Verdict { decision, reason }, "{command}");
    }

    #[test]
    fn an_allow_rule_matches_its_words_alone() {
        use Decision::{Allow, Ask};
        check("cargo test", Allow, "cargo test *");
        check("cargo  test --workspace 'a b'", Allow, "cargo test *");
        check("cargo build", Allow, "cargo *");
        check("git status", Allow, "git status");
        check("make \"all things\"", Allow, "make 'all things'");
        check("git status --short", Ask, "no rule");
        check("git", Ask, "no rule");
        check("git statuses", Ask, "no rule");
        check("./cargo test", Ask, "no rule");
        check("/tmp/cargo test", Ask, "no rule");
        check("Cargo test", Ask, "no rule");
        check("make all things", Ask, "no rule");
        check("cargo test; rm x", Ask, "not simple");
        check("cargo test && x", Ask, "not simple");
        check("cargo test $(x)", Ask, "not simple");
        check("A=1 cargo test", Ask, "not simple");
        check("cargo test\nx", Ask, "not simple");
        check("c\u{430}rgo test", Ask, "not simple");
        check("command cargo test", Ask, "not simple");
        check("env cargo test", Ask, "no rule");
        check("ls", Ask, "no rule");
    }

    #[test]
    fn denying_and_asking_count_more_than_allowing_and_look_everywhere() {
        use Decision::{Ask, Deny};
        check("cargo publish", Ask, "cargo publish");
        check("true && cargo publish --dry-run", Ask, "cargo publish");
        check("cargo test sudo", Deny, "sudo");
        check("ls; sudo x", Deny, "sudo");
        check("/usr/bin/sudo x", Deny, "sudo");
        check("echo `sudo x`", Deny, "sudo");
        check("echo $(su'd'o x)", Deny, "sudo");
        check("su\\do x", Deny, "sudo");
        check("cd x && git  push", Deny, "git push");
        check("git \\\npush", Deny, "git push");
        check("git pushes", Ask, "no rule");
        check("rm -rf x", Deny, "rm -rf");
        check("pseudo x", Ask, "no rule");
        check("{sudo,id}", Deny, "sudo");
        check("x=sudo; $x id", Deny, "sudo");
        check("$'sudo' id", Deny, "sudo");
        check("say \"a b\" c=d", Deny, "say 'a b' c=d");
    }

    #[test]
    fn without_rules_everything_is_asked_about() {
        let policy = Policy::new(Rules::default(), PathBuf::from("/nonexistent"), "/bin".to_owned());
        for command in ["ls", "true", "", "rm -rf /"] {
            assert_eq!(policy.decide(command).decision, Decision::Ask, "{command}");
        }
    }

    #[test]
    fn a_rule_that_could_mean_more_is_none() {
        for rule in ["", " ", "*", "ls*", "ls * x", "a; b", "$x", "eval *", "A=1 ls *", "ls ~", "'$'", "';' *"] {
            assert!(toml::from_str::<Rules>(&format!("allow = [{rule:?}]")).is_err(), "{rule}");
        }
        assert!(toml::from_str::<Rules>("alow = []").is_err());
    }
}
