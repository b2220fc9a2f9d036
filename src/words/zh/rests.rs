//! 由日志和时钟才知道的话，中文。

use crate::words::rests::{Reach, Rests};

/// The words.
pub(crate) static RESTS: Rests = Rests {
    stopped: |reach| match reach {
        Reach::Model => "模型调用已中断，没收完的回答不会进入 messages。点“运行”会重新调用。",
        Reach::Tool => "命令已被终止，它之前做过的事不会撤销。点“运行”会从这里继续，并告诉模型。",
        Reach::Nothing => "当时没有东西在运行。点“运行”会从这里继续。",
    },
    silent: |so_far, at_most| format!("已有 {so_far} 没有新内容，满 {at_most} 就放弃"),
    endpoint_answered: "端点返回了",
};
