//! The words of a connection that is tried out, in English.

use agent_loop::connection::Cause;
use agent_loop::settings::{CallIdShape, EmptyContent, ReasoningSent, RoleOrder, SystemPlace, TokenLimitName};
use agent_loop::wire::Quirk;

use crate::words::trial::{TrialWords, Unlisted};
use crate::words::{Told, count};

/// The words.
pub(crate) static TRIAL: TrialWords = TrialWords {
    test: "Test connection",
    test_hint: "Asks for one word, then for one call of a tool that only this page has. The session is not touched; a few tokens are spent.",
    stop: "Stop the test",
    findings: "What was found",
    answers: "Answers",
    calls_tools: "Calls tools",
    understands: "Understands results",
    untried: "not tried",
    under_way: "being tried …",
    passed: "yes",
    failed: "no",
    cause,
    said: "It said:",
    learnt: |lessons| match lessons {
        1 => "One thing about its requests was learnt from a refusal.".to_owned(),
        lessons => format!("{lessons} things about its requests were learnt from refusals."),
    },
    remembered: "Learnt from its refusals, and heeded by every session:",
    forget: "Forget it",
    quirk: |quirk| match quirk {
        Quirk::TokenLimit(TokenLimitName::MaxTokens) => "the limit is called max_tokens".to_owned(),
        Quirk::TokenLimit(TokenLimitName::MaxCompletionTokens) => {
            "the limit is called max_completion_tokens".to_owned()
        }
        Quirk::TokenLimit(TokenLimitName::Omitted) => "no limit on the answer’s length is sent".to_owned(),
        Quirk::TokenCap(cap) => format!("the limit on an answer is at most {} tokens", count(u64::from(cap))),
        Quirk::NoStreamUsage => "stream_options is not sent".to_owned(),
        Quirk::NoStream => "answers are asked for in one piece".to_owned(),
        Quirk::NoStop => "stop sequences are not sent".to_owned(),
        Quirk::EmptyContent(EmptyContent::Null) => "content is null beside calls".to_owned(),
        Quirk::EmptyContent(EmptyContent::EmptyString) => "content is \"\" beside calls".to_owned(),
        Quirk::EmptyContent(EmptyContent::Omitted) => "content is left out beside calls".to_owned(),
        Quirk::EchoReasoning => "reasoning_content is sent back".to_owned(),
        Quirk::Reasoning(ReasoningSent::AsItCame) => "reasoning goes back as it came".to_owned(),
        Quirk::Reasoning(ReasoningSent::LeftOut) => "reasoning is not sent back".to_owned(),
        Quirk::Reasoning(ReasoningSent::SwitchedOff) => "thinking is switched off".to_owned(),
        Quirk::CallIds(CallIdShape::Plain) => "call ids are letters, digits, _ and -".to_owned(),
        Quirk::CallIds(CallIdShape::NineCharacters) => "call ids have nine letters and digits".to_owned(),
        Quirk::RoleOrder(RoleOrder::Free) => "roles may follow in any order".to_owned(),
        Quirk::RoleOrder(RoleOrder::Alternating) => "user and assistant take turns".to_owned(),
        Quirk::SystemPlace(SystemPlace::System) => "the system prompt has its own place".to_owned(),
        Quirk::SystemPlace(SystemPlace::FirstExchange) => "the system prompt is sent as a first exchange".to_owned(),
    },
    list_models: "List the models",
    models: "Models",
    listing: "Asking for the models …",
    listed: |models| match models {
        0 => "It lists no model by name. Type the one you want.".to_owned(),
        1 => "It lists 1 model.".to_owned(),
        models => format!("It lists {models} models."),
    },
    more: |models| format!("{models} more: type a part of the name"),
    none_fits: "No listed model has this in its name; it is used as typed.",
    not_listed: |failure| {
        let what = match Unlisted::of(failure) {
            Unlisted::Key => "It lists its models only for a key it accepts.",
            Unlisted::Unreachable => {
                "No list of models could be read: the network, the address, or it admits no web pages."
            }
            Unlisted::NoList => "It has no list of models at this address.",
            Unlisted::Other => "The list of models did not come.",
        };
        Told::new(what, "Any name can be typed.")
    },
};

fn cause(cause: Cause) -> Told {
    let (what, next) = match cause {
        Cause::KeyMissing => ("It wants a key, and none was sent.", "Type the key above."),
        Cause::KeyRefused => (
            "It does not accept the key.",
            "Check that the key is whole, not revoked, and of this service. If the bridge has the key, check it there.",
        ),
        Cause::Forbidden => (
            "The key is known and may not do this.",
            "Look at the account: credit, access to the model, or a rule against calls from browsers. Then let the bridge relay.",
        ),
        Cause::NoSuchModel => {
            ("It does not know this model.", "List the models, or copy the name from the service’s page.")
        }
        Cause::WrongAddress => (
            "Something else is at this address.",
            "Check the base URL: the path (/v1, /api/v1, …) and whether it is that of this dialect.",
        ),
        Cause::OtherDialect => (
            "It answers in the other dialect.",
            "Choose the other kind of endpoint above: Messages-compatible or OpenAI-compatible.",
        ),
        Cause::NeedsRelay => (
            "The browser could not read an answer, and this service admits no web pages.",
            "Open the page through host-bridge, which relays to it.",
        ),
        Cause::NeedsSwitch => (
            "The browser could not read an answer. Either the server does not run, or it does not admit web pages.",
            "Start it, and switch on what is said under the endpoint.",
        ),
        Cause::NotRunning => (
            "Nothing that a page can read answers at this address of this machine.",
            "Start the server, check the port, and let it admit web pages (CORS).",
        ),
        Cause::Unreachable => (
            "No answer could be read. A browser does not say whether it is the network, the address, or that no web pages are admitted (CORS).",
            "Check the base URL. If another program reaches it from here, let the bridge relay.",
        ),
        Cause::Busy => ("It has too much to do, or had too many requests.", "Wait a little, then test again."),
        Cause::ServerFailed => {
            ("The service failed by itself.", "Test again; if it lasts, look at its log or status page.")
        }
        Cause::Silent => (
            "Nothing came in time.",
            "A model that is being loaded takes minutes: look at the server, then test again.",
        ),
        Cause::Cut => (
            "The answer broke off, or part of it is broken.",
            "Test again. If it lasts, something between here and the model cuts it: a proxy, a time limit.",
        ),
        Cause::ContextTooSmall => (
            "Even this short request is longer than the model reads.",
            "Start the server with a larger context; tools alone take some hundred tokens.",
        ),
        Cause::Refused => {
            ("It does not accept the request.", "Compare its words with the settings: model, dialect, max_tokens.")
        }
        Cause::Declined => ("The model, or a filter before it, declined.", "Try another model."),
        Cause::EmptyAnswer => (
            "The answer was empty.",
            "The chat template may not be the model’s own, or all of max_tokens went into thinking.",
        ),
        Cause::LimitTooLow => (
            "The answer was cut before it came to the point.",
            "Raise max_tokens: a model that thinks needs room for that as well.",
        ),
        Cause::ToolsRefused => (
            "It answers, but accepts no request with tools.",
            "Choose a model with tool calling, or start the server for it (llama.cpp: --jinja; vLLM: --enable-auto-tool-choice and --tool-call-parser).",
        ),
        Cause::CallInWords => (
            "The model wrote the call as text, and the server did not read it as a call.",
            "Give the server the model’s own chat template and tool parser (llama.cpp: --jinja; vLLM: --tool-call-parser).",
        ),
        Cause::NoCall => (
            "It answered in words and called nothing.",
            "The chat template may drop the tools, or the model cannot call any: try another template, or another model.",
        ),
        Cause::OtherTool => (
            "It called a tool that it was not offered.",
            "The chat template may not be the model’s own, or the model is too small for tools.",
        ),
        Cause::BadArguments => (
            "It called the tool with arguments that cannot be used.",
            "The tool parser may be that of another model, or the model is too small for tools.",
        ),
        Cause::ResultRefused => (
            "It calls tools, but refuses the request that brings the result.",
            "The chat template has no place for results, or a gateway in between changes them. Try another template.",
        ),
        Cause::ResultIgnored => (
            "It calls tools, but its answer does not say what the result said.",
            "The chat template may drop results: use the model’s own.",
        ),
        Cause::CallsAgain => (
            "It called the tool again as if no result had come.",
            "The chat template may drop results: use the model’s own. A small model may do this too.",
        ),
    };
    Told::new(what, next)
}
