//! 打开抓到的回答，中文。

use agent_loop::FailureKind;
use agent_loop::capture::{InputFault, Suspicion};

use crate::words::capture::CaptureWords;

/// The words.
pub(crate) static CAPTURE: CaptureWords = CaptureWords {
    open: "打开抓到的回答……",
    about: "看看您在别处抓到的回答是怎样的一轮。",
    title: "打开抓到的回答",
    stays_here: "内容不会离开本页面。",
    close: "完成",
    paste: "粘贴一段流或完整的响应体，也可以把文件拖到这里",
    pick: "选择文件……",
    dialect: "这份内容的协议",
    looks_so: "（看起来是）",
    nothing: "这里会显示拼好的一轮：怎样结束，多少 token，哪里不对劲，有哪些内容块。",
    unreadable: |name| format!("读不了 {name}：文件可能已被移动或修改，也可能是文件夹。请重新选择，或粘贴内容。"),
    complete: |reason| match reason {
        "" => "这一轮完整；没有说明 stop_reason。".to_owned(),
        reason => format!("这一轮完整：{reason}。"),
    },
    tokens: |input, output| format!("输入 {input} token，输出 {output}"),
    failed: |kind| match kind {
        FailureKind::Incomplete => "这一轮被截断：没有说明结束。其中的调用都不会执行。",
        FailureKind::NotThisDialect => "这不是这种协议的回答。会不会是另一种？",
        FailureKind::Undecodable => "这一轮已损坏：有一部分不是 JSON。",
        FailureKind::TooLong => "其中有一部分太长，超出了这里能读的长度。",
        _ => "这一轮失败了：里面报告了错误。",
    },
    said: "原话：",
    odd: "不对劲的地方",
    suspicion: |suspicion, _| of(suspicion),
    content: "这一轮的内容块",
    json: "这一轮的 JSON，与 host-bridge wire decode 打印的相同",
};

fn of(suspicion: &Suspicion) -> String {
    match suspicion {
        Suspicion::CallsBarred(reason) => format!("回答以 {reason} 结束，其中的调用不会执行。"),
        Suspicion::EndedWithCalls(reason) => format!("回答里有工具调用，端点却报告 {reason}；调用照样执行。"),
        Suspicion::CallsNothing(reason) => format!("端点报告 {reason}，但回答没有调用任何工具。"),
        Suspicion::CallInWords => {
            "工具调用写在了文字里：服务器没有认出它（对话模板、--jinja、工具解析器）。它不会被执行。".to_owned()
        }
        Suspicion::WordsMissing(tokens) => format!(
            "模型写了 {tokens} 个 token，回答里却几乎没有：服务器可能扣下了一个没有写完的工具调用（对话模板、工具解析器）。"
        ),
        Suspicion::NoReason => "端点说回答结束了，但没有说原因。".to_owned(),
        Suspicion::UnknownReason(reason) => format!("端点报告的 stop_reason 不认识：{reason}。"),
        Suspicion::Empty => "回答是空的。".to_owned(),
        Suspicion::NoId(id) => format!("有一个调用没有 id，这里叫它 {id}。"),
        Suspicion::IdTwice(id) => format!("有一个调用的 id 与别的调用相同，这里叫它 {id}。"),
        Suspicion::NoName(id) => format!("调用 {id} 没有写工具名。"),
        Suspicion::Mended(id) => format!("调用 {id} 的参数不是标准 JSON，已修补。"),
        Suspicion::CannotRun(id, why) => {
            let why = match why {
                InputFault::Unfinished => "回答被截断或失败，调用可能不完整".to_owned(),
                InputFault::EndedBefore(reason) => format!("参数还没到，回答就以 {reason} 结束了"),
                InputFault::NoObject => "参数不是 JSON 对象".to_owned(),
                InputFault::NoJson(why) => format!("参数不是 JSON：{why}"),
            };
            format!("调用 {id} 无法执行：{why}。")
        }
    }
}
