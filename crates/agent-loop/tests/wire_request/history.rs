//! Histories: what the cases are built of, and any history at all, broken ones among them.

use agent_loop::host::Offered;
use agent_loop::message::CallKey;
use agent_loop::settings::{Limits, OfferTools, RunTools};
use agent_loop::wire::profiles;
use agent_loop::{
    Block, Dialect, Message, Origin, Outcome, Producer, Role, Settings, StopReason, ToolCall, ToolResult, ToolSpec,
    Usage,
};
use proptest::prelude::*;
use serde_json::json;

pub(crate) fn settings(profile: &str) -> Settings {
    Settings {
        profile: profiles().into_iter().find(|known| known.id == profile).unwrap(),
        base_url: "https://example.org".to_owned(),
        model: "m".to_owned(),
        system: String::new(),
        max_tokens: None,
        stop_sequences: Vec::new(),
        stream: true,
        offer_tools: OfferTools::Host,
        pinned_tools: Vec::new(),
        run_tools: RunTools::Loop,
        limits: Limits::default(),
        price: None,
        output: Default::default(),
        wording: Default::default(),
        blacklist: Default::default(),
    }
}

pub(crate) fn bash(description: &str) -> ToolSpec {
    ToolSpec {
        name: "bash".to_owned(),
        description: description.to_owned(),
        input_schema: json!({ "type": "object", "properties": { "command": { "type": "string" } }, "required": ["command"] }),
    }
}

pub(crate) fn offered() -> Offered {
    Offered {
        host: "host-bridge".to_owned(),
        tools: vec![bash("Run a command.")],
        cwd: "/home/me".to_owned(),
        background: Vec::new(),
    }
}

pub(crate) fn text(words: &str) -> Block {
    Block::Text { text: words.into() }
}

pub(crate) fn call(fact: usize, index: usize, id: &str, arguments: &str) -> Block {
    Block::ToolUse(ToolCall {
        key: CallKey { fact, index },
        id: id.to_owned(),
        name: "bash".to_owned(),
        arguments: arguments.to_owned(),
        extra: None,
        original_arguments: None,
    })
}

pub(crate) fn result(fact: usize, index: usize, content: &str, is_error: bool) -> Block {
    Block::ToolResult(ToolResult {
        call: CallKey { fact, index },
        content: content.to_owned(),
        is_error,
        outcome: Outcome::Exited(0),
        duration_ms: 0,
        output_bytes: 0,
        original_content: None,
        left_out: None,
    })
}

pub(crate) fn answer(blocks: Vec<Block>) -> Message {
    Message::new(Role::Assistant, Producer::Model, blocks)
}

pub(crate) fn results(blocks: Vec<Block>) -> Message {
    Message::new(Role::User, Producer::Host, blocks)
}

pub(crate) fn with_origin(message: Message, dialect: &str, stop_reason: StopReason, profile: &str) -> Message {
    let origin = Origin {
        dialect: if dialect == "anthropic" { Dialect::Anthropic } else { Dialect::OpenAi },
        profile: profile.to_owned(),
        model: "m".to_owned(),
        id: "id".to_owned(),
        stop_reason,
        usage: Usage::default(),
        duration_ms: 0,
    };
    Message { origin: Some(origin), ..message }
}

pub(crate) fn any_profile() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["anthropic", "custom-anthropic", "openai", "llama-cpp", "deepseek", "lm-studio"])
}

/// Any messages: roles in any order, blocks where they do not belong, calls without results and the reverse.
pub(crate) fn any_messages() -> impl Strategy<Value = Vec<Message>> {
    let role = prop::sample::select(vec![Role::User, Role::Assistant]);
    let origin = prop::option::of((any_profile(), any::<bool>()));
    let message = (role, prop::collection::vec(any_block(), 0..5), origin).prop_map(|(role, blocks, origin)| {
        let message = Message::new(role, Producer::Person, blocks);
        match origin {
            Some((profile, paused)) => {
                let dialect = if profile.ends_with("anthropic") { "anthropic" } else { "openai" };
                let reason = if paused { StopReason::PauseTurn } else { StopReason::EndTurn };
                with_origin(message, dialect, reason, profile)
            }
            None => message,
        }
    });
    prop::collection::vec(message, 0..8)
}

/// A history as the loop makes it: a question, then turns of an answer and all its results, then words.
pub(crate) fn any_whole_messages() -> impl Strategy<Value = Vec<Message>> {
    let turn = (any_words(), prop::collection::vec((any_id(), any_arguments()), 1..4), prop::option::of(any_words()));
    prop::collection::vec(turn, 0..6).prop_map(|turns| {
        let mut messages = vec![Message::person("Go.")];
        for (fact, (words, calls, interjection)) in turns.into_iter().enumerate() {
            let answers = (0..calls.len()).map(|index| result(fact, index, &words, false)).collect();
            let calls = calls.iter().enumerate().map(|(index, (id, arguments))| call(fact, index, id, arguments));
            messages.push(answer(std::iter::once(text(&words)).chain(calls).collect()));
            messages.push(results(answers));
            // Queued while the tools ran; a blank one would be left out.
            messages.extend(interjection.filter(|words| !words.trim().is_empty()).map(Message::person));
        }
        messages
    })
}

fn any_block() -> impl Strategy<Value = Block> {
    let place = || (0..3_usize, 0..3_usize);
    prop_oneof![
        any_words().prop_map(|words| text(&words)),
        (place(), any_id(), any_arguments())
            .prop_map(|((fact, index), id, arguments)| call(fact, index, &id, &arguments)),
        (place(), any_words(), any::<bool>()).prop_map(|((fact, index), words, bad)| result(fact, index, &words, bad)),
        prop::sample::select(vec!["", "sig"]).prop_map(|signature| Block::Thinking {
            text: "Hm".into(),
            raw: json!({ "type": "thinking", "thinking": "Hm", "signature": signature }),
        }),
        Just(Block::Opaque { raw: json!({ "type": "mystery", "x": 1 }) }),
    ]
}

fn any_words() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), Just(" \n".to_owned()), "\\PC{1,8}", ".{1,8}", Just("tail ".to_owned())]
}

fn any_id() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), Just("dup".to_owned()), Just("call_1|fc_2".to_owned()), "[a-z0-9]{1,80}", ".{1,4}"]
}

fn any_arguments() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("{\"command\": \"ls".to_owned()),
        Just("[1]".to_owned()),
        Just("{\"command\": \"\\ud83d\"}".to_owned()),
        "\\{\"command\":\"[a-z \\n]{0,9}\"\\}",
        ".{0,12}",
    ]
}
