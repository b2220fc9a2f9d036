//! The whole of an output, in Chinese.

use crate::words::whole::Whole;

/// The words.
pub(crate) static WHOLE: Whole = Whole {
    title: "完整输出",
    left_out: |head, bytes, tail| match tail {
        Some(tail) => format!("模型读到的是开头 {head} 个字符和结尾 {tail} 个字符，中间略去了 {bytes}。"),
        None => format!("模型读到的是开头 {head} 个字符，后面略去了 {bytes}。"),
    },
    fetch: |bytes| format!("获取完整输出（{bytes}）"),
    fetching: "正在获取……",
    download: "下载",
    binary: "这是二进制输出，只能下载，无法显示。",
    kept: |kept, written| format!("输出共 {written}，本机桥接只保留了开头 {kept}。"),
    gone: "本机桥接已不再保留这份输出：位置让给了后来的命令，或者桥接重启过。",
    unreachable: "本机桥接没有应答。",
    earlier: "上一段",
    later: "下一段",
    place: |from, to, all| format!("第 {from} 到 {to} 字节，共 {all} 字节"),
};
