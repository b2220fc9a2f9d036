//! 端点的相关文字，中文。

use agent_loop::settings::Auth;
use agent_loop::wire::{AddressFault, AddressNote, KeyWanted};

use crate::words::connection::Connection;
use crate::words::count;

/// The words.
pub(crate) static CONNECTION: Connection = Connection {
    part: "连接",
    direct: "网页可以直接调用这个服务。",
    key: |wanted, auth| match (wanted, auth) {
        (KeyWanted::None, _) | (_, Auth::None) => "不发送密钥。",
        (KeyWanted::Needed, Auth::Bearer) => "必填。以 Authorization: Bearer 发送。",
        (KeyWanted::Needed, Auth::XApiKey) => "必填。以 x-api-key 发送。",
        (KeyWanted::Optional, Auth::Bearer) => "服务器要求时才需要。以 Authorization: Bearer 发送。",
        (KeyWanted::Optional, Auth::XApiKey) => "服务器要求时才需要。以 x-api-key 发送。",
    },
    goes_to: "请求发往",
    fault: |fault| match fault {
        AddressFault::Empty => "还没有填地址。".to_owned(),
        AddressFault::Scheme(scheme) => format!("地址应以 https:// 或 http:// 开头，而不是 {scheme}://。"),
        AddressFault::NoHost => "这个地址里没有主机名。".to_owned(),
        AddressFault::Blanks => "这个地址中间有空格。".to_owned(),
        AddressFault::Credentials => "主机名前面有用户名或密钥，浏览器会拒绝。密钥请填在下面的“密钥”里。".to_owned(),
    },
    mended: |note| match note {
        AddressNote::SchemeAdded => "开头的 https:// 或 http:// 不完整，已补上。",
        AddressNote::PathCut => "末尾的路径已去掉：每次请求都会自动补上。",
        AddressNote::OtherDialect => "这是另一种协议的路径。如果服务用的是那种协议，请在上面换一个端点。",
        AddressNote::VersionTwice => "/v1 出现了两次，只用一次。",
        AddressNote::PlainHttp => "没有加密：密钥和所有消息在途中都能被人看到。",
    },
    plain_http: "本页面不能用明文 http 调用别的机器，否则密钥和所有消息在途中都能被人看到。请改用 https，或者由 bridge 转发：启动它时加上 --relay 名字=地址。",
    other_name: "本页面只能用 localhost 或 127.0.0.1 调用本机。",
    use_address: |address| format!("改用 {address}"),
    at_most: |number| format!("最大只能是 {}，已按它保存。", count(number)),
    at_least: |number| format!("最小只能是 {}，已按它保存。", count(number)),
    usual: |number| format!("不能留空：已用默认值 {}。", count(number)),
    no_number: |typed| format!("“{typed}”不是整数，没有改动。"),
    no_amount: |typed| format!("“{typed}”不是金额，没有改动。"),
};
