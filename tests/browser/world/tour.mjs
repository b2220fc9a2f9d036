// A walk through everything the page can look like, in either language. Each tour leads to one state after another and
// calls `look` there; what is done at each state (axe, pictures) is the caller's.
import { expect } from "@playwright/test";

/** What a tour reads and presses, by language. */
export const tongues = {
  "en-US": {
    message: "Message",
    model: "Model",
    host: "Tool host",
    dialect: "Dialect",
    ready: /^ready in \//,
    run: "Run",
    step: "Step",
    stop: "Stop",
    once: "Allow once",
    forSession: "Allow for this session",
    deny: "Deny",
    edit: "Edit…",
    back: "Back",
    editMessage: "Edit",
    cancel: "Cancel",
    question: "Allow this command?",
    breakpoints: /^Breakpoints/,
    beforeModel: "before the model call",
    always: "always",
    never: "never",
    held: "Held at a breakpoint: before the model call.",
    running: "running on host-bridge",
    queue: "Waiting to be sent after the results",
    tabs: ["Request", "Response", "State", "Tool", "Code"],
    raw: "Raw",
    time: "Time",
    fork: "Fork from here",
    branched: "A new branch begins here.",
    compare: "Compare with this branch",
    comparison: "Two branches side by side",
    closeComparison: "Close the comparison",
    rename: "Rename",
    remove: "Delete",
    keep: "Keep",
    sessions: "Sessions",
    inspector: "Inspector",
    settings: "Settings",
    done: "Done",
    maxTokens: /^max_tokens/,
    tokens: "Tokens, in and out",
    calls: "Model calls for one message",
    window: "Context window, in tokens",
    youTheModel: "You are the model",
    youTheTool: "You are the tool",
    samples: "Answers to begin with",
    ended: "The model stopped asking.",
    cut: "The answer reached max_tokens and was cut.",
    declined: "The model declined.",
    filtered: "The service’s filter cut the answer.",
    limit: "This message has taken its one model call.",
    spent: "This message has spent its one token.",
    same: "The model asked for the same call 5 times in a row.",
    full: "The context window is nearly full.",
    failed: "The model call failed.",
    stopped: "You stopped it.",
    retry: /^attempt 2 in /,
    silent: /^nothing new for /,
    readOnly: "This session is open in another tab, so here it can only be read.",
    newBridge: "The host bridge is a new one and does not know this tab.",
    gone: "The host bridge does not answer. Everything here is kept.",
  },
  "zh-CN": {
    message: "消息",
    model: "模型",
    host: "工具主机",
    dialect: "协议",
    ready: /^就绪：\//,
    run: "运行",
    step: "单步",
    stop: "停止",
    once: "允许一次",
    forSession: "本会话内允许",
    deny: "拒绝",
    edit: "编辑…",
    back: "返回",
    editMessage: "编辑",
    cancel: "取消",
    question: "允许执行这条命令吗？",
    breakpoints: /^断点/,
    beforeModel: "调用模型之前",
    always: "总是",
    never: "从不",
    held: "停在断点：调用模型之前。",
    running: "正在 host-bridge 上运行",
    queue: "排队中，结果返回后发送",
    tabs: ["请求", "响应", "状态", "工具", "代码"],
    raw: "原文",
    time: "时间",
    fork: "从这里分叉",
    branched: "新分支从这里开始。",
    compare: "与这个分支比较",
    comparison: "两个分支并排",
    closeComparison: "关闭比较",
    rename: "改名",
    remove: "删除",
    keep: "保留",
    sessions: "会话",
    inspector: "检查器",
    settings: "设置",
    done: "完成",
    maxTokens: /^max_tokens/,
    tokens: "token（输入加输出）",
    calls: "一条消息最多调用模型几次",
    window: "上下文窗口（token）",
    youTheModel: "你就是模型",
    youTheTool: "你来当工具",
    samples: "可以从这些回答开始",
    ended: "模型不再请求工具。",
    cut: "回答到达 max_tokens，被截断。",
    declined: "模型拒绝了。",
    filtered: "服务的过滤器截断了回答。",
    limit: "这条消息已经用完 1 次模型调用。",
    spent: "这条消息已经用完 1 token。",
    same: "模型连续 5 次请求同一个调用。",
    full: "上下文窗口快满了。",
    failed: "模型调用失败。",
    stopped: "你停止了它。",
    retry: / 后第 2 次尝试$/,
    silent: /^已有 .+没有新内容/,
    readOnly: "这个会话已在另一个标签页打开，所以这里只能看。",
    newBridge: "本机桥接换了一个，不认识这个标签页。",
    gone: "本机桥接没有回应。这里的内容都在。",
  },
};

/** Somebody who reads that language, at a page that a bridge serves. */
export class Guide {
  constructor(page, tongue) {
    this.page = page;
    this.t = tongue;
    this.box = page.getByRole("textbox", { name: tongue.message, exact: true });
    this.list = page.getByRole("list", { name: "messages", exact: true });
    this.question = page.getByRole("alertdialog", { name: tongue.question });
  }

  async open(link) {
    await this.page.goto(link);
    await expect(this.page.locator("body[data-ready]")).toBeAttached();
    await expect(this.page.getByText(this.t.ready).first()).toBeVisible();
  }

  button(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  async choose(model) {
    await this.page.getByRole("combobox", { name: this.t.model, exact: true }).selectOption(model);
  }

  async say(words) {
    await this.box.fill(words);
    await this.box.press("Enter");
  }

  async rests(why) {
    await expect(this.page.getByText(why, { exact: true }).last()).toBeVisible({ timeout: 30_000 });
    await expect(this.button(this.t.stop)).toBeDisabled();
  }

  /** Allows what is asked, and sees that question go. */
  async allow() {
    await expect(this.question).toBeVisible();
    const asked = await this.question.elementHandle();
    await this.button(this.t.once).click();
    await expect.poll(async () => (await asked.isVisible().catch(() => false)) === false).toBe(true);
  }

  /** Sets a number in the settings. */
  async set(label, value) {
    await this.button(this.t.settings).click();
    const settings = this.page.getByRole("dialog", { name: this.t.settings });
    await settings.getByLabel(label).fill(value);
    await settings.getByRole("button", { name: this.t.done }).click();
    await expect(settings).toBeHidden();
  }

  message(index, role) {
    return this.list.getByRole("listitem", { name: `messages[${index}] ${role}`, exact: true });
  }
}

/**
 * Each tour is given a guide, `look(name)`, and the bridge that serves the page. With `look(name, { sheet })` the state is
 * one of a panel that a small screen shows on demand: the sheet is to be opened there, by the button of that name.
 */
export const tours = {
  async "a run, from the empty session to its end"(guide, look) {
    const { page, t } = guide;
    await look("empty");
    await look("list of sessions", { sheet: t.sessions });
    await page.getByRole("button", { name: t.breakpoints }).click();
    const panel = page.getByRole("region", { name: t.breakpoints });
    await panel.getByRole("combobox", { name: t.beforeModel }).selectOption({ label: t.always });
    await look("breakpoints open");
    await panel.getByRole("combobox", { name: t.beforeModel }).selectOption({ label: t.never });
    await page.getByRole("button", { name: t.breakpoints }).click();
    await guide.button(t.settings).click();
    await expect(page.getByRole("dialog").getByLabel(t.maxTokens)).toBeVisible();
    await look("settings open");
    await page.keyboard.press("Escape");

    await guide.choose("practice/run");
    await guide.say("$ ls -la && for f in *.py; do echo \"$f\"; done # every one\n$ sleep 600");
    await expect(guide.question).toBeVisible();
    await look("asked");
    await guide.button(t.edit).click();
    await look("asked, editing the command");
    await guide.button(t.back).click();
    await guide.allow();
    await guide.allow();
    await expect(guide.list).toContainText(t.running);
    await guide.say("And then tell me the time");
    await expect(page.getByRole("list", { name: t.queue })).toBeVisible();
    await look("running, with a message in line");
    await guide.button(t.stop).click();
    // What was in line is sent once the run is over.
    await expect(guide.button(t.stop)).toBeDisabled();
    await look("stopped");
    await guide.button(t.run).click();
    await expect(page.getByText(t.ended, { exact: true }).last()).toBeVisible({ timeout: 30_000 });
    await look("ended");
    await look(`tab ${t.tabs[0]}`, { sheet: t.inspector });
    for (const tab of t.tabs.slice(1)) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await look(`tab ${tab}`, { sheet: t.inspector });
    }
    await page.getByRole("tab", { name: t.tabs[0], exact: true }).click();
    await page.getByRole("tabpanel").getByRole("button", { name: t.raw, exact: true }).click();
    await look("raw request", { sheet: t.inspector });
  },

  async "time, branches and edits"(guide, look) {
    const { page, t } = guide;
    await guide.choose("practice/run");
    await guide.say("$ echo one\n$ cat app.py");
    await guide.allow();
    await guide.allow();
    await guide.rests(t.ended);
    const slider = page.getByRole("slider", { name: t.time });
    await slider.focus();
    await page.keyboard.press("Home");
    for (let facts = 0; facts < 6; facts += 1) await page.keyboard.press("ArrowRight");
    await look("looking back");
    await guide.button(t.fork).click();
    await guide.rests(t.branched);
    await look("a new branch");
    await guide.say("$ echo another");
    await expect(guide.question).toBeVisible();
    await guide.button(t.deny).click();
    await guide.rests(t.ended);
    const sessions = page.getByRole("navigation", { name: t.sessions });
    await sessions.getByRole("button", { name: t.compare }).click();
    await expect(page.getByRole("region", { name: t.comparison })).toBeVisible();
    await look("comparing");
    await guide.button(t.closeComparison).click();
    await sessions.getByRole("button", { name: t.rename }).last().click();
    await sessions.getByRole("button", { name: t.remove }).first().click();
    await look("renaming and deleting", { sheet: t.sessions });
    await sessions.getByRole("button", { name: t.keep, exact: true }).click();
    await guide.message(0, "user").getByRole("button", { name: t.editMessage }).click();
    await look("editing a message");
  },

  async "holds and people"(guide, look) {
    const { page, t } = guide;
    await page.getByRole("button", { name: t.breakpoints }).click();
    const panel = page.getByRole("region", { name: t.breakpoints });
    await panel.getByRole("combobox", { name: t.beforeModel }).selectOption({ label: t.always });
    await page.getByRole("button", { name: t.breakpoints }).click();
    await guide.choose("practice/run");
    await guide.say("$ echo held");
    await expect(page.getByText(t.held)).toBeVisible();
    await look("held at a breakpoint");
    await page.getByRole("button", { name: t.breakpoints }).click();
    await panel.getByRole("combobox", { name: t.beforeModel }).selectOption({ label: t.never });
    await page.getByRole("button", { name: t.breakpoints }).click();
    await guide.button(t.run).click();
    await guide.allow();
    await guide.rests(t.ended);
    await guide.choose("you");
    await guide.say("Who are you?");
    const card = page.getByRole("group", { name: t.youTheModel });
    await expect(card).toBeVisible();
    await card.getByRole("group", { name: t.samples }).getByRole("button").nth(1).click();
    await look("be the model");
    await guide.button(t.stop).click();
    await guide.rests(t.stopped);
    await guide.choose("practice/run");
    await page.getByRole("combobox", { name: t.host }).selectOption("you");
    await guide.say("$ whoami");
    await expect(page.getByRole("group", { name: t.youTheTool })).toBeVisible();
    await look("be the tool");
    await guide.button(t.stop).click();
    await expect(guide.button(t.stop)).toBeDisabled();
  },

  async "where a run stops short"(guide, look) {
    const { page, t } = guide;
    const fresh = async () => {
      await page.evaluate(() => localStorage.removeItem("loopglass-settings"));
    };
    await guide.set(t.maxTokens, "60");
    await guide.choose("practice/stop-max-tokens");
    await guide.say("Go ahead");
    await guide.rests(t.cut);
    await look("cut at max_tokens");
    await guide.set(t.maxTokens, "8000");
    await guide.choose("practice/stop-refusal");
    await guide.say("Go ahead");
    await guide.rests(t.declined);
    await look("declined");
    await guide.set(t.tokens, "1");
    await guide.choose("practice/turn-limit");
    await guide.say("Go ahead");
    await guide.allow();
    await guide.rests(t.spent);
    await look("budget spent");
    await guide.set(t.tokens, "");
    await guide.set(t.calls, "1");
    await guide.say("Go ahead");
    await guide.allow();
    await guide.rests(t.limit);
    await look("turn limit");
    await guide.set(t.calls, "50");
    await guide.choose("practice/repeat");
    await guide.say("Go ahead");
    await expect(guide.question).toBeVisible();
    await guide.button(t.forSession).click();
    await guide.rests(t.same);
    await look("the same call");
    await guide.set(t.window, "400");
    await guide.say("more");
    await guide.rests(t.full);
    await look("context nearly full");
    await fresh();
  },

  async "calls and endpoints that fail"(guide, look) {
    const { page, t } = guide;
    await guide.choose("practice/fault-stall");
    await guide.say("Go ahead");
    await expect(page.getByText(t.silent)).toBeVisible();
    await look("silent");
    await guide.button(t.stop).click();
    await guide.rests(t.stopped);
    await look("stopped while a model was silent");
    await guide.choose("practice/bad-arguments");
    await guide.say("Go ahead");
    await expect(guide.message(3, "user")).toBeVisible();
    await guide.rests(t.ended);
    await look("arguments that are none");
    for (const [model, name] of [["practice/fault-401", "refused by the endpoint"], ["practice/fault-empty", "an empty answer"]]) {
      await guide.choose(model);
      await guide.say("Go ahead");
      await guide.rests(t.failed);
      await look(name);
    }
    await guide.choose("practice/fault-429");
    await guide.say("Go ahead");
    await expect(page.getByText(t.retry)).toBeVisible();
    await look("waiting for the next attempt");
    // The wait may be over by now, and the call with it: it ends by itself then.
    await guide.button(t.stop).click({ force: true });
    await expect(guide.button(t.stop)).toBeDisabled();
  },

  async "another tab"(guide, look, { bridge }) {
    const { page, t } = guide;
    await guide.say("$ echo kept");
    await guide.allow();
    await guide.rests(t.ended);
    const other = new Guide(await page.context().newPage(), t);
    await other.page.goto(bridge.link);
    await expect(other.page.getByText(t.readOnly)).toBeVisible();
    await look("read only", { at: other.page });
    await other.page.close();
  },

  async "without its bridge"(guide, look, { bridge }) {
    const { page, t } = guide;
    await guide.say("$ echo kept");
    await expect(guide.question).toBeVisible();
    await guide.button(t.deny).click();
    await guide.rests(t.ended);
    await bridge.end("SIGKILL");
    await expect(page.getByText(t.gone)).toBeVisible();
    await look("the bridge is gone");
  },
};
