//! What happened and what to do next, in Chinese.

use agent_loop::{Rest, Step};

use crate::app::{BridgeStatus, StoreStatus};
use crate::run::store::Unreadable;
use crate::words::Told;

pub(super) fn end(rest: &Rest) -> &'static str {
    match rest {
        Rest::TokenBudget(_) => "token 预算已用完",
        Rest::TimeBudget(_) => "时间预算已用完",
        Rest::MoneyBudget(_) => "花费预算已用完",
        Rest::SameCall(_) => "一再请求同一个调用",
        Rest::PauseLimit(_) => "一再暂停",
        Rest::ContextNearlyFull(_) => "上下文窗口快满了",
        Rest::Fresh => "还没有消息",
        Rest::EndTurn => "模型不再请求工具",
        Rest::MaxTokens => "到达 max_tokens",
        Rest::StopSequence(_) => "遇到停止序列",
        Rest::Refusal => "模型拒绝",
        Rest::ContentFilter => "被过滤器截断",
        Rest::ContextWindowExceeded => "上下文窗口已满",
        Rest::CallInWords => "调用写在了文字里",
        Rest::EmptyAnswer => "回答是空的",
        Rest::Other(_) => "因别的原因结束",
        Rest::TurnLimit(_) => "到达模型调用上限",
        Rest::RunsOnce => "已按设置执行完",
        Rest::Stopped => "被你停止",
        Rest::Failed(_) => "模型调用失败",
        Rest::Interrupted => "中断了",
        Rest::HostUnavailable(_) => "工具主机不在",
        Rest::NotConfigured => "没有设置端点",
    }
}

pub(super) fn run_would(step: &Step<()>, limit: u32) -> String {
    match step {
        Step::Rest(Rest::TurnLimit(_)) => format!("再允许 {limit} 次模型调用并继续"),
        Step::Rest(Rest::Failed(_)) => "再次调用模型".to_owned(),
        Step::Rest(Rest::TokenBudget(_) | Rest::TimeBudget(_) | Rest::MoneyBudget(_)) => {
            "再允许同样多并继续".to_owned()
        }
        Step::Rest(
            Rest::Stopped
            | Rest::Interrupted
            | Rest::HostUnavailable(_)
            | Rest::RunsOnce
            | Rest::SameCall(_)
            | Rest::PauseLimit(_)
            | Rest::EmptyAnswer
            | Rest::ContextNearlyFull(_),
        ) => "从这里继续".to_owned(),
        Step::Rest(_) => "请先写一条消息".to_owned(),
        Step::Prepare | Step::CallModel(_) | Step::Settle(_) | Step::RunTool(_) | Step::WriteBack | Step::Wait(_) => {
            "循环到模型不再请求工具为止".to_owned()
        }
    }
}

pub(super) fn bridge_status(status: &BridgeStatus) -> String {
    match status {
        BridgeStatus::None => "这里没有桥接".to_owned(),
        BridgeStatus::Connecting(1) => "正在连接".to_owned(),
        BridgeStatus::Connecting(attempt) => format!("正在连接，第 {attempt} 次"),
        BridgeStatus::Ready { cwd, sandbox: Some(true) } => format!("就绪：{cwd}（沙箱内）"),
        BridgeStatus::Ready { cwd, sandbox: Some(false) } => format!("就绪：{cwd}（无沙箱）"),
        BridgeStatus::Ready { cwd, sandbox: None } => format!("就绪：{cwd}"),
        BridgeStatus::Gone => "已断开".to_owned(),
        BridgeStatus::NoLink => "没有用链接打开".to_owned(),
        BridgeStatus::NewBridge => "已换成新的".to_owned(),
        BridgeStatus::Elsewhere => "在另一个标签页".to_owned(),
    }
}

pub(super) fn bridge_notice(status: &BridgeStatus) -> Option<Told> {
    match status {
        BridgeStatus::Connecting(_) | BridgeStatus::Ready { .. } => None,
        BridgeStatus::None => Some(Told::new(
            "这个页面不是由 host-bridge 提供的，所以没有 shell。",
            "你可以自己当工具，练习模型照常可用。要用真正的 shell，请启动 host-bridge 并打开它的链接。",
        )),
        BridgeStatus::Gone => Some(Told::new(
            "本机桥接没有回应。这里的内容都在。",
            "会自动重试。如果它已经退出，请启动 host-bridge 并打开它打印的链接。",
        )),
        BridgeStatus::NoLink => Some(Told::new(
            "这个标签页不是用本机桥接的链接打开的。",
            "请在这个浏览器里打开 host-bridge 打印的链接，本标签页随后会接着用它。",
        )),
        BridgeStatus::NewBridge => Some(Told::new(
            "本机桥接换了一个，不认识这个标签页。",
            "请在这个浏览器里打开 host-bridge 打印的链接，本标签页随后会接着用它。",
        )),
        BridgeStatus::Elsewhere => {
            Some(Told::new("这个浏览器的另一个标签页正在使用本机桥接。", "在本标签页运行，就会把它接回来。"))
        }
    }
}

pub(super) fn store_notice(status: &StoreStatus) -> Option<Told> {
    match status {
        StoreStatus::Keeping => None,
        StoreStatus::NotKeeping(why) => {
            Some(Told::new(format!("会话没有被保存：{why}"), "关闭本标签页后就没有了。可能是隐私窗口，或者磁盘已满。"))
        }
    }
}

pub(super) fn read_only() -> Told {
    Told::new("这个会话已在另一个标签页打开，所以这里只能看。", "请到那里继续，或者在这里接管。")
}

pub(super) fn unopened(why: &Unreadable) -> Told {
    match why {
        Unreadable::Missing => Told::new("存储里没有这个会话。", "可能已经在另一个标签页里删除了。"),
        Unreadable::LaterFormat(format) => {
            Told::new(format!("这个会话由更新版本的循环镜写成（格式 {format}）。"), "它原样保留着。请用那个版本打开。")
        }
        Unreadable::Damaged(number, fault) => Told::new(
            format!("这个会话的第 {number} 条记录无法读取：{fault}"),
            "它原样保留着。请开一个新会话，或者打开别的会话。",
        ),
        Unreadable::Refused(why) => Told::new(format!("浏览器没有读出这个会话：{why}"), "请刷新页面后再打开一次。"),
        Unreadable::Unfetched => unfetched(),
    }
}

pub(super) fn unfetched() -> Told {
    Told::new(
        "本页有一部分没能取到。",
        "请确认桥接程序（或提供这些文件的服务器）仍在运行，然后再试。如果它现在提供的是更新的页面，请刷新。已记录的内容不会丢失。",
    )
}
