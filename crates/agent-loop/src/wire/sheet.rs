//! `messages` as a request in a dialect carries them, by the message each entry comes from: what the page shows of both
//! dialects, and what it lines them up by.

use std::collections::HashSet;
use std::rc::Rc;

use crate::host::Offered;
use crate::message::{Block, Message, Role};
use crate::settings::{Dialect, Profile, Settings, SystemPlace};
use crate::wire::form::Piece;
use crate::wire::preset::preset;
use crate::wire::request::repaired_request;
use crate::wire::sent::is_blank;

/// A request body, parted by the messages it was made from: `head`, the rows joined by commas, `tail`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    /// JSON text up to the first row: in Chat Completions with the system message.
    pub head: String,
    /// What became of each message, and what was put after it. Nothing: it is not sent.
    pub entries: Vec<Vec<SheetRow>>,
    /// JSON text from the `]` of `messages`.
    pub tail: String,
}

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetRow {
    /// The index that its first entry has in the array that is sent.
    pub index: usize,
    /// How many entries it is.
    pub entries: usize,
    /// Their JSON text, joined by commas.
    pub json: Piece,
    /// Where it comes from.
    pub making: Making,
}

/// Where a row comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Making {
    /// The message as it is.
    AsItIs,
    /// The message, repaired.
    Repaired,
    /// No message: an endpoint would refuse the request without it.
    Added,
}

/// The request of these messages, parted by them.
pub fn sheet(settings: &Settings, offered: &Offered, messages: &[Rc<Message>]) -> Sheet {
    let (sent, request) = repaired_request(settings, offered, messages);
    let kept: HashSet<*const Message> = sent.iter().map(Rc::as_ptr).collect();
    let mut index = match settings.profile.system_place {
        _ if request.head.ends_with('[') => 0,
        SystemPlace::System => 1,
        SystemPlace::FirstExchange => 2,
    };
    let mut entries = vec![Vec::new(); messages.len()];
    // The first message that has not been come to.
    let mut next = 0;
    for (message, json) in sent.iter().zip(request.pieces) {
        let rest = messages.get(next..).unwrap_or_default();
        let own = rest.iter().position(|one| Rc::ptr_eq(one, message));
        let stands_for = |one: &Rc<Message>| one.role == message.role && !kept.contains(&Rc::as_ptr(one));
        let making = match own {
            Some(skipped) => {
                next += skipped + 1;
                Making::AsItIs
            }
            None if rest.first().is_some_and(stands_for) => {
                next += 1;
                Making::Repaired
            }
            None => Making::Added,
        };
        let count = entries_of(message, settings.profile.dialect);
        if let Some(entry) = entries.get_mut(next.saturating_sub(1)) {
            entry.push(SheetRow { index, entries: count, json, making });
        }
        index += count;
    }
    Sheet { head: request.head, entries, tail: request.tail }
}

/// The same knobs in this dialect: with the same endpoint where it speaks both, else with one of which nothing else is
/// known.
pub fn in_dialect(settings: &Settings, dialect: Dialect) -> Settings {
    if settings.profile.dialect == dialect {
        return settings.clone();
    }
    let (from, to) = match dialect {
        Dialect::Anthropic => ("-openai", "-anthropic"),
        Dialect::OpenAi => ("-anthropic", "-openai"),
    };
    let id = settings.profile.id.strip_suffix(from).unwrap_or("custom").to_owned() + to;
    let profile = preset(&id).map_or_else(|| Profile::new(id, dialect), |preset| preset.profile.clone());
    Settings { profile, ..settings.clone() }
}

/// How many entries of the array a message is written as: in Chat Completions each result is one, and so are the words
/// beside them.
fn entries_of(message: &Message, dialect: Dialect) -> usize {
    if dialect == Dialect::Anthropic || message.role == Role::Assistant {
        return 1;
    }
    let says = message.blocks.iter().any(|block| matches!(block, Block::Text { text } if !is_blank(text)));
    message.tool_results().count() + usize::from(says)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::{Making, in_dialect, sheet};
    use crate::host::Offered;
    use crate::message::{Block, CallKey, Message, Producer, Role, ToolCall, ToolResult};
    use crate::settings::{Dialect, Limits, OfferTools, Profile, RoleOrder, RunTools, Settings, SystemPlace};
    use crate::tool::Outcome;
    use crate::wire::preset;

    fn settings(profile: &str, system: &str) -> Settings {
        Settings {
            profile: preset(profile).unwrap().profile.clone(),
            base_url: String::new(),
            model: "\"messages\":[".to_owned(),
            system: system.to_owned(),
            max_tokens: None,
            stop_sequences: Vec::new(),
            stream: false,
            offer_tools: OfferTools::Off,
            pinned_tools: Vec::new(),
            run_tools: RunTools::Loop,
            limits: Limits::default(),
            price: None,
            output: Default::default(),
            wording: Default::default(),
            blacklist: Default::default(),
        }
    }

    fn calls(indexes: &[usize]) -> Rc<Message> {
        let call = |index: &usize| {
            Block::ToolUse(ToolCall {
                key: CallKey { fact: 1, index: *index },
                id: format!("i{index}"),
                name: "bash".to_owned(),
                arguments: "{}".to_owned(),
                extra: None,
                original_arguments: None,
            })
        };
        Rc::new(Message::new(Role::Assistant, Producer::Model, indexes.iter().map(call).collect()))
    }

    fn results(indexes: &[usize], words: &[&str]) -> Rc<Message> {
        let result = |index: &usize| {
            Block::ToolResult(ToolResult {
                call: CallKey { fact: 1, index: *index },
                content: "y".to_owned(),
                is_error: false,
                outcome: Outcome::Exited(0),
                duration_ms: 0,
                output_bytes: 0,
                original_content: None,
                left_out: None,
            })
        };
        let words = words.iter().map(|text| Block::Text { text: (*text).into() });
        Rc::new(Message::new(Role::User, Producer::Host, indexes.iter().map(result).chain(words).collect()))
    }

    fn said(role: Role, text: &str) -> Rc<Message> {
        Rc::new(Message::new(role, Producer::Person, vec![Block::Text { text: text.into() }]))
    }

    /// The rows of each message: index, how many entries, where from. And all of it is the body of the request.
    #[track_caller]
    fn check(settings: &Settings, messages: &[Rc<Message>], expected: &[&[(usize, usize, Making)]]) {
        let offered = Offered::default();
        let sheet = sheet(settings, &offered, messages);
        let rows: Vec<Vec<_>> = sheet
            .entries
            .iter()
            .map(|rows| rows.iter().map(|row| (row.index, row.entries, row.making)).collect())
            .collect();
        assert_eq!(rows, expected);
        let pieces: Vec<&str> = sheet.entries.iter().flatten().map(|row| &*row.json).collect();
        let body = format!("{}{}{}", sheet.head, pieces.join(","), sheet.tail);
        assert_eq!(body.as_bytes(), crate::wire::request(settings, &offered, messages).body());
        let value: serde_json::Value = serde_json::from_str(&body).unwrap();
        let length = sheet.entries.iter().flatten().last().map_or(0, |row| row.index + row.entries);
        assert_eq!(value["messages"].as_array().unwrap().len(), length, "indexes are those of the array");
    }

    #[test]
    fn entries_stand_by_the_message_they_come_from() {
        use Making::{Added, AsItIs, Repaired};
        let (anthropic, chat) = (settings("anthropic", "s"), settings("openai", "s"));
        let user = || said(Role::User, "a");
        let plain = [user(), calls(&[0, 1]), results(&[0, 1], &["b", "c"])];
        check(&anthropic, &plain, &[&[(0, 1, AsItIs)], &[(1, 1, AsItIs)], &[(2, 1, AsItIs)]]);
        check(&chat, &plain, &[&[(1, 1, AsItIs)], &[(2, 1, AsItIs)], &[(3, 3, AsItIs)]]);
        check(&settings("openai", " "), &plain, &[&[(0, 1, AsItIs)], &[(1, 1, AsItIs)], &[(2, 3, AsItIs)]]);
        let mut first_exchange = chat.clone();
        first_exchange.profile.system_place = SystemPlace::FirstExchange;
        check(&first_exchange, &plain[..1], &[&[(2, 1, AsItIs)]]);

        let broken = [said(Role::User, " "), user(), calls(&[0, 1]), results(&[1, 0], &[]), said(Role::Assistant, "b")];
        check(
            &anthropic,
            &broken,
            &[&[], &[(0, 1, AsItIs)], &[(1, 1, AsItIs)], &[(2, 1, Repaired)], &[(3, 1, AsItIs), (4, 1, Added)]],
        );
        let unanswered = [user(), calls(&[0])];
        check(&chat, &unanswered, &[&[(1, 1, AsItIs)], &[(2, 1, AsItIs), (3, 1, Added)]]);
        let mut strict = chat.clone();
        strict.profile.role_order = RoleOrder::Alternating;
        check(
            &strict,
            &plain,
            &[&[(1, 1, AsItIs)], &[(2, 1, AsItIs)], &[(3, 2, Repaired), (5, 1, Added), (6, 1, Added)]],
        );
        check(&anthropic, &[said(Role::Assistant, "a")], &[&[(0, 1, Added), (1, 1, AsItIs), (2, 1, Added)]]);
    }

    #[test]
    fn the_other_dialect_is_the_same_endpoints_where_it_has_one() {
        let check = |id: &str, dialect: Dialect, expected: &str| {
            let mut settings = settings("openai", "");
            settings.profile = preset(id).map_or_else(
                || Profile::new(id, if id.ends_with("openai") { Dialect::OpenAi } else { Dialect::Anthropic }),
                |preset| preset.profile.clone(),
            );
            let other = in_dialect(&settings, dialect);
            assert_eq!((other.profile.id.as_str(), other.profile.dialect), (expected, dialect), "{id}");
            assert_eq!(other.model, settings.model);
        };
        check("practice-anthropic", Dialect::OpenAi, "practice-openai");
        check("practice-openai", Dialect::Anthropic, "practice-anthropic");
        check("custom-openai", Dialect::Anthropic, "custom-anthropic");
        check("you-openai", Dialect::Anthropic, "you-anthropic");
        check("anthropic", Dialect::OpenAi, "custom-openai");
        check("deepseek", Dialect::Anthropic, "custom-anthropic");
        check("deepseek", Dialect::OpenAi, "deepseek");
    }
}
