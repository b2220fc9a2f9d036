// The pictures of docs/screenshots: the page at work, wide and narrow, light and dark, English and Chinese. In mid-run
// (a command waits to be allowed) and, wide, at the end of a run. Called by `cargo xtask screenshots`.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, expect } from "@playwright/test";
import { startBridge } from "./world/bridge.mjs";
import { launchOptions } from "./world/chromium.mjs";
import { lessonOne } from "./world/workspace.mjs";

const pictures = join(import.meta.dirname, "../../docs/screenshots");
// Always the same, since the page shows it.
const workspace = join(tmpdir(), "playground");

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const languages = [
  {
    tag: "en",
    locale: "en-US",
    message: "Message",
    once: "Allow once",
    prompt: "Create hello.py that prints Hello, Agent Harness; run it and tell me its actual output.",
  },
  {
    tag: "zh",
    locale: "zh-CN",
    message: "消息",
    once: "允许一次",
    prompt: "请创建 hello.py，输出 Hello, Agent Harness；运行它并告诉我实际输出。",
  },
];

async function photograph(browser, link, { size, theme, language }) {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: theme,
    locale: language.locale,
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  // The page shows the time of day.
  await page.clock.install({ time: "2026-01-01T10:00:00Z" });
  const message = (index) => page.getByRole("listitem", { name: new RegExp(`^messages\\[${index}\\] `) });
  const once = page.getByRole("button", { name: language.once, exact: true });
  const picture = async (moment) => {
    const name = `${moment}${size.width}x${size.height}-${theme}-${language.tag}.png`;
    await page.screenshot({ path: join(pictures, name), animations: "disabled", caret: "hide" });
    console.log(name);
  };
  await page.goto(link);
  await expect(page.locator("body[data-ready]")).toBeAttached();
  await page.getByRole("textbox", { name: language.message, exact: true }).fill(language.prompt);
  await page.keyboard.press("Enter");
  await once.click();
  await expect(message(3)).toContainText("python3 hello.py");
  await expect(once).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await picture("");
  await once.click();
  await expect(message(5)).toContainText("Hello, Agent Harness");
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  if (size.width > 1000) await picture("finished-");
  await context.close();
}

rmSync(workspace, { recursive: true, force: true });
mkdirSync(workspace, { recursive: true });
mkdirSync(pictures, { recursive: true });
for (const [name, text] of Object.entries(lessonOne)) writeFileSync(join(workspace, name), text);
const bridge = await startBridge({ workspace, log: join(tmpdir(), "loopglass-screenshots.log") });
const browser = await chromium.launch(launchOptions);
try {
  for (const size of sizes) {
    for (const theme of ["light", "dark"]) {
      for (const language of languages) await photograph(browser, bridge.link, { size, theme, language });
    }
  }
} finally {
  await browser.close();
  await bridge.end();
  rmSync(workspace, { recursive: true, force: true });
}
