//! 检查器其他标签页的中文。

use crate::words::lens::Lens;

/// The words.
pub(crate) static LENS: Lens = Lens {
    copy_as: "复制为",
    code_program: "程序",
    code_runs: "这里运行的就是这个文件。高亮的是正在进行的阶段，或者下一个阶段。",
    code_same_shape: "一个同样形状的完整程序。高亮的是这里正在进行的阶段，或者下一个阶段。",
    run_goes_on: "运行仍在继续，您机器上的文件也是现在的样子：回看不会改动任何文件。",
    browser_said: "浏览器说",
};
