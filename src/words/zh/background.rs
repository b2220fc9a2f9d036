//! Commands in the background, in Chinese.

use bridge_protocol::frames::Outcome;

use crate::words::background::{Background, BackgroundSetting};

/// The words.
pub(crate) static BACKGROUND: Background = Background {
    title: "后台命令",
    counts: |running, ended| match ended {
        0 => format!("{running} 条在运行"),
        ended => format!("{running} 条在运行，{ended} 条已结束"),
    },
    running: "运行中",
    ended: |outcome| match outcome {
        Outcome::Exited { code } => format!("已结束，退出码 {code}"),
        Outcome::Signalled { number } => format!("被信号 {number} 结束"),
        Outcome::Stopped => "已停止".to_owned(),
        Outcome::Lost { .. } => "结果未知".to_owned(),
        Outcome::TimedOut { .. } | Outcome::CannotStart { .. } | Outcome::Background { .. } | Outcome::Listed => {
            "已结束".to_owned()
        }
    },
    stop: |id| format!("停止 {id}"),
    goes_on: "它会在后台一直运行，关闭本页也不停，直到自己结束、被停止，或本机桥接退出。",
    allowed_before: "没有询问：它只是查看或结束一条此前已允许的后台命令。",
};

/// The switch.
pub(crate) static SETTING: BackgroundSetting = BackgroundSetting {
    label: "允许模型让命令在后台运行",
    hint: "向模型提供带 `background` 参数的 bash，以及 bash_list、bash_read、bash_kill。只有本机桥接支持；在别处会如实告诉模型没有后台。",
};
