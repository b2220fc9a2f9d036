//! 测试连接的文字，中文。

use agent_loop::connection::Cause;
use agent_loop::settings::{CallIdShape, EmptyContent, ReasoningSent, RoleOrder, SystemPlace, TokenLimitName};
use agent_loop::wire::Quirk;

use crate::words::trial::{TrialWords, Unlisted};
use crate::words::{Told, count};

/// The words.
pub(crate) static TRIAL: TrialWords = TrialWords {
    test: "测试连接",
    test_hint: "先请它回答一个词，再请它调用一次只有本页面才有的工具。不影响会话，只花少量 token。",
    stop: "停止测试",
    findings: "测试结果",
    answers: "能回答",
    calls_tools: "会调用工具",
    understands: "看得懂结果",
    untried: "未测试",
    under_way: "正在测试……",
    passed: "是",
    failed: "否",
    cause,
    said: "它的原话：",
    learnt: |lessons| format!("从它的拒绝中学到了 {lessons} 条请求规则。"),
    remembered: "从它的拒绝中学到，每个会话都会照做：",
    forget: "忘掉",
    quirk: |quirk| match quirk {
        Quirk::TokenLimit(TokenLimitName::MaxTokens) => "长度上限叫 max_tokens".to_owned(),
        Quirk::TokenLimit(TokenLimitName::MaxCompletionTokens) => "长度上限叫 max_completion_tokens".to_owned(),
        Quirk::TokenLimit(TokenLimitName::Omitted) => "不发送长度上限".to_owned(),
        Quirk::TokenCap(cap) => format!("回答的上限最多 {} token", count(u64::from(cap))),
        Quirk::NoStreamUsage => "不发送 stream_options".to_owned(),
        Quirk::NoStream => "不用流式，整体回答".to_owned(),
        Quirk::NoStop => "不发送停止序列".to_owned(),
        Quirk::EmptyContent(EmptyContent::Null) => "有调用时 content 为 null".to_owned(),
        Quirk::EmptyContent(EmptyContent::EmptyString) => "有调用时 content 为 \"\"".to_owned(),
        Quirk::EmptyContent(EmptyContent::Omitted) => "有调用时省略 content".to_owned(),
        Quirk::EchoReasoning => "发回 reasoning_content".to_owned(),
        Quirk::Reasoning(ReasoningSent::AsItCame) => "思考内容原样发回".to_owned(),
        Quirk::Reasoning(ReasoningSent::LeftOut) => "不发回思考内容".to_owned(),
        Quirk::Reasoning(ReasoningSent::SwitchedOff) => "关闭思考".to_owned(),
        Quirk::CallIds(CallIdShape::Plain) => "调用 id 由字母、数字、_ 和 - 组成".to_owned(),
        Quirk::CallIds(CallIdShape::NineCharacters) => "调用 id 是九个字母或数字".to_owned(),
        Quirk::RoleOrder(RoleOrder::Free) => "角色顺序不限".to_owned(),
        Quirk::RoleOrder(RoleOrder::Alternating) => "user 和 assistant 轮流".to_owned(),
        Quirk::SystemPlace(SystemPlace::System) => "系统提示词在它自己的位置".to_owned(),
        Quirk::SystemPlace(SystemPlace::FirstExchange) => "系统提示词作为第一轮对话发送".to_owned(),
    },
    list_models: "列出模型",
    models: "模型列表",
    listing: "正在获取模型列表……",
    listed: |models| match models {
        0 => "它没有列出任何模型名，请直接输入。".to_owned(),
        models => format!("它列出了 {models} 个模型。"),
    },
    more: |models| format!("还有 {models} 个，输入名字的一部分来查找"),
    none_fits: "列表里没有名字含这些字的模型，将按输入的名字使用。",
    not_listed: |failure| {
        let what = match Unlisted::of(failure) {
            Unlisted::Key => "要有它认可的密钥，它才列出模型。",
            Unlisted::Unreachable => "读不到模型列表：可能是网络或地址的问题，也可能它不允许网页调用。",
            Unlisted::NoList => "这个地址上没有模型列表。",
            Unlisted::Other => "没有拿到模型列表。",
        };
        Told::new(what, "可以直接输入任意名字。")
    },
};

fn cause(cause: Cause) -> Told {
    let (what, next) = match cause {
        Cause::KeyMissing => ("它要求密钥，但没有发送。", "请在上面填写密钥。"),
        Cause::KeyRefused => (
            "它不认可这个密钥。",
            "请检查密钥是否完整、是否已作废、是否属于这个服务。如果密钥在 bridge 那里，请到那里检查。",
        ),
        Cause::Forbidden => (
            "密钥有效，但没有权限。",
            "请检查账户：余额、模型权限，或是否禁止从浏览器调用。如果是后者，请由 bridge 转发。",
        ),
        Cause::NoSuchModel => ("它没有这个模型。", "请列出模型，或从服务的页面复制模型名。"),
        Cause::WrongAddress => {
            ("这个地址上是别的东西。", "请检查 Base URL：路径（/v1、/api/v1 等）对不对，是不是这种协议的地址。")
        }
        Cause::OtherDialect => ("它用另一种协议回答。", "请在上面换另一种端点：Messages 兼容或 OpenAI 兼容。"),
        Cause::NeedsRelay => {
            ("浏览器读不到回答，而且这个服务不允许网页调用。", "请通过 host-bridge 打开页面，由它转发。")
        }
        Cause::NeedsSwitch => {
            ("浏览器读不到回答：服务器没有运行，或者没有允许网页调用。", "请启动服务器，并按端点下方的说明打开开关。")
        }
        Cause::NotRunning => {
            ("本机的这个地址上没有网页能读到的回答。", "请启动服务器，检查端口，并允许网页调用（CORS）。")
        }
        Cause::Unreachable => (
            "读不到回答。浏览器不会说明是网络、地址的问题，还是对方不允许网页调用（CORS）。",
            "请检查 Base URL。如果本机的其他程序连得上它，请由 bridge 转发。",
        ),
        Cause::Busy => ("它太忙，或者请求太多。", "稍等片刻再测试。"),
        Cause::ServerFailed => ("服务自身出错。", "请再测试一次；如果一直这样，请查看它的日志或状态页。"),
        Cause::Silent => ("等了很久没有任何回答。", "加载模型可能要几分钟：请看看服务器，再测试一次。"),
        Cause::Cut => {
            ("回答中途断了，或者有一部分是坏的。", "请再测试一次。如果一直这样，可能是中间的代理或时间限制截断了它。")
        }
        Cause::ContextTooSmall => {
            ("连这么短的请求也超过了模型能读的长度。", "请用更大的上下文启动服务器；光是工具说明就要几百个 token。")
        }
        Cause::Refused => ("它不接受这个请求。", "请对照它的原话检查设置：模型、协议、max_tokens。"),
        Cause::Declined => ("模型或它前面的过滤器拒绝了。", "请换一个模型试试。"),
        Cause::EmptyAnswer => ("回答是空的。", "对话模板可能不是这个模型自己的，或者 max_tokens 全用在思考上了。"),
        Cause::LimitTooLow => ("还没说到正题，回答就被截断了。", "请调大 max_tokens：会思考的模型还需要思考的余地。"),
        Cause::ToolsRefused => (
            "它能回答，但不接受带工具的请求。",
            "请换一个会调用工具的模型，或让服务器支持它（llama.cpp：--jinja；vLLM：--enable-auto-tool-choice 和 --tool-call-parser）。",
        ),
        Cause::CallInWords => (
            "模型把调用写成了文字，服务器没有认出这是调用。",
            "请给服务器配上这个模型自己的对话模板和工具解析器（llama.cpp：--jinja；vLLM：--tool-call-parser）。",
        ),
        Cause::NoCall => {
            ("它只用文字回答，没有调用任何工具。", "对话模板可能丢掉了工具，或者模型不会调用工具：请换模板或换模型。")
        }
        Cause::OtherTool => {
            ("它调用了一个没有提供给它的工具。", "对话模板可能不是这个模型自己的，或者模型太小，用不好工具。")
        }
        Cause::BadArguments => {
            ("它调用了工具，但参数无法使用。", "工具解析器可能是别的模型的，或者模型太小，用不好工具。")
        }
        Cause::ResultRefused => {
            ("它会调用工具，但拒绝带结果的请求。", "对话模板里没有结果的位置，或者中间的网关改动了结果。请换一个模板。")
        }
        Cause::ResultIgnored => {
            ("它会调用工具，但回答里没有结果的内容。", "对话模板可能丢掉了结果：请用这个模型自己的模板。")
        }
        Cause::CallsAgain => (
            "它又调用了一次工具，好像没有收到结果。",
            "对话模板可能丢掉了结果：请用这个模型自己的模板。小模型也可能这样。",
        ),
    };
    Told::new(what, next)
}
