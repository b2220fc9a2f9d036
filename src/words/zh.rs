//! Chinese.

pub(super) mod background;
pub(super) mod capture;
pub(super) mod code;
pub(super) mod connection;
mod control;
pub(super) mod cost;
pub(super) mod dialects;
pub(super) mod lens;
pub(super) mod request_edit;
mod rest;
pub(super) mod rests;
pub(super) mod sandbox;
pub(super) mod session;
pub(super) mod settings;
mod stops;
mod told;
pub(super) mod trial;
pub(super) mod whole;

use agent_loop::{Dialect, Stage, Step};
use practice_model::Group;

use super::{Composer, Deck, Header, Inspector, Messages, Notices, Sessions, SettingsHead, Words};
use crate::app::Theme;

pub(super) static WORDS: Words = Words {
    tag: "zh-CN",
    header: Header {
        model: "模型",
        dialect: "协议",
        tool_host: "工具主机",
        practice: "练习模型：是脚本，不是 AI",
        practice_group: |group| match group {
            Group::Tasks => "任务",
            Group::BrokenCalls => "出错的调用",
            Group::StopReasons => "各种 stop_reason",
            Group::Faults => "会出故障的端点",
        },
        host_bridge: "本机桥接",
        you: "你来当工具",
        you_the_model: "你自己：每个回答都由你来写",
        you_status: "你读每次调用，亲手写结果",
        bridge: told::bridge_status,
        other_language: "English",
        theme: |theme| match theme {
            Theme::System => "主题：跟随系统",
            Theme::Light => "主题：浅色",
            Theme::Dark => "主题：深色",
        },
        settings: "设置",
        new_session: "新会话",
        sessions: "会话",
        inspector: "检查器",
    },
    deck: Deck {
        label: "循环",
        stage,
        stage_short: |stage| match stage {
            Stage::Prepare => "准备",
            Stage::CallModel => "调用",
            Stage::Save => "保存",
            Stage::Check => "检查",
            Stage::RunTool => "执行",
            Stage::GoRound => "循环",
        },
        live: "当前",
        next: "下一步",
        goes_on: "继续",
        ends: "结束",
        end: told::end,
        no_end: "直到模型不再请求工具",
        run: "运行",
        step: "单步",
        pause: "暂停",
        stop: "停止",
        run_would: told::run_would,
        step_would: |step| match step {
            Step::Prepare => "准备请求，先不发送",
            Step::CallModel(_) => "调用模型",
            Step::Settle(_) => "检查这次调用：解析、校验、授权",
            Step::RunTool(_) => "执行这次调用",
            Step::WriteBack => "把结果写回 messages",
            Step::Wait(_) => "等待下一次尝试",
            Step::Rest(_) => "只做一步",
        },
        would_send: "发送消息，循环到模型不再请求工具为止",
        pausing: "做完这一步就停 …",
        stopping: "正在停止 …",
        how_on: "“单步”只做这一步；“运行”会循环到模型不再请求工具为止。",
        model_calls: "模型调用",
        used_of: |used, limit| format!("{used} / {limit}"),
        breakpoints: "断点",
    },
    messages: Messages {
        region: "对话",
        newest: "回到最新",
        fresh: "还没有消息。",
        fresh_next: "写一条消息，或从下面选一个例子。",
    },
    composer: Composer {
        message: "消息",
        placeholder: "想让它做什么？",
        looking_back: "正在回看：回到现在才能输入",
        send: "发送",
        keys: "Enter 发送 · Shift+Enter 换行",
        queued: |count| format!("{count} 条消息在等这一轮结束"),
        examples: "可以试试",
    },
    sessions: Sessions {
        title: "会话", none: "发过消息的会话会列在这里。", close: "关闭会话列表"
    },
    inspector: Inspector {
        title: "检查器",
        close: "关闭检查器",
        request: "请求",
        response: "响应",
        state: "状态",
        tool: "工具",
        code: "代码",
        cost: "开销",
        no_exchange: "请求和响应会在这里按线上的原样显示。本标签页还没有看到过；它们不会跨刷新保留。",
    },
    settings: SettingsHead { title: "设置", applies: "改动从下一次请求起生效。", close: "完成" },
    notices: Notices {
        label: "提示",
        bridge: told::bridge_notice,
        store: told::store_notice,
        read_only: told::read_only,
        take_over: "在这里接管",
        asked_over: "已提出请求。那边没有运行时就会转到这里。",
        unopened: told::unopened,
        unfetched: told::unfetched,
        fetch_again: "重新获取",
        reconnect: "立即重连",
        be_the_tool: "由我来当工具",
    },
};

fn stage(stage: Stage, dialect: Dialect) -> &'static str {
    match stage {
        Stage::Prepare => "准备 messages 和 tools",
        Stage::CallModel => "调用模型",
        Stage::Save => "保存 assistant 消息",
        Stage::Check => match dialect {
            Dialect::Anthropic => "检查 stop_reason",
            Dialect::OpenAi => "检查 tool_calls",
        },
        Stage::RunTool => "执行 handler，追加结果",
        Stage::GoRound => "再来一轮，或结束",
    }
}
