//! 代码块的中文。

use crate::words::code::Code;

/// The words.
pub(crate) static CODE: Code = Code {
    code: "文本",
    block: |language| format!("代码：{language}"),
    of: |copy, language| format!("{copy}：{language}"),
    not_copied: "未复制：浏览器不允许",
};
