//! The table of scenarios.

use super::{Group, Plot, Scenario, Script, Words};
use crate::faults::{Door, Spoil};

/// Every scenario, grouped, the most useful first.
pub fn scenarios() -> &'static [Scenario] {
    SCENARIOS
}

static SCENARIOS: &[Scenario] = &[
    task(
        "practice",
        words("Picks a script from your words", "按你说的话选脚本"),
        words("What can you do?", "你会做什么？"),
        Script::Pick,
    ),
    task(
        "practice/list-python-files",
        words("List the Python files", "列出 Python 文件"),
        words("List the Python files in the current directory", "帮我看看当前目录里有哪些 Python 文件。"),
        Script::ListFiles,
    ),
    task(
        "practice/hello-py",
        words("Create hello.py, run it, break it, repair it", "创建、运行、弄坏、修好 hello.py"),
        words(
            "Create hello.py that prints Hello, Agent Harness; run it and tell me its actual output.",
            "请创建 hello.py，输出 Hello, Agent Harness；运行它并告诉我实际输出。",
        ),
        Script::HelloPy,
    ),
    task(
        "practice/memory",
        words("Memory is the messages that are sent", "记忆就是发出去的 messages"),
        words("My name is Ada", "我叫小明"),
        Script::Memory,
    ),
    task(
        "practice/state-machine",
        words("Three turns and more, one call each", "三轮以上，每轮一次调用"),
        words("Explore this directory step by step", "一步一步看看这个目录"),
        Script::StateMachine,
    ),
    task(
        "practice/parallel",
        words("Several calls in one answer", "一个回答里有多次调用"),
        words("Look around with several calls at once", "同时用多次调用看看周围"),
        Script::Parallel,
    ),
    task(
        "practice/run",
        words("Runs your own `$ command` lines", "运行你写的 `$ 命令`"),
        words("$ pwd\n$ ls", "$ pwd\n$ ls"),
        Script::Run,
    ),
    broken("practice/turn-limit", words("Calls without end", "没完没了地调用"), Script::TurnLimit),
    broken("practice/repeat", words("The same call without end", "没完没了的同一次调用"), Script::Repeat),
    broken("practice/unknown-tool", words("A tool that was not offered", "没有提供过的工具"), Script::UnknownTool),
    broken(
        "practice/bad-arguments",
        words("Six broken arguments in a row", "连续六种错误的参数"),
        Script::BadArguments,
    ),
    broken("practice/bad-json", words("Arguments: {", "参数：{"), Script::BadJson),
    broken("practice/no-arguments", words("Arguments: {}", "参数：{}"), Script::NoArguments),
    broken("practice/empty-command", words("An empty command", "空命令"), Script::EmptyCommand),
    broken("practice/number-command", words("A number as the command", "命令是一个数字"), Script::NumberCommand),
    broken("practice/list-arguments", words("Arguments: []", "参数：[]"), Script::ListArguments),
    broken("practice/null-arguments", words("Arguments: null", "参数：null"), Script::NullArguments),
    stop("practice/stop-max-tokens", words("Cut off at max_tokens", "在 max_tokens 处截断"), Script::MaxTokens),
    stop(
        "practice/stop-max-tokens-in-call",
        words("Cut off inside a call", "在一次调用中间截断"),
        Script::MaxTokensInCall,
    ),
    stop("practice/stop-sequence", words("A stop sequence", "停止序列"), Script::StopSequence),
    stop("practice/stop-refusal", words("A refusal", "拒绝"), Script::Refusal),
    stop("practice/stop-pause-turn", words("A paused turn (Messages)", "暂停的一轮（Messages）"), Script::PauseTurn),
    stop(
        "practice/stop-content-filter",
        words("A content filter (Chat Completions)", "内容过滤（Chat Completions）"),
        Script::ContentFilter,
    ),
    stop("practice/stop-context-window", words("A full context window", "上下文窗口已满"), Script::ContextWindow),
    door("practice/fault-401", words("401: the key is wrong", "401：密钥错误"), Door::Status(401)),
    door("practice/fault-403", words("403: not permitted", "403：没有权限"), Door::Status(403)),
    door("practice/fault-429", words("429: too many requests", "429：请求太多"), Door::Status(429)),
    door("practice/fault-500", words("500: the server failed", "500：服务器出错"), Door::Status(500)),
    door("practice/fault-529", words("529: overloaded", "529：过载"), Door::Status(529)),
    door("practice/fault-html", words("200 with a web page", "200，却是网页"), Door::Html(200)),
    door("practice/fault-html-502", words("502 with a web page", "502，是网页"), Door::Html(502)),
    door("practice/fault-empty", words("200 with nothing", "200，空的"), Door::Empty),
    door("practice/fault-overflow", words("The request is too long", "请求太长"), Door::Overflow),
    spoiled("practice/fault-cut", words("The connection breaks", "连接中断"), Spoil::Cut, Script::FaultText),
    spoiled(
        "practice/fault-cut-in-call",
        words("The connection breaks inside a call", "连接在一次调用中间中断"),
        Spoil::Cut,
        Script::FaultCall,
    ),
    spoiled("practice/fault-eof", words("It ends too early", "提前结束"), Spoil::Eof, Script::FaultText),
    spoiled(
        "practice/fault-eof-in-call",
        words("It ends inside a call", "在一次调用中间结束"),
        Spoil::Eof,
        Script::FaultCall,
    ),
    spoiled("practice/fault-stall", words("It goes silent", "没有下文"), Spoil::Stall, Script::FaultText),
    spoiled(
        "practice/fault-broken-json",
        words("An event that is not JSON", "不是 JSON 的事件"),
        Spoil::BrokenJson,
        Script::FaultText,
    ),
    spoiled(
        "practice/fault-error-in-stream",
        words("An error after the answer began", "回答开始之后才报错"),
        Spoil::ErrorInside,
        Script::FaultText,
    ),
];

const ANY_WORDS: Words = words("Go ahead", "开始吧");

const fn words(en: &'static str, zh: &'static str) -> Words {
    Words { en, zh }
}

const fn task(id: &'static str, title: Words, prompt: Words, script: Script) -> Scenario {
    Scenario { id, group: Group::Tasks, title, prompt, plot: Plot::Script(script) }
}

const fn broken(id: &'static str, title: Words, script: Script) -> Scenario {
    Scenario { id, group: Group::BrokenCalls, title, prompt: ANY_WORDS, plot: Plot::Script(script) }
}

const fn stop(id: &'static str, title: Words, script: Script) -> Scenario {
    Scenario { id, group: Group::StopReasons, title, prompt: ANY_WORDS, plot: Plot::Script(script) }
}

const fn door(id: &'static str, title: Words, door: Door) -> Scenario {
    Scenario { id, group: Group::Faults, title, prompt: ANY_WORDS, plot: Plot::Door(door) }
}

const fn spoiled(id: &'static str, title: Words, spoil: Spoil, script: Script) -> Scenario {
    Scenario { id, group: Group::Faults, title, prompt: ANY_WORDS, plot: Plot::Spoiled(spoil, script) }
}
