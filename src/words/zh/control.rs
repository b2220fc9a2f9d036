//! Breakpoints, edits, time and branches, in Chinese.

use crate::run::breakpoints::Moment;
use crate::words::control::{Control, TimeWords};

pub(in crate::words) const CONTROL: Control = Control {
    breakpoints_hint: "运行会在这些地方自己停住。停住时可以修改 messages、参数或结果；在调用模型之前还可以修改系统提示词、工具和请求参数。点“运行”继续。",
    moment,
    never: "从不",
    always: "总是",
    first: "每条消息的第一次",
    in_turn: "在第几轮…",
    pattern: "命令匹配…",
    turn_of: |at| format!("轮次，{}", moment(at)),
    pattern_of: |at| format!("匹配模式（* 代表任意内容），{}", moment(at)),
    held: |at| format!("停在断点：{}。", moment(at)),
    edit_message: "编辑",
    editing: |place| format!("编辑 messages[{place}]"),
    edit_arguments: |id| format!("编辑 {id} 的参数"),
    edit_result: |id| format!("编辑 {id} 的结果"),
    text: "文字",
    arguments: "参数（JSON）",
    result: "模型读到的结果",
    save: "保存修改",
    save_and_run: "从这里开新分支继续运行",
    save_and_run_hint: "保存会把原文留在旁边。新分支不改动这一条。两者都不会改动你的文件。",
    cancel: "取消",
    queue: "排队中，结果返回后发送",
    take_back: "撤回",
};

fn moment(at: Moment) -> &'static str {
    match at {
        Moment::BeforeModel => "调用模型之前",
        Moment::BeforeTool => "调用工具之前",
        Moment::AfterTool => "调用工具之后",
    }
}

pub(in crate::words) const TIME: TimeWords = TimeWords {
    slider: "时间",
    at: |at, of, fact| format!("第 {at} 条记录，共 {of} 条：{}", fact.name()),
    looking_back: |at, of| format!("你在回看：会话在第 {at} 条记录之后的样子（共 {of} 条）。"),
    files_untouched: "这里什么都不会运行，你机器上的文件保持现在的样子：回看不会改动任何文件。",
    fork_here: "从这里分叉",
    back_to_now: "回到现在",
    earlier: "前一条记录",
    later: "后一条记录",
    forked: |parent, at| format!("“{parent}”在第 {at} 条记录之后的分支"),
    orphaned: |at| format!("一个已删除的会话在第 {at} 条记录之后的分支"),
    branched: "新分支从这里开始。",
    branched_next: "没有重新运行任何东西。“运行”会从这里继续，之前允许过的会再问一次。",
    rename: "改名",
    name: "会话的名字",
    keep_name: "用这个名字",
    compare: "与这个分支比较",
    comparison: "两个分支并排",
    close_comparison: "关闭比较",
    shared: |count| format!("前 {count} 条两边相同"),
    this_branch: "当前分支",
    nothing_more: "没有更多",
};
