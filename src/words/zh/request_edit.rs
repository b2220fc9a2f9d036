//! 请求编辑器的中文。

use crate::words::request_edit::RequestEditWords;

/// The words.
pub(crate) static REQUEST_EDIT: RequestEditWords = RequestEditWords {
    open: "编辑 system、工具和参数",
    edited: |what| format!("这次请求之前改过：{what}"),
    nothing: "（无）",
    offer: |tool| format!("提供 {tool}"),
    description: |tool| format!("{tool} 的描述"),
    system: "系统提示词",
    max_tokens: "max_tokens",
    stop_sequences: "stop_sequences（每行一个）",
    hint: "从本会话的下一次请求起生效，原来的内容留在日志里。没有提供的工具无法被调用。",
};
