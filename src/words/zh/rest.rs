//! Why a session rests and what to do, in Chinese.

use agent_loop::{FailureKind, Rest};

use super::stops;
use crate::words::Told;

pub(super) fn rest(rest: &Rest) -> Told {
    match rest {
        Rest::TokenBudget(_)
        | Rest::TimeBudget(_)
        | Rest::MoneyBudget(_)
        | Rest::SameCall(_)
        | Rest::PauseLimit(_)
        | Rest::ContextNearlyFull(_) => stops::rest(rest).unwrap_or_else(|| Told::new("", "")),
        Rest::Fresh => Told::new(super::WORDS.messages.fresh, super::WORDS.messages.fresh_next),
        Rest::EndTurn => {
            Told::new("模型不再请求工具。", "循环到此结束。这并不证明任务已经完成：请看结果；想继续就再发一条消息。")
        }
        Rest::MaxTokens => Told::new(
            "回答到达 max_tokens，被截断。",
            "可以在设置里调大 max_tokens，或者让它继续。被截断的回答里的调用不会执行。",
        ),
        Rest::StopSequence(Some(matched)) => {
            Told::new(format!("停止序列 {matched:?} 结束了回答。"), "想继续就再发一条消息。")
        }
        Rest::StopSequence(None) => Told::new("一个停止序列结束了回答。", "想继续就再发一条消息。"),
        Rest::Refusal => Told::new("模型拒绝了。", "换个说法，或者开一个新会话。"),
        Rest::ContentFilter => Told::new("服务的过滤器截断了回答。", "换个说法，或者开一个新会话。"),
        Rest::ContextWindowExceeded => {
            Told::new("上下文窗口已满。", "开一个新会话，或者选一个能读更多的模型。它和 max_tokens 是两回事。")
        }
        Rest::CallInWords => Told::new(
            "回答的文字里写着一个工具调用，因此什么也没有运行。",
            "服务器没有把它认成调用。请给它配上这个模型自己的对话模板和工具解析器（llama.cpp：--jinja；vLLM：--enable-auto-tool-choice），或者换一个模型。",
        ),
        Rest::EmptyAnswer => Told::new("回答是空的：没有文字，也没有调用。", "“运行”会再问一次；也可以再发一条消息。"),
        Rest::Other(reason) => Told::new(format!("回答以 {reason:?} 结束，没有调用。"), "想继续就再发一条消息。"),
        Rest::TurnLimit(limit) => Told::new(
            format!("这条消息已经用完 {limit} 次模型调用。"),
            "最后的结果已经存下。“运行”会再允许同样多次；新消息则重新计数。",
        ),
        Rest::RunsOnce => Told::new("已按设置执行完，不再调用模型。", "“运行”会从这里继续，执行多少由设置决定。"),
        // What it reached is told where the log is at hand: words/rests.rs.
        Rest::Stopped => Told::new("你停止了它。", ""),
        Rest::Failed(failure) => Told::new("模型调用失败。", try_next(failure.kind)),
        Rest::Interrupted => Told::new(
            "事情还没做完，页面就关闭了。",
            "没有重新运行任何东西。“运行”会从这里继续；当时在运行的命令，结果无法得知。",
        ),
        Rest::HostUnavailable(why) if why.is_empty() => {
            Told::new("工具主机还没有连上。", "等它连上，或者换一个工具主机，然后点“运行”。")
        }
        Rest::HostUnavailable(why) => Told::new(
            format!("工具主机不在：{why}"),
            "启动 host-bridge 并打开它打印的链接，或者换一个工具主机，然后点“运行”。",
        ),
        Rest::NotConfigured => Told::new("还没有设置端点。", "请在设置里选一个。"),
    }
}

fn try_next(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Authentication => "请检查设置里的密钥。",
        FailureKind::Permission => "这个密钥没有权限。请询问账号的管理者；有些组织禁止从浏览器调用。",
        FailureKind::NotFound => "请检查设置里的 Base URL 和模型名称。",
        FailureKind::InvalidRequest => "端点不接受这个请求。请把它的原话和检查器里的请求对照着看。",
        FailureKind::ContextOverflow => "messages 超过了这个模型能读的长度。开一个新会话，或者选一个能读更多的模型。",
        FailureKind::TooLarge => "请求的字节数太大。开一个新会话，或者让结果短一些。",
        FailureKind::RateLimit => "请求太频繁。稍等一会儿再试。",
        FailureKind::Overloaded => "服务正忙。稍等一会儿再试。",
        FailureKind::Server => "服务出错。再试一次；如果一直这样，请看它的状态页。",
        FailureKind::Unreachable => "请检查网络和 Base URL。端点不允许网页访问（CORS）时，浏览器也这么说。",
        FailureKind::Incomplete => "回答没有结束就断了，因此没有保存。再试一次。",
        FailureKind::NotBegun => "回答迟迟没有开始。模型还在加载时需要更久：再试一次，或者允许等得更久。",
        FailureKind::Stalled => "回答开始之后很久没有新内容，已放弃等待。再试一次。",
        FailureKind::Undecodable => "回答有一部分是坏的，因此没有保存。再试一次。",
        FailureKind::TooLong => "回答有一部分超过了这里能读的长度。请一次少要一些。",
        FailureKind::NotThisDialect => "收到的内容不符合这种协议。请检查设置里的 Base URL 和协议。",
    }
}
