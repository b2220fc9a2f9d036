//! 沙箱的中文。

use bridge_protocol::frames::{NoSandbox, Sandbox};

pub(crate) fn told(sandbox: &Sandbox) -> String {
    let why = match sandbox {
        Sandbox::On { network: false } => {
            return "在沙箱中运行：只能写工作区，看不到密钥，没有网络。".to_owned();
        }
        Sandbox::On { network: true } => {
            return "在沙箱中运行：只能写工作区，看不到密钥，可以联网。".to_owned();
        }
        Sandbox::Off { why: NoSandbox::NotWanted } => "启动 bridge 时用了 --sandbox off".to_owned(),
        Sandbox::Off { why: NoSandbox::OtherSystem } => "bridge 只在 Linux 上提供沙箱".to_owned(),
        Sandbox::Off { why: NoSandbox::NoBubblewrap } => "没有安装 bubblewrap".to_owned(),
        Sandbox::Off { why: NoSandbox::Failed { detail } } => format!("沙箱无法建立（{detail}）"),
    };
    format!("没有沙箱，命令拥有你的全部权限：{why}。")
}
