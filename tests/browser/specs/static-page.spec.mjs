// The page as plain files, without a bridge: it loads under its policy, works with the practice model and a person as the
// tool, and says on the page what goes wrong.
import { expect, test } from "@playwright/test";
import { listenForComplaints } from "../world/complaints.mjs";
import { dialects } from "../world/dialects.mjs";
import { Person } from "../world/person.mjs";
import { serveFiles } from "../world/static-host.mjs";

const dist = process.env.LOOPGLASS_DIST;

test("loads from any static host, below any path", async ({ page, context }) => {
  const files = await serveFiles(dist);
  const complaints = await listenForComplaints(context, new Set([new URL(files.url).origin]));
  await page.goto(files.url);
  await expect(page.locator("body[data-ready]")).toBeAttached();
  await expect(page.locator("#loading")).toHaveCount(0);
  await expect(page.getByRole("alert")).toBeHidden();
  expect(complaints).toEqual([]);
  await files.close();
});

for (const dialect of dialects) {
  test(`without a bridge a person is the tool, ${dialect.name}`, async ({ page, context }) => {
    const files = await serveFiles(dist);
    const complaints = await listenForComplaints(context, new Set([new URL(files.url).origin]));
    const person = new Person(page, dialect);
    await person.open(files.url);
    await expect(page.getByText("This page was not served by host-bridge, so there is no shell.")).toBeVisible();
    await person.chooseDialect(dialect.name);
    await person.chooseHost("You are the tool");
    await person.say("List the Python files in the current directory");
    await page.getByRole("textbox", { name: "Result", exact: true }).fill("./typed.py");
    await person.button("Return result").click();
    await person.rests();
    await expect(person.message(3, "assistant")).toContainText("typed.py");
    // The practice model is in the page: nothing was sent anywhere.
    expect(person.requests()).toEqual([]);
    expect(complaints).toEqual([]);
    await files.close();
  });
}

for (const [locale, failed, missing, told] of [
  ["en-US", "Loopglass could not be loaded.", "loopglass_bg.wasm", "loopglass_bg.wasm: 404"],
  ["zh-CN", "循环镜未能加载。", "loopglass_bg.wasm", "loopglass_bg.wasm: 404"],
  ["en-US", "Loopglass could not be loaded.", "load.js", "load.js"],
  ["zh-CN", "循环镜未能加载。", "load.js", "load.js"],
]) {
  test(`a missing file is said on the page, ${missing}, ${locale}`, async ({ browser }) => {
    const page = await browser.newPage({ locale });
    const files = await serveFiles(dist, { without: (name) => name === missing });
    await page.goto(files.url);
    await expect(page.getByRole("alert")).toContainText(failed);
    await expect(page.getByRole("alert")).toContainText(told);
    await files.close();
    await page.close();
  });
}
