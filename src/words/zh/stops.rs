//! Budgets, repeated calls and a full context window, in Chinese.

use agent_loop::{Hint, Rest};

use crate::words::stops::Stops;
use crate::words::{Told, count, duration, money};

pub(in crate::words) const STOPS: Stops = Stops {
    how_much: |rest| match rest {
        Rest::TurnLimit(_) => Some("再给几次模型调用"),
        Rest::TokenBudget(_) => Some("再给多少 token"),
        Rest::TimeBudget(_) => Some("再给多少秒"),
        Rest::MoneyBudget(_) => Some("再给多少费用"),
        _ => None,
    },
    go_on_with: "再给这么多并继续",
    go_on_anyway: "仍然继续",
    same_call: |times| format!("模型已经连续 {times} 次请求同一个调用。"),
    hint: |hint| match hint {
        Hint::InputCut(told) => format!(
            "端点只数到 {} 个输入 token，而发送的不止这些：它可能不声不响地截掉了开头。用 Ollama 时，请调大 OLLAMA_CONTEXT_LENGTH，或 Modelfile 里的 num_ctx。",
            count(told)
        ),
        Hint::WordsMissing(written) => format!(
            "模型写了 {} 个 token，回答里却几乎都没有：服务器可能扣下了一个没有写完的工具调用。请检查它的对话模板和工具解析器。",
            count(written)
        ),
    },
    forget: |entries| format!("不再发送最早的一轮对话（{entries} 条）"),
    shorten: |results| format!("缩短 {results} 个很长的结果"),
    summarise: "带着摘要开新会话",
    kept: "什么都不会丢：被省略或缩短的内容仍在日志里，原文随时可看。",
    context: |used, window| format!("约 {} / {} token", count(used), count(window)),
    summary_head: "这是接着之前的会话。之前发生的事：",
    summary_asked: "我问",
    summary_answered: "你答",
    forgotten: |entries| format!("有 {entries} 条较早的消息不再发送"),
};

pub(super) fn rest(rest: &Rest) -> Option<Told> {
    Some(match rest {
        Rest::TokenBudget(limit) => Told::new(
            format!("这条消息已经用完 {} token。", count(*limit)),
            "最后的结果已经存下。“运行”会再允许同样多；新消息则重新计数。",
        ),
        Rest::TimeBudget(limit) => Told::new(
            format!("模型和工具已经为这条消息工作了 {}。", duration(*limit)),
            "最后的结果已经存下。“运行”会再允许同样久；新消息则重新计数。",
        ),
        Rest::MoneyBudget(limit) => Told::new(
            format!("这条消息已经花完 {} 的预算。", money(*limit)),
            "最后的结果已经存下。“运行”会再允许同样多；新消息则重新计数。",
        ),
        Rest::SameCall(times) => Told::new(
            format!("模型连续 {times} 次请求同一个调用。"),
            "这一次没有执行。“运行”会让它继续；也可以说点什么，把它引向别处。",
        ),
        Rest::PauseLimit(pauses) => Told::new(
            format!("回答为了服务自己的工具，已经连续暂停 {pauses} 次。"),
            "“运行”会让它继续；也可以说点什么，把它引向别处。",
        ),
        Rest::ContextNearlyFull(context) => Told::new(
            "上下文窗口快满了。",
            format!(
                "下一次请求约有 {} / {} token。可以让它变短，也可以继续，直到端点拒绝。",
                count(context.used),
                count(context.window)
            ),
        ),
        _ => return None,
    })
}
