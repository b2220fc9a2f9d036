//! Lesson 2: write hello.py, run it, tell what it really printed; break it when asked to; repair it whenever it fails.

use super::{
    asked_output::asked_output,
    list_files::did_not_work,
    quote::{printed, quote},
};
use crate::{
    conversation::{Conversation, Outcome, Step, mentions},
    reply::Reply,
};

/// How often a failing program is repaired before the script gives up.
const REPAIRS: usize = 2;

const CREATING: &[&str] = &["create", "write", "make", "创建", "新建", "写", "建一个"];

const RUN: &str = "python3 hello.py";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    Create,
    Run,
    Break,
    /// Break it, and leave it so.
    OnlyBreak,
    Repair,
}

/// Understands creating, running, breaking and repairing hello.py.
pub(super) fn hello_py(conversation: &Conversation<'_>) -> Option<Reply> {
    let task = task(conversation)?;
    let said = std::iter::once(conversation.words).chain(conversation.earlier.iter().rev().copied());
    let mut asked = said.filter(|words| mentions(words, CREATING)).filter_map(asked_output);
    let printed = asked.next().unwrap_or("Hello, Agent Harness");
    let good = format!("cat > hello.py <<'EOF'\nprint(\"{printed}\")\nEOF");
    let bad = "cat > hello.py <<'EOF'\nprint(greeting)\nEOF";
    let plan: &[&str] = match task {
        Task::Create => &[&good, RUN],
        Task::Break | Task::OnlyBreak => &[bad, RUN],
        Task::Run | Task::Repair => &[RUN],
    };
    let steps = &conversation.steps;
    let done = steps.len();
    let Some(last) = steps.last() else {
        let text = match task {
            Task::Create => conversation.say("I'll write hello.py.", "我来写 hello.py。", &[]),
            Task::Run => conversation.say("I'll run hello.py.", "我来运行 hello.py。", &[]),
            Task::Break | Task::OnlyBreak => conversation.say("I'll break hello.py.", "我来把 hello.py 弄坏。", &[]),
            Task::Repair => {
                conversation.say("I'll run hello.py to see what is wrong.", "我先运行 hello.py，看看哪里不对。", &[])
            }
        };
        return Some(conversation.ask_for(text, plan.first().copied()));
    };
    if last.outcome == Outcome::Refused {
        return Some(did_not_work(conversation, last));
    }
    let after_plan = done.checked_sub(plan.len());
    let wrote = !matches!(after_plan, Some(extra) if extra % 2 == 0);
    if wrote {
        if last.outcome == Outcome::Failed {
            return Some(did_not_work(conversation, last));
        }
        return Some(conversation.ask_for(conversation.say("Now I run it.", "现在运行它。", &[]), [RUN]));
    }
    let repairs = after_plan.unwrap_or_default() / 2;
    let leave = task == Task::OnlyBreak || lacks_python(last) || repairs >= REPAIRS;
    if last.outcome == Outcome::Failed && !leave {
        let text = conversation.say(
            "hello.py failed ({0}). I repair it and run it again.",
            "hello.py 运行失败（{0}）。我来修好它，再运行一次。",
            &[last_line(last)],
        );
        return Some(conversation.ask_for(text, [good.as_str()]));
    }
    Some(report(conversation, task, last))
}

fn report(conversation: &Conversation<'_>, task: Task, last: &Step<'_>) -> Reply {
    let output = match last.outcome {
        Outcome::Fine => quote(conversation, printed(last.result)),
        Outcome::Failed | Outcome::Refused => quote(conversation, last.result),
    };
    if lacks_python(last) {
        return conversation.tell(
            "hello.py cannot run here, because `python3` is not there. What came back:\n\n{0}",
            "这里没有 `python3`，所以 hello.py 无法运行。返回的是：\n\n{0}",
            &[&output],
        );
    }
    if last.outcome == Outcome::Failed {
        return conversation.tell(
            "hello.py does not run. What came back:\n\n{0}\n\nSay \"repair it\" and I try.",
            "hello.py 现在跑不起来。返回的是：\n\n{0}\n\n说“修好它”，我就来修。",
            &[&output],
        );
    }
    let broken = conversation.steps.iter().rev().find(|step| step.outcome == Outcome::Failed);
    match (task, broken) {
        (Task::Break | Task::OnlyBreak, Some(broken)) => conversation.tell(
            "I broke hello.py, and running it failed:\n\n{0}\n\nThen I repaired it and ran it again. Its actual output \
             now:\n\n{1}",
            "我把 hello.py 弄坏了，运行失败：\n\n{0}\n\n然后我修好并再次运行，现在的实际输出是：\n\n{1}",
            &[&quote(conversation, broken.result), &output],
        ),
        (_, Some(broken)) => conversation.tell(
            "hello.py had failed ({0}). I repaired it and ran it again. Its actual output:\n\n{1}",
            "hello.py 曾经运行失败（{0}）。我修好后又运行了它，实际输出是：\n\n{1}",
            &[last_line(broken), &output],
        ),
        (Task::Create, None) => conversation.tell(
            "I wrote hello.py and ran it. Its actual output:\n\n{0}",
            "hello.py 已写好并运行。实际输出是：\n\n{0}",
            &[&output],
        ),
        (Task::Repair, None) => conversation.tell(
            "hello.py runs, so there is nothing to repair. Its actual output:\n\n{0}",
            "hello.py 能正常运行，没有要修的。实际输出是：\n\n{0}",
            &[&output],
        ),
        (Task::Run | Task::Break | Task::OnlyBreak, None) => conversation.tell(
            "I ran hello.py. Its actual output:\n\n{0}",
            "我运行了 hello.py。实际输出是：\n\n{0}",
            &[&output],
        ),
    }
}

fn task(conversation: &Conversation<'_>) -> Option<Task> {
    let leave =
        ["don't repair", "don't fix", "do not repair", "do not fix", "leave it", "别修", "不要修", "不用修", "先不修"];
    if conversation.mentions(&[
        "break",
        "sabotage",
        "make it fail",
        "introduce",
        "弄坏",
        "搞坏",
        "改坏",
        "破坏",
        "出错",
    ]) {
        return Some(if conversation.mentions(&leave) { Task::OnlyBreak } else { Task::Break });
    }
    if conversation.mentions(&["repair", "fix", "debug", "修", "改好", "恢复"]) {
        return Some(Task::Repair);
    }
    let program = ["hello", "hello.py", "program", "script", "程序", "脚本"];
    if conversation.mentions(CREATING) && conversation.mentions(&program) {
        return Some(Task::Create);
    }
    if conversation.mentions(&["run", "execute", "start", "运行", "执行", "跑"]) {
        return Some(Task::Run);
    }
    conversation.mentions(&["hello.py", "hello, agent harness"]).then_some(Task::Create)
}

/// Whether it failed for want of Python, which no change of the program repairs.
fn lacks_python(step: &Step<'_>) -> bool {
    step.outcome == Outcome::Failed
        && step.result.lines().any(|line| line.contains("python3") && line.contains("not found"))
}

/// The line that names the error: a traceback's last.
fn last_line<'a>(step: &Step<'a>) -> &'a str {
    let mut lines = step.result.lines().map(str::trim).filter(|line| !line.is_empty());
    let named = lines.clone().rfind(|line| line.contains("Error"));
    named.or_else(|| lines.next_back()).unwrap_or_default()
}
