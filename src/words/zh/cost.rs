//! “开销”标签页的中文。

use agent_loop::settings::Currency;

use crate::words::cost::CostWords;
use crate::words::count;

/// The words.
pub(crate) static COST: CostWords = CostWords {
    nothing_yet: "还没有调用过模型。",
    sums: "合计",
    model: "模型",
    model_calls: |calls, time| format!("{calls} 次调用，{time}"),
    tools: "工具",
    tool: "工具",
    runs: |runs, time| format!("执行 {runs} 次，{time}"),
    waits: "重试前等待",
    tokens_in: "输入 token",
    tokens_out: "输出 token",
    cache_read: "缓存读取",
    cache_write: "缓存写入",
    not_told: "未告知",
    money: "费用",
    unknown_money: |answers| format!("有 {answers} 次回答未计入：没有价格，或没有 token 数"),
    no_price: "无价格",
    time: "耗时",
    time_hint: "只算工作时间，不含等你操作的时间。",
    what: "项目",
    first_byte: "首字节",
    took: "耗时",
    call: |number| format!("第 {number} 次模型调用"),
    wait: "重试前等待",
    failed: "失败",
    cut: "中断",
    under_way: "进行中",
    unknown_time: "不详",
    until_first_byte: "等待首字节",
    streaming: "流式输出",
    newest: |shown, of| format!("最近 {shown} 项，共 {of} 项。"),
    context: "上下文与 token",
    largest: |used| format!("最大的一次请求：{} token。尚未设置模型的上下文窗口，可在“设置”里填写。", count(used)),
    largest_of: |used, window| {
        let part = used.saturating_mul(100) / window.max(1);
        format!("最大的一次请求：{} token，占窗口 {} token 的 {part}%。", count(used), count(window))
    },
    number: "调用",
    total: "合计",
    prices: "价格",
    prices_hint: "每百万 token 的价格。你填写的价格保存在本浏览器中，立即用于这里的计算；预算从下次运行起按它计算。超长请求、批处理和闲时的价格可能不同。",
    input: "输入",
    output: "输出",
    currency: "货币",
    currency_name: |currency| match currency {
        Currency::Usd => "美元",
        Currency::Cny => "人民币",
    },
    listed: |day| format!("来自 {day} 的价目表。价格会变，请核对"),
    own: "你自己填写的价格。",
    half: "输入和输出都有价格后才会计入。",
    unlisted: "不知道价格，因此不计费用。",
    use_list: "改用价目表",
    forget: "删除这个价格",
};
