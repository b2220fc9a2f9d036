//! 以 JSON 显示 `messages` 时的中文。

use agent_loop::Dialect;

use crate::view::dialects::Difference;
use crate::words::dialects::DialectWords;

/// The words.
pub(crate) static DIALECTS: DialectWords = DialectWords {
    new_since: "上次请求之后新增",
    show_as: "messages 的显示方式",
    blocks: "内容块",
    both: "并排对照",
    own: "当前会话",
    before: "请求中 messages 之前的部分",
    after: "请求中 messages 之后的部分",
    added: "会话里没有这一条：为了让端点接受请求而补上",
    repaired: "发送前修补过",
    differences: "不同之处",
    difference,
};

fn difference(difference: Difference) -> (&'static str, &'static str) {
    match difference {
        Difference::System => ("system 是请求的一个字段", "系统提示词是第一条消息"),
        Difference::Tools => ("tools：input_schema", "tools：function.parameters"),
        Difference::Stop => ("stop_sequences", "stop"),
        Difference::Content => ("content 是内容块的列表", "content 是字符串"),
        Difference::Call => ("tool_use 是 content 里的一个块", "tool_calls 与 content 并列"),
        Difference::Arguments => ("input 是对象", "arguments 是装着 JSON 的字符串"),
        Difference::NoWords => ("没有文字：没有 text 块", "没有文字：content 为空"),
        Difference::Result => ("每个 tool_result 都是同一条 user 消息里的块", "每个结果都是一条 role 为 tool 的消息"),
        Difference::Failed => ("is_error 说明调用失败", "只有文字说明调用失败"),
        Difference::WordsBeside => ("文字跟在结果后面", "文字单独成为一条 user 消息"),
        Difference::Reasoning(Dialect::Anthropic) => ("thinking 原样送回给产生它的一方", "不发送 thinking"),
        Difference::Reasoning(Dialect::OpenAi) => ("不发送推理内容", "推理内容原样送回给产生它的一方"),
        Difference::LeftOut(Dialect::Anthropic) => ("不发送", "发送"),
        Difference::LeftOut(Dialect::OpenAi) => ("发送", "不发送"),
    }
}
